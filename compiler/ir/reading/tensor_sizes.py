"""What the text of a tensor instruction says of its sizes; see `machines.tensors.sizes`."""

from __future__ import annotations

from compiler.ir.module import AnyOf, Instruction, Interval
from machines.operations.row import Region


def known_sizes(instruction: Instruction) -> dict[str, int | None]:
    """What `misfit` needs of an instruction, as far as its text says it."""
    row = instruction.operation
    sizes = {
        operand.name: _size(value)
        for operand, value in zip(row.reads, instruction.operands, strict=True)
        if isinstance(operand.kind, Region)
    }
    return sizes | known_extents(instruction)


def known_extents(instruction: Instruction) -> dict[str, int | None]:
    """The values of the operands that are extents, by operand; None for variables."""
    row = instruction.operation
    return {
        operand.name: None if isinstance(value, str) else value
        for operand, value in zip(row.reads, instruction.operands, strict=True)
        if operand.name in row.extents
    }


def _size(interval: Interval) -> int | None:
    """The number of elements, if it is the same whatever happens."""
    if isinstance(interval, AnyOf):
        sizes = {_size(candidate) for candidate in interval.candidates}
        return sizes.pop() if len(sizes) == 1 else None
    return interval.size if interval.is_exact else None
