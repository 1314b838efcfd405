"""Operations by the names that text calls them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from compiler.levels.arrays.operations.calls import Apply, Fold, FoldEach, If, Map, While, WhileEach
from compiler.levels.arrays.operations.each import Each
from compiler.levels.arrays.operations.hierarchy import NonTerminal, Operation, Terminal
from compiler.levels.arrays.operations.indexed import (
    Filter,
    Gather,
    Index,
    Merge,
    Scatter,
    ScatterReduce,
)
from compiler.levels.arrays.operations.reductions import Reduce, Scan
from compiler.levels.arrays.operations.scalars import Row, scalar_rows
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

STRUCTURES: dict[str, Terminal] = {
    str(op): op
    for op in (
        MakeTuple(), MakeArray(), Length(), Zip(), Iota(), Replicate(), Spread(), Flatten(), Rows(),
        Index(), Gather(), Scatter(), Filter(), Merge(),
    )
}  # fmt: skip
CALLS: dict[str, NonTerminal] = {str(op): op for op in (Apply(), If(), While(), Map(), Fold())}
NO_PRIMITIVES: Mapping[str, Terminal] = MappingProxyType({})


def named(text: str, primitives: Mapping[str, Terminal] = NO_PRIMITIVES) -> Operation | None:
    """The operation that text calls so, but lambdas, parameters and constants; None: there is none.

    primitives  those that files of rules declare, by name

    >>> str(named("each.reduce[add.f32]"))
    'each.reduce[add.f32]'
    """
    if text.startswith("each."):
        inner = named(text.removeprefix("each."), primitives)
        return Each(inner) if isinstance(inner, Terminal) else None
    name, bracket, rest = text.partition("[")
    if bracket and rest.endswith("]"):
        inside = rest.removesuffix("]")
        rowed = {"reduce": Reduce, "scan": Scan, "scatter_reduce": ScatterReduce}
        counted = {"item": Item, "while.each": WhileEach, "fold.each": FoldEach}
        if name in rowed and inside in scalar_rows():
            return rowed[name](inside)
        if name in counted and inside.isdecimal():
            return counted[name](int(inside))
        return None
    if text in scalar_rows():
        return Row(text)
    return STRUCTURES.get(text) or CALLS.get(text) or primitives.get(text)
