"""Whether the intervals of a tensor operation have the sizes that its walk needs.

    tensor.matmul.f32 c[0:4], a[0:6], b[0:8], 2, 3, 2   ->   b must have 6 elements (k * n)

The verifier asks with what the text says, the interpreter with what is known when it runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from compiler.ir.module import AnyOf, Instruction, Interval
from machines.operations.row import Region, Walk


def misfit(walk: Walk, known: Mapping[str, int | None]) -> tuple[str, int] | None:
    """The first operand that does not fit and the number it must be (0: at least 0), or None.

    `known` holds the size of every interval and the value of every extent, by operand; None for
    what is not known.
    """
    extents = {extent: known.get(extent) for _, extent in walk.loops}
    for name, value in extents.items():
        if value is not None and value < 0:
            return name, 0
    for name, factors in walk.extents:
        size = known.get(name)
        if size is None:
            continue
        if factors == ("size",) and extents["size"] is None:
            extents["size"] = size
        values = [extents[factor] for factor in factors]
        if None not in values and size != math.prod(values):
            return name, math.prod(values)
    return None


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
    extents = [extent for _, extent in row.walk.loops]
    return {
        operand.name: None if isinstance(value, str) else value
        for operand, value in zip(row.reads, instruction.operands, strict=True)
        if operand.name in extents
    }


def _size(interval: Interval) -> int | None:
    """The number of elements, if it is the same whatever happens."""
    if isinstance(interval, AnyOf):
        sizes = {_size(candidate) for candidate in interval.candidates}
        return sizes.pop() if len(sizes) == 1 else None
    return interval.size if interval.is_exact else None
