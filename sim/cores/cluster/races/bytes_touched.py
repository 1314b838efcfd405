"""Which bytes a command reads and writes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
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
    steps: Steps

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

    def common(self, other: Bytes) -> tuple[int, int] | None:
        """Bytes first … end - 1 that both have, if there are any: the first such."""
        (first, end), (other_first, other_end) = self.span, other.span
        low, high = max(first, other_first), min(end, other_end)
        if low >= high:
            return None
        if self.is_dense and other.is_dense:
            return low, high
        found = self._shared(other)
        return (self.start + found[0], self.start + found[1]) if found is not None else None

    def meets(self, other: Bytes) -> bool:
        """Whether both have a byte, if their spans do."""
        return self._shared(other) is not None

    def _shared(self, other: Bytes) -> tuple[int, int] | None:
        return _common(self.length, self.steps, other.length, other.steps,
                       other.start - self.start)  # fmt: skip


Steps = tuple[tuple[int, int], ...]


@lru_cache(maxsize=1 << 14)
def _common(
    length: int, steps: Steps, other_length: int, other_steps: Steps, offset: int
) -> tuple[int, int] | None:
    """Of two intervals of which the first begins at 0 and the other one at an offset the first
    bytes that both have.  Tiles of one tensor ask it again and again."""
    if _stands_between(length, steps, other_length, other_steps, offset):
        return None
    mine = np.sort(segments(0, length, steps))
    theirs = np.sort(segments(offset, other_length, other_steps))
    at = np.searchsorted(theirs, mine - other_length, side="right")  # the first to end behind
    met = np.flatnonzero(theirs[np.minimum(at, len(theirs) - 1)] < mine + length)
    met = met[at[met] < len(theirs)]
    if not len(met):
        return None
    low, high = mine[met[0]], theirs[at[met[0]]]
    return int(max(low, high)), int(min(low + length, high + other_length))


def _stands_between(
    length: int, steps: Steps, other_length: int, other_steps: Steps, offset: int
) -> bool:
    """Whether strides alone say that segments lie in the gaps of the other one's."""
    apart = gcd(*(stride for count, stride in (*steps, *other_steps) if count > 1))
    beyond = offset % apart if apart else 0
    return length <= beyond <= apart - other_length


def segments(start: int, length: int, steps: Sequence[tuple[int, int]]) -> np.ndarray:
    """Where the segments of an interval begin, in bytes; steps are (count, stride), inner first."""
    begins = np.array([start], np.int64)
    for count, stride in steps:
        begins = (np.arange(count, dtype=np.int64)[:, None] * stride + begins).reshape(-1)
    return begins if length else begins[:0]
