"""Sets of bytes as kill sets are written: closed intervals, merged, disjoint, from low to high.

    united({[0,15]}, 16, 31)              = {[0,31]}
    intersected({[1,127]}, {[32,63]})     = {[32,63]}
    covers({[0,15], [20,31]}, 4, 24)      = no: 16 … 19 are missing

Neighbours are merged: [0,15] and [16,31] are one interval.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

Interval = tuple[int, int]
Intervals = tuple[Interval, ...]
NONE: Intervals = ()


def united(intervals: Intervals, low: int, high: int) -> Intervals:
    """With the bytes low … high as well.

    >>> united(((0, 3), (8, 9)), 4, 5)
    ((0, 5), (8, 9))
    """
    first = bisect_left(intervals, low - 1, key=_high)
    end = bisect_right(intervals, high + 1, key=_low)
    if first < end:
        low, high = min(low, intervals[first][0]), max(high, intervals[end - 1][1])
    return (*intervals[:first], (low, high), *intervals[end:])


def intersected(a: Intervals, b: Intervals) -> Intervals:
    """The bytes in both.

    >>> intersected(((0, 9), (20, 29)), ((5, 22), (24, 24)))
    ((5, 9), (20, 22), (24, 24))
    """
    if a == b:
        return a
    found, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        low, high = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if low <= high:
            found.append((low, high))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return tuple(found)


def covers(intervals: Intervals, low: int, high: int) -> bool:
    """Whether all bytes low … high are among them."""
    index = bisect_left(intervals, low, key=_high)
    return index < len(intervals) and intervals[index][0] <= low and high <= intervals[index][1]


def meets(intervals: Intervals, low: int, high: int) -> bool:
    """Whether any byte of low … high is among them."""
    index = bisect_left(intervals, low, key=_high)
    return index < len(intervals) and intervals[index][0] <= high


def removed(low: int, high: int, intervals: Intervals) -> Intervals:
    """What is left of low … high without them.

    >>> removed(0, 9, ((2, 3), (8, 20)))
    ((0, 1), (4, 7))
    """
    found = []
    for start, end in intervals:
        if end >= low and start <= high:
            if start > low:
                found.append((low, start - 1))
            low = end + 1
    if low <= high:
        found.append((low, high))
    return tuple(found)


def _low(interval: Interval) -> int:
    return interval[0]


def _high(interval: Interval) -> int:
    return interval[1]
