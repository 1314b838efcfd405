"""A graph with every node rewritten, after it was made: of functions that are not vectorized.  What
fusing rewriting with vectorization saves is measured against this."""

from __future__ import annotations

from compiler.levels.arrays.depth import deep
from compiler.levels.arrays.operations.calls import Lambda
from compiler.levels.arrays.operations.scalars import Parameter
from compiler.levels.arrays.rewriting import Rewriter
from compiler.levels.arrays.table import Graph, Symbol


def simplified(graph: Graph, function: Symbol, rewriter: Rewriter) -> tuple[Graph, Symbol]:
    """A new graph with a function of this one, rewritten as its nodes are added."""
    result = Graph(rewrite=rewriter, apart=graph.apart)
    made: dict[Symbol, Symbol] = {}
    with deep(graph[function].location, "rewritten"):
        for symbol in graph.reached([function]):
            node = graph[symbol]
            result.place = node.location
            if isinstance(node.operation, Parameter):
                made[symbol] = result.parameter(node.operation.name, node.type)
            elif isinstance(node.operation, Lambda):
                parameters = [made[p] for p in node.operation.parameters]
                body = made[node.arguments[0]]
                made[symbol] = result.function(parameters, body, node.operation.name)
            else:
                made[symbol] = result.add(node.operation, *(made[a] for a in node.arguments))
    return result, made[function]
