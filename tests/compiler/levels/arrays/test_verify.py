"""Every fault that is planted in a graph is found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compiler.levels.arrays.operations.calls import Apply, WhileEach
from compiler.levels.arrays.operations.scalars import Parameter, Row
from compiler.levels.arrays.operations.structural import Item, MakeTuple, Replicate
from compiler.levels.arrays.parsing import parse_graph
from compiler.levels.arrays.table import Graph, Node, Symbol
from compiler.levels.arrays.types import Array
from compiler.levels.arrays.verify import verify_graph
from machines.types import F32, F64, I64
from tests.compiler.levels.arrays.every_operation import graph_of, operation_classes

TEXT = """\
func f(x: f32, xs: f32[:]) -> f32[:] {
    twice = lambda (y: f32) -> f32 {
        z = mul.f32(y, x)
        return z
    }
    all = map(twice, xs)
    pair = tuple(all, x)
    first = item[0](pair)
    return first
}
"""


def find(graph: Graph, name: str) -> Symbol:
    return next(s for s in range(1, len(graph) + 1) if str(graph[s].operation) == name)


def change(name: str, **fields):
    def planted(graph: Graph) -> None:
        symbol = find(graph, name)
        graph.nodes[symbol - 1] = replace(graph[symbol], **fields)

    return planted


def newer(graph: Graph) -> None:
    change("map", arguments=(find(graph, "lambda"), find(graph, "tuple")))(graph)


def parameters(*names: str):
    def planted(graph: Graph) -> None:
        symbol = find(graph, "lambda")
        own = tuple(find(graph, f"parameter {name}") for name in names)
        operation = replace(graph[symbol].operation, parameters=own)
        graph.nodes[symbol - 1] = replace(graph[symbol], operation=operation)

    return planted


def no_parameter(graph: Graph) -> None:
    symbol = find(graph, "lambda")
    operation = replace(graph[symbol].operation, parameters=(find(graph, "mul.f32"),))
    graph.nodes[symbol - 1] = replace(graph[symbol], operation=operation)


def second(graph: Graph) -> None:
    symbol = find(graph, "tuple")
    node = graph[symbol]
    graph.nodes.append(Node(node.operation, node.arguments, node.type, node.free))


def no_function(graph: Graph) -> None:
    graph.functions["f"] = find(graph, "map")


def no_symbol(graph: Graph) -> None:
    graph.functions["f"] = 99


def shared(graph: Graph) -> None:
    """Another lambda of the same parameter is used beside the first."""
    y, x = find(graph, "parameter y"), find(graph, "parameter x")
    other = graph.function([y], graph.add(Row("neg.f32"), y))
    called = graph.add(Apply(), other, x)
    first = graph.functions["f"]
    both = graph.add(MakeTuple(), graph[first].arguments[0], called)
    graph.functions["f"] = graph.function(graph[first].operation.parameters, both, "g")


def unbound(graph: Graph) -> None:
    first = graph.functions["f"]
    (x, _), (result,) = graph[first].operation.parameters, graph[first].arguments
    graph.functions["f"] = graph.function([x], result, "g")


def escaped(graph: Graph) -> None:
    """A definition of a lambda's body is used outside of it."""
    x = graph.parameter("x", F32)
    z = graph.add(Row("neg.f32"), find(graph, "mul.f32"))
    graph.function([x], z, "g")


def stored(graph: Graph) -> None:
    graph.add(Replicate(), find(graph, "lambda"), graph.constant(3, I64))


def captured(graph: Graph) -> None:
    test = graph.add(MakeTuple())
    node = Node(WhileEach(3), (test, test), F32, frozenset())
    graph.nodes.append(node)


FAULTS = {
    "type": (change("map", type=Array(F64)), "map (<text>:6:11): its type is f32[:], not f64[:]"),
    "ill typed": (change("item[0]", operation=Item(2)), "has no part 2"),
    "few arguments": (change("map", arguments=()), "takes at least 1 arguments, not 0"),
    "few captured": (captured, "while.each"),
    "newer": (newer, "which is not older"),
    "out of the table": (change("map", arguments=(99,)), "takes s99, which is not older"),
    "symbol 0": (change("map", arguments=(0,)), "takes s0, which is not older"),
    "free": (change("mul.f32", free=frozenset()), "on the parameters {s1, s3}, not {}"),
    "free of a parameter": (change("parameter y", free=frozenset()), "not {}"),
    "unique": (change("parameter y", operation=Parameter("y", F32, 9)), "says that it is s9"),
    "parameter twice": (parameters("y", "y"), "one parameter twice"),
    "parameter type": (parameters("xs"), "its parameters are of types f32[:]"),
    "no parameter": (no_parameter, "its parameter s4 is none"),
    "equal nodes": (second, "it is equal to s"),
    "no function": (no_function, "function 'f': s6 is no lambda"),
    "no symbol": (no_symbol, "function 'f': s99 is no lambda"),
    "shared": (shared, "its parameter s3 belongs to s5 already"),
    "unbound": (unbound, "in function 'f', no lambda binds s2"),
    "escaped": (escaped, "in function 'g', no lambda binds s3"),
    "stored": (stored, "a function is called, not stored"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted(fault):
    plant, said = FAULTS[fault]
    graph = parse_graph(TEXT)
    assert verify_graph(graph) == []
    plant(graph)
    found = verify_graph(graph)
    assert any(said in finding for finding in found), found


def test_every_operation_class_is_right():
    assert verify_graph(graph_of(operation_classes())) == []


def test_rewritten_lambdas_keep_their_parameters():
    """The old one is in the table still, but no function reaches it."""
    graph = parse_graph(TEXT)
    old = graph.functions["f"]
    own = graph[old].operation.parameters
    graph.functions["f"] = graph.function(own, own[1], "f")
    assert graph.functions["f"] != old and verify_graph(graph) == []
