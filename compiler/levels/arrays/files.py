"""Graph programs in files: `.graph`, the table as text, and `.py`, functions marked @function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from compiler.levels.arrays.operations.names import NO_PRIMITIVES
from compiler.levels.arrays.primitives import Primitive
from compiler.levels.arrays.table import Graph, Symbol
from machines.diagnostics import input_error, nearest
from machines.reading import MOST_SOURCE, read_text

SUFFIXES = (".graph", ".py")


@dataclass(frozen=True)
class GraphFunction:
    """One function of a graph program."""

    graph: Graph
    name: str
    path: Path

    @property
    def symbol(self) -> Symbol:
        return self.graph.functions[self.name]

    @property
    def parameters(self) -> list[str]:
        """The names of its parameters."""
        of_lambda = self.graph[self.symbol].operation
        return [self.graph[p].operation.name for p in of_lambda.parameters]


def read_graph(path: str | Path, primitives: Mapping[str, Primitive] = NO_PRIMITIVES) -> Graph:
    """The graph of a file, which may use these primitives; raises InputError with every finding."""
    path = Path(path)
    if path.suffix not in SUFFIXES:
        hint = "functions stand in a .py file, marked @function, or as a table in a .graph file"
        raise input_error(f"{path} is no graph program", hint=hint)
    text = read_text(path, MOST_SOURCE)
    if path.suffix == ".graph":
        from compiler.levels.arrays.parsing import parse_graph

        return parse_graph(text, str(path), primitives)
    from compiler.levels.arrays.language import read_functions

    return read_functions(text, str(path), primitives)


def read_function(
    path: str | Path,
    name: str | None = None,
    primitives: Mapping[str, Primitive] = NO_PRIMITIVES,
) -> GraphFunction:
    """A function of a file, by its name or the only one that no other calls; raises InputError."""
    path = Path(path)
    graph = read_graph(path, primitives)
    if name is None:
        name = _only(graph, path)
    if name not in graph.functions:
        hint = nearest(name, graph.functions)
        raise input_error(f"{path} has no function '{name}'", hint=hint)
    return GraphFunction(graph, name, path)


def _only(graph: Graph, path: Path) -> str:
    called: set[Symbol] = set()
    for symbol in graph.functions.values():
        called.update(s for s in graph.reached([symbol]) if s != symbol)
    roots = [name for name, symbol in graph.functions.items() if symbol not in called]
    if len(roots) == 1:
        return roots[0]
    if not graph.functions:
        raise input_error(f"{path} has no function", hint="mark one: @function")
    known = ", ".join(roots or graph.functions)
    raise input_error(f"which function is not said: {known}", hint="name it: --entry NAME")
