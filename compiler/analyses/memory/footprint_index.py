"""Which of many footprints one may meet, and which lie inside it: bit sets, without all pairs.

    bit 0: 4 bytes at &a        bit 1: 4 bytes at &a + 4        bit 2: 8 bytes at p
    meeting(8 bytes at &a) = 0b111        inside(8 bytes at &a) = 0b011

The intervals on a line that meet low … high are those that start before `high` and end after
`low`; with the footprints sorted by either end both are bit sets that are looked up.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import or_

from compiler.analyses.memory.addresses import Addresses, Footprint
from compiler.analyses.values.affine import Polynomial
from compiler.ir.module import Block, Instruction

ROUND = 1 << 64
"""Addresses count modulo this."""

Interval = tuple[int, int, int]
"""First number, number after the last, bit."""


class FootprintIndex:
    """Footprints by number; bit k of an answer is about `footprints[k]`.

    Like `Footprint.may_meet` it takes equal bases for equal numbers.
    """

    def __init__(self, footprints: Sequence[Footprint]):
        bases: dict[Polynomial, list[Interval]] = {}
        extents: dict[str, list[Interval]] = {}
        self._anywhere = self._all = 0
        for number, footprint in enumerate(footprints):
            bit = 1 << number
            self._all |= bit
            if footprint.base is not None:
                interval = footprint.offset, footprint.offset + footprint.size, bit
                bases.setdefault(footprint.base, []).append(interval)
            if footprint.extent is None:
                self._anywhere |= bit
            else:
                extent = footprint.extent
                extents.setdefault(extent.buffer, []).append((extent.low, extent.high, bit))
        self._bases = {base: _Line(intervals) for base, intervals in bases.items()}
        self._extents = {buffer: _Line(intervals) for buffer, intervals in extents.items()}
        self._met: dict[Footprint, int] = {}

    def meeting(self, footprint: Footprint) -> int:
        """The footprints that may have a byte in common with `footprint`."""
        if footprint not in self._met:
            self._met[footprint] = self._meeting(footprint)
        return self._met[footprint]

    def _meeting(self, footprint: Footprint) -> int:
        found = self._all
        if footprint.extent is not None:
            there = self._extents.get(footprint.extent.buffer, _NOWHERE)
            found = self._anywhere | there.meeting(footprint.extent.low, footprint.extent.high)
        same_base = self._bases.get(footprint.base, _NOWHERE)
        near = 0
        for start in (footprint.offset - ROUND, footprint.offset, footprint.offset + ROUND):
            near |= same_base.meeting(start, start + footprint.size)
        return found & ~same_base.all | near

    def parts(self, footprint: Footprint) -> int:
        """The footprints of the same base that lie inside `footprint`, whose base is known."""
        line = self._bases.get(footprint.base, _NOWHERE)
        return line.inside(footprint.offset, footprint.offset + footprint.size)

    def inside(self, footprint: Footprint) -> int:
        """The footprints that certainly lie inside `footprint`, whose base is known."""
        found, extent = self.parts(footprint), footprint.extent
        if extent is not None and extent.high - extent.low == footprint.size:
            found |= self._extents.get(extent.buffer, _NOWHERE).inside(extent.low, extent.high)
        return found


class Writers:
    """Who of the instructions of some blocks may write to a footprint.

    in_block   name -> the writes of a block as a bit set, to be joined for those of several
    """

    def __init__(self, blocks: Iterable[Block], where: Addresses):
        self._writers: list[Instruction] = []
        self.in_block: dict[str, int] = {}
        footprints: list[Footprint] = []
        for block in blocks:
            before = len(footprints)
            for instruction in block.instructions:
                stores = where.touched(instruction).stores
                footprints += stores
                self._writers += [instruction] * len(stores)
            self.in_block[block.name] = (1 << len(footprints)) - (1 << before)
        self._index = FootprintIndex(footprints)

    def of(
        self, footprints: Iterable[Footprint], among: int, apart: Instruction | None = None
    ) -> Instruction | None:
        """The first instruction with a write in the set `among`, other than `apart`, that may write
        to one of the footprints."""
        found = 0
        for footprint in footprints:
            found |= self._index.meeting(footprint)
        found &= among
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
