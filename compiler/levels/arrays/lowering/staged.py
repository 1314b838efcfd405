"""Values of graph programs while they are lowered: what is known of them, and how to have the rest.

A scalar is an operand: a literal or a variable.  A tuple is a tuple of values.  An array is *not*
memory: it is a shape, and code for the element at a position of that shape ("pull" arrays, as in
Feldspar).  So a chain of elementwise operations with the fold at its end becomes one loop, and
nothing lies in memory unless it has to (`storing`).
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Any

Operand = str | int | float
"""A literal, or the name of a variable."""
Staged = Any
"""An operand, a tuple of values, an `ArrayValue`, or a `Closure`."""


NO_INDEX = ""


class Shape:
    """How many positions there are, and in which order they are gone through."""


@dataclass(frozen=True, slots=True)
class Flat(Shape):
    """0 … length - 1."""

    length: Operand


@dataclass(frozen=True, slots=True, eq=False)
class Packed(Shape):
    """Those positions of another shape at which a mask is true."""

    base: Shape
    mask: ArrayValue


@dataclass(frozen=True, slots=True, eq=False)
class Segmented(Shape):
    """For each position of an outer shape those of a row, one row behind another.

    rows  a row's array at an outer position
    key   what the rows' lengths are; of two shapes with equal keys the rows are equally long
    """

    outer: Shape
    rows: Callable[[Position], ArrayValue]
    key: object


@dataclass(slots=True, eq=False)
class Position:
    """A place in a shape, while code for it is emitted.

    index         the number of positions before it; NO_INDEX if nobody counts them
    outer, inner  of packed shapes the position of the base; of segmented ones those of the row and
                  in the row
    known         elements of arrays at this position that have been computed
    """

    shape: Shape
    index: Operand
    outer: Position | None = None
    inner: Position | None = None
    known: dict[Any, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class ArrayValue:
    """An array: its shape, and code for its elements.

    at        the element at a position of its shape
    index     the element at an index in range, from anywhere; None if there is no way but to go
              through the shape
    key       if it holds lengths: what identifies them
    row_key   if it holds arrays: what identifies their lengths
    cost      about how many operations an element costs
    faults    whether having an element may fault
    identity  the shape whose indices its elements are, if they are
    negates   the mask that this one negates
    settle    of a segmented one: sees to what its elements need of the outer position, before a row
              of another array is gone through; its own row is flat then
    is_free   whether its elements need no more than the outer position
    is_uniform whether all elements are one value
    distinct  whether no two elements are equal
    is_length whether no element is negative
    words     of one that lies in the arena (see `machines.levels.arrays.types`)
    in_order  whether elements are had one after the other, each once: an earlier one is needed
    moves     whether a later iteration of a loop makes its new state there: what is kept is a copy
    """

    shape: Shape
    at: Callable[[Position], Staged]
    index: Callable[[Operand], Staged] | None = None
    key: object = None
    row_key: object = None
    cost: int = 1
    faults: bool = False
    identity: Shape | None = None
    negates: ArrayValue | None = None
    settle: Callable[[Position], None] | None = None
    is_free: bool = False
    is_uniform: bool = False
    distinct: bool = False
    is_length: bool = False
    words: tuple[Operand, ...] | None = None
    in_order: bool = False
    moves: bool = False

    def __post_init__(self) -> None:
        if self.key is None:
            self.key = self
        if self.row_key is None:
            self.row_key = ("rows of", self)


def same(one: Shape, other: Shape, equal: Container[frozenset[Operand]]) -> bool:
    """Whether two shapes are known to have the same positions; `equal` has pairs of numbers that
    were found to be equal."""
    if one is other:
        return True
    if isinstance(one, Flat) and isinstance(other, Flat):
        return one.length == other.length or frozenset((one.length, other.length)) in equal
    if isinstance(one, Packed) and isinstance(other, Packed):
        return one.mask.key == other.mask.key and same(one.base, other.base, equal)
    if isinstance(one, Segmented) and isinstance(other, Segmented):
        return one.key == other.key and same(one.outer, other.outer, equal)
    return False


@dataclass(frozen=True, slots=True, eq=False)
class LengthOf:
    """The number of a shape's positions, which nobody has counted: what is as long has the shape.

    origin  what asked for it (see `NotAsAssumed`)
    """

    shape: Shape
    origin: object


class NotAsAssumed(Exception):
    """What was assumed does not hold: that nobody needs places of a shape as numbers, or that an
    array keeps its length from iteration to iteration of a loop.  Lowering begins anew and does not
    assume it again of the definition that did (`origin`)."""

    def __init__(self, origin: object):
        super().__init__(origin)
        self.origin = origin


@dataclass(slots=True, eq=False)
class Frame:
    """A call of a lambda: values of its parameters, and of what is defined by them.

    graph        of the lambda
    outer        the call around the lambda's definition
    loops        the number of loops of the code that the call is in
    iterations   the number of those whose iterations give back memory
    is_prepared  whether it is no call: it holds what calls of a lambda need, and is there only if
                 there is a call
    """

    graph: Any
    own: frozenset[int]
    values: dict[int, Staged]
    outer: Frame | None
    loops: int = 0
    iterations: int = 0
    is_prepared: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A lambda, with the call that it is defined in."""

    function: int
    frame: Frame
