"""What is known of values without evaluating them: how long arrays are, and what cannot fault."""

from __future__ import annotations

from compiler.levels.arrays.operations.calls import Apply, Lambda, Map, While
from compiler.levels.arrays.operations.each import Each
from compiler.levels.arrays.operations.hierarchy import Operation
from compiler.levels.arrays.operations.indexed import Filter, Gather, Merge, Scatter, ScatterReduce
from compiler.levels.arrays.operations.reductions import Scan
from compiler.levels.arrays.operations.scalars import Constant, Parameter, Row
from compiler.levels.arrays.operations.structural import (
    Flatten,
    Iota,
    Length,
    Replicate,
    Rows,
    Spread,
    Zip,
)
from compiler.levels.arrays.table import Graph, Symbol

Extent = tuple
"""What a length is, in canonical form: two that are equal are the same length."""


def extent(graph: Graph, symbol: Symbol) -> Extent:
    """The length of an array: ('symbol', n), ('sum', of lengths), ('length', of an array).

    What has been found of a graph is kept there: chains of arrays of one length may be long.
    """
    known, passed = graph.extents, []
    while symbol not in known:
        passed.append(symbol)
        as_long = _as_long(graph, symbol)
        if as_long is None:
            known[symbol] = _own_extent(graph, symbol)
        else:
            symbol = as_long
    found = known[symbol]
    known.update(dict.fromkeys(passed, found))
    return found


def _as_long(graph: Graph, symbol: Symbol) -> Symbol | None:
    """The argument of an array's operation that is as long as the array, if one is."""
    node = graph[symbol]
    match node.operation:
        case Each() | Zip() | Scatter() | ScatterReduce() | Merge():
            return node.arguments[0]
        case Scan() | Map() | Gather() | Rows():
            return node.arguments[1]
        case Apply():
            return _as_long_as(graph, symbol)
    return None


def _own_extent(graph: Graph, symbol: Symbol) -> Extent:
    """The length of an array that no argument is known to have."""
    operation, arguments = graph[symbol].operation, graph[symbol].arguments
    match operation:
        case Iota():
            return number(graph, arguments[0])
        case Replicate():
            return number(graph, arguments[1])
        case Spread():
            return ("sum", lengths(graph, arguments[1]))
        case Flatten():
            return ("sum", row_lengths(graph, arguments[0]))
        case Filter():
            return ("count", arguments[1])
    return ("length", symbol)


def _as_long_as(graph: Graph, call: Symbol) -> Symbol | None:
    """The argument of a call that is as long as its result, if one is known to be: vectorized
    functions give a value for each lane."""
    function, *given = graph[call].arguments
    if not isinstance(graph[function].operation, Lambda):
        return None
    found = extent(graph, graph[function].arguments[0])
    own = graph[function].operation.parameters
    as_long = dict(zip((("length", p) for p in own), given, strict=True))
    return as_long.get(found)


def number(graph: Graph, symbol: Symbol) -> Extent:
    """A length that a scalar says."""
    node = graph[symbol]
    if isinstance(node.operation, Length):
        return extent(graph, node.arguments[0])
    return ("symbol", symbol)


def lengths(graph: Graph, symbol: Symbol) -> Extent:
    """The lengths that an array of them says."""
    node = graph[symbol]
    if isinstance(node.operation, Each) and isinstance(node.operation.of, Length):
        return row_lengths(graph, node.arguments[0])
    if isinstance(node.operation, Replicate):
        once, times = node.arguments
        return ("equal", number(graph, once), number(graph, times))
    return ("lengths", symbol)


def row_lengths(graph: Graph, symbol: Symbol) -> Extent:
    """The lengths of the rows of an array of arrays."""
    while True:
        node = graph[symbol]
        operation = node.operation
        if isinstance(operation, Rows):
            return lengths(graph, node.arguments[1])
        if isinstance(operation, Replicate):
            value, times = node.arguments
            return ("equal", extent(graph, value), number(graph, times))
        if isinstance(operation, Each):
            inner = operation.of
            if isinstance(inner, Iota):
                return lengths(graph, node.arguments[0])
            if isinstance(inner, Replicate):
                return lengths(graph, node.arguments[1])
            if isinstance(inner, Each | Zip | Scatter | ScatterReduce | Merge):
                symbol = node.arguments[0]
                continue
            if isinstance(inner, Scan | Gather):
                symbol = node.arguments[1]
                continue
        return ("rows", symbol)


def cannot_fault(graph: Graph, symbol: Symbol) -> bool:
    """Whether a node's own operation cannot fault, whatever its arguments are at run time (what
    these need may fault all the same)."""
    node = graph[symbol]
    return operation_is_total(graph, node.operation, node.arguments)


def operation_is_total(graph: Graph, operation: Operation, arguments: tuple[Symbol, ...]) -> bool:
    """Whether an operation on such arguments cannot fault."""
    if not operation.may_fault:
        return True
    if isinstance(operation, Row):
        divisor = graph[arguments[-1]].operation
        return isinstance(divisor, Constant) and divisor.value != 0
    if isinstance(operation, Each) and isinstance(operation.of, Row):
        divisors = graph[arguments[-1]]
        if not isinstance(divisors.operation, Replicate):
            return False
        divisor = graph[divisors.arguments[0]].operation
        return isinstance(divisor, Constant) and divisor.value != 0
    if isinstance(operation, Each) and isinstance(operation.of, Replicate | Iota):
        return _are_lengths(graph, arguments[-1])
    if isinstance(operation, Zip):
        return len({extent(graph, a) for a in arguments}) == 1
    if isinstance(operation, Map):
        return len({extent(graph, a) for a in arguments[1:]}) == 1
    if isinstance(operation, Iota):
        return _is_length(graph, arguments[0])
    if isinstance(operation, Replicate):
        return _is_length(graph, arguments[1])
    if isinstance(operation, Rows):
        return extent(graph, arguments[0]) == ("sum", lengths(graph, arguments[1]))
    if isinstance(operation, Filter):
        return extent(graph, arguments[0]) == extent(graph, arguments[1])
    if isinstance(operation, Gather):
        indices = graph[arguments[1]]
        known = isinstance(indices.operation, Iota)
        return known and extent(graph, arguments[1]) == extent(graph, arguments[0])
    return False


def _is_length(graph: Graph, symbol: Symbol) -> bool:
    node = graph[symbol]
    if isinstance(node.operation, Constant):
        return node.operation.value >= 0
    if node.operation == Row("max_s.i64"):
        return any(_is_length(graph, a) for a in node.arguments)
    return isinstance(node.operation, Length)


def _are_lengths(graph: Graph, symbol: Symbol) -> bool:
    node = graph[symbol]
    if isinstance(node.operation, Replicate):
        return _is_length(graph, node.arguments[0])
    return node.operation == Each(Length())


def is_total(graph: Graph, symbol: Symbol, known: dict[Symbol, bool]) -> bool:
    """Whether evaluating a symbol, with all that it needs, cannot fault and must end, where the
    parameters of lambdas are given; `known` keeps answers."""
    for needed in graph.reached([symbol], known):
        node = graph[needed]
        if isinstance(node.operation, Parameter):
            known[needed] = True
        elif isinstance(node.operation, While):
            known[needed] = False
        else:
            fine = all(known[a] for a in node.arguments)
            known[needed] = fine and (
                isinstance(node.operation, Lambda) or cannot_fault(graph, needed)
            )
    return known[symbol]
