"""Kill sets in kernels: `member_sets` of where their intervals begin and end.

    {[0,15], [20,31]}     is the set {0, 16, 20, 32}

Neighbours are merged, so no byte begins one interval and ends another.
"""

from __future__ import annotations

from compiler.analyses.jitted import Integers
from compiler.analyses.memory.member_sets import FULL, numbered


def widened(
    starts: Integers,
    items: Integers,
    table: Integers,
    used: Integers,
    kill: int,
    low: int,
    end: int,
) -> int:
    """With the bytes low … end - 1 as well."""
    begin, stop, top = starts[kill], starts[kill + 1], used[1]
    if top + stop - begin + 2 > len(items):
        used[FULL] = 1
        return 0
    at = top
    k = begin
    while k < stop and items[k + 1] < low:
        items[at], items[at + 1] = items[k], items[k + 1]
        k, at = k + 2, at + 2
    while k < stop and items[k] <= end:
        low, end = min(low, items[k]), max(end, items[k + 1])
        k += 2
    items[at], items[at + 1] = low, end
    at += 2
    while k < stop:
        items[at] = items[k]
        k, at = k + 1, at + 1
    return numbered(starts, items, table, used, at - top)


def shared(
    starts: Integers, items: Integers, table: Integers, used: Integers, a: int, b: int
) -> int:
    """The bytes in both."""
    if a == b:
        return a
    i, i_end, j, j_end, top = starts[a], starts[a + 1], starts[b], starts[b + 1], used[1]
    if top + i_end - i + j_end - j > len(items):
        used[FULL] = 1
        return 0
    at = top
    while i < i_end and j < j_end:
        low, end = max(items[i], items[j]), min(items[i + 1], items[j + 1])
        if low < end:
            items[at], items[at + 1] = low, end
            at += 2
        if items[i + 1] < items[j + 1]:
            i += 2
        else:
            j += 2
    return numbered(starts, items, table, used, at - top)


def interval_at(starts: Integers, items: Integers, kill: int, low: int) -> int:
    """Where the first interval stands that ends behind `low`; the end of the set if none does."""
    begin, stop = starts[kill], starts[kill + 1]
    while begin < stop:
        middle = begin + (stop - begin >> 2) * 2
        if items[middle + 1] <= low:
            begin = middle + 2
        else:
            stop = middle
    return begin


def covers(starts: Integers, items: Integers, kill: int, low: int, end: int) -> bool:
    """Whether all bytes low … end - 1 are in it."""
    k = interval_at(starts, items, kill, low)
    return k < starts[kill + 1] and items[k] <= low and end <= items[k + 1]


def meets(starts: Integers, items: Integers, kill: int, low: int, end: int) -> bool:
    """Whether any byte of low … end - 1 is in it."""
    k = interval_at(starts, items, kill, low)
    return k < starts[kill + 1] and items[k] < end
