"""Arrays that only the host has until its copies bring them: which bytes of them are in DRAM.

    {copy: x, to: device}          all bytes of x
    {kernel: scale, …}             reads x, and writes y: those bytes of y
    {copy: y, to: host}

A workload whose host copies nothing to the device finds its arrays in DRAM; one whose host does
finds there what was copied, and what kernels wrote.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from sim.cores.cluster.races.bytes_touched import Bytes


class ArraysOfHost:
    """Of one chip.

    there  of each buffer the bytes that are in DRAM: begins and ends of runs, in turn
    """

    def __init__(self) -> None:
        self.there: dict[str, list[int]] = {}

    def written(self, one: Bytes) -> None:
        """Bytes are there from now on."""
        for begin, end in _segments(one):
            runs = self.there.setdefault(one.buffer, [])
            first, last = bisect_left(runs, begin), bisect_right(runs, end)
            # An odd place is within a run, which goes on.
            runs[first:last] = [begin] * (first % 2 == 0) + [end] * (last % 2 == 0)

    def missing(self, one: Bytes) -> tuple[int, int] | None:
        """The first segment that is not there as a whole, in bytes."""
        runs: Sequence[int] = self.there.get(one.buffer, ())
        for begin, end in _segments(one):
            at = bisect_right(runs, begin)
            if at % 2 == 0 or runs[at] < end:
                return begin, end
        return None


def _segments(one: Bytes) -> list[tuple[int, int]]:
    if one.is_dense:
        return [one.span]
    return [(begin, begin + one.length) for begin in one.begins.tolist()]
