"""What every graph must satisfy; all findings at once.

`Graph.add` keeps most of it by itself.  What it cannot see is checked here: nodes that something
else put into the table, and lambdas made of each other's parameters.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.levels.arrays.operations.calls import Lambda
from compiler.levels.arrays.operations.hierarchy import IllTyped
from compiler.levels.arrays.operations.scalars import Parameter
from compiler.levels.arrays.table import Graph, Node, Symbol
from compiler.levels.arrays.types import Array, Function, GraphType, Tuple, holds
from machines.diagnostics import input_error


def verify_graph(graph: Graph) -> list[str]:
    """What is wrong with a graph, in the order of its symbols; nothing is, if the list is empty.

    Findings about how functions use parameters are only given if every node by itself is right.
    """
    found = [
        f"{_at(graph, symbol)}: {finding}"
        for symbol in range(1, len(graph) + 1)
        for finding in _node_findings(graph, symbol)
    ]
    found += _duplicates(graph)
    for name, symbol in graph.functions.items():
        if not (0 < symbol <= len(graph) and isinstance(graph[symbol].operation, Lambda)):
            found.append(f"function '{name}': s{symbol} is no lambda")
    return found or [*_owner_findings(graph), *_unbound_findings(graph)]


def refuse_functions(graph: Graph, function: Symbol) -> None:
    """Raise InputError if a function takes or gives functions: no array has them as elements, and
    no program is given them."""
    node = graph[function]
    values = {f"parameter '{graph[p].operation.name}'": p for p in node.operation.parameters}
    values["result"] = node.arguments[0]
    for what, symbol in values.items():
        type = graph.type(symbol)
        if holds(type, Function):
            hint = "functions that take some are called by others"
            raise input_error(f"the {what} is a function, {type}", node.location, hint=hint)


def _at(graph: Graph, symbol: Symbol) -> str:
    node = graph[symbol]
    place = f" ({node.location})" if node.location else ""
    return f"s{symbol} = {node.operation}{place}"


def _node_findings(graph: Graph, symbol: Symbol) -> Iterator[str]:
    node = graph[symbol]
    own = getattr(node.operation, "parameters", ())
    newer = [a for a in (*own, *node.arguments) if not 0 < a < symbol]
    if newer:
        yield f"it takes s{newer[0]}, which is not older"
        return
    yield from _type_findings(graph, node)
    free = _free(graph, symbol)
    if node.free != free:
        yield f"it depends on the parameters {_listed(free)}, not {_listed(node.free)}"
    if isinstance(node.operation, Parameter) and node.operation.unique != symbol:
        yield f"it says that it is s{node.operation.unique}"


def _listed(symbols: frozenset[Symbol]) -> str:
    return "{" + ", ".join(f"s{symbol}" for symbol in sorted(symbols)) + "}"


def _free(graph: Graph, symbol: Symbol) -> frozenset[Symbol]:
    """The parameters that a node depends on, if those of its arguments are right."""
    node = graph[symbol]
    if isinstance(node.operation, Parameter):
        return frozenset({symbol})
    free = frozenset().union(*(graph[a].free for a in node.arguments))
    return free.difference(getattr(node.operation, "parameters", ()))


def _type_findings(graph: Graph, node: Node) -> Iterator[str]:
    given = tuple(graph.type(a) for a in node.arguments)
    try:
        type = node.operation.result(given)
    except IllTyped as error:
        yield str(error)
        return
    if type != node.type:
        yield f"its type is {type}, not {node.type}"
    if not isinstance(type, Function) and _holds_function(type):
        yield f"a function is called, not stored in a {type}"
    if isinstance(node.operation, Lambda):
        yield from _parameter_findings(graph, node.operation)


def _holds_function(type: GraphType) -> bool:
    if isinstance(type, Array):
        return _holds_function(type.element)
    if isinstance(type, Tuple):
        return any(map(_holds_function, type.parts))
    return isinstance(type, Function)


def _parameter_findings(graph: Graph, operation: Lambda) -> Iterator[str]:
    if len(set(operation.parameters)) != len(operation.parameters):
        yield "it has one parameter twice"
    for parameter in operation.parameters:
        if not isinstance(graph[parameter].operation, Parameter):
            yield f"its parameter s{parameter} is none"
    types = tuple(graph.type(parameter) for parameter in operation.parameters)
    if types != operation.types:
        yield f"its parameters are of types {', '.join(map(str, types))}"


def _duplicates(graph: Graph) -> Iterator[str]:
    """Of two equal nodes there is one."""
    first: dict[tuple, Symbol] = {}
    for symbol in range(1, len(graph) + 1):
        node = graph[symbol]
        key = graph.key(node.operation, node.arguments, node.location)
        if first.setdefault(key, symbol) != symbol:
            yield f"{_at(graph, symbol)}: it is equal to s{first[key]}"


def _owner_findings(graph: Graph) -> Iterator[str]:
    """Of what functions reach, a parameter belongs to one lambda only.  Elsewhere in the table are
    lambdas that were rewritten, of which the new ones have taken over the parameters."""
    owners: dict[Symbol, Symbol] = {}
    for symbol in graph.reached(graph.functions.values()):
        for parameter in getattr(graph[symbol].operation, "parameters", ()):
            owner = owners.setdefault(parameter, symbol)
            if owner != symbol:
                yield (
                    f"{_at(graph, symbol)}: its parameter s{parameter} belongs to s{owner} already"
                )


def _unbound_findings(graph: Graph) -> Iterator[str]:
    """What a function needs is bound in it: nothing is left free."""
    for name, function in graph.functions.items():
        for parameter in sorted(graph[function].free):
            users = [s for s in graph.reached([function]) if parameter in graph[s].arguments]
            user = _at(graph, users[0]) if users else _at(graph, function)
            yield f"{user}: in function '{name}', no lambda binds s{parameter}, which it uses"
