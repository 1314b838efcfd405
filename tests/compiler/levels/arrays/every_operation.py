"""A graph for each operation class, and graphs at random, for tests that must forget none."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from importlib import import_module
from pkgutil import iter_modules

from compiler.levels.arrays import operations
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
from compiler.levels.arrays.operations.hierarchy import Operation
from compiler.levels.arrays.operations.indexed import (
    Filter,
    Gather,
    Index,
    Merge,
    Scatter,
    ScatterReduce,
)
from compiler.levels.arrays.operations.reductions import Reduce, Scan
from compiler.levels.arrays.operations.scalars import Constant, Parameter, Row
from compiler.levels.arrays.operations.structural import (
    Flatten,
    Iota,
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
from compiler.levels.arrays.types import Array, GraphType
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
    return g.add(Row("add.f32"), a, b)


def _below(g: Graph) -> Symbol:
    return made(g, lambda v: g.add(Row("lt.f32"), v, g.constant(1.0, F32)), F32)


def _twice(g: Graph, x: Symbol) -> Symbol:
    """v + v * x, which has x free."""
    return made(g, lambda v: _add(g, v, g.add(Row("mul.f32"), v, x)), F32)


def _lanes(g: Graph) -> list[Symbol]:
    """The vectorized test and step of a while of one state and one captured value."""
    each = Each
    test = made(g, lambda a, b: g.add(each(Row("lt.f32")), a, b), *[Array(F32)] * 2)
    step = made(
        g,
        lambda a, b: g.add(each(MakeTuple()), g.add(each(Row("add.f32")), a, b)),
        *[Array(F32)] * 2,
    )
    return [test, step]


def _while(g: Graph, a: dict[str, Symbol]) -> Symbol:
    step = made(g, lambda v: g.add(MakeTuple(), _add(g, v, a["x"])), F32)
    return g.add(While(), _below(g), step, a["x"])


def _fold(g: Graph, a: dict[str, Symbol]) -> Symbol:
    step = made(g, lambda v, s: g.add(MakeTuple(), _add(g, v, s)), F32, F32)
    return g.add(Fold(), step, a["xs"], a["x"])


EXAMPLES: dict[type, Callable[[Graph, dict[str, Symbol]], Symbol]] = {
    Parameter: lambda g, a: a["x"],
    Constant: lambda g, a: g.constant(-0.0, F32),
    Row: lambda g, a: g.add(Row("fma.f32"), a["x"], a["x"], a["x"]),
    MakeTuple: lambda g, a: g.add(MakeTuple(), a["x"], a["n"]),
    MakeArray: lambda g, a: g.add(MakeArray(), a["x"], a["x"]),
    Item: lambda g, a: g.add(Item(1), g.add(MakeTuple(), a["x"], a["n"])),
    Length: lambda g, a: g.add(Length(), a["xs"]),
    Zip: lambda g, a: g.add(Zip(), a["xs"], a["ns"]),
    Iota: lambda g, a: g.add(Iota(), a["n"]),
    Replicate: lambda g, a: g.add(Replicate(), a["x"], a["n"]),
    Spread: lambda g, a: g.add(Spread(), a["xs"], a["ns"]),
    Flatten: lambda g, a: g.add(Flatten(), a["rows"]),
    Rows: lambda g, a: g.add(Rows(), a["xs"], a["ns"]),
    Index: lambda g, a: g.add(Index(), a["xs"], a["n"]),
    Gather: lambda g, a: g.add(Gather(), a["xs"], a["ns"]),
    Scatter: lambda g, a: g.add(Scatter(), a["xs"], a["ns"], a["xs"]),
    ScatterReduce: lambda g, a: g.add(
        ScatterReduce("add.f32"), a["xs"], a["ns"], a["xs"]
    ),
    Filter: lambda g, a: g.add(Filter(), a["xs"], a["mask"]),
    Merge: lambda g, a: g.add(Merge(), a["mask"], a["xs"], a["xs"]),
    Reduce: lambda g, a: g.add(Reduce("add.f32"), a["x"], a["xs"]),
    Scan: lambda g, a: g.add(Scan("max.f32"), a["x"], a["xs"]),
    Each: lambda g, a: g.add(Each(Length()), a["rows"]),
    Lambda: lambda g, a: _twice(g, a["x"]),
    Apply: lambda g, a: g.add(Apply(), _twice(g, a["x"]), a["x"]),
    If: lambda g, a: g.add(If(), a["p"], _twice(g, a["x"]), _twice(g, a["x"]), a["x"]),
    While: _while,
    Map: lambda g, a: g.add(Map(), _twice(g, a["x"]), a["xs"]),
    Fold: _fold,
    WhileEach: lambda g, a: g.add(WhileEach(1), *_lanes(g), a["xs"], a["xs"]),
    FoldEach: lambda g, a: g.add(
        FoldEach(0), _lanes(g)[1], a["rows"], a["xs"]
    ),
}  # fmt: skip


def operation_classes() -> list[type]:
    """All that are no groups of others."""
    modules = [
        import_module(f"{operations.__name__}.{module.name}")
        for module in iter_modules(operations.__path__)
    ]
    found = [value for module in modules for value in vars(module).values()]
    classes = [c for c in found if isinstance(c, type) and issubclass(c, Operation)]
    classes = list(dict.fromkeys(classes))
    return [c for c in classes if not any(c is not d and issubclass(d, c) for d in classes)]


def graph_of(classes: Sequence[type]) -> Graph:
    """A program with a function for each class, and one that calls the first."""
    graph = Graph()
    for cls in classes:
        given = {name: graph.parameter(name, type) for name, type in GIVEN.items()}
        graph.function(list(given.values()), EXAMPLES[cls](graph, given), f"of_{cls.__name__}")
    given = {name: graph.parameter(name, type) for name, type in GIVEN.items()}
    first = next(iter(graph.functions.values()))
    called = graph.add(Apply(), first, *given.values())
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
                call = graph.add(Apply(), choose.choice(functions), choose.choice(values))
                values.append(call)
            elif what < 4:
                row = Row(choose.choice(["add.f32", "mul.f32", "max.f32"]))
                values.append(graph.add(row, choose.choice(values), choose.choice(values)))
            else:
                own = graph.parameter(choose.choice(["x", "y", "s1", "x.2", "nan", "é", ""]), F32)
                inner = body([*values, own], functions, depth + 1)
                functions.append(graph.function([own], inner))
        if functions and choose.random() < 0.8:
            return graph.add(Apply(), functions[-1], values[-1])
        return values[-1]

    callable: list[Symbol] = []
    for name in ("f", "g", "h"):
        own = graph.parameter("x", F32)
        callable.append(graph.function([own], body([own], callable, 0), name))
    return graph
