"""Which bytes a command reads and writes."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from machines.tensors.segments import span


class Bytes(NamedTuple):
    """An interval in bytes of its memory.

    start, length  of the first segment
    steps          (count, stride) of the others, the inner ones first
    """

    buffer: str
    space: str
    stores: bool
    start: int
    length: int
    steps: tuple[tuple[int, int], ...]

    @property
    def segments(self) -> int:
        return prod(count for count, _ in self.steps)

    @property
    def size(self) -> int:
        """Bytes of all segments."""
        return self.length * self.segments

    @property
    def span(self) -> tuple[int, int]:
        """The first byte that is reached, and the one behind the last."""
        return span(self.start, self.start + self.length, self.steps)
