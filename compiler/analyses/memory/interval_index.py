"""Which of many intervals overlap a given one, without looking at all of them.

The intervals in the order of their first bytes, and over them a tree of the highest last byte in
every run of them (Preparata, Shamos, *Computational Geometry*, 1985, section 8.8): those that begin
too late are cut off by bisection, runs that end too early are passed over as a whole.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from compiler.analyses.memory.intervals import Interval


class IntervalIndex:
    """Closed intervals, known by their positions in the sequence they are given in.

    >>> IntervalIndex([(0, 31), (0, 15), (16, 31), (40, 64)]).overlapping(10, 12)
    [0, 1]
    """

    def __init__(self, intervals: Sequence[Interval]):
        self.positions = sorted(range(len(intervals)), key=lambda position: intervals[position])
        self.starts = [intervals[position][0] for position in self.positions]
        self.width = 1 << len(intervals).bit_length()
        self.highest = [-1] * (2 * self.width)
        for leaf, position in enumerate(self.positions, self.width):
            self.highest[leaf] = intervals[position][1]
        for node in range(self.width - 1, 0, -1):
            self.highest[node] = max(self.highest[2 * node], self.highest[2 * node + 1])

    def overlapping(self, low: int, high: int) -> list[int]:
        """The intervals that share a byte with low … high, in the order of their positions.

        O(answer · log n).
        """
        end = bisect_right(self.starts, high)
        found = []
        pending = [(1, 0, self.width)]
        while pending:
            node, first, width = pending.pop()
            if first < end and self.highest[node] >= low:
                if node >= self.width:
                    found.append(self.positions[first])
                else:
                    half = width >> 1
                    pending.append((2 * node + 1, first + half, half))
                    pending.append((2 * node, first, half))
        return sorted(found)
