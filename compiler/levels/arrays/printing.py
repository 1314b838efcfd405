"""Graphs as text, which `compiler.levels.arrays.parsing` reads.

    func mean(arr: f32[:]) -> f32 {
        s1 = const.f32 0.0
        s2 = reduce[add.f32](s1, arr): f32
        …
        return s5
    }

Each function is written by itself: its symbols count from s1, so that a change elsewhere does not
change its text.  Where a definition stands is said in `compiler.levels.arrays.places`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from compiler.levels.arrays.operations.calls import Lambda
from compiler.levels.arrays.operations.scalars import Constant
from compiler.levels.arrays.places import TOP, Names, functions_by_symbol, places, roots_with_names
from compiler.levels.arrays.table import Graph, Symbol

INDENT = "    "
QUIET_NAN = struct.pack("<d", float("nan"))


def print_graph(graph: Graph, roots: Iterable[Symbol] | None = None) -> str:
    """What the roots (all functions of the program, if none are given) depend on, as text."""
    named = functions_by_symbol(graph)
    written = roots_with_names(graph, roots)
    return "\n".join(_Writer(graph, named, root).function(name) for name, root in written)


def symbol_names(graph: Graph, root: Symbol) -> dict[Symbol, str]:
    """What the text of a function calls its symbols."""
    writer = _Writer(graph, functions_by_symbol(graph), root)
    writer.function("")
    return writer.text


def constant_text(constant: Constant) -> str:
    """A literal such that reading it gives the same bits: NaNs that differ are told apart.

    >>> from machines.types import F32
    >>> constant_text(Constant.of(-0.0, F32)), constant_text(Constant.of(float("nan"), F32))
    ('const.f32 -0.0', 'const.f32 nan')
    """
    if constant.value == constant.value or constant.bits == QUIET_NAN:
        return str(constant)
    return f"{constant}(0x{int.from_bytes(constant.bits, 'little'):016x})"


class _Writer:
    """Writes one function."""

    def __init__(self, graph: Graph, named: dict[Symbol, str], root: Symbol):
        self.graph = graph
        self.places = places(graph, root, named)
        self.names = Names()
        self.text = {symbol: f"@{name}" for symbol, name in named.items()}
        self.count = 0

    def function(self, name: str) -> str:
        head = self.head(self.places.parameters, self.places.result)
        lines = self.body(TOP, self.places.result, INDENT)
        return "\n".join([f"func {name}{head} {{", *lines, "}", ""])

    def head(self, parameters: Iterable[Symbol], result: Symbol) -> str:
        """`(x: f32, n: i64) -> f32`; names the parameters."""
        for symbol in parameters:
            self.text[symbol] = self.names.new(self.graph[symbol].operation.name)
        inside = ", ".join(f"{self.text[p]}: {self.graph.type(p)}" for p in parameters)
        return f"({inside}) -> {self.graph.type(result)}"

    def body(self, of: Symbol, result: Symbol, indent: str) -> list[str]:
        lines = []
        for symbol in self.places.bodies[of]:
            lines += self.definition(symbol, indent)
        return [*lines, f"{indent}return {self.text[result]}"]

    def definition(self, symbol: Symbol, indent: str) -> list[str]:
        node = self.graph[symbol]
        operation = node.operation
        if isinstance(operation, Lambda):
            (result,) = node.arguments
            head = self.head(operation.parameters, result)
            inner = self.body(symbol, result, indent + INDENT)
            return [f"{indent}{self.new(symbol)} = lambda {head} {{", *inner, f"{indent}}}"]
        if isinstance(operation, Constant):
            return [f"{indent}{self.new(symbol)} = {constant_text(operation)}"]
        given = ", ".join(self.text[a] for a in node.arguments)
        return [f"{indent}{self.new(symbol)} = {operation}({given}): {node.type}"]

    def new(self, symbol: Symbol) -> str:
        """The symbol as it is called in the text, from now on: s1, s2, …"""
        self.count += 1
        self.text[symbol] = f"s{self.count}"
        return self.text[symbol]
