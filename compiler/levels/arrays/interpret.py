"""What graph programs mean: evaluates a function on Python numbers, lists and tuples.

A definition is evaluated when something that is evaluated needs it, and at most once in each call
of the lambda whose parameters it depends on.  So an arm that is not taken, a body of a map over no
element and a loop that is not entered do nothing, and cannot fault; all else is strict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

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
from compiler.levels.arrays.operations.hierarchy import (
    Elementwise,
    GraphFault,
    Indexed,
    Operation,
    Reduction,
)
from compiler.levels.arrays.operations.indexed import Scatter, ScatterReduce
from compiler.levels.arrays.operations.scalars import Constant
from compiler.levels.arrays.table import Graph, Symbol, arguments_first

MOST_STEPS = 10_000_000
"""Definitions evaluated after which a run ends unless the caller gives another limit."""


class LimitPassed(Exception):
    """A run evaluated more definitions than it may: perhaps a loop that does not end."""


@dataclass
class Counter:
    """Element operations: one for each scalar computed, and each element found, moved or combined.

    Views (rows, replicated and spread values, ranges, tuples, lengths) count nothing.
    """

    operations: int = 0


@dataclass(eq=False)
class _Frame:
    """A call: the symbols it gives values, and the call around the lambda's definition."""

    own: frozenset[Symbol]
    values: dict[Symbol, Any]
    outer: _Frame | None

    def of(self, free: frozenset[Symbol]) -> _Frame:
        """The innermost call on whose parameters something depends, or the outermost."""
        frame = self
        while frame.outer is not None and frame.own.isdisjoint(free):
            frame = frame.outer
        return frame


@dataclass(eq=False)
class _Closure:
    function: Symbol
    frame: _Frame


@dataclass(eq=False)
class _Run:
    graph: Graph
    counter: Counter | None
    left: int
    plans: dict[Symbol, list[Symbol]] = field(default_factory=dict)

    def call(self, closure: _Closure, values: Sequence[Any]) -> Any:
        node = self.graph[closure.function]
        parameters = node.operation.parameters
        frame = _Frame(
            frozenset(parameters), dict(zip(parameters, values, strict=True)), closure.frame
        )
        return self.value(node.arguments[0], frame)

    def value(self, symbol: Symbol, frame: _Frame) -> Any:
        """The value of a symbol in a call."""
        for needed in self._plan(symbol):
            node = self.graph[needed]
            home = frame.of(node.free)
            if needed not in home.values:
                home.values[needed] = self._evaluate(needed, home)
        return frame.of(self.graph[symbol].free).values[symbol]

    def _plan(self, symbol: Symbol) -> list[Symbol]:
        """What a symbol certainly needs, arguments first: not what is inside of lambdas."""
        if symbol not in self.plans:
            self.plans[symbol] = strict(self.graph, [symbol])
        return self.plans[symbol]

    def _evaluate(self, symbol: Symbol, frame: _Frame) -> Any:
        node = self.graph[symbol]
        operation = node.operation
        self.left -= 1
        if self.left < 0:
            raise LimitPassed
        if isinstance(operation, Lambda):
            return _Closure(symbol, frame)
        values = [frame.of(self.graph[a].free).values[a] for a in node.arguments]
        try:
            if operation.is_terminal:
                if self.counter is not None:
                    self.counter.operations += elements(operation, values)
                return operation.compute(*values)
            return _MEANINGS[type(operation)](self, operation, *values)
        except GraphFault as fault:
            if not hasattr(fault, "location"):
                fault.location = node.location
            raise


def strict(
    graph: Graph, roots: Sequence[Symbol], is_known: Callable[[Symbol], bool] = lambda s: False
) -> list[Symbol]:
    """What evaluating these symbols certainly evaluates, arguments first; not what is needed only
    for what is known."""
    nodes = graph.nodes

    def needs(symbol: Symbol) -> Sequence[Symbol]:
        node = nodes[symbol - 1]
        is_last = isinstance(node.operation, Lambda) or is_known(symbol)
        return () if is_last else node.arguments

    return arguments_first(roots, needs)


