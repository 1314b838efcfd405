"""Registers that are written once, and what is known of them.

    mov.tid.x   %t                 %t is `mov.tid.x` wherever it is read
    add.s32     %i, %t, 1          %i is `add.s32 %t, 1`
    mov.b32     %s, 0              %s is not: it is written again in the loop

A register is *single* if one row writes it, without a guard, and that row dominates all that read
it.  What it was made of, if that is single too or a constant, then still holds the same wherever it
is read, as in SSA form.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.analyses.dominators import dominators
from compiler.ir.module import Function, Guard, Instruction, Value
from compiler.targets.simt.registers.operands import reads, writes
from machines.diagnostics import Location
from machines.instructions import operations
from machines.operations.row import Access, Lane
from machines.vocabulary.lanes import lane_bits, read_lane


class Values:
    """The single registers of a function over virtual registers, as it stands.

    origins    single register -> the row that writes it
    uses       register -> how many operands and guards read it
    addresses  registers that are the address of an access
    """

    def __init__(self, function: Function):
        writers: dict[str, list[tuple[str, int, Instruction]]] = {}
        readers: dict[str, list[tuple[str, int]]] = {}
        self.addresses: set[Value] = set()
        for name in control_flow(function).reverse_postorder:
            for index, instruction in enumerate(function.blocks[name].instructions):
                for register, _ in reads(instruction):
                    readers.setdefault(register, []).append((name, index))
                for access in instruction.operation.accesses:
                    self.addresses.add(address_of(instruction, access))
                for register, _ in writes(instruction):
                    writers.setdefault(register, []).append((name, index, instruction))
        tree = dominators(function)
        self.origins: dict[str, Instruction] = {}
        for register, found in writers.items():
            block, index, instruction = found[0]
            if len(found) == 1 and instruction.guard is None:
                is_before = all(
                    (index < at) if other == block else tree.dominates(block, other)
                    for other, at in readers.get(register, ())
                )
                if is_before:
                    self.origins[register] = instruction
        self.uses = {register: len(found) for register, found in readers.items()}

    def origin(self, value: Value) -> Instruction | None:
        """The row that made a value, None for constants and what is not single."""
        return self.origins.get(value) if isinstance(value, str) else None

    def is_stable(self, value: Value) -> bool:
        """Whether an operand is the same wherever it is read."""
        return not isinstance(value, str) or value in self.origins


@cached_by_version
def values_of(function: Function) -> Values:
    """What is known of a function's registers; whoever changes it changes the function too."""
    return Values(function)


def address_of(instruction: Instruction, access: Access) -> Value:
    """The operand that is the address of one of an instruction's accesses."""
    names = [operand.name for operand in instruction.operation.reads]
    return instruction.operands[names.index(access.address)]


def are_same(code: Sequence[Instruction], other: Sequence[Instruction]) -> bool:
    """Whether two pieces of code are the same instructions, in one order."""
    return len(code) == len(other) and all(map(is_, code, other))


def row(name: str):
    """A row of the family `ptx`."""
    return operations()["ptx", name]


def write_row(
    name: str,
    results: tuple[str, ...],
    operands: tuple[Value, ...],
    guard: Guard | None,
    location: Location | None,
) -> Instruction:
    """A row of the family `ptx`, its integer literals as its operands name them."""
    operation = row(name)
    given = tuple(
        read_lane(lane_bits(value, operand.kind.type), operand.kind.type)
        if isinstance(operand.kind, Lane) and not isinstance(value, str)
        else value
        for value, operand in zip(operands, operation.reads, strict=True)
    )
    return Instruction(operation, results, given, guard, location=location)
