"""What each terminal operation is lowered to: of staged values a staged value.

Whatever an operation computes is computed where the element is asked for, but what has to be in
memory to be computed at all (`scan`, `scatter`), and checks that concern a whole array.  Here are
operations of scalars, and what does any operation for every element; `structures`, `indexed` and
`reductions` add theirs to `lower`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch

from compiler.levels.arrays.lowering.context import Context
from compiler.levels.arrays.lowering.memory import stored as in_arena
from compiler.levels.arrays.lowering.staged import (
    ArrayValue,
    Flat,
    Operand,
    Position,
    Segmented,
    Staged,
)
from compiler.levels.arrays.operations.each import Each
from compiler.levels.arrays.operations.hierarchy import UNEQUAL, Operation
from compiler.levels.arrays.operations.indexed import (
    Filter,
    Gather,
    Index,
    Merge,
    Scatter,
    ScatterReduce,
)
from compiler.levels.arrays.operations.reductions import Reduce, Scan
from compiler.levels.arrays.operations.scalars import Constant, Row
from compiler.levels.arrays.operations.structural import Iota, Length, Replicate, Rows, Zip
from compiler.levels.arrays.primitives import Primitive
from compiler.levels.arrays.types import GraphType

_ONE_EACH = [(False, True), (True, False)]
CHEAP = 4
"""An element that costs no more operations is computed again rather than stored."""
LOOP = 100
"""Cost of an element that takes a loop."""


@singledispatch
def lower(
    operation: Operation, low: Context, types: Sequence[GraphType], *values: Staged
) -> Staged:
    """The value of an operation; `types` are those of its arguments, and its result's last."""
    raise NotImplementedError(f"no lowering for '{operation}'")


# Elementwise -------------------------------------------------------------------------------------


@lower.register(Constant)
def _(operation: Constant, low: Context, types: Sequence[GraphType]) -> Staged:
    return operation.value


@lower.register(Row)
def _(operation: Row, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    operands = [low.number(value) for value in values]
    made = low.code.emit(operation.name, *operands)
    if operation.name == "max_s.i64" and any(map(low.is_length, operands)):
        low.as_length(made)
    return made


@lower.register(Primitive)
def _(operation: Primitive, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
    return low.call_closed(operation.meaning.graph, operation.meaning.function, values)


# For every element -------------------------------------------------------------------------------


def together(low: Context, arrays: Sequence[ArrayValue], types: Sequence[GraphType]) -> tuple:
    """A shape that all arrays have, and the arrays, some of which had to be put into memory for it;
    unequal lengths fault."""
    arrays = list(arrays)
    main = _main(arrays)
    for k, array in enumerate(arrays):
        if low.same(array.shape, main.shape):
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
        if not low.same(array.shape, shape):
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
def _(operation: Each, low: Context, types: Sequence[GraphType], *values: Staged) -> Staged:
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
        made.settle = _all_of(settling)
        made.is_free = all(a.is_free for a in arrays if a.settle is not None)
    _say_lengths(made, inner, arrays)
    return made


def _all_of(settling: Sequence[Callable[[Position], None]]) -> Callable[[Position], None]:
    def settle(outer: Position) -> None:
        for one in settling:
            one(outer)

    return settle


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


def indexable(low: Context, array: ArrayValue, element: GraphType) -> ArrayValue:
    """The array, in memory if it has to be for an element to be found."""
    if array.index is None or not isinstance(array.shape, Flat):
        return in_arena(low, array, element)
    return array
