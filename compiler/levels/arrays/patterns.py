"""Patterns of rules: what a node must look like, and what the names of a pattern stand for then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from compiler.levels.arrays.operations.each import Each
from compiler.levels.arrays.operations.hierarchy import Operation
from compiler.levels.arrays.operations.scalars import Constant, Row
from compiler.levels.arrays.operations.structural import Replicate
from compiler.levels.arrays.table import Graph, Symbol

Binding = dict[str, Any]


def key_of(operation: Operation) -> str:
    """An operation's name without its type and what else it knows: what tables are keyed by.

    >>> key_of(Row("add.f32")), key_of(Each(Reduce("add.f32")))
    ('add', 'each.reduce.add')
    """
    if isinstance(operation, Each):
        return f"each.{key_of(operation.of)}"
    text = str(operation)
    if isinstance(operation, Row | Constant):
        return text.partition(".")[0]
    name, bracket, inside = text.partition("[")
    if bracket and not inside[0].isdigit():
        return f"{name}.{inside.partition('.')[0]}"
    return name


@dataclass(frozen=True, slots=True)
class Variable:
    """Any argument; all of one name are one symbol."""

    name: str

    def match(self, graph: Graph, symbol: Symbol, lifted: bool, found: Binding) -> bool:
        return found.setdefault(self.name, symbol) == symbol


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant of this value, of any type (0 and 0.0 are two)."""

    value: int | float

    def match(self, graph: Graph, symbol: Symbol, lifted: bool, found: Binding) -> bool:
        node = graph[symbol]
        if lifted:
            if not isinstance(node.operation, Replicate):
                return False
            node = graph[node.arguments[0]]
        operation = node.operation
        if not isinstance(operation, Constant):
            return False
        if isinstance(self.value, float) and not operation.type.is_float:
            return False
        return operation == Constant.of(self.value, operation.type)


@dataclass(frozen=True, slots=True)
class Star:
    """The rest of the arguments; with a pattern, each looks like it and its first variable is the
    list of what it names."""

    name: str
    pattern: Form | None = None

    def match_all(self, graph: Graph, symbols: Sequence[Symbol], found: Binding) -> bool:
        if self.pattern is None:
            return found.setdefault(self.name, tuple(symbols)) == tuple(symbols)
        inner = []
        for symbol in symbols:
            one = {name: value for name, value in found.items() if name != self.name}
            if not self.pattern.match(graph, symbol, False, one):
                return False
            inner.append(one.pop(self.name))
            found.update(one)
        found[self.name] = tuple(inner)
        return bool(inner)


@dataclass(frozen=True, slots=True)
class Form:
    """An operation by its key, or by its class, and patterns of its arguments."""

    key: str
    of_class: type | None
    arguments: tuple[Any, ...]
    name: str | None = None

    def match(self, graph: Graph, symbol: Symbol, lifted: bool, found: Binding) -> bool:
        node = graph[symbol]
        if self.of_class is not None:
            if not isinstance(node.operation, self.of_class):
                return False
        else:
            key = key_of(node.operation)
            wanted = f"each.{self.key}" if lifted else self.key
            if key != wanted:
                return False
        if self.name is not None and found.setdefault(self.name, symbol) != symbol:
            return False
        if self.arguments and isinstance(self.arguments[0], Star):
            return self.arguments[0].match_all(graph, node.arguments, found)
        if len(node.arguments) != len(self.arguments):
            return False
        before = dict(found)
        if self._match_all(graph, node.arguments, lifted, found):
            return True
        if not _commutes(node.operation):
            return False
        found.clear()
        found.update(before)
        first, second, *rest = node.arguments
        return self._match_all(graph, (second, first, *rest), lifted, found)

    def _match_all(
        self, graph: Graph, symbols: Sequence[Symbol], lifted: bool, found: Binding
    ) -> bool:
        return all(
            pattern.match(graph, symbol, lifted, found)
            for pattern, symbol in zip(self.arguments, symbols, strict=True)
        )


def _commutes(operation: Operation) -> bool:
    """Whether the two operands of a row may change places: patterns match in both orders."""
    row = operation.of if isinstance(operation, Each) else operation
    return isinstance(row, Row) and row.row.commutes


def names_of(pattern: Any) -> set[str]:
    """The names that a pattern gives symbols to."""
    if isinstance(pattern, Variable):
        return {pattern.name}
    if isinstance(pattern, Star):
        return {pattern.name} | (names_of(pattern.pattern) if pattern.pattern else set())
    if isinstance(pattern, Form):
        own = {pattern.name} if pattern.name else set()
        return own.union(*(names_of(a) for a in pattern.arguments))
    return set()
