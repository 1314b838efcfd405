"""Which arrays of a program are put into memory: what several loops go through, and what has to be
whole before something else is done.

An array is code for its elements.  Who goes through it computes it; so one that costs something is
stored if more than one loop goes through it, if elements of it are picked, or if a loop around its
use would compute it in every iteration.  One whose elements may fault is stored unless a single
loop goes through all of it, as a fault does not depend on who needs the element.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from compiler.levels.arrays.operations.calls import (
    Apply,
    Fold,
    FoldEach,
    If,
    Lambda,
    Map,
    While,
    WhileEach,
)
from compiler.levels.arrays.operations.each import Each
from compiler.levels.arrays.operations.hierarchy import Elementwise, Operation
from compiler.levels.arrays.operations.indexed import Filter, Gather, Index, Merge
from compiler.levels.arrays.operations.structural import (
    Flatten,
    Item,
    Length,
    MakeArray,
    MakeTuple,
    Replicate,
    Rows,
    Spread,
    Zip,
)
from compiler.levels.arrays.table import Graph, Symbol
from compiler.levels.arrays.types import Array, holds

_ALONG = (Elementwise, MakeTuple, Item, Zip, Merge, Flatten, Rows, Spread, Replicate)
"""What goes through its arguments while somebody goes through it."""


@dataclass(slots=True)
class Use:
    """How a value is used.

    loops      what goes through it, each once: symbols, or a symbol and more
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
    for argument, users in _after_their_users(graph, order):
        use = found[argument]
        for user, k in users:
            _add(graph, use, user, k, found)
            for around in homes.between(user, argument):
                captured[around][argument] = None
                use.loops.add((user, k))
                use.is_partly = True
                use.repeats |= around in called_often
    # Who calls a lambda that is defined further out captures what that captures.
    for user in order:
        for called in _lambdas(graph, user):
            for around in homes.between(user, called):
                for symbol in captured[called]:
                    captured[around][symbol] = None
                    found[symbol].repeats |= around in called_often
    place = {symbol: k for k, symbol in enumerate(order)}
    in_order = {f: tuple(sorted(s, key=place.__getitem__)) for f, s in captured.items()}
    return Uses(dict(found), in_order)


def _after_their_users(
    graph: Graph, order: list[Symbol]
) -> Iterator[tuple[Symbol, list[tuple[Symbol, int]]]]:
    """Every symbol behind all that use it, with these, and an argument of a call behind the
    parameter that it becomes.  How lambdas are used does not matter: f(f(x)) has such an order."""
    users: dict[Symbol, list[tuple[Symbol, int]]] = defaultdict(list)
    behind: dict[Symbol, list[Symbol]] = defaultdict(list)
    for user in order:
        for k, argument in enumerate(graph[user].arguments):
            users[argument].append((user, k))
            if not isinstance(graph[argument].operation, Lambda):
                behind[user].append(argument)
            for parameter in _becomes(graph, user, k):
                behind[parameter].append(argument)
    waits = dict.fromkeys(order, 0)
    for arguments in behind.values():
        for argument in arguments:
            waits[argument] += 1
    ready = [symbol for symbol in order if not waits[symbol]]
    while ready:
        symbol = ready.pop()
        del waits[symbol]
        yield symbol, users[symbol]
        for argument in behind[symbol]:
            waits[argument] -= 1
            if not waits[argument]:
                ready.append(argument)
    if waits:
        raise RuntimeError(f"no order of uses: {sorted(waits)}")


def _becomes(graph: Graph, user: Symbol, k: int) -> list[Symbol]:
    """The parameters of lambdas that an argument of a call or a branch becomes."""
    node = graph[user]
    count = {Apply: 1, If: 3}.get(type(node.operation))
    if count is None or k < count:
        return []
    return [graph[f].operation.parameters[k - count] for f in _lambdas(graph, user)]


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


def _add(graph: Graph, use: Use, user: Symbol, k: int, found: dict[Symbol, Use]) -> None:
    """What one use adds; `found` has the user's own, and those of parameters it becomes."""
    operation, of_user = graph[user].operation, found[user]
    inner: Operation = operation
    while isinstance(inner, Each):
        inner = inner.of
    if isinstance(inner, Length):
        use.is_partly |= inner is not operation
        use.loops |= of_user.loops if inner is not operation else set()
    elif isinstance(inner, Filter):
        use.loops |= of_user.loops
        use.is_partly |= k == 0
    elif isinstance(inner, Index | Gather):
        _add_picked(graph, use, user, k, inner, of_user)
    elif isinstance(inner, Replicate) and k == 0:
        is_array = _holds_arrays(graph, user, k)
        use.loops |= of_user.loops
        use.is_partly |= is_array
        use.repeats |= is_array
    elif isinstance(inner, MakeArray) and inner is not operation:
        use.loops |= of_user.loops
        use.is_partly |= of_user.is_partly
    elif isinstance(inner, _ALONG):
        use.loops |= of_user.loops
        # Of a tuple's arrays one may be used, and the others not.
        of_tuples = isinstance(inner, MakeTuple | Item | Zip)
        use.is_partly |= of_user.is_partly or (of_tuples and _holds_arrays(graph, user, k))
    elif isinstance(operation, Map | WhileEach | FoldEach):
        use.loops |= of_user.loops
    elif _becomes(graph, user, k):
        use.is_partly |= isinstance(operation, If)
        for called in _lambdas(graph, user):
            parameter = graph[called].operation.parameters[k - len(graph[user].arguments)]
            _add_of_call(use, user, called, found[parameter], of_user)
    elif isinstance(operation, Lambda):
        use.loops.add(user)
    else:
        use.loops.add((user, k))


def _add_picked(
    graph: Graph, use: Use, user: Symbol, k: int, inner: Operation, of_user: Use
) -> None:
    """Of an array whose elements are found by index, and of indices."""
    node = graph[user]
    if k == 1:
        use.loops |= of_user.loops
    elif inner is not node.operation:
        use.loops.add((user, k))
        use.is_partly = True
    elif isinstance(graph[node.arguments[-1]].operation, Filter):
        # What a filter left is gone through as the array is.
        use.loops |= of_user.loops
        use.is_partly = True
    else:
        use.is_picked = True


def _add_of_call(use: Use, call: Symbol, called: Symbol, inside: Use, of_call: Use) -> None:
    """Of an argument: what the lambda does with its parameter; what goes along with the lambda's
    result goes along with the call."""
    use.loops |= {(call, loop) for loop in inside.loops if loop != called}
    if called in inside.loops:
        use.loops |= of_call.loops
    use.is_picked |= inside.is_picked
    use.is_partly |= inside.is_partly
    use.repeats |= inside.repeats


def _holds_arrays(graph: Graph, user: Symbol, k: int) -> bool:
    """Whether what an operation repeats, makes a tuple of, or takes a part of, are arrays."""
    operation, type = graph[user].operation, graph.type(graph[user].arguments[k])
    while isinstance(operation, Each):
        operation, type = operation.of, type.element
    if isinstance(operation, Zip):
        type = type.element
    return holds(type, Array)
