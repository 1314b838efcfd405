"""Which numbers that commands give a core decide what happens, or how long it takes.

    m = tensor.max.f32 a[0:64]          nothing: m is only what is subtracted
    tensor.sub_scalar.f32 a[0:64], a[0:64], m
    n = tensor.load.i64 i[0:1]          b[0:n] is as long as n says
    tensor.fill.f32 b[0:n], m

A number is followed through what the core computes of it, along all ways of its code.  It decides
where it is a branch's condition, a guard, a bound, a size, a core to send to, or what an operation
may fault by.  Where none does, time is had without values: each such number is then 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from machines.instructions.cluster_control import is_send
from machines.kinds.cluster.program import CoreCode, Interval, Register, StreamInstruction
from machines.operations.row import Label

Origins = dict[int, frozenset[int]]
"""Of a register the commands, by their positions, whose numbers it may be made of."""
NOBODY: frozenset[int] = frozenset()


def numbers_that_count(code: CoreCode) -> dict[int, int]:
    """Position of a command that gives a number -> the first position that goes by it."""
    givers = {k for k, i in enumerate(code.code) if i.queue is not None and i.results}
    found: dict[int, int] = {}
    if givers:
        for position, origins in _decisions(code, givers):
            for giver in origins:
                found[giver] = min(found.get(giver, position), position)
    return found


def _decisions(code: CoreCode, givers: set[int]) -> Iterator[tuple[int, frozenset[int]]]:
    """Positions with the numbers by which they go."""
    heads: dict[int, Origins] = {0: {}}
    pending = [0]
    leaders = {0, *(target for i in code.code for target in i.targets)}
    while pending:
        position = pending.pop()
        origins = dict(heads[position])
        while True:
            instruction = code.code[position]
            decided = NOBODY.union(*(origins.get(r, NOBODY) for r in _deciding(instruction)))
            if decided:
                yield position, decided
            _carry_out(instruction, position, position in givers, origins)
            position += 1
            if instruction.row.is_terminator or position in leaders:
                break
        for target in instruction.targets if instruction.row.is_terminator else (position,):
            joined = _joined(heads.get(target, {}), origins)
            if heads.get(target) != joined:
                heads[target] = joined
                pending.append(target)


def _carry_out(
    instruction: StreamInstruction, position: int, gives: bool, origins: Origins
) -> None:
    """What an instruction writes is made of all that it reads; a command's number is its own."""
    made = frozenset({position}) if gives else NOBODY
    if not gives:
        made = made.union(*(origins.get(r.number, NOBODY) for r in _registers(instruction)))
    for number in instruction.results:
        kept = origins.get(number, NOBODY) if instruction.guard is not None else NOBODY
        origins[number] = made | kept


def _registers(instruction: StreamInstruction) -> Iterator[Register]:
    """The registers among the operands of what is not a command."""
    return (value for value in instruction.operands if isinstance(value, Register))


def _deciding(instruction: StreamInstruction) -> Iterator[int]:
    """The registers by whose values an instruction does one thing or another."""
    row = instruction.row
    if instruction.guard is not None:
        yield instruction.guard[0]
    by_all = row.is_terminator or (row.may_fault and row.walk is None)
    for operand, value in zip(
        (o for o in row.reads if not isinstance(o.kind, Label)), instruction.operands, strict=False
    ):
        if isinstance(value, Interval):
            bounds = (value.low, value.high, *(n for step in value.steps for n in step))
            yield from (bound.number for bound in bounds if isinstance(bound, Register))
        elif isinstance(value, Register):
            is_size = row.walk is not None and (operand.name in row.walk.extents or is_send(row))
            if by_all or is_size:
                yield value.number


def _joined(a: Origins, b: Origins) -> Origins:
    return {number: a.get(number, NOBODY) | b.get(number, NOBODY) for number in {**a, **b}}
