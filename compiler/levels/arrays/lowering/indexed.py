"""What operations that find elements by index are lowered to."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.levels.arrays.lowering.choices import choice
from compiler.levels.arrays.lowering.context import Context
from compiler.levels.arrays.lowering.memory import (
    each_alone,
    for_each,
    in_order,
    is_loop,
    load,
    once_for_all,
    place_array,
    placed,
    shared,
    store,
    words_of,
)
from compiler.levels.arrays.lowering.memory import stored as in_arena
from compiler.levels.arrays.lowering.staged import (
    ArrayValue,
    Operand,
    Packed,
    Position,
    Shape,
    Staged,
)
from compiler.levels.arrays.lowering.sums import changes_atomically, scan
from compiler.levels.arrays.lowering.terminals import indexable, lower, together
from compiler.levels.arrays.operations.hierarchy import EQUAL_INDICES, OUT_OF_RANGE, UNEQUAL
from compiler.levels.arrays.operations.indexed import (
    Filter,
    Gather,
    Index,
    Merge,
    Scatter,
    ScatterReduce,
)
from compiler.levels.arrays.types import GraphType, holds
from machines.levels.arrays.types import Array, size_in_memory, words
from machines.types import I1, I8, I64


def _in_range(low: Context, index: Operand, array: ArrayValue) -> None:
    length = array.shape.length
    if "unchecked" not in low.allow:
        low.code.fault_outside(index, length, OUT_OF_RANGE, low.is_length)


@lower.register(Index)
def _(operation: Index, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    array, index = values[0], low.number(values[1])
    array = indexable(low, array, types[0].element)
    _in_range(low, index, array)
    return array.index(index)


@lower.register(Gather)
def _(operation: Gather, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    array, indices = values
    if indices.identity is not None and low.same(indices.identity, array.shape):
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


def _chosen(low: Context, array: ArrayValue, indices: ArrayValue) -> ArrayValue:
    """Elements at indices that are places of the array: those that a filter left."""
    if isinstance(indices.shape, Packed):
        mask = indices.shape.mask
        sides = low.chosen.setdefault((mask.negates or mask).key, ([], []))
        sides[mask.negates is not None].append(array)

    def at(position: Position) -> Staged:
        while not low.same(position.shape, array.shape):
            position = position.outer
        return low.element(array, position)

    made = ArrayValue(indices.shape, at, cost=array.cost, faults=array.faults)
    if low.same(indices.shape, array.shape):
        made.index = array.index
    made.identity, made.is_length = array.identity, array.is_length
    made.key = ("chosen", array.key, indices.key)
    return made


@lower.register(Filter)
def _(operation: Filter, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    base, (array, mask) = together(low, values, types)
    made = ArrayValue(Packed(base, mask), lambda p: low.element(array, p.outer))
    made.cost, made.faults = array.cost + mask.cost, array.faults or mask.faults
    made.is_length, made.distinct = array.is_length, array.distinct
    if array.identity is not None and low.same(array.shape, base):
        made.identity = array.identity
    return made


@lower.register(Merge)
def _(operation: Merge, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    mask, then, other = values
    shared: list[ArrayValue] = []
    if _packs(low, then.shape, mask, False) and _packs(low, other.shape, mask, True):
        arms = [lambda p, a=a: low.element(a, low.packed(p, a.shape)) for a in (then, other)]
        shared = _of_both_arms(low, mask)
    else:
        arms, mask = _by_rank(low, mask, then, other, types)
    type = types[-1].element
    place = low.place

    def at(position: Position) -> Staged:
        with low.at(place):
            kept = low.element(mask, position)
            for array in shared:
                low.element(array, position)
            return choice(low, kept, type, *(lambda a=a: a(position) for a in arms))

    made = ArrayValue(mask.shape, at, cost=then.cost + other.cost + mask.cost + 2)
    made.faults = then.faults or other.faults or mask.faults
    made.settle = mask.settle
    return made


def _of_both_arms(low: Context, mask: ArrayValue) -> list[ArrayValue]:
    """Arrays that both arms of a mask take their lanes from, and that cannot fault: computed before
    the branch, or each arm would have code for them, and in it each arm of arms."""
    taken, left = low.chosen.get(mask.key, ([], []))
    both = [array for array in taken if any(array is one for one in left)]
    return [a for a in both if not a.faults and low.same(a.shape, mask.shape)]


def _packs(low: Context, shape: Shape, mask: ArrayValue, negated: bool) -> bool:
    """Whether a shape is that of a mask's elements that are true, or false."""
    if not isinstance(shape, Packed) or not low.same(shape.base, mask.shape):
        return False
    own = shape.mask.negates if negated else shape.mask
    return own is not None and own.key == mask.key


