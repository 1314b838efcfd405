"""Which bytes a command reads and writes."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod
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
        return prod(count for count, _ in self.steps) if self.steps else 1

    @property
    def size(self) -> int:
        """Bytes of all segments."""
        return self.length * self.segments

    @property
    def span(self) -> tuple[int, int]:
        """The first byte that is reached, and the one behind the last."""
        if not self.steps:
            return self.start, self.start + self.length
        return span(self.start, self.start + self.length, self.steps)

    @property
    def form(self) -> tuple[tuple[int, int], ...]:
        """Where the other segments are, as seen from the first."""
        return self.steps

    @property
    def begins(self) -> np.ndarray:
        """Where each segment begins."""
        return segments(self.start, self.length, self.steps)

    @property
    def is_dense(self) -> bool:
        """Whether it has all bytes of its span."""
        if not self.steps:
            return True
        reached = self.length
        for count, stride in sorted(self.steps, key=lambda step: abs(step[1])):
            if count > 1:
                if abs(stride) > reached:
                    return False
                reached += (count - 1) * abs(stride)
        return True

    def covers(self, other: Bytes) -> bool:
        """Whether it has all bytes that the other one has; False where that is not plain."""
        if self[3:] == other[3:]:
            return True
        (first, end), (other_first, other_end) = self.span, other.span
        return first <= other_first and other_end <= end and self.is_dense

    def common(self, other: Bytes) -> tuple[int, int] | None:
        """Bytes first … end - 1 that both have, if there are any: the first such."""
        (first, end), (other_first, other_end) = self.span, other.span
        low, high = max(first, other_first), min(end, other_end)
        if low >= high:
            return None
        if self.is_dense and other.is_dense:
            return low, high
        if self._stands_between(other):
            return None
        mine, theirs = np.sort(self.begins), np.sort(other.begins)
        at = np.searchsorted(theirs, mine - other.length, side="right")  # the first to end behind
        met = np.flatnonzero(theirs[np.minimum(at, len(theirs) - 1)] < mine + self.length)
        met = met[at[met] < len(theirs)]
        if not len(met):
            return None
        low, high = mine[met[0]], theirs[at[met[0]]]
        return int(max(low, high)), int(min(low + self.length, high + other.length))

    def _stands_between(self, other: Bytes) -> bool:
        """Whether strides alone say that its segments lie in the gaps of the other one's."""
        apart = gcd(*(stride for count, stride in (*self.steps, *other.steps) if count > 1))
        offset = (other.start - self.start) % apart if apart else 0
        return self.length <= offset <= apart - other.length


def segments(start: int, length: int, steps: Sequence[tuple[int, int]]) -> np.ndarray:
    """Where the segments of an interval begin, in bytes; steps are (count, stride), inner first."""
    begins = np.array([start], np.int64)
    for count, stride in steps:
        begins = (np.arange(count, dtype=np.int64)[:, None] * stride + begins).reshape(-1)
    return begins if length else begins[:0]
