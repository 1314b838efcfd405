"""What each terminal operation is lowered to: of staged values a staged value.

Whatever an operation computes is computed where the element is asked for, but what has to be in
memory to be computed at all (`scan`, `scatter`), and checks that concern a whole array.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import TYPE_CHECKING

from compiler.graph.lowering.memory import (
    for_each,
    is_loop,
    length_of,
    load,
    place_array,
    placed,
    store,
    value_of,
    words_of,
)
from compiler.graph.lowering.memory import stored as in_arena
from compiler.graph.lowering.staged import (
    NO_INDEX,
    ArrayValue,
    Flat,
    LengthOf,
    NotCounted,
    Operand,
    Packed,
    Position,
    Segmented,
    Shape,
    Staged,
    same,
)
from compiler.graph.operations import (
    EQUAL_INDICES,
    NEGATIVE,
    OUT_OF_RANGE,
    UNEQUAL,
    Constant,
    Each,
    Filter,
    Flatten,
    Gather,
    Index,
    Iota,
    Item,
    Length,
    MakeTuple,
    Merge,
    Operation,
    Reduce,
    Replicate,
    Row,
    Rows,
    Scan,
    Scatter,
    ScatterReduce,
    Spread,
    Zip,
)
from compiler.graph.primitives import Primitive
from compiler.graph.types import GraphType, Tuple
from machines.array_types import words
from machines.types import I1, I8, I64
from machines.types import Type as Scalar

if TYPE_CHECKING:
    from compiler.graph.lowering.lowering import Lowering

_ONE_EACH = [(False, True), (True, False)]
_PARTS = 4
"""Chains of a float's reduction: as many as an operation takes cycles on many machines."""
_NEUTRAL = {"add": -0.0, "mul": 1.0, "min": None, "max": None}
"""Of operations in any order, what changes no other operand; None: the start may be combined often."""
LOOP = 100
"""Cost of an element that takes a loop."""


@singledispatch
def lower(
    operation: Operation, low: Lowering, types: Sequence[GraphType], *values: Staged
) -> Staged:
    """The value of an operation; `types` are those of its arguments, and its result's last."""
    raise NotImplementedError(f"no lowering for '{operation}'")


# Elementwise -------------------------------------------------------------------------------------


@lower.register(Constant)
def _(operation: Constant, low: Lowering, types: Sequence[GraphType]) -> Staged:
    return operation.value


