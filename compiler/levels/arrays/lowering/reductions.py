"""What reductions are lowered to: a loop, with what it has come to in a variable."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.levels.arrays.lowering.context import Context
from compiler.levels.arrays.lowering.memory import (
    for_each,
)
from compiler.levels.arrays.lowering.memory import stored as in_arena
from compiler.levels.arrays.lowering.staged import (
    ArrayValue,
    Flat,
    Operand,
    Position,
    Staged,
)
from compiler.levels.arrays.lowering.terminals import lower
from compiler.levels.arrays.operations.reductions import Reduce, Scan
from compiler.levels.arrays.types import GraphType
from machines.types import Type as Scalar

_PARTS = 4
"""Chains of a float's reduction: as many as an operation takes cycles on many machines."""
_NEUTRAL = {"add": -0.0, "mul": 1.0, "min": None, "max": None}
"""Of operations in any order, what changes no other operand; None: the start does, if it is one
already."""


@lower.register(Reduce)
def _(operation: Reduce, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    start, array = values
    code, type = low.code, types[0]
    is_allowed = "reassociate" in low.allow and operation.row.partition(".")[0] in _NEUTRAL
    if is_allowed and type.is_float and array.index is not None and isinstance(array.shape, Flat):
        return _reduced_in_parts(low, operation, type, low.number(start), array)
    held = code.variable("acc", type, low.number(start))

    def combine(position: Position) -> None:
        value = low.number(low.element(array, position))
        code.builder.emit(operation.row, held, value, result=held)

    for_each(low, array.shape, combine)
    return held


def _reduced_in_parts(
    low: Context, operation: Reduce, type: Scalar, start: Operand, array: ArrayValue
) -> Operand:
    """Several chains of operations, none of which waits for another, and then what is left."""
    code, row = low.code, operation.row
    whole = code.emit("shr_u.i64", array.shape.length, _PARTS.bit_length() - 1)
    neutral = _NEUTRAL[row.partition(".")[0]]
    begin = [start, *[start if neutral is None else neutral] * (_PARTS - 1)]
    parts = [code.variable("acc", type, value) for value in begin]

    def combine(position: Position) -> None:
        first = code.times(position.index, _PARTS)
        for k, part in enumerate(parts):
            value = low.number(array.index(code.add(first, k)))
            code.builder.emit(row, part, value, result=part)

    for_each(low, Flat(whole), combine)
    while len(parts) > 1:
        parts = [code.emit(row, a, b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
    held = code.variable("acc", type, parts[0])
    done = code.times(whole, _PARTS)

    def rest(position: Position) -> None:
        value = low.number(array.index(code.add(done, position.index)))
        code.builder.emit(row, held, value, result=held)

    for_each(low, Flat(code.emit("sub.i64", array.shape.length, done)), rest)
    return held


@lower.register(Scan)
def _(operation: Scan, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    start, array = values
    code, type = low.code, types[0]
    held = code.variable("acc", type, low.number(start))

    def combine(position: Position) -> Operand:
        value = low.number(low.element(array, position))
        code.builder.emit(operation.row, held, value, result=held)
        return held

    running = ArrayValue(array.shape, combine)
    made = in_arena(low, running, type)
    made.key = made
    return made
