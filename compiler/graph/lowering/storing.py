"""Which arrays of a program are put into memory: what several loops go through, and what has to be
whole before something else is done.

An array is code for its elements.  Who goes through it computes it; so one that costs something is
stored if more than one loop goes through it, if elements of it are picked, or if a loop around its
use would compute it in every turn.  One whose elements may fault is stored unless a single loop
goes through all of it, as a fault does not depend on who needs the element.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from compiler.graph.operations import (
    Each,
    Elementwise,
    Filter,
    Flatten,
    Fold,
    FoldEach,
    Gather,
    If,
    Index,
    Item,
    Lambda,
    Length,
    MakeTuple,
    Map,
    Merge,
    Operation,
    Replicate,
    Rows,
    Spread,
    While,
    WhileEach,
    Zip,
)
from compiler.graph.table import Graph, Symbol
from compiler.graph.types import Array, parts_of

_ALONG = (Elementwise, MakeTuple, Item, Zip, Merge, Flatten, Rows, Spread, Replicate)
"""What goes through its arguments while somebody goes through it."""


@dataclass(slots=True)
class Use:
    """How a value is used.

    loops      what goes through it, each once: symbols, or a symbol and which of its arguments
    is_picked  whether elements of it are found by index
    is_partly  whether some use may leave elements out
    repeats    whether it is used inside of a lambda that is called often, and defined outside
    """

    loops: set = field(default_factory=set)
    is_picked: bool = False
    is_partly: bool = False
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Uses:
    """Those of all that a function needs, and what its lambdas capture.

    captured  lambda -> what is defined outside of it and used inside, in order
    """

    of: dict[Symbol, Use]
    captured: dict[Symbol, tuple[Symbol, ...]]


def uses(graph: Graph, function: Symbol) -> Uses:
    """How all that a lambda needs is used."""
    order = graph.reached([function])
    homes = _Homes(graph, order)
    called_often: set[Symbol] = set()
    for symbol in order:
        if isinstance(graph[symbol].operation, Map | Fold | While | WhileEach | FoldEach):
            called_often.update(_lambdas(graph, symbol))
    found: dict[Symbol, Use] = defaultdict(Use)
    captured: dict[Symbol, dict[Symbol, None]] = defaultdict(dict)
    for user in reversed(order):
        for k, argument in enumerate(graph[user].arguments):
            use = found[argument]
            _add(graph, use, user, k, found[user])
            for around in homes.between(user, argument):
                captured[around][argument] = None
                use.loops.add((user, k))
                use.is_partly = True
                use.repeats |= around in called_often
    # Who calls a lambda that is defined further out captures what that captures.
    for user in order:
        for function in _lambdas(graph, user):
            for around in homes.between(user, function):
                for symbol in captured[function]:
                    captured[around][symbol] = None
                    found[symbol].repeats |= around in called_often
    place = {symbol: k for k, symbol in enumerate(order)}
    in_order = {f: tuple(sorted(s, key=place.__getitem__)) for f, s in captured.items()}
    return Uses(dict(found), in_order)


class _Homes:
    """The lambda in whose body each symbol is defined: the innermost whose parameters it needs."""

    def __init__(self, graph: Graph, order: list[Symbol]):
        self.graph = graph
        self.owner = {
            p: symbol
            for symbol in order
            for p in getattr(graph[symbol].operation, "parameters", ())
        }
        self.depths: dict[Symbol, int] = {}

    def of(self, symbol: Symbol) -> Symbol | None:
        owners = [self.owner[p] for p in self.graph[symbol].free if p in self.owner]
        return max(owners, key=self.depth, default=None)

    def depth(self, function: Symbol) -> int:
        if function not in self.depths:
            around = self.of(function)
            self.depths[function] = 0 if around is None else 1 + self.depth(around)
        return self.depths[function]

    def between(self, user: Symbol, argument: Symbol) -> Iterator[Symbol]:
        """The lambdas around a use that are not around the definition."""
        if isinstance(self.graph[user].operation, Lambda):
            inside: Symbol | None = user
        else:
            inside = self.of(user)
        defined = self.of(argument)
        while inside is not None and inside != defined:
            yield inside
            inside = self.of(inside)


def _lambdas(graph: Graph, symbol: Symbol) -> Iterator[Symbol]:
    return (a for a in graph[symbol].arguments if isinstance(graph[a].operation, Lambda))


def _add(graph: Graph, use: Use, user: Symbol, k: int, of_user: Use) -> None:
    operation = graph[user].operation
    inner: Operation = operation
    while isinstance(inner, Each):
        inner = inner.of
    if isinstance(inner, Length):
        use.is_partly |= inner is not operation
        use.loops |= of_user.loops if inner is not operation else set()
        return
    if isinstance(inner, Filter):
        use.loops |= of_user.loops
        use.is_partly |= k == 0
    elif isinstance(inner, Index | Gather):
        if k == 0 and inner is operation:
            use.is_picked = True
        elif k == 0:
            use.loops.add((user, k))
            use.is_partly = True
        else:
            use.loops |= of_user.loops
    elif isinstance(inner, Replicate) and k == 0:
        is_array = _holds_arrays(graph, user, k)
        use.loops |= of_user.loops
        use.is_partly |= is_array
        use.repeats |= is_array
    elif isinstance(operation, If):
        use.loops.add((user, k))
        use.is_partly = True
    elif isinstance(inner, _ALONG):
        use.loops |= of_user.loops
        # Of a tuple's arrays one may be used, and the others not.
        of_tuples = isinstance(inner, MakeTuple | Item | Zip)
        use.is_partly |= of_user.is_partly or (of_tuples and _holds_arrays(graph, user, k))
    elif isinstance(operation, Map | WhileEach | FoldEach):
        use.loops |= of_user.loops
    elif not isinstance(operation, Lambda):
        use.loops.add((user, k))
    else:
        use.loops.add(user)


def _holds_arrays(graph: Graph, user: Symbol, k: int) -> bool:
    """Whether what an operation repeats, makes a tuple of, or takes a part of, are arrays."""
    operation, type = graph[user].operation, graph.type(graph[user].arguments[k])
    while isinstance(operation, Each):
        operation, type = operation.of, type.element
    if isinstance(operation, Zip):
        type = type.element
    return isinstance(type, Array) or any(isinstance(p, Array) for p in parts_of(type))
