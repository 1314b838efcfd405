"""What operations on the form of values are lowered to: nothing is computed, but checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compiler.levels.arrays.lowering.choices import selected
from compiler.levels.arrays.lowering.context import Context
from compiler.levels.arrays.lowering.memory import (
    each_alone,
    for_each,
    length_of,
    load,
    once_for_all,
    placed,
    shared,
    store,
    words_of,
)
from compiler.levels.arrays.lowering.memory import stored as in_arena
from compiler.levels.arrays.lowering.staged import (
    NO_INDEX,
    ArrayValue,
    Flat,
    LengthOf,
    NotAsAssumed,
    Operand,
    Position,
    Segmented,
    Shape,
    Staged,
)
from compiler.levels.arrays.lowering.sums import scan
from compiler.levels.arrays.lowering.terminals import indexable, lower, together
from compiler.levels.arrays.operations.each import Each
from compiler.levels.arrays.operations.hierarchy import NEGATIVE, UNEQUAL
from compiler.levels.arrays.operations.structural import (
    Flatten,
    Iota,
    Item,
    Length,
    MakeArray,
    MakeTuple,
    Replicate,
    Rows,
    Spread,
    Zip,
)
from compiler.levels.arrays.types import Array, GraphType, holds
from machines.levels.arrays.types import size_in_memory, words
from machines.types import I64

_FEW = 4
"""Scalars of an array that is written out which are chosen from in place of being stored."""


@lower.register(MakeTuple)
def _(operation: MakeTuple, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    return values


@lower.register(MakeArray)
def _(operation: MakeArray, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    """A few scalars are chosen from by their index; all else is stored."""
    element, count = types[-1].element, len(values)
    if count > _FEW or holds(element, Array):
        return _written(low, element, values)

    def index(k: Operand) -> Staged:
        made = values[-1]
        for place in range(count - 2, -1, -1):
            made = selected(low, low.code.emit("eq.i64", k, place), element, values[place], made)
        return made

    return ArrayValue(Flat(count), lambda p: index(p.index), index, cost=count)


def _written(low: Context, element: GraphType, values: Sequence[Staged]) -> ArrayValue:
    """An array whose elements are stored one after the other."""
    held, count = words(element), len(values)
    places = [low.arena.take(count, size_in_memory(word)) for word in held]
    parts = [words_of(low, element, value) for value in values]

    def write() -> list[Operand]:
        bases = [low.arena.base(place) for place in places]
        for k, of_value in enumerate(parts):
            for base, word, part in zip(bases, held, of_value, strict=True):
                store(low.code, base, k, word, part)
        return []

    once_for_all(low, [], write)
    return placed(low, element, count, places)


@lower.register(Item)
def _(operation: Item, low: Context, types: Sequence[GraphType], value: Staged) -> Staged:
    return value[operation.index]


@lower.register(Length)
def _(operation: Length, low: Context, types: Sequence[GraphType], value: Staged) -> Staged:
    shape = value.shape
    if isinstance(shape, Flat) or low.place.origin in low.refuted:
        return low.as_length(length_of(low, shape))
    return LengthOf(shape, low.place.origin)


@lower.register(Zip)
def _(operation: Zip, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    return lower(Each(MakeTuple()), low, types, *values)


def _shape(low: Context, length: Staged) -> Shape:
    """The shape of so many positions; a negative number faults."""
    if isinstance(length, LengthOf):
        return length.shape
    _not_negative(low, length)
    return Flat(length)


def _not_negative(low: Context, length: Staged) -> None:
    if not low.is_length(length):
        low.code.fault_if(low.code.emit("lt_s.i64", length, 0), NEGATIVE)


@lower.register(Iota)
def _(operation: Iota, low: Context, types: Sequence[GraphType], length: Staged) -> Staged:
    shape = _shape(low, length)

    def at(position: Position) -> Operand:
        if position.index == NO_INDEX:
            raise NotAsAssumed(length.origin)
        return position.index

    made = ArrayValue(shape, at, lambda k: k, cost=0, identity=shape)
    made.distinct = made.is_length = True
    return made


@lower.register(Replicate)
def _(operation: Replicate, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    value, length = values
    made = ArrayValue(_shape(low, length), lambda p: value, lambda k: value, cost=0)
    made.is_uniform = True
    if isinstance(value, ArrayValue):
        if isinstance(value.shape, Flat):
            made.row_key = ("equal", value.shape.length)
        made.cost, made.faults = value.cost, value.faults
    else:
        made.key, made.is_length = ("equal", value), low.is_length(value)
    return made


@lower.register(Spread)
def _(operation: Spread, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    base, (array, counts) = together(low, values, types)
    if not counts.is_length:
        each_alone(low, base, lambda p: _not_negative(low, low.number(low.element(counts, p))))

    def settle(outer: Position) -> None:
        # Here, as it may fault, and as a row of none needs it too.
        low.element(array, outer)

    def rows(outer: Position) -> ArrayValue:
        settle(outer)
        count = low.element(counts, outer)
        shape = count.shape if isinstance(count, LengthOf) else Flat(count)
        return ArrayValue(shape, lambda p: None, lambda k: None)

    shape = Segmented(base, low.per_position(rows), counts.key)
    made = ArrayValue(shape, lambda p: low.element(array, p.outer), cost=array.cost)
    made.settle, made.is_free = settle, True
    made.faults = array.faults or counts.faults
    return made


@lower.register(Flatten)
def _(operation: Flatten, low: Context, types: Sequence[GraphType], array: Staged) -> Staged:
    element = types[0].element.element

    def row(outer: Position) -> ArrayValue:
        return low.element(array, outer)

    def settle(outer: Position) -> None:
        low.code.remember(outer.known, array, indexable(low, row(outer), element))

    shape = Segmented(array.shape, row, array.row_key)
    made = ArrayValue(shape, lambda p: low.element(row(p.outer), p.inner), settle=settle)
    made.cost, made.faults = array.cost, array.faults
    return made


@lower.register(Rows)
def _(operation: Rows, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    array, lengths = values
    shape = array.shape
    if isinstance(shape, Segmented) and shape.key == lengths.key:
        return _cut_again(low, array, lengths)
    if array.index is None or not isinstance(shape, Flat):
        array = in_arena(low, array, types[0].element)
    if lengths.index is None or lengths.cost > 1 or not isinstance(lengths.shape, Flat):
        lengths = in_arena(low, lengths, I64)
    return _cut(low, array, lengths)


def _cut_again(low: Context, array: ArrayValue, lengths: ArrayValue) -> ArrayValue:
    """Rows of what was rows before: their positions are those in the rows."""
    shape = array.shape

    def row(outer: Position) -> ArrayValue:
        inside = shape.rows(outer)

        def at(inner: Position) -> Staged:
            return low.element(array, low.inside(outer, inner, shape))

        def index(k: Operand) -> Staged:
            return at(Position(inside.shape, k))

        return ArrayValue(
            inside.shape,
            at,
            index if inside.index is not None else None,
            cost=array.cost,
            faults=array.faults,
        )

    made = ArrayValue(shape.outer, low.per_position(row), cost=array.cost)
    made.faults = array.faults
    made.row_key = lengths.key
    return made


def _cut(low: Context, array: ArrayValue, lengths: ArrayValue) -> ArrayValue:
    """Rows of an array that is cut at places that are computed first."""
    code = low.code
    total = code.variable("total", I64, 0)
    starts = low.arena.base(low.arena.take(lengths.shape.length, 8))

    def length_at(position: Position) -> Operand:
        length = low.number(low.element(lengths, position))
        if not lengths.is_length:
            code.fault_if(code.emit("lt_s.i64", length, 0), NEGATIVE)
        return length

    def begin(position: Position) -> None:
        length = length_at(position)
        store(code, starts, position.index, I64, total)
        code.builder.emit("add.i64", total, length, result=total)
        # Lengths that wrapped around could add up to the right number.
        code.fault_if(code.emit("gt_u.i64", total, array.shape.length), UNEQUAL)

    def cut() -> list[Operand]:
        for_each(low, lengths.shape, begin)
        return [total]

    def of_row(k: Operand) -> Operand:
        return length_at(Position(lengths.shape, k))

    def begin_row(k: Operand, before: Operand, after: Operand) -> None:
        store(code, starts, k, I64, before)
        code.fault_if(code.emit("gt_u.i64", after, array.shape.length), UNEQUAL)

    if shared(low, lengths.shape):
        count = lengths.shape.length
        total = scan(low.team, "add.i64", I64, 0, count, of_row, begin_row)
    else:
        (total,) = once_for_all(low, [I64], cut)
    code.fault_if(code.emit("ne.i64", total, array.shape.length), UNEQUAL)

    def at(k: Operand) -> ArrayValue:
        first, length = load(code, starts, k, I64), low.number(lengths.index(k))
        element: Callable[[Operand], Staged] = lambda j: array.index(code.add(first, j))  # noqa: E731
        return ArrayValue(
            Flat(length), lambda p: element(p.index), element, cost=array.cost, faults=array.faults
        )

    made = ArrayValue(lengths.shape, lambda p: at(p.index), at, cost=array.cost)
    made.row_key, made.faults = lengths.key, array.faults
    return made
