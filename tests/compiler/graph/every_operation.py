"""A graph for each operation class, and graphs at random, for tests that must forget none."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from compiler.graph import operations as ops
from compiler.graph.table import Graph, Symbol
from compiler.graph.types import Array, GraphType
from machines.types import F32, I1, I64

GIVEN: dict[str, GraphType] = {
    "x": F32, "n": I64, "p": I1, "xs": Array(F32), "ns": Array(I64), "mask": Array(I1),
    "rows": Array(Array(F32)),
}  # fmt: skip


def made(graph: Graph, body: Callable[..., Symbol], *types: GraphType) -> Symbol:
    """A lambda from its body as a Python function of its parameters."""
    parameters = [graph.parameter("v", type) for type in types]
    return graph.function(parameters, body(*parameters))


def _add(g: Graph, a: Symbol, b: Symbol) -> Symbol:
    return g.add(ops.Row("add.f32"), a, b)


def _below(g: Graph) -> Symbol:
    return made(g, lambda v: g.add(ops.Row("lt.f32"), v, g.constant(1.0, F32)), F32)


def _twice(g: Graph, x: Symbol) -> Symbol:
    """v + v * x, which has x free."""
    return made(g, lambda v: _add(g, v, g.add(ops.Row("mul.f32"), v, x)), F32)


def _lanes(g: Graph) -> list[Symbol]:
    """The vectorized test and step of a while of one state and one captured value."""
    each = ops.Each
    test = made(g, lambda a, b: g.add(each(ops.Row("lt.f32")), a, b), *[Array(F32)] * 2)
    step = made(
        g,
        lambda a, b: g.add(each(ops.MakeTuple()), g.add(each(ops.Row("add.f32")), a, b)),
        *[Array(F32)] * 2,
    )
    return [test, step]


def _while(g: Graph, a: dict[str, Symbol]) -> Symbol:
    step = made(g, lambda v: g.add(ops.MakeTuple(), _add(g, v, a["x"])), F32)
    return g.add(ops.While(), _below(g), step, a["x"])


def _fold(g: Graph, a: dict[str, Symbol]) -> Symbol:
    step = made(g, lambda v, s: g.add(ops.MakeTuple(), _add(g, v, s)), F32, F32)
    return g.add(ops.Fold(), step, a["xs"], a["x"])


EXAMPLES: dict[type, Callable[[Graph, dict[str, Symbol]], Symbol]] = {
    ops.Parameter: lambda g, a: a["x"],
    ops.Constant: lambda g, a: g.constant(-0.0, F32),
    ops.Row: lambda g, a: g.add(ops.Row("fma.f32"), a["x"], a["x"], a["x"]),
    ops.MakeTuple: lambda g, a: g.add(ops.MakeTuple(), a["x"], a["n"]),
    ops.Item: lambda g, a: g.add(ops.Item(1), g.add(ops.MakeTuple(), a["x"], a["n"])),
    ops.Length: lambda g, a: g.add(ops.Length(), a["xs"]),
    ops.Zip: lambda g, a: g.add(ops.Zip(), a["xs"], a["ns"]),
    ops.Iota: lambda g, a: g.add(ops.Iota(), a["n"]),
    ops.Replicate: lambda g, a: g.add(ops.Replicate(), a["x"], a["n"]),
    ops.Spread: lambda g, a: g.add(ops.Spread(), a["xs"], a["ns"]),
    ops.Flatten: lambda g, a: g.add(ops.Flatten(), a["rows"]),
    ops.Rows: lambda g, a: g.add(ops.Rows(), a["xs"], a["ns"]),
    ops.Index: lambda g, a: g.add(ops.Index(), a["xs"], a["n"]),
    ops.Gather: lambda g, a: g.add(ops.Gather(), a["xs"], a["ns"]),
    ops.Scatter: lambda g, a: g.add(ops.Scatter(), a["xs"], a["ns"], a["xs"]),
    ops.ScatterReduce: lambda g, a: g.add(
        ops.ScatterReduce("add.f32"), a["xs"], a["ns"], a["xs"]
    ),
    ops.Filter: lambda g, a: g.add(ops.Filter(), a["xs"], a["mask"]),
    ops.Merge: lambda g, a: g.add(ops.Merge(), a["mask"], a["xs"], a["xs"]),
    ops.Reduce: lambda g, a: g.add(ops.Reduce("add.f32"), a["x"], a["xs"]),
    ops.Scan: lambda g, a: g.add(ops.Scan("max.f32"), a["x"], a["xs"]),
    ops.Each: lambda g, a: g.add(ops.Each(ops.Length()), a["rows"]),
    ops.Lambda: lambda g, a: _twice(g, a["x"]),
    ops.Apply: lambda g, a: g.add(ops.Apply(), _twice(g, a["x"]), a["x"]),
    ops.If: lambda g, a: g.add(ops.If(), a["p"], _twice(g, a["x"]), _twice(g, a["x"]), a["x"]),
    ops.While: _while,
    ops.Map: lambda g, a: g.add(ops.Map(), _twice(g, a["x"]), a["xs"]),
    ops.Fold: _fold,
    ops.WhileEach: lambda g, a: g.add(ops.WhileEach(1), *_lanes(g), a["xs"], a["xs"]),
    ops.FoldEach: lambda g, a: g.add(
        ops.FoldEach(0), _lanes(g)[1], a["rows"], a["xs"]
    ),
}  # fmt: skip


def operation_classes() -> list[type]:
    """All that are no groups of others."""
    classes = [
        c for c in vars(ops).values() if isinstance(c, type) and issubclass(c, ops.Operation)
    ]
    return [c for c in classes if not any(c is not d and issubclass(d, c) for d in classes)]


def graph_of(classes: Sequence[type]) -> Graph:
    """A program with a function for each class, and one that calls the first."""
    graph = Graph()
    for cls in classes:
        given = {name: graph.parameter(name, type) for name, type in GIVEN.items()}
        graph.function(list(given.values()), EXAMPLES[cls](graph, given), f"of_{cls.__name__}")
    given = {name: graph.parameter(name, type) for name, type in GIVEN.items()}
    first = next(iter(graph.functions.values()))
    called = graph.add(ops.Apply(), first, *given.values())
    graph.function(list(given.values()), called, "calls")
    return graph


def random_graph(seed: int) -> Graph:
    """Lambdas in lambdas that share definitions and have parameters of the same names."""
    choose, graph = random.Random(seed), Graph()

    def body(values: list[Symbol], functions: list[Symbol], depth: int) -> Symbol:
        values, functions = list(values), list(functions)
        for _ in range(choose.randrange(1, 6)):
            what = choose.randrange(6 if depth < 4 else 4)
            if what == 0:
                values.append(graph.constant(choose.choice([0.0, -0.0, 0.1, 1e30]), F32))
            elif what == 1 and functions:
                call = graph.add(ops.Apply(), choose.choice(functions), choose.choice(values))
                values.append(call)
            elif what < 4:
                row = ops.Row(choose.choice(["add.f32", "mul.f32", "max.f32"]))
                values.append(graph.add(row, choose.choice(values), choose.choice(values)))
            else:
                own = graph.parameter(choose.choice(["x", "y", "s1", "x.2", "nan", "é", ""]), F32)
                inner = body([*values, own], functions, depth + 1)
                functions.append(graph.function([own], inner))
        if functions and choose.random() < 0.8:
            return graph.add(ops.Apply(), functions[-1], values[-1])
        return values[-1]

    callable: list[Symbol] = []
    for name in ("f", "g", "h"):
        own = graph.parameter("x", F32)
        callable.append(graph.function([own], body([own], callable, 0), name))
    return graph
