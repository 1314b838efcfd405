"""What reductions are lowered to: a loop, with what it has come to in a variable."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compiler.levels.arrays.lowering.context import Context
from compiler.levels.arrays.lowering.memory import for_each, once_for_all, placed, shared, store
from compiler.levels.arrays.lowering.memory import stored as in_arena
from compiler.levels.arrays.lowering.staged import (
    NO_INDEX,
    ArrayValue,
    Flat,
    Operand,
    Packed,
    Position,
    Shape,
    Staged,
)
from compiler.levels.arrays.lowering.sums import any_order, reduce, scan
from compiler.levels.arrays.lowering.terminals import lower
from compiler.levels.arrays.operations.reductions import Reduce, Scan
from compiler.levels.arrays.types import GraphType
from machines.levels.arrays.types import size_in_memory
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
    is_one = low.team is None or low.team.region is not None
    has_index = array.index is not None and isinstance(array.shape, Flat)
    if is_one and is_allowed and type.is_float and has_index:
        return _reduced_in_parts(low, operation, type, low.number(start), array)
    start, range_ = low.number(start), array.shape
    while isinstance(range_, Packed):
        range_ = range_.base
    if shared(low, range_) and any_order(operation.row, type, low.allow):
        return _reduced_by_all(low, operation, type, start, array, range_)

    def in_order() -> list[Operand]:
        held = code.variable("acc", type, start)

        def combine(position: Position) -> None:
            value = low.number(low.element(array, position))
            code.builder.emit(operation.row, held, value, result=held)

        for_each(low, array.shape, combine)
        return [held]

    return once_for_all(low, [type], in_order)[0]


def _reduced_by_all(
    low: Context, operation: Reduce, type: Scalar, start: Operand, array: ArrayValue, all_: Flat
) -> Operand:
    """Of the elements that a range has, or that are packed from it, each thread takes some."""

    def at(shape: Shape, k: Operand, do: Callable[[Position], None]) -> None:
        if isinstance(shape, Flat):
            do(Position(shape, k))
            return

        def inside(base: Position) -> None:
            kept = low.element(shape.mask, base)
            low.code.choose(kept, lambda: do(Position(shape, NO_INDEX, base)))

        at(shape.base, k, inside)

    def each(k: Operand, add: Callable[[Operand], None]) -> None:
        at(array.shape, k, lambda position: add(low.number(low.element(array, position))))

    return reduce(low.team, operation.row, type, start, all_.length, each)


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
    if shared(low, array.shape) and any_order(operation.row, type, low.allow):
        return _scanned_by_all(low, operation, type, low.number(start), array)
    held = code.variable("acc", type, low.number(start))

    def combine(position: Position) -> Operand:
        value = low.number(low.element(array, position))
        code.builder.emit(operation.row, held, value, result=held)
        return held

    running = ArrayValue(array.shape, combine, in_order=True)
    made = in_arena(low, running, type)
    made.key = made
    return made


def _scanned_by_all(
    low: Context, operation: Scan, type: Scalar, start: Operand, array: ArrayValue
) -> ArrayValue:
    """Each thread has a stretch of the elements, and what all before it come to."""
    code, length = low.code, array.shape.length
    place = low.arena.take(length, size_in_memory(type))

    def element(k: Operand) -> Operand:
        return low.number(low.element(array, Position(array.shape, k)))

    def put(k: Operand, before: Operand, after: Operand) -> None:
        store(code, low.arena.base(place), k, type, after)

    scan(low.team, operation.row, type, start, length, element, put)
    return placed(low, type, length, [place])
