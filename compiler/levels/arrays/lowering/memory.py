"""Arrays in memory: those that the caller gives, and those that lie in the arena."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compiler.analyses.loop_memory import APART
from compiler.levels.arrays.lowering.code import Code
from compiler.levels.arrays.lowering.context import Context
from compiler.levels.arrays.lowering.staged import (
    ArrayValue,
    Flat,
    Operand,
    Packed,
    Position,
    Segmented,
    Shape,
    Staged,
)
from compiler.levels.arrays.lowering.sums import reduce, scan
from compiler.levels.arrays.types import Array, GraphType, Tuple, holds
from machines.levels.arrays.types import size_in_memory, words
from machines.types import I1, I64, Type


def load(code: Code, base: str, index: Operand, word: Type) -> Operand:
    """An element of a column; a boolean is a byte that is not 0."""
    if code.team is not None:
        code.team.before_load(base)
    pointer = code.address(base, index, size_in_memory(word))
    if word is I1:
        return code.emit("ne.i8", code.builder.emit("load.i8", pointer), 0)
    return code.builder.emit(f"load.{word}", pointer)


def store(
    code: Code, base: str, index: Operand, word: Type, value: Operand, apart: bool = False
) -> None:
    """Set an element of a column; `apart`: no other instruction of the loop touches the column."""
    pointer = code.address(base, index, size_in_memory(word))
    if word is I1:
        value = code.emit("zext.i1.i8", value) if isinstance(value, str) else value
        word_name = "i8"
    else:
        word_name = str(word)
    attributes = {APART: True} if apart else None
    code.builder.emit(f"store.{word_name}", pointer, value, attributes=attributes)


def given(code: Code, type: GraphType, name: str) -> Staged:
    """An argument, from its carriers."""
    if isinstance(type, Tuple):
        return tuple(given(code, part, f"{name}.{k}") for k, part in enumerate(type.parts))
    if isinstance(type, Array):
        return _given_array(code, type.element, name, f"{name}.length", 0)
    return name


def _given_array(
    code: Code, element: GraphType, name: str, length: Operand, first: Operand
) -> ArrayValue:
    def at(index: Operand) -> Staged:
        return _given_element(code, element, name, code.add(first, index))

    return ArrayValue(Flat(length), lambda p: at(p.index), at)


def _given_element(code: Code, type: GraphType, name: str, index: Operand) -> Staged:
    if isinstance(type, Tuple):
        parts = enumerate(type.parts)
        return tuple(_given_element(code, part, f"{name}.{k}", index) for k, part in parts)
    if isinstance(type, Array):
        length = load(code, f"{name}.lengths", index, I64)
        start = load(code, f"{name}.starts", index, I64)
        return _given_array(code, type.element, f"{name}.values", length, start)
    return load(code, name, index, type)


def for_each(
    low: Context,
    shape: Shape,
    body: Callable[[Position], None],
    before: Callable[[], None] = lambda: None,
    keep: bool = False,
) -> Operand:
    """Do something at every position of a shape, in order; gives how many there are.

    keep  whether what the body takes from the arena is needed after it
    """
    code = low.code
    if isinstance(shape, Flat):

        def iteration(counter: Operand) -> None:
            position = Position(shape, counter)
            if keep or not isinstance(counter, str):
                body(position)
            else:
                low.arena.iteration(lambda: body(position))

        code.count(shape.length, iteration, before)
        return shape.length
    before()
    counter = code.variable("n", I64, 0)

    def visit(position: Position) -> None:
        body(position)
        code.builder.emit("add.i64", counter, 1, result=counter)

    if isinstance(shape, Packed):

        def test(base: Position) -> None:
            kept = low.element(shape.mask, base)
            position = Position(shape, counter, base)
            code.choose(kept, lambda: visit(position))

        for_each(low, shape.base, test, keep=keep)
    else:

        def row(outer: Position) -> None:
            inside = shape.rows(outer).shape
            for_each(
                low,
                inside,
                lambda inner: visit(Position(shape, counter, outer, inner)),
                keep=keep,
            )

        for_each(low, shape.outer, row, keep=keep)
    return code.builder.emit("copy.i64", counter)


def length_of(low: Context, shape: Shape) -> Operand:
    """How many positions there are."""
    if isinstance(shape, Flat):
        return shape.length
    if isinstance(shape, Packed) and shared(low, shape.base):
        return _counted_by_all(low, shape.base, lambda p: _kept(low, shape, p))
    if isinstance(shape, Segmented) and shared(low, shape.outer):
        return _counted_by_all(low, shape.outer, lambda p: length_of(low, shape.rows(p).shape))
    return once_for_all(low, [I64], lambda: [_counted(low, shape)])[0]


def _counted_by_all(low: Context, range_: Flat, of: Callable[[Position], Operand]) -> Operand:
    """The sum of what belongs to positions of a range."""

    def each(k: Operand, add: Callable[[Operand], None]) -> None:
        add(of(Position(range_, k)))

    return reduce(low.team, "add.i64", I64, 0, range_.length, each)


def _kept(low: Context, shape: Packed, base: Position) -> Operand:
    """1 where a position is one of a packed shape, else 0."""
    return low.code.emit("zext.i1.i64", low.element(shape.mask, base))


def _counted(low: Context, shape: Packed | Segmented) -> Operand:
    if isinstance(shape, Packed):
        return for_each(low, shape, lambda position: None)
    total = low.code.variable("total", I64, 0)

    def row(outer: Position) -> None:
        more = length_of(low, shape.rows(outer).shape)
        low.code.builder.emit("add.i64", total, more, result=total)

    for_each(low, shape.outer, row)
    return total


def stored(low: Context, array: ArrayValue, element: GraphType) -> ArrayValue:
    """The array, held in the arena."""
    if array.words is not None:
        return array
    length, *places = place_array(low, array, element)
    return placed(low, element, length, places, array)


def place_array(
    low: Context, array: ArrayValue, element: GraphType, anew: bool = False
) -> list[Operand]:
    """The words of an array; it is put into the arena if it is not there to stay, or a copy is
    wanted."""
    if array.words is not None and not anew and not array.moves:
        return list(array.words)
    code, shape = low.code, array.shape
    most = _most(low, shape)
    held = words(element)
    places = [low.arena.take(most, size_in_memory(word)) for word in held]
    bases = [low.arena.base(place) for place in places]

    def put(position: Position) -> None:
        values = words_of(low, element, low.element(array, position))
        for base, word, value in zip(bases, held, values, strict=True):
            store(code, base, position.index, word, value, apart=loops)

    loops = is_loop(low, shape)
    nests = holds(element, Array)
    if not array.in_order and shared(low, shape):
        each_alone(low, shape, put, keep=nests)
        return [shape.length, *places]
    if not array.in_order and not nests:
        if isinstance(shape, Packed) and shared(low, shape.base):
            return [_packed_by_all(low, shape, put), *places]
        if isinstance(shape, Segmented) and shared(low, shape.outer):
            return [_rows_by_all(low, shape, put), *places]
    (count,) = once_for_all(low, [I64], lambda: [for_each(low, shape, put, keep=nests)])
    return [count, *places]


def _packed_by_all(low: Context, shape: Packed, put: Callable[[Position], None]) -> Operand:
    """Do something at every position of a packed range, each of which has the number of those
    before it; gives how many there are."""
    code = low.code

    def one(k: Operand) -> Operand:
        return _kept(low, shape, Position(shape.base, k))

    def keep(k: Operand, before: Operand, after: Operand) -> None:
        base = Position(shape.base, k)
        position = Position(shape, before, base)
        code.choose(code.emit("ne.i64", before, after), lambda: put(position))

    return scan(low.team, "add.i64", I64, 0, shape.base.length, one, keep)


def _rows_by_all(low: Context, shape: Segmented, put: Callable[[Position], None]) -> Operand:
    """Do something at every position of rows, each of which has the number of those before it; a
    thread does whole rows.  Gives how many positions there are."""
    code = low.code

    def length(k: Operand) -> Operand:
        return length_of(low, shape.rows(Position(shape.outer, k)).shape)

    def row(k: Operand, before: Operand, after: Operand) -> None:
        outer = Position(shape.outer, k)

        def element(inner: Position) -> None:
            put(Position(shape, code.add(before, inner.index), outer, inner))

        for_each(low, shape.rows(outer).shape, element)

    return scan(low.team, "add.i64", I64, 0, shape.outer.length, length, row)


def shared(low: Context, shape: Shape) -> bool:
    """Whether threads may share the positions of a shape among them: there are several, they do
    nothing alone yet, and the shape is a range that is not short."""
    team = low.team
    is_range = isinstance(shape, Flat) and is_loop(low, shape)
    return team is not None and team.region is None and is_range


def each_alone(
    low: Context, shape: Shape, do: Callable[[Position], None], keep: bool = False
) -> None:
    """Do something at every position, none of which concerns another one."""
    if shared(low, shape):
        low.team.share(shape.length, lambda k: do(Position(shape, k)), keeps=keep)
    else:
        in_order(low, shape, do, keep)


def in_order(
    low: Context, shape: Shape, do: Callable[[Position], None], keep: bool = False
) -> None:
    """Do something at every position, one after the other."""

    def all_of_them() -> list[Operand]:
        for_each(low, shape, do, keep=keep)
        return []

    once_for_all(low, [], all_of_them)


def once_for_all(
    low: Context, types: Sequence[Type], do: Callable[[], Sequence[Operand]]
) -> list[Operand]:
    """Words that are computed in an order which one thread keeps, for all threads."""
    team = low.team
    return list(do()) if team is None or team.region is not None else team.single(types, do)


def _most(low: Context, shape: Shape) -> Operand:
    """No fewer than the positions of a shape: those of the base, of one that is packed."""
    while isinstance(shape, Packed):
        shape = shape.base
    return length_of(low, shape)


def is_loop(low: Context, shape: Shape) -> bool:
    """Whether to go through a shape certainly takes a loop."""
    while not isinstance(shape, Flat):
        shape = shape.base if isinstance(shape, Packed) else shape.outer
    return shape.length != 1 and not low.code.unrolls(shape.length)


def placed(
    low: Context,
    element: GraphType,
    length: Operand,
    places: Sequence[Operand],
    like: ArrayValue | None = None,
    moves: bool = False,
) -> ArrayValue:
    """An array of the arena, by its words."""
    held = words(element)

    def at(index: Operand) -> Staged:
        loaded = [
            load(low.code, low.arena.base(place), index, word)
            for place, word in zip(places, held, strict=True)
        ]
        return value_of(low, element, loaded, moves)

    array = ArrayValue(Flat(length), lambda p: at(p.index), at, words=(length, *places))
    array.moves = moves
    if like is not None:
        array.key, array.row_key, array.is_length = like.key, like.row_key, like.is_length
    return array


def words_of(low: Context, type: GraphType, value: Staged) -> list[Operand]:
    """The words of a value; arrays among it are put into the arena."""
    if isinstance(type, Array):
        return place_array(low, value, type.element)
    if isinstance(type, Tuple):
        return _words_of_parts(low, type, value)
    return [low.number(value)]


def _words_of_parts(low: Context, type: Tuple, values: Sequence[Staged]) -> list[Operand]:
    """The words of a tuple; arrays of one shape are put into the arena together."""
    alike = [
        k
        for k, part in enumerate(type.parts)
        if isinstance(part, Array)
        and isinstance(values[k].shape, Flat)
        and (values[k].moves or values[k].words is None)
    ]
    alike = [k for k in alike if low.same(values[k].shape, values[alike[0]].shape)]
    held: dict[int, list[Operand]] = {}
    if len(alike) > 1:
        together = _zipped(low, [values[k] for k in alike])
        count, *places = place_array(low, together, _elements(type, alike))
        for k in alike:
            taken = len(words(type.parts[k])) - 1
            held[k], places = [count, *places[:taken]], places[taken:]
    found = (
        held[k] if k in held else words_of(low, part, values[k])
        for k, part in enumerate(type.parts)
    )
    return [word for part in found for word in part]


def _zipped(low: Context, arrays: Sequence[ArrayValue]) -> ArrayValue:
    """Arrays of one shape as one of tuples."""
    shape = arrays[0].shape
    return ArrayValue(shape, lambda p: tuple(low.element(array, p) for array in arrays))


def _elements(type: Tuple, parts: Sequence[int]) -> Tuple:
    """The type of tuples of the elements of some parts."""
    return Tuple(tuple(type.parts[k].element for k in parts))


def value_of(low: Context, type: GraphType, held: Sequence[Operand], moves: bool = False) -> Staged:
    """The value that has these words."""
    if isinstance(type, Array):
        return placed(low, type.element, held[0], held[1:], moves=moves)
    if isinstance(type, Tuple):
        parts, at = [], 0
        for part in type.parts:
            count = len(words(part))
            parts.append(value_of(low, part, held[at : at + count], moves))
            at += count
        return tuple(parts)
    return held[0]