def elements(operation: Operation, values: Sequence[Any]) -> int:
    """The element operations of a terminal for such arguments."""
    if isinstance(operation, Each):
        return sum(elements(operation.of, lane) for lane in zip(*values, strict=False))
    if (own := operation.elements(values)) is not None:
        return own
    if isinstance(operation, Constant):
        return 0
    if isinstance(operation, Elementwise):
        return 1
    if isinstance(operation, Reduction):
        return len(values[1])
    if isinstance(operation, Scatter | ScatterReduce):
        return len(values[0]) + len(values[1])
    if isinstance(operation, Indexed):
        longest = [len(value) for value in values if isinstance(value, list)]
        return 1 if str(operation) == "index" else longest[-1] if longest else 1
    return 0


def _apply(run: _Run, operation: Operation, function: _Closure, *values: Any) -> Any:
    return run.call(function, values)


def _if(
    run: _Run, operation: Operation, p: int, then: _Closure, other: _Closure, *values: Any
) -> Any:
    return run.call(then if p else other, values)


def _while(run: _Run, operation: Operation, test: _Closure, step: _Closure, *states: Any) -> Any:
    while run.call(test, states):
        states = run.call(step, states)
    return states


def _map(run: _Run, operation: Operation, function: _Closure, *arrays: Any) -> Any:
    if len({len(array) for array in arrays}) > 1:
        raise GraphFault("unequal lengths")
    return [run.call(function, lane) for lane in zip(*arrays, strict=True)]


def _fold(run: _Run, operation: Operation, function: _Closure, array: Any, *states: Any) -> Any:
    for value in array:
        states = run.call(function, (value, *states))
    return states


def _while_each(
    run: _Run, operation: WhileEach, test: _Closure, step: _Closure, *arrays: Any
) -> Any:
    count = len(arrays) - operation.captured
    states = list(zip(*arrays[:count], strict=True))
    live = list(range(len(states)))
    while live:
        lanes = _of_lanes(states, arrays[count:], live)
        live = [i for i, goes_on in zip(live, run.call(test, lanes), strict=True) if goes_on]
        if live:
            made = run.call(step, _of_lanes(states, arrays[count:], live))
            for i, state in zip(live, made, strict=True):
                states[i] = state
    return states


def _fold_each(run: _Run, operation: FoldEach, function: _Closure, rows: Any, *arrays: Any) -> Any:
    count = len(arrays) - operation.captured
    states = list(zip(*arrays[:count], strict=True)) if count else [()] * len(rows)
    position, live = 0, [i for i, row in enumerate(rows) if row]
    while live:
        values = [rows[i][position] for i in live]
        lanes = _of_lanes(states, arrays[count:], live)
        for i, state in zip(live, run.call(function, (values, *lanes)), strict=True):
            states[i] = state
        position += 1
        live = [i for i in live if len(rows[i]) > position]
    return states


def _of_lanes(states: list, captured: Sequence[list], live: list[int]) -> list[list]:
    """The states, and what is captured, of these lanes, an array each."""
    columns = [list(column) for column in zip(*(states[i] for i in live), strict=True)]
    return [*columns, *([array[i] for i in live] for array in captured)]


_MEANINGS: dict[type, Callable[..., Any]] = {
    Apply: _apply,
    If: _if,
    While: _while,
    Map: _map,
    Fold: _fold,
    WhileEach: _while_each,
    FoldEach: _fold_each,
}


def evaluate(
    graph: Graph,
    function: Symbol,
    arguments: Sequence[Any],
    counter: Counter | None = None,
    limit: int = MOST_STEPS,
) -> Any:
    """What a lambda that captures nothing gives for these arguments.

    Raises GraphFault, with the source place as `location`, and LimitPassed.
    """
    run = _Run(graph, counter, limit)
    outermost = _Frame(frozenset(), {}, None)
    return run.call(_Closure(function, outermost), list(arguments))
