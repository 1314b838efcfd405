"""What the parts of lowering want of the whole, `lowering.Lowering`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from compiler.levels.arrays.lowering.arena import Arena
from compiler.levels.arrays.lowering.code import Code
from compiler.levels.arrays.lowering.staged import (
    ArrayValue,
    Closure,
    Frame,
    Operand,
    Packed,
    Position,
    Segmented,
    Shape,
    Staged,
)
from compiler.levels.arrays.lowering.team import Team
from compiler.levels.arrays.types import GraphType
from machines.diagnostics import Location


@dataclass(frozen=True, slots=True)
class Place:
    """The definition for which code is emitted: where the source says it, and what it is."""

    location: Location | None
    origin: object = None


class Context(Protocol):
    """One function being lowered.

    allow    'unchecked': indices are taken to be in range; 'reassociate'
    refuted  assumptions that do not hold (see `staged.NotAsAssumed`)
    chosen   a mask's key -> arrays from which lanes are taken where it is true, and where not
    place    for what code is emitted now
    team     the threads that execute the function together, if there are several
    """

    code: Code
    arena: Arena
    team: Team | None
    allow: frozenset[str]
    refuted: frozenset[object]
    chosen: dict[object, tuple[list[ArrayValue], list[ArrayValue]]]
    place: Place

    def at(self, place: Place) -> AbstractContextManager[None]:
        """What is emitted inside is emitted for a definition."""

    # Definitions and calls

    def call(self, closure: Closure, values: Sequence[Staged]) -> Staged:
        """What a lambda gives for values."""

    def frame(self, outer: Frame, parameters: frozenset[int], values: dict[int, Staged]) -> Frame:
        """A call that is made here, of a lambda that is defined in another one."""

    def call_closed(self, graph: Any, function: int, values: Sequence[Staged]) -> Staged:
        """What a lambda of another graph, which captures nothing, gives."""

    def value(self, symbol: int, frame: Frame) -> Staged:
        """The value of a symbol in a call."""

    def is_known(self, symbol: int, frame: Frame) -> bool:
        """Whether a symbol's value is there."""

    def is_total(self, function: Closure) -> bool:
        """Whether a lambda cannot fault, whatever it is called with."""

    def has_arrays(self, function: Closure) -> bool:
        """Whether a lambda makes arrays, other than those that it captures."""

    def is_cheap(self, arm: Closure) -> bool:
        """Whether to compute an arm costs no more than to branch around it."""

    def evaluate_common(self, then: Closure, other: Closure) -> None:
        """Evaluate what both arms of a branch certainly need."""

    def needed(self, function: Closure) -> list[int]:
        """What a lambda captures, and needs whenever it is called."""

    def hoist(self, *functions: Closure) -> None:
        """Evaluate what lambdas that are called often capture and what cannot fault."""

    def hoist_needed(self, *functions: Closure) -> None:
        """Evaluate what lambdas that are certainly called need, and capture."""

    def kept(self, value: Staged, type: GraphType) -> Staged:
        """A value that a loop is about to use in every iteration."""

    # Values

    def number(self, value: Staged) -> Operand:
        """A scalar as an operand; a length that nobody has counted is counted."""

    def as_length(self, operand: Operand) -> Operand:
        """Note that a number is a length."""

    def is_length(self, value: Staged) -> bool:
        """Whether a value is a number that is certainly not negative."""

    def element(self, array: ArrayValue, position: Position) -> Staged:
        """The element of an array at a position of its shape, or of one that is as long."""

    def same(self, one: Shape, other: Shape) -> bool:
        """Whether two shapes are known to have the same positions."""

    def per_position(self, make: Callable[[Position], Staged]) -> Callable[[Position], Staged]:
        """The same value each time that something at a position is asked for."""

    def inside(self, outer: Position, inner: Position, shape: Segmented) -> Position:
        """The position of a segmented shape that is a place in a row; it has no index."""

    def packed(self, base: Position, shape: Packed) -> Position:
        """The position of a packed shape at a place where its mask is true; it has no index."""
