"""The operation classes of graphs, a hierarchy: what each takes, gives, and means.

`Operation` ── `Terminal` ── `Elementwise` (rows of the operation table, `Constant`)
            │             ├─ `Structural` (tuples, lengths, rows, views: nothing is computed)
            │             ├─ `Indexed` (gather, scatter, …)
            │             ├─ `Reduction` (reduce, scan)
            │             └─ `Each` (any terminal done for every element of arrays)
            └─ `NonTerminal` (lambdas and what calls them)

An instance is a value: equal instances are one operation.  `compute` says what a terminal means for
Python numbers, lists (arrays) and tuples; it raises `GraphFault`.  What non-terminals mean is in
`compiler.levels.arrays.interpret`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from compiler.levels.arrays.types import Array, GraphType
from machines.types import I64


class IllTyped(Exception):
    """An operation does not take such arguments."""


class GraphFault(Exception):
    """What stops a program: `kind` is 'division by zero', 'index out of range', 'equal indices',
    'unequal lengths' or 'negative length'."""

    def __init__(self, kind: str):
        super().__init__(kind)
        self.kind = kind


OUT_OF_RANGE = "index out of range"
EQUAL_INDICES = "equal indices"
UNEQUAL = "unequal lengths"
NEGATIVE = "negative length"


class Operation:
    """What a node does."""

    may_fault: ClassVar[bool] = False
    is_terminal: ClassVar[bool] = True

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        """The type of its value; raises IllTyped."""
        raise NotImplementedError


class Terminal(Operation):
    """A primitive operation."""

    def compute(self, *values: Any) -> Any:
        """Its value; raises GraphFault."""
        raise NotImplementedError

    def elements(self, values: Sequence[Any]) -> int | None:
        """The element operations for such arguments; None: as many as its class has."""
        return None


class NonTerminal(Operation):
    """A lambda, or what calls lambdas."""

    is_terminal = False


class Elementwise(Terminal):
    """Of scalars."""


class Structural(Terminal):
    """Of the form of values; no element is computed."""


class Indexed(Terminal):
    """Of elements by their indices."""


class Reduction(Terminal):
    """Of many elements, in ascending order from a start value."""


def expect(ok: bool, message: str) -> None:
    """Raises IllTyped unless it is so."""
    if not ok:
        raise IllTyped(message)


def takes(name: str, arguments: Sequence[GraphType], count: int) -> None:
    expect(len(arguments) == count, f"{name} takes {count} arguments, not {len(arguments)}")


def takes_at_least(name: object, arguments: Sequence[GraphType], fewest: int) -> None:
    count = len(arguments)
    expect(count >= fewest, f"{name} takes at least {fewest} arguments, not {count}")


def expect_array(name: str, type: GraphType) -> Array:
    expect(isinstance(type, Array), f"{name} takes an array, not {type}")
    return type


def expect_integers(name: str, type: GraphType) -> None:
    wanted = Array(I64)
    expect(type == wanted, f"{name} takes indices or lengths of type {wanted}, not {type}")
