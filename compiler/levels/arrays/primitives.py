"""Primitives that files of rules declare: `@primitive def hypot2(x: f32, y: f32) -> f32: …`.

What one means is a function of the source language; RULES.md beside this file describes both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from compiler.levels.arrays.facts import is_total
from compiler.levels.arrays.interpret import Counter, evaluate
from compiler.levels.arrays.operations.hierarchy import Terminal, expect
from compiler.levels.arrays.types import GraphType
from machines.diagnostics import Location
from machines.types import Type as Scalar

if TYPE_CHECKING:
    from compiler.levels.arrays.table import Graph, Symbol


@dataclass(frozen=True, eq=False)
class Meaning:
    """What a primitive means: a closed lambda of a graph of its own.

    text      its source
    kinds     the types of its parameters as the source language has them, which knows signs
    kind      that of its result
    location  where it is declared
    """

    text: str
    graph: Graph
    function: Symbol
    kinds: dict[str, Any]
    kind: Any
    location: Location

    @cached_property
    def may_fault(self) -> bool:
        """Whether it may fault, or need not end."""
        return not is_total(self.graph, self.function, {})


@dataclass(frozen=True, eq=False)
class Primitive(Terminal):
    """A primitive by its name; two of one name and of the same text are one operation."""

    name: str
    types: tuple[GraphType, ...]
    type: GraphType
    meaning: Meaning

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Primitive) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        return self.name

    @property
    def _key(self) -> tuple[str, str]:
        return self.name, self.meaning.text

    @property
    def may_fault(self) -> bool:  # type: ignore[override]
        return self.meaning.may_fault

    @property
    def is_scalar(self) -> bool:
        """Whether it is of scalars alone: a rule of it holds lane by lane."""
        return all(isinstance(type, Scalar) for type in (*self.types, self.type))

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        wanted = ", ".join(map(str, self.types))
        given = ", ".join(map(str, arguments))
        expect(arguments == self.types, f"{self.name} takes ({wanted}), not ({given})")
        return self.type

    def compute(self, *values: Any) -> Any:
        return evaluate(self.meaning.graph, self.meaning.function, values)

    def elements(self, values: Sequence[Any]) -> int:
        """The element operations of its meaning for such arguments."""
        counter = Counter()
        evaluate(self.meaning.graph, self.meaning.function, values, counter)
        return counter.operations
