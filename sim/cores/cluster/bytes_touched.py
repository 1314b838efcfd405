"""Which bytes a command reads and writes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np

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

    @property
    def begins(self) -> np.ndarray:
        """Where each segment begins."""
        return segments(self.start, self.length, self.steps)

    def common(self, other: Bytes) -> tuple[int, int] | None:
        """Bytes first … end - 1 that both have, if there are any."""
        (first, end), (other_first, other_end) = self.span, other.span
        if first >= other_end or other_first >= end:
            return None
        mine, theirs = self.begins[:, None], other.begins
        low = np.maximum(mine, theirs)
        high = np.minimum(mine + self.length, theirs + other.length)
        where = np.argwhere(low < high)
        return None if not len(where) else (int(low[*where[0]]), int(high[*where[0]]))


def segments(start: int, length: int, steps: Sequence[tuple[int, int]]) -> np.ndarray:
    """Where the segments of an interval begin, in bytes; steps are (count, stride), inner first."""
    begins = np.array([start], np.int64)
    for count, stride in steps:
        begins = (np.arange(count, dtype=np.int64)[:, None] * stride + begins).reshape(-1)
    return begins if length else begins[:0]
