"""Graphs as pictures (DOT) and as data (JSON)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from compiler.levels.arrays.operations.calls import Lambda
from compiler.levels.arrays.operations.scalars import Constant, Parameter
from compiler.levels.arrays.places import (
    TOP,
    Places,
    functions_by_symbol,
    places,
    roots_with_names,
    signature,
)
from compiler.levels.arrays.printing import constant_text
from compiler.levels.arrays.table import Graph, Symbol


def dot_of(graph: Graph, roots: Iterable[Symbol] | None = None) -> str:
    """The graph for Graphviz: a cluster for each function and lambda, edges from what is used.

    A node of which two functions have need is drawn in each, as text has it.
    """
    named = functions_by_symbol(graph)
    lines = ["digraph graph_program {", "  node [shape=box, fontname=monospace];"]
    for number, (name, root) in enumerate(roots_with_names(graph, roots)):
        drawing = _Drawing(graph, named, places(graph, root, named), f"f{number}")
        lines += drawing.function(name)
    return "\n".join([*lines, "}", ""])


class _Drawing:
    """Draws one function; `prefix` tells its nodes from those of others."""

    def __init__(self, graph: Graph, named: dict[Symbol, str], laid: Places, prefix: str):
        self.graph, self.named, self.places, self.prefix = graph, named, laid, prefix
        self.edges: list[str] = []
        self.called: set[Symbol] = set()

    def function(self, name: str) -> list[str]:
        inside = self.box(TOP, name, self.places.parameters, self.places.result, "  ")
        for symbol in sorted(self.called):
            at = f"    {self.id(symbol)}"
            inside.insert(-1, f"{at} [label={_quoted('@' + self.named[symbol])}, shape=ellipse];")
        return [*inside, *self.edges]

    def box(
        self, of: Symbol, title: str, parameters: Iterable[Symbol], result: Symbol, indent: str
    ) -> list[str]:
        inner = indent + "  "
        lines = [f"{indent}subgraph cluster_{self.id(of)} {{", f"{inner}label={_quoted(title)};"]
        for symbol in parameters:
            node = self.graph[symbol]
            label = _quoted(f"{node.operation.name}: {node.type}")
            lines.append(f"{inner}{self.id(symbol)} [label={label}, style=rounded];")
        for symbol in self.places.bodies[of]:
            lines += self.definition(symbol, inner)
        exit = f"{self.id(of)}_result"
        lines.append(f"{inner}{exit} [label=return, shape=plaintext];")
        self.edge(result, exit)
        return [*lines, f"{indent}}}"]

    def definition(self, symbol: Symbol, indent: str) -> list[str]:
        node = self.graph[symbol]
        operation = node.operation
        lines = []
        if isinstance(operation, Lambda):
            (result,) = node.arguments
            title = f"s{symbol}: {node.type}"
            lines = self.box(symbol, title, operation.parameters, result, indent)
            self.edges.append(f"  {self.id(symbol)}_result -> {self.id(symbol)} [style=dashed];")
        else:
            for number, argument in enumerate(node.arguments):
                label = f" [label={number}]" if len(node.arguments) > 1 else ""
                self.edge(argument, self.id(symbol), label)
        what = constant_text(operation) if isinstance(operation, Constant) else str(operation)
        label = _quoted(f"s{symbol} = {what}: {node.type}")
        return [*lines, f"{indent}{self.id(symbol)} [label={label}];"]

    def edge(self, source: Symbol, target: str, label: str = "") -> None:
        if source in self.named:
            self.called.add(source)
        self.edges.append(f"  {self.id(source)} -> {target}{label};")

    def id(self, symbol: Symbol) -> str:
        return f"{self.prefix}_s{symbol}"


def _quoted(text: str) -> str:
    """A DOT string: of what JSON escapes, names and types have quotes and backslashes at most."""
    return json.dumps(text, ensure_ascii=False)


def json_of(graph: Graph, roots: Iterable[Symbol] | None = None) -> dict[str, Any]:
    """The table as data, under the graph's own symbols:

    {"functions": {"mean": {"symbol": "s6", "parameters": ["s1"], "result": "s5"}},
     "table": {"s2": {"operation": "const.f32 0.0", "arguments": [], "type": "f32",
                      "place": "mean.graph:2:10"}, …}}

    A lambda has its "parameters" too, a parameter its "name".  "place" is null where none is known.
    """
    written = roots_with_names(graph, roots)
    functions = {}
    for name, root in written:
        parameters, result = signature(graph, root)
        functions[name] = {
            "symbol": f"s{root}",
            "parameters": [f"s{parameter}" for parameter in parameters],
            "result": f"s{result}",
        }
    needed = graph.reached(root for _, root in written)
    return {
        "functions": functions,
        "table": {f"s{symbol}": _entry(graph, symbol) for symbol in sorted(needed)},
    }


def _entry(graph: Graph, symbol: Symbol) -> dict[str, Any]:
    node = graph[symbol]
    operation = node.operation
    is_constant = isinstance(operation, Constant)
    entry: dict[str, Any] = {
        "operation": constant_text(operation) if is_constant else str(operation),
        "arguments": [f"s{argument}" for argument in node.arguments],
        "type": str(node.type),
        "place": str(node.location) if node.location else None,
    }
    if isinstance(operation, Lambda):
        entry["parameters"] = [f"s{parameter}" for parameter in operation.parameters]
    if isinstance(operation, Parameter):
        entry["name"] = operation.name
        entry["operation"] = "parameter"
    return entry
