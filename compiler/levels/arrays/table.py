"""The graph: a table from symbol to node, in memory as in text.

A node is an operation and the symbols of its arguments; the edges are these symbols, and what order
there is follows from them.  Nodes are *hash-consed*: of two that are equal there is one,
unless their faults must be told apart (`Graph.apart`).  Seed
(spec 3): "an entry's key is the symbol, formed with an instance of the operation's class".
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from compiler.levels.arrays.operations.calls import Lambda
from compiler.levels.arrays.operations.hierarchy import Operation
from compiler.levels.arrays.operations.scalars import Constant, Parameter
from compiler.levels.arrays.types import GraphType
from machines.diagnostics import Location
from machines.types import Type as Scalar

Symbol = int


@dataclass(frozen=True, slots=True)
class Node:
    """What a symbol stands for.

    operation  an instance of its class, with what it knows besides its arguments
    arguments  their symbols
    type       of the value
    free       the parameters of lambdas around it that its value depends on
    location   where the source says it; a node made for another has that one's
    """

    operation: Operation
    arguments: tuple[Symbol, ...]
    type: GraphType
    free: frozenset[Symbol]
    location: Location | None = field(default=None, compare=False)


@dataclass(slots=True, eq=False)
class Graph:
    """Nodes by symbol, s1 the first; functions of the program by name.

    rewrite  called with every new node's symbol; what it gives stands in the node's place
    place    the source place of nodes that are added while it is set
    aside    nodes that may fault and stand where they may not be computed, while others are added
    apart    source places at which equals of such nodes stand: what may fault there is a node of
             its own, so that a fault has a place that was come to
    kinds    what the source says of functions: types by parameter, and the result's, with element
             types by name, which know signs
    extents  what has been found of arrays' lengths (see `facts.extent`)
    """

    nodes: list[Node] = field(default_factory=list)
    functions: dict[str, Symbol] = field(default_factory=dict)
    rewrite: Callable[[Graph, Symbol], Symbol] | None = None
    place: Location | None = None
    aside: set[Symbol] = field(default_factory=set)
    apart: set[Location] = field(default_factory=set)
    known: dict[tuple, Symbol] = field(default_factory=dict)
    replaced: dict[Symbol, Symbol] = field(default_factory=dict)
    kinds: dict[str, tuple[dict[str, Any], Any]] = field(default_factory=dict)
    extents: dict[Symbol, tuple] = field(default_factory=dict)

    def __getitem__(self, symbol: Symbol) -> Node:
        return self.nodes[symbol - 1]

    def __len__(self) -> int:
        return len(self.nodes)

    def type(self, symbol: Symbol) -> GraphType:
        """The type of what a symbol stands for."""
        return self[symbol].type

    def key(
        self, operation: Operation, arguments: tuple[Symbol, ...], place: Location | None
    ) -> tuple:
        """What of two equal nodes is equal."""
        is_apart = self.apart and operation.may_fault and place in self.apart
        return (operation, arguments, place) if is_apart else (operation, arguments)

    def add(self, operation: Operation, *arguments: Symbol) -> Symbol:
        """The symbol of a node: an equal one's, or a new one's, or of what that is rewritten to.

        Raises `operations.IllTyped` if the operation does not take such arguments.
        """
        symbol = self.insert(operation, *arguments)
        if self.rewrite is not None and symbol not in self.replaced:
            self.replaced[symbol] = symbol  # to whom comes to it again while it is rewritten
            self.replaced[symbol] = self.rewrite(self, symbol)
        return self.replaced.get(symbol, symbol)

    def insert(self, operation: Operation, *arguments: Symbol) -> Symbol:
        """As `add`, without rewriting: for the rewriter, which goes on with the symbol itself."""
        key = self.key(operation, arguments, self.place)
        symbol = self.known.get(key)
        if symbol in self.aside and self[symbol].location != self.place:
            self.apart.add(self.place)
            return self.insert(operation, *arguments)
        if symbol is None:
            type = operation.result(tuple(self.type(a) for a in arguments))
            free = frozenset().union(*(self[a].free for a in arguments))
            self.nodes.append(Node(operation, arguments, type, free, self.place))
            symbol = self.known[key] = len(self.nodes)
        return symbol

    def constant(self, value: int | float, type: Scalar) -> Symbol:
        """A literal."""
        return self.add(Constant.of(value, type))

    def parameter(self, name: str, type: GraphType) -> Symbol:
        """A new parameter; it belongs to the lambda that is made with it."""
        symbol = len(self.nodes) + 1
        operation = Parameter(name, type, symbol)
        self.nodes.append(Node(operation, (), type, frozenset({symbol}), self.place))
        return symbol

    def function(self, parameters: Sequence[Symbol], result: Symbol, name: str = "") -> Symbol:
        """A lambda: its parameters, and the symbol of its result.

        Its body is what the result depends on that depends on the parameters in turn.
        """
        operation = Lambda(tuple(parameters), tuple(self.type(p) for p in parameters), name)
        key = (operation, (result,))
        if key not in self.known:
            free = self[result].free.difference(parameters)
            type = operation.result((self.type(result),))
            self.nodes.append(Node(operation, (result,), type, free, self.place))
            self.known[key] = len(self.nodes)
        symbol = self.known[key]
        if name:
            self.functions.setdefault(name, symbol)
        return symbol

    def reached(
        self, roots: Iterable[Symbol], known: Container[Symbol] = frozenset()
    ) -> list[Symbol]:
        """What these symbols depend on, themselves included, arguments first; without what is
        known, and what only that depends on."""
        nodes = self.nodes

        def needs(symbol: Symbol) -> Sequence[Symbol] | None:
            if symbol in known:
                return None
            node = nodes[symbol - 1]
            if isinstance(node.operation, Lambda):
                return (*node.operation.parameters, *node.arguments)
            return node.arguments

        return arguments_first(roots, needs)

    def body(self, function: Symbol) -> list[Symbol]:
        """A lambda's definitions, in an order in which each stands behind what it depends on: of
        what its result needs, all that depends on its parameters but these themselves.

        Nothing else is looked at, however large the graph around a lambda is.
        """
        node, nodes = self[function], self.nodes
        own = node.operation.parameters

        def needs(symbol: Symbol) -> Sequence[Symbol] | None:
            inside = nodes[symbol - 1]
            return None if inside.free.isdisjoint(own) else inside.arguments

        order = [s for s in arguments_first(node.arguments, needs) if s not in own]
        inner: set[Symbol] = set()
        for symbol in order:
            if isinstance(self[symbol].operation, Lambda):
                inner.update(self[symbol].operation.parameters)
        return [s for s in order if self[s].free.isdisjoint(inner)]


def arguments_first(
    roots: Iterable[Symbol], needs: Callable[[Symbol], Sequence[Symbol] | None]
) -> list[Symbol]:
    """Symbols and what they need, by a walk in depth: each once, behind what it needs.

    needs  what a symbol needs, in order; None of one that is left out, with what only it needs
    """
    seen: set[Symbol] = set()
    order: list[Symbol] = []
    waiting = list(roots)
    waiting.reverse()
    while waiting:
        symbol = waiting.pop()
        if symbol < 0:  # all that it needs is there
            order.append(-symbol)
        elif symbol not in seen:
            seen.add(symbol)
            needed = needs(symbol)
            if needed:
                waiting.append(-symbol)
                waiting += reversed(needed)
            elif needed is not None:
                order.append(symbol)
    return order
