"""Types of graph programs: scalars, tuples, arrays, and functions.

Scalars are the IR's (`machines.types`).  An array of arrays has rows of any lengths; an array of
tuples is held as one array for each part.  Text is that of the source language: `f32[:][:]`,
`tuple[i32, f32][:]`.
"""

from __future__ import annotations

from dataclasses import dataclass

from machines.levels.arrays.types import Array, Tuple
from machines.types import Type as Scalar


@dataclass(frozen=True, slots=True)
class Function:
    """What a lambda is: it takes values of these types and gives one; it is called, not stored."""

    parameters: tuple[GraphType, ...]
    result: GraphType

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.parameters))}) -> {self.result}"


GraphType = Scalar | Array | Tuple | Function


def holds(type: GraphType, kind: type[Array | Function]) -> bool:
    """Whether values of a type are arrays, or functions, or have such among their parts."""
    if isinstance(type, kind):
        return True
    if isinstance(type, Tuple):
        return any(holds(part, kind) for part in type.parts)
    return isinstance(type, Array) and holds(type.element, kind)


def parts_of(type: GraphType) -> list[GraphType]:
    """The parts of a tuple, and of tuples in it, that are no tuples; else the type itself."""
    if isinstance(type, Tuple):
        return [inner for part in type.parts for inner in parts_of(part)]
    return [type]
