"""What callers know of functions."""

from __future__ import annotations

from dataclasses import dataclass

from machines.types import Type


@dataclass(frozen=True, slots=True)
class Head:
    """What callers know of a function.

    name      here, not in the file
    kinds     of what it is given, aggregates in parts
    stored    which of these stand in memory: positions in `kinds`, in order
    result    None if there is none, or if it comes by way of memory
    """

    name: str
    kinds: tuple[Type, ...]
    stored: tuple[int, ...]
    result: Type | None
