"""Things that each span some of a line, found by what they may meet there."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Spans(Generic[T]):
    """Things by the numbers from `low` to `high` - 1 that each spans.

    Those of a level are shorter than 2^level, and stand by the first of them in buckets of so many.
    """

    def __init__(self) -> None:
        self._levels: dict[int, dict[int, list[T]]] = {}

    def add(self, one: T, low: int, high: int) -> None:
        level = (high - low).bit_length()
        self._levels.setdefault(level, {}).setdefault(low >> level, []).append(one)

    def near(self, low: int, high: int) -> list[T]:
        """Those that may have some of a span, and some beside it."""
        found: list[T] = []
        for level, buckets in self._levels.items():
            first, last = (low >> level) - 1, (high - 1) >> level
            if last - first < len(buckets):
                for bucket in range(first, last + 1):
                    found += buckets.get(bucket, ())
            else:
                for bucket, some in buckets.items():
                    if first <= bucket <= last:
                        found += some
        return found
