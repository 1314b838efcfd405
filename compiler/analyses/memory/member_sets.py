"""Sets of small numbers, each held once and known by a number; in kernels.

    0 is the empty set, k + 1 the set {k}; every other one has its number from when it was starts
    made, so that equal sets have equal numbers.

Sets stand one after the other in a list, in rising order, and are looked up by a hash table (hash
consing: Ershov, *On Programming of Arithmetic Operations*, 1958).  Where a set finds no room,
`FULL` is set and what comes out means nothing: whoever asked makes room and asks again.
"""

from __future__ import annotations

from typing import TypeAlias

from compiler.analyses.jitted import Integers, longer, zeros

NUMBER, ITEMS, FULL = 0, 1, 2
"""What `used` counts: sets, and items of all of them; and whether something found no room."""

Sets: TypeAlias = tuple[Integers, Integers, Integers, Integers]
"""Where each set begins, the items of all, the hash table, and what of that is used."""


def sets_of(singles: int, room: int) -> Sets:
    """The empty set and {0} … {singles - 1}, with room for `room` sets more."""
    count = singles + room + 2
    starts, items = zeros(count), zeros(singles + 4 * room)
    for k in range(singles):
        items[k] = k
        starts[k + 2] = k + 1
    used = zeros(3)
    used[NUMBER], used[ITEMS] = singles + 1, singles
    slots = 4
    while slots < 2 * count:
        slots *= 2
    return starts, items, zeros(slots), used


def with_room(
    starts: Integers, items: Integers, table: Integers, used: Integers, singles: int
) -> tuple[Integers, Integers, Integers]:
    """The same sets, and room for as many more as there are and for as many items more."""
    starts, items = longer(starts, 2 * len(starts)), longer(items, 2 * len(items) + 16)
    table = zeros(2 * len(table))
    used[FULL] = 0
    for number in range(singles + 1, used[NUMBER]):
        begin, end = starts[number], starts[number + 1]
        table[slot_of(starts, items, table, begin, end)] = number
    return starts, items, table


def united(
    starts: Integers, items: Integers, table: Integers, used: Integers, a: int, b: int
) -> int:
    """The union of two sets."""
    if a == b or b == 0:
        return a
    if a == 0:
        return b
    top = used[ITEMS]
    i, i_end, j, j_end = starts[a], starts[a + 1], starts[b], starts[b + 1]
    if top + i_end - i + j_end - j > len(items):
        used[FULL] = 1
        return 0
    while i < i_end or j < j_end:
        if j == j_end or (i < i_end and items[i] < items[j]):
            items[top] = items[i]
            i += 1
        else:
            if i < i_end and items[i] == items[j]:
                i += 1
            items[top] = items[j]
            j += 1
        top += 1
    count = top - used[ITEMS]
    if count == starts[a + 1] - starts[a]:
        return a
    if count == starts[b + 1] - starts[b]:
        return b
    return numbered(starts, items, table, used, count)


def difference(
    starts: Integers, items: Integers, table: Integers, used: Integers, a: int, b: int
) -> int:
    """What the starts set has and the second has not."""
    if a == b or a == 0 or b == 0:
        return 0 if a == b else a
    top = used[ITEMS]
    i, i_end, j, j_end = starts[a], starts[a + 1], starts[b], starts[b + 1]
    if top + i_end - i > len(items):
        used[FULL] = 1
        return 0
    while i < i_end:
        while j < j_end and items[j] < items[i]:
            j += 1
        if j == j_end or items[i] < items[j]:
            items[top] = items[i]
            top += 1
        i += 1
    count = top - used[ITEMS]
    return a if count == starts[a + 1] - starts[a] else numbered(starts, items, table, used, count)


def numbered(starts: Integers, items: Integers, table: Integers, used: Integers, count: int) -> int:
    """The number of the set whose items stand behind all others."""
    top = used[ITEMS]
    if count < 2:
        return items[top] + 1 if count else 0
    slot = slot_of(starts, items, table, top, top + count)
    if table[slot] == 0:
        number = used[NUMBER]
        if number + 1 == len(starts):
            used[FULL] = 1
            return 0
        used[NUMBER], used[ITEMS] = number + 1, top + count
        starts[number + 1] = top + count
        table[slot] = number
    return table[slot]


def slot_of(starts: Integers, items: Integers, table: Integers, start: int, end: int) -> int:
    """Where in the table a set stands, or would stand, whose items are start … end - 1."""
    found = end - start
    for k in range(start, end):
        found = (found ^ items[k]) * 1013904223 & 0x7FFFFFFF
        found ^= found >> 15
    mask = len(table) - 1
    found &= mask
    while table[found] and not same(starts, items, table[found], start, end):
        found = (found + 1) & mask
    return found


def same(starts: Integers, items: Integers, number: int, start: int, end: int) -> bool:
    """Whether a set has the items start … end - 1."""
    k = starts[number]
    if starts[number + 1] - k != end - start:
        return False
    while start < end and items[k] == items[start]:
        k, start = k + 1, start + 1
    return start == end