def _by_rank(
    low: Context, mask: ArrayValue, then: ArrayValue, other: ArrayValue, types: Sequence[GraphType]
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

    def ranked() -> list[Operand]:
        for_each(low, mask.shape, note)
        return [rank]

    if shared(low, mask.shape):

        def one(k: Operand) -> Operand:
            return code.emit("zext.i1.i64", low.element(mask, Position(mask.shape, k)))

        def note_it(k: Operand, before: Operand, after: Operand) -> None:
            store(code, ranks, k, I64, before)

        rank = scan(low.team, "add.i64", I64, 0, mask.shape.length, one, note_it)
    else:
        (rank,) = once_for_all(low, [I64], ranked)
    code.fault_if(code.emit("ne.i64", rank, then.shape.length), UNEQUAL)
    left = code.emit("sub.i64", mask.shape.length, rank)
    code.fault_if(code.emit("ne.i64", left, other.shape.length), UNEQUAL)

    def taken(position: Position) -> Staged:
        return then.index(load(code, ranks, position.index, I64))

    def not_taken(position: Position) -> Staged:
        before = load(code, ranks, position.index, I64)
        return other.index(code.emit("sub.i64", position.index, before))

    return [taken, not_taken], mask


def _copied(low: Context, array: ArrayValue, type: GraphType) -> tuple[list, list, ArrayValue]:
    """A copy of an array in the arena that may be changed: words, columns' addresses, the array."""
    count, *places = place_array(low, array, type, anew=True)
    made = placed(low, type, count, places)
    return words(type), [low.arena.base(place) for place in places], made


@lower.register(Scatter)
def _(operation: Scatter, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    code, element = low.code, types[0].element
    array, indices, given = values
    held, bases, made = _copied(low, array, element)
    shape, (indices, given) = together(low, (indices, given), types[1:])
    seen = None
    if not indices.distinct:
        seen = low.arena.base(low.arena.take(made.shape.length, 1))
        each_alone(low, made.shape, lambda p: store(code, seen, p.index, I8, 0))

    def put(position: Position) -> None:
        index = low.number(low.element(indices, position))
        _in_range(low, index, made)
        if seen is not None:
            code.fault_if(code.emit("ne.i8", load(code, seen, index, I8), 0), EQUAL_INDICES)
            store(code, seen, index, I8, 1)
        parts = words_of(low, element, low.element(given, position))
        for base, word, value in zip(bases, held, parts, strict=True):
            store(code, base, index, word, value, apart=apart)

    apart = indices.distinct and is_loop(low, shape)
    keep = holds(element, Array)
    if indices.distinct:
        each_alone(low, shape, put, keep=keep)
    else:
        in_order(low, shape, put, keep=keep)
    return made


@lower.register(ScatterReduce)
def _(
    operation: ScatterReduce, low: Context, types: Sequence[GraphType], *values: Staged
) -> Staged:
    code, element = low.code, types[0].element
    array, indices, given = values
    _, (base,), made = _copied(low, array, element)
    shape, (indices, given) = together(low, (indices, given), types[1:])

    def put(position: Position) -> None:
        index = low.number(low.element(indices, position))
        _in_range(low, index, made)
        value = low.number(low.element(given, position))
        if is_atomic:
            code.builder.emit(f"atomic_{operation.row}", code.address(base, index, size), value)
        else:
            changed = code.emit(operation.row, load(code, base, index, element), value)
            store(code, base, index, element, changed)

    size, origin = size_in_memory(element), ("atomic", low.place.origin)
    is_atomic = shared(low, shape) and changes_atomically(operation.row, element)
    if is_atomic and origin not in low.refuted:
        low.team.share_once(shape.length, lambda k: put(Position(shape, k)), origin)
    else:
        is_atomic = False
        in_order(low, shape, put)
    return made