@lower.register(Row)
def _(operation: Row, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
    operands = [low.number(value) for value in values]
    made = low.code.emit(operation.name, *operands)
    if operation.name == "max_s.i64" and any(map(low.is_length, operands)):
        low.as_length(made)
    return made


@lower.register(Primitive)
def _(operation: Primitive, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
    return low.call_closed(operation.meaning.graph, operation.meaning.function, values)


# For every element -------------------------------------------------------------------------------


def together(low: Lowering, arrays: Sequence[ArrayValue], types: Sequence[GraphType]) -> tuple:
    """A shape that all arrays have, and the arrays, some of which had to be put into memory for it;
    unequal lengths fault."""
    arrays = list(arrays)
    main = _main(arrays)
    for k, array in enumerate(arrays):
        if same(array.shape, main.shape):
            continue
        if array.index is None or not isinstance(array.shape, Flat):
            arrays[k] = in_arena(low, array, types[k].element)
    if not isinstance(main.shape, Flat) and any(isinstance(a.shape, Flat) for a in arrays):
        arrays = [
            in_arena(low, a, types[k].element) if not isinstance(a.shape, Flat) else a
            for k, a in enumerate(arrays)
        ]
    main = _main(arrays)
    shape = main.shape
    for array in arrays:
        if not same(array.shape, shape):
            low.code.fault_unless_equal(array.shape.length, shape.length, UNEQUAL)
    if isinstance(shape, Segmented):
        shape = _settled(main, arrays)
    return shape, arrays


def _main(arrays: Sequence[ArrayValue]) -> ArrayValue:
    """The array whose shape all take: one that needs the positions in its own rows, else one that
    needs its own positions, else one whose length is a literal."""
    wishes = (
        lambda a: a.settle is not None and not a.is_free,
        lambda a: a.index is None,
        lambda a: isinstance(a.shape, Flat) and not isinstance(a.shape.length, str),
        lambda a: True,
    )
    return next(array for wish in wishes for array in arrays if wish(array))


def _settled(main: ArrayValue, arrays: Sequence[ArrayValue]) -> Segmented:
    """The shape of an array, where other arrays' rows are seen to before one is gone through; all
    are flat if another has rows of its own, whose places would not be found else."""
    shape = main.shape
    others = [a for a in arrays if a.settle is not None and a.shape is not shape]
    if not all(a.is_free for a in others):
        others.append(main)
    if not others:
        return shape

    def rows(outer: Position) -> ArrayValue:
        for array in others:
            array.settle(outer)
        return shape.rows(outer)

    return Segmented(shape.outer, rows, shape.key)


@lower.register(Each)
def _(operation: Each, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
    shape, arrays = together(low, values, types)
    inner = operation.of
    inner_types = [type.element for type in types]
    place = low.place

    def of(elements: list[Staged]) -> Staged:
        with low.at(place):
            return lower(inner, low, inner_types, *elements)

    def at(position: Position) -> Staged:
        return of([low.element(array, position) for array in arrays])

    def index(k: Operand) -> Staged:
        return of([array.index(k) for array in arrays])

    made = ArrayValue(shape, at, index if all(a.index is not None for a in arrays) else None)
    made.cost = sum(a.cost for a in arrays) + _cost(inner)
    made.faults = inner.may_fault or any(a.faults for a in arrays)
    settling = [a.settle for a in arrays if a.settle is not None]
    if settling:
        made.settle = lambda outer: [settle(outer) for settle in settling][0]
        made.is_free = all(a.is_free for a in arrays if a.settle is not None)
    _say_lengths(made, inner, arrays)
    return made


def _cost(operation: Operation) -> int:
    if isinstance(operation, Each | Reduce | Scan | Scatter | ScatterReduce | Gather | Filter):
        return LOOP
    if isinstance(operation, Primitive):
        return LOOP
    return 1 if isinstance(operation, Row | Index) else 0


def _say_lengths(made: ArrayValue, inner: Operation, arrays: Sequence[ArrayValue]) -> None:
    """What is known of the rows that an operation for every element makes, or of lengths."""
    if isinstance(inner, Length):
        made.key, made.is_length = arrays[0].row_key, True
    elif isinstance(inner, Iota):
        made.row_key = arrays[0].key
    elif isinstance(inner, Replicate | Rows):
        made.row_key = arrays[1].key
    elif isinstance(inner, Each | Zip | Scatter | ScatterReduce | Merge):
        made.row_key = arrays[0].row_key
    elif isinstance(inner, Scan | Gather):
        made.row_key = arrays[1].row_key
    elif isinstance(inner, Row) and inner.name == "not.i1":
        made.negates = arrays[0]
    elif isinstance(inner, Row) and inner.name in ("add.i64", "sub.i64"):
        # Distinct numbers and one number for all, in either order.
        made.distinct = sorted((a.distinct, a.is_uniform) for a in arrays) == _ONE_EACH


# Structural --------------------------------------------------------------------------------------


@lower.register(MakeTuple)
def _(operation: MakeTuple, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
    return values


@lower.register(Item)
def _(operation: Item, low: Lowering, types: Sequence[GraphType], value: Staged) -> Staged:
    return value[operation.index]


@lower.register(Length)
def _(operation: Length, low: Lowering, types: Sequence[GraphType], value: Staged) -> Staged:
    shape = value.shape
    if isinstance(shape, Flat) or low.place.origin in low.counted:
        return low.as_length(length_of(low, shape))
    return LengthOf(shape, low.place.origin)


@lower.register(Zip)
def _(operation: Zip, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
    return lower(Each(MakeTuple()), low, types, *values)


def _shape(low: Lowering, length: Staged) -> Shape:
    """The shape of so many positions; a negative number faults."""
    if isinstance(length, LengthOf):
        return length.shape
    _not_negative(low, length)
    return Flat(length)


def _not_negative(low: Lowering, length: Staged) -> None:
    if not low.is_length(length):
        low.code.fault_if(low.code.emit("lt_s.i64", length, 0), NEGATIVE)


@lower.register(Iota)
def _(operation: Iota, low: Lowering, types: Sequence[GraphType], length: Staged) -> Staged:
    shape = _shape(low, length)

    def at(position: Position) -> Operand:
        if position.index == NO_INDEX:
            raise NotCounted(length.origin)
        return position.index

    made = ArrayValue(shape, at, lambda k: k, cost=0, identity=shape)
    made.distinct = made.is_length = True
    return made


@lower.register(Replicate)
def _(operation: Replicate, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
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
def _(operation: Spread, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
    base, (array, counts) = together(low, values, types)
    if not counts.is_length:
        for_each(low, base, lambda p: _not_negative(low, low.number(low.element(counts, p))))

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
def _(operation: Flatten, low: Lowering, types: Sequence[GraphType], array: Staged) -> Staged:
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
def _(operation: Rows, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
    array, lengths = values
    shape = array.shape
    if isinstance(shape, Segmented) and shape.key == lengths.key:
        return _cut_again(low, array, lengths)
    if array.index is None or not isinstance(shape, Flat):
        array = in_arena(low, array, types[0].element)
    if lengths.index is None or lengths.cost > 1 or not isinstance(lengths.shape, Flat):
        lengths = in_arena(low, lengths, I64)
    return _cut(low, array, lengths)


def _cut_again(low: Lowering, array: ArrayValue, lengths: ArrayValue) -> ArrayValue:
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


def _cut(low: Lowering, array: ArrayValue, lengths: ArrayValue) -> ArrayValue:
    """Rows of an array that is cut at places that are computed first."""
    code = low.code
    total = code.variable("total", I64, 0)
    starts = low.arena.base(low.arena.take(lengths.shape.length, 8))

    def begin(position: Position) -> None:
        length = low.number(low.element(lengths, position))
        if not lengths.is_length:
            code.fault_if(code.emit("lt_s.i64", length, 0), NEGATIVE)
        store(code, starts, position.index, I64, total)
        code.builder.emit("add.i64", total, length, result=total)
        # Lengths that wrapped around could add up to the right number.
        code.fault_if(code.emit("gt_u.i64", total, array.shape.length), UNEQUAL)

    for_each(low, lengths.shape, begin)
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


# Indexed -----------------------------------------------------------------------------------------


def indexable(low: Lowering, array: ArrayValue, element: GraphType) -> ArrayValue:
    """The array, in memory if it has to be for an element to be found."""
    if array.index is None or not isinstance(array.shape, Flat):
        return in_arena(low, array, element)
    return array


def _in_range(low: Lowering, index: Operand, array: ArrayValue) -> None:
    length = array.shape.length
    if "unchecked" not in low.allow:
        low.code.fault_outside(index, length, OUT_OF_RANGE, low.is_length)


@lower.register(Index)
def _(operation: Index, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
    array, index = values[0], low.number(values[1])
    array = indexable(low, array, types[0].element)
    _in_range(low, index, array)
    return array.index(index)


@lower.register(Gather)
def _(operation: Gather, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
    array, indices = values
    if indices.identity is not None and same(indices.identity, array.shape):
        return _chosen(low, array, indices)
    array = indexable(low, array, types[0].element)
    place = low.place

    def pick(index: Staged) -> Staged:
        with low.at(place):
            index = low.number(index)
            _in_range(low, index, array)
            return array.index(index)

    def at(position: Position) -> Staged:
        return pick(low.element(indices, position))

    has_index = indices.index is not None
    made = ArrayValue(indices.shape, at, (lambda k: pick(indices.index(k))) if has_index else None)
    made.cost, made.faults = array.cost + indices.cost + 1, True
    made.settle = indices.settle
    return made


def _chosen(low: Lowering, array: ArrayValue, indices: ArrayValue) -> ArrayValue:
    """Elements at indices that are places of the array: those that a filter left."""

    def at(position: Position) -> Staged:
        while not same(position.shape, array.shape):
            position = position.outer
        return low.element(array, position)

    made = ArrayValue(indices.shape, at, cost=array.cost, faults=array.faults)
    if same(indices.shape, array.shape):
        made.index = array.index
    made.identity, made.key, made.is_length = array.identity, None, array.is_length
    made.key = ("chosen", array.key, indices.key)
    return made


@lower.register(Filter)
def _(operation: Filter, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
    base, (array, mask) = together(low, values, types)
    made = ArrayValue(Packed(base, mask), lambda p: low.element(array, p.outer))
    made.cost, made.faults = array.cost + mask.cost, array.faults or mask.faults
    made.is_length, made.distinct = array.is_length, array.distinct
    if array.identity is not None and same(array.shape, base):
        made.identity = array.identity
    return made


@lower.register(Merge)
def _(operation: Merge, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
    mask, then, other = values
    if _packs(then.shape, mask, False) and _packs(other.shape, mask, True):
        arms = [lambda p, a=a: low.element(a, low.packed(p, a.shape)) for a in (then, other)]
    else:
        arms, mask = _by_rank(low, mask, then, other, types)
    type = types[-1].element
    place = low.place

    def at(position: Position) -> Staged:
        with low.at(place):
            kept = low.element(mask, position)
            return choice(low, kept, type, *(lambda a=a: a(position) for a in arms))

    made = ArrayValue(mask.shape, at, cost=then.cost + other.cost + mask.cost + 2)
    made.faults = then.faults or other.faults or mask.faults
    made.settle = mask.settle
    return made


def _packs(shape: Shape, mask: ArrayValue, negated: bool) -> bool:
    """Whether a shape is that of a mask's elements that are true, or false."""
    if not isinstance(shape, Packed) or not same(shape.base, mask.shape):
        return False
    own = shape.mask.negates if negated else shape.mask
    return own is not None and own.key == mask.key


def _by_rank(
    low: Lowering, mask: ArrayValue, then: ArrayValue, other: ArrayValue, types: Sequence[GraphType]
) -> tuple:
    """Arms that are found by how many elements of the mask before are true, which is computed."""
    code, element = low.code, types[1].element
    mask = in_arena(low, mask, I1)
    then, other = (indexable(low, array, element) for array in (then, other))
    ranks = low.arena.base(low.arena.take(mask.shape.length, 8))
    rank = code.variable("rank", I64, 0)

    def note(position: Position) -> None:
        store(code, ranks, position.index, I64, rank)
        more = code.emit("zext.i1.i64", low.element(mask, position))
        code.builder.emit("add.i64", rank, more, result=rank)

    for_each(low, mask.shape, note)
    code.fault_if(code.emit("ne.i64", rank, then.shape.length), UNEQUAL)
    left = code.emit("sub.i64", mask.shape.length, rank)
    code.fault_if(code.emit("ne.i64", left, other.shape.length), UNEQUAL)

    def taken(position: Position) -> Staged:
        return then.index(load(code, ranks, position.index, I64))

    def not_taken(position: Position) -> Staged:
        before = load(code, ranks, position.index, I64)
        return other.index(code.emit("sub.i64", position.index, before))

    return [taken, not_taken], mask


def choice(
    low: Lowering,
    condition: Operand,
    type: GraphType,
    then: Callable[[], Staged],
    other: Callable[[], Staged],
) -> Staged:
    """The value of one of two arms, of which one is computed."""
    if not isinstance(condition, str):
        return then() if condition else other()
    code = low.code
    held = [code.builder.fresh("choice", word) for word in words(type)]

    def into(arm: Callable[[], Staged]) -> Callable[[], None]:
        def do() -> None:
            for name, word, value in zip(
                held, words(type), words_of(low, type, arm()), strict=True
            ):
                code.assign(name, word, value)

        return do

    code.choose(condition, into(then), into(other))
    return value_of(low, type, held)


def selected(
    low: Lowering, condition: Operand, type: GraphType, then: Staged, other: Staged
) -> Staged:
    """One of two values of scalars and tuples that are both there."""
    if isinstance(type, Tuple):
        parts = zip(type.parts, then, other, strict=True)
        return tuple(selected(low, condition, *part) for part in parts)
    a, b = low.number(then), low.number(other)
    if not isinstance(condition, str):
        return a if condition else b
    if type is I1 and b == 0 and not isinstance(b, str):
        return low.code.emit("and.i1", condition, a)
    if type is I1 and a == 1 and not isinstance(a, str):
        return low.code.emit("or.i1", condition, b)
    return low.code.emit(f"select.{type}", condition, a, b)


def _copied(low: Lowering, array: ArrayValue, type: GraphType) -> tuple[list, list, ArrayValue]:
    """A copy of an array in the arena that may be changed: words, columns' addresses, the array."""
    count, *places = place_array(low, array, type, anew=True)
    made = placed(low, type, count, places)
    made.row_key = array.row_key if not _holds_arrays(type) else made.row_key
    return words(type), [low.arena.base(place) for place in places], made


def _holds_arrays(type: GraphType) -> bool:
    return len(words(type)) > 1


@lower.register(Scatter)
def _(operation: Scatter, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
    code, element = low.code, types[0].element
    array, indices, given = values
    held, bases, made = _copied(low, array, element)
    shape, (indices, given) = together(low, (indices, given), types[1:])
    seen = None
    if not indices.distinct:
        seen = low.arena.base(low.arena.take(made.shape.length, 1))
        for_each(low, made.shape, lambda p: store(code, seen, p.index, I8, 0))

    def put(position: Position) -> None:
        index = low.number(low.element(indices, position))
        _in_range(low, index, made)
        if seen is not None:
            code.fault_if(code.emit("ne.i8", load(code, seen, index, I8), 0), EQUAL_INDICES)
            store(code, seen, index, I8, 1)
        parts = words_of(low, element, low.element(given, position))
        for base, word, value in zip(bases, held, parts, strict=True):
            store(code, base, index, word, value, apart=apart)

    apart = indices.distinct and is_loop(shape)
    for_each(low, shape, put, keep=_holds_arrays(element))
    return made


@lower.register(ScatterReduce)
def _(
    operation: ScatterReduce, low: Lowering, types: Sequence[GraphType], *values: Staged
) -> Staged:
    code, element = low.code, types[0].element
    array, indices, given = values
    _, (base,), made = _copied(low, array, element)
    shape, (indices, given) = together(low, (indices, given), types[1:])

    def put(position: Position) -> None:
        index = low.number(low.element(indices, position))
        _in_range(low, index, made)
        value = low.number(low.element(given, position))
        code_value = code.emit(operation.row, load(code, base, index, element), value)
        store(code, base, index, element, code_value)

    for_each(low, shape, put)
    return made


# Reductions --------------------------------------------------------------------------------------


@lower.register(Reduce)
def _(operation: Reduce, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
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
    low: Lowering, operation: Reduce, type: Scalar, start: Operand, array: ArrayValue
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
def _(operation: Scan, low: Lowering, types: Sequence[GraphType], *values: Staged) -> Staged:
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
