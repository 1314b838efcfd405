"""Servers reserved ahead of time, jitted: when a request is served, although requests come out of
time order.

An access is worked out whole when its instruction issues, so a request may reserve a DRAM channel
far ahead before another one, nearer in time, asks for it.  A single "free from" time would make the
second wait behind the first.  A *calendar* cuts time into windows and keeps a free-from time for
each; a window that is full says where to look next.

    windows of 8 cycles, service 3:   arrival 0 -> 0    (window 0 is free from 3)
                                      arrival 20 -> 20  (window 2 is free from 23)
                                      arrival 2 -> 3    (window 0 is free from 6)
                                      arrival 4 -> 6    (and runs on into window 1, free from 9)

Requests in order of time meet a plain queue, first come first served; among those out of order only
what lies within one window is lost.  Reservations more than WINDOWS windows ahead of a request are
seen as one.  Entries of a table (miss slots) are held until a time, those released first are taken
first.  All times are in ticks.
"""

from __future__ import annotations

from numba import uint64 as index  # an unsigned index needs no test for negative values

from sim.cores.jit import inlined
from sim.cores.simt.memory import parameters as at

WINDOW_BITS = 11
"""A window has 1 << WINDOW_BITS ticks: 8 cycles."""
LAST_WINDOW = at.WINDOWS - 1
COUNT_BITS = 8
"""Low bits of what a table holds: the number of entries; above them the time of their release."""


@inlined
def reserve(state, calendar, arrival, service):
    """The tick at which the server of a calendar begins a request of `service` ticks."""
    time = arrival
    while True:
        slot = index(calendar + ((time >> WINDOW_BITS) & LAST_WINDOW))
        free = state[slot]
        if free <= time:
            break
        full = free >> WINDOW_BITS != time >> WINDOW_BITS
        time = free
        if not full:
            break
    end = time + service
    state[index(calendar + ((arrival >> WINDOW_BITS) & LAST_WINDOW))] = end
    state[slot] = end
    if end >> WINDOW_BITS != time >> WINDOW_BITS:
        run_on(state, calendar, time >> WINDOW_BITS, end)
    return time


@inlined
def run_on(state, calendar, window, end):
    """Take the time of a request that ends at `end`, behind its window, from the windows after."""
    while end >> WINDOW_BITS > window:
        window += 1
        begin = window << WINDOW_BITS
        if end == begin:
            return
        slot = index(calendar + (window & LAST_WINDOW))
        free = state[slot]
        if free <= begin:
            state[slot] = end
        elif free >> WINDOW_BITS == window:
            end += free - begin
            state[slot] = end
        else:  # full: what is over goes where that window sends its requests
            end += (free >> WINDOW_BITS << WINDOW_BITS) - begin
            window = (free >> WINDOW_BITS) - 1


@inlined
def wait_for_entries(state, table, size, time, wanted):
    """The tick, at least `time`, from which `wanted` of the `size` entries of a table are free."""
    requests, held = state[index(table)], state[index(table + 1)]
    if held + wanted <= size:
        return time
    heap = table + at.TABLE_HEAD
    while requests and held + wanted > size:
        first = state[index(heap)]
        time = max(time, first >> COUNT_BITS)
        held -= first & ((1 << COUNT_BITS) - 1)
        requests -= 1
        sift_down(state, heap, requests, state[index(heap + requests)])
    state[index(table)] = requests
    state[index(table + 1)] = held
    return time


@inlined
def hold_entries(state, table, size, count, until):
    """Hold `count` entries (all, if there are fewer) until a tick; `wait_for_entries` was asked."""
    count = min(count, size)
    heap = table + at.TABLE_HEAD
    position = state[index(table)]
    state[index(table)] += 1
    state[index(table + 1)] += count
    new = until << COUNT_BITS | count
    while position and state[index(heap + (position - 1 >> 1))] > new:
        state[index(heap + position)] = state[index(heap + (position - 1 >> 1))]
        position = position - 1 >> 1
    state[index(heap + position)] = new


@inlined
def sift_down(state, heap, size, moved):
    """Put `moved` at the root of a heap of `size` and let it sink to where it belongs."""
    position, child = 0, 1
    while child < size:
        if child + 1 < size:  # no branch on which is less: nobody could predict it
            child += state[index(heap + child + 1)] < state[index(heap + child)]
        if state[index(heap + child)] >= moved:
            break
        state[index(heap + position)] = state[index(heap + child)]
        position, child = child, 2 * child + 1
    state[index(heap + position)] = moved
