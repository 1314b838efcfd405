"""Which definitions take long enough to be computed once, by the first iteration of a loop that
needs them (`once`), in place of anew in every iteration that does."""

from __future__ import annotations

from compiler.levels.arrays.facts import cannot_fault
from compiler.levels.arrays.lowering.storing import Use, Uses
from compiler.levels.arrays.lowering.terminals import CHEAP, LOOP
from compiler.levels.arrays.operations.calls import Apply, Fold, If, Lambda, Map, While
from compiler.levels.arrays.operations.each import Each
from compiler.levels.arrays.operations.hierarchy import Elementwise
from compiler.levels.arrays.operations.indexed import Index
from compiler.levels.arrays.operations.reductions import Reduce
from compiler.levels.arrays.operations.scalars import Constant, Parameter
from compiler.levels.arrays.operations.structural import (
    Iota,
    Item,
    Length,
    MakeTuple,
    Replicate,
    Zip,
)
from compiler.levels.arrays.primitives import Primitive
from compiler.levels.arrays.table import Graph, Symbol
from compiler.levels.arrays.types import Array, holds

_VIEWS = (Constant, Parameter, Iota, Replicate, Zip, MakeTuple, Item, Length, Index, Lambda)
"""What computes no more than a few operations, whatever it is of."""
_NO_USE = Use()


class Sharing:
    """Of the definitions of a graph.

    uses  how they are used
    """

    def __init__(self, graph: Graph, uses: Uses):
        self.graph, self.uses = graph, uses
        self._costs: dict[Symbol, int] = {}
        self._calls: dict[Symbol, bool] = {}

    def takes_long(self, symbol: Symbol) -> bool:
        """Whether to compute a definition takes a loop, or many operations; an array that one loop
        goes through, as a whole, is part of that one."""
        node = self.graph[symbol]
        if isinstance(node.operation, _VIEWS):
            return False
        if not isinstance(node.type, Array):
            return self._takes_loop(symbol)
        use = self.uses.of.get(symbol, _NO_USE)
        is_whole = len(use.loops) == 1 and not use.is_partly and not use.is_picked
        return (use.repeats or not is_whole) and self._cost(symbol) > CHEAP

    def _cost(self, symbol: Symbol) -> int:
        """About how many operations an element of an array costs, if what takes long is there."""
        if symbol not in self._costs:
            node = self.graph[symbol]
            if isinstance(node.operation, _VIEWS):
                cost = 1
            elif self._is_light(symbol):
                cost = 1 + sum(1 if self.takes_long(a) else self._cost(a) for a in node.arguments)
            else:
                cost = LOOP
            self._costs[symbol] = cost
        return self._costs[symbol]

    def _is_light(self, symbol: Symbol) -> bool:
        """Whether a node is an operation of every element that cannot fault."""
        operation = self.graph[symbol].operation
        return (
            isinstance(operation, Each)
            and isinstance(operation.of, Elementwise)
            and not isinstance(operation.of, Primitive)
            and cannot_fault(self.graph, symbol)
        )

    def _takes_loop(self, symbol: Symbol) -> bool:
        """Whether to compute what is no array takes a loop, or memory."""
        node = self.graph[symbol]
        match node.operation:
            case Reduce() | Fold() | While():
                return True
            case Apply() | If():
                return holds(node.type, Array) or self._calls_loop(symbol)
        return isinstance(node.operation, Primitive)

    def _calls_loop(self, symbol: Symbol) -> bool:
        """Whether something loops in what a call or a branch may do, or needs for it."""
        if symbol not in self._calls:
            inside = (self.graph[s] for s in self.graph.reached(self.graph[symbol].arguments))
            self._calls[symbol] = any(
                isinstance(node.operation, Reduce | Fold | While | Map)
                or (isinstance(node.type, Array) and not isinstance(node.operation, _VIEWS))
                for node in inside
                if node.type is not None
            )
        return self._calls[symbol]
