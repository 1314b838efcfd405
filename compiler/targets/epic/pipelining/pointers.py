"""Accesses that increment their address.

    ld8 %x = [%p]                          ld8 %x = [%p], 8
    st8 [%p] = %y                  ->      st8 [%p.1] = %y, 8        %p.1 = %p before the loop
    %p = adds 8, %p

The step of a pointer then takes no slot.  In a loop every access gets a pointer of its own: one
that several share would tie them to one another, each iteration's last to the next one's first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from compiler.ir.module import Instruction
from compiler.machine_code.operands import is_virtual
from compiler.targets.epic.registers.operands import reads, writes
from machines.instructions import operations


@dataclass(frozen=True)
class OwnPointers:
    """A loop body after that; `copies`: new pointer -> the one it is a copy of before the loop."""

    code: tuple[Instruction, ...]
    copies: dict[str, str]


def give_own_pointers(code: Iterable[Instruction], fresh: Callable[[str], str]) -> OwnPointers:
    """Let the accesses of a loop body increment their addresses where they can; `fresh` makes a
    name for a general register from another."""
    body, copies = list(code), {}
    for step in list(body):
        users = _users(body, step)
        pointer = step.results[0] if users else ""
        for number, user in enumerate(users):
            name = fresh(pointer) if number else pointer
            if number:
                copies[name] = pointer
            body[_index(body, user)] = incremented(_through(user, name), _through(step, name))
        if users:
            del body[_index(body, step)]
    return OwnPointers(tuple(body), copies)


def _users(body: list[Instruction], step: Instruction) -> list[Instruction]:
    """The accesses of a pointer, if `step` is its only step and all accesses can make it."""
    if not is_step(step):
        return []
    pointer = step.results[0]
    written = [name for i in body for name, _ in writes(i)]
    amount = step_amount(step)
    users = [i for i in body if i is not step and any(n == pointer for n, _ in reads(i))]
    if written.count(pointer) > 1 or amount in written:
        return []
    if any(_index(body, user) > _index(body, step) for user in users):
        return []
    return users if all(incremented(user, step) is not None for user in users) else []


def is_step(instruction: Instruction) -> bool:
    """Whether an instruction adds something to a register, unconditionally."""
    operation = instruction.operation.name
    if operation not in ("adds", "add") or instruction.guard is not None:
        return False
    result = instruction.results[0]
    return is_virtual(result) and instruction.operands.count(result) == 1


def step_amount(step: Instruction) -> int | str:
    """What a step adds: a number or a register."""
    first, second = step.operands
    return first if second == step.results[0] else second


def incremented(access: Instruction, step: Instruction) -> Instruction | None:
    """The access that makes a step of its address; None if there is none."""
    pointer, amount = step.results[0], step_amount(step)
    described = access.operation.access
    if described is None or access.guard is not None or pointer in access.results:
        return None
    names = [operand.name for operand in access.operation.reads]
    is_address = described.address in names and (
        access.operands[names.index(described.address)] == pointer
    )
    if not is_address or access.operands.count(pointer) > 1:
        return None
    suffix = "register" if isinstance(amount, str) else "immediate"
    row = operations().family("ia64").get(f"{access.operation.name}.increment_{suffix}")
    if row is None:
        return None
    kind = row.reads[-1].kind
    if isinstance(amount, int) and not kind.lowest <= amount <= kind.highest:
        return None
    return Instruction(
        row,
        (*access.results, pointer),
        (*access.operands, amount),
        attributes=dict(access.attributes),
        location=access.location,
    )


def _through(instruction: Instruction, pointer: str) -> Instruction:
    """The same through another pointer."""
    step = is_step(instruction)
    old = instruction.results[0] if step else instruction.operands[0]
    return replace(
        instruction,
        results=(pointer,) if step else instruction.results,
        operands=tuple(pointer if value == old else value for value in instruction.operands),
    )


def _index(body: list[Instruction], wanted: Instruction) -> int:
    return next(k for k, i in enumerate(body) if i is wanted)
