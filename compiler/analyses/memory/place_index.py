"""Which of many places a place may meet, and which lie inside it: bit sets, without all pairs.

    bit 0: 4 bytes at &a        bit 1: 4 bytes at &a + 4        bit 2: 8 bytes at p
    meeting(8 bytes at &a) = 0b111        inside(8 bytes at &a) = 0b011

The intervals on a line that meet low … high are those that start before `high` and end after
`low`; with the places sorted by either end both are bit sets that are looked up.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import or_

from compiler.analyses.memory.addresses import Addresses, Place
from compiler.analyses.values.affine import Polynomial
from compiler.ir.module import Instruction

ROUND = 1 << 64
"""Addresses count modulo this."""

Interval = tuple[int, int, int]
"""First number, number after the last, bit."""


class PlaceIndex:
    """Places by number; bit k of an answer is about `places[k]`.

    Like `Place.may_meet` it takes equal bases for equal numbers.
    """

    def __init__(self, places: Sequence[Place]):
        bases: dict[Polynomial, list[Interval]] = {}
        extents: dict[str, list[Interval]] = {}
        self._anywhere = self._all = 0
        for number, place in enumerate(places):
            bit = 1 << number
            self._all |= bit
            if place.base is not None:
                interval = place.offset, place.offset + place.size, bit
                bases.setdefault(place.base, []).append(interval)
            if place.extent is None:
                self._anywhere |= bit
            else:
                extent = place.extent
                extents.setdefault(extent.buffer, []).append((extent.low, extent.high, bit))
        self._bases = {base: _Line(intervals) for base, intervals in bases.items()}
        self._extents = {buffer: _Line(intervals) for buffer, intervals in extents.items()}
        self._met: dict[Place, int] = {}

    def meeting(self, place: Place) -> int:
        """The places that may have a byte in common with `place`."""
        if place not in self._met:
            self._met[place] = self._meeting(place)
        return self._met[place]

    def _meeting(self, place: Place) -> int:
        found = self._all
        if place.extent is not None:
            there = self._extents.get(place.extent.buffer, _NOWHERE)
            found = self._anywhere | there.meeting(place.extent.low, place.extent.high)
        same_base = self._bases.get(place.base, _NOWHERE)
        near = 0
        for start in (place.offset - ROUND, place.offset, place.offset + ROUND):
            near |= same_base.meeting(start, start + place.size)
        return found & ~same_base.all | near

    def parts(self, place: Place) -> int:
        """The places of the same base that lie inside `place`, whose base is known."""
        line = self._bases.get(place.base, _NOWHERE)
        return line.inside(place.offset, place.offset + place.size)

    def inside(self, place: Place) -> int:
        """The places that certainly lie inside `place`, whose base is known."""
        found, extent = self.parts(place), place.extent
        if extent is not None and extent.high - extent.low == place.size:
            found |= self._extents.get(extent.buffer, _NOWHERE).inside(extent.low, extent.high)
        return found


class Writers:
    """Who of some instructions may write to a place."""

    def __init__(self, code: Iterable[Instruction], where: Addresses):
        self._writers: list[Instruction] = []
        places: list[Place] = []
        for instruction in code:
            stores = where.touched(instruction).stores
            places += stores
            self._writers += [instruction] * len(stores)
        self._index = PlaceIndex(places)

    def of(self, places: Iterable[Place], apart: Instruction | None = None) -> Instruction | None:
        """The first instruction other than `apart` that may write to one of the places."""
        found = 0
        for place in places:
            found |= self._index.meeting(place)
        while found:
            lowest = found & -found
            writer = self._writers[lowest.bit_length() - 1]
            if writer is not apart:
                return writer
            found ^= lowest
        return None


class _Line:
    """Intervals on a line of integers."""

    def __init__(self, intervals: Iterable[Interval]):
        by_low = sorted(intervals)
        by_high = sorted(by_low, key=lambda interval: interval[1])
        self._lows = [low for low, _, _ in by_low]
        self._highs = [high for _, high, _ in by_high]
        self._first = _unions(bit for _, _, bit in by_low)
        self._lowest = _unions(bit for _, _, bit in by_high)
        self.all = self._first[-1]

    def meeting(self, low: int, high: int) -> int:
        """Those that have a number in common with low … high - 1."""
        start_before = self._first[bisect_left(self._lows, high)]
        end_before = self._lowest[bisect_right(self._highs, low)]
        return start_before & ~end_before

    def inside(self, low: int, high: int) -> int:
        """Those that are nowhere outside low … high - 1."""
        start_before = self._first[bisect_left(self._lows, low)]
        end_before = self._lowest[bisect_right(self._highs, high)]
        return end_before & ~start_before


def _unions(bits: Iterable[int]) -> list[int]:
    """The unions of the first 0, 1, 2, … of the bits."""
    return list(accumulate(bits, or_, initial=0))


_NOWHERE = _Line(())
