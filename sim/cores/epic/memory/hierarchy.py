"""The caches of a run as flat arrays: what `sim.cores.epic.memory.cache` works on.

Every level is a row of `shape`; lines of all levels stand in the same arrays, so that one piece of
code serves every level and no figure of a machine appears in it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from machines.array_fields import I64, U8, I64Rows
from machines.description.schema import MOST_A_CYCLE
from machines.kinds.epic.fields import Cache, DataCache, Epic

L1I, L1D, L2, L3 = range(4)
"""Levels: rows of `shape` and of `counts`."""
LEVEL_NAMES = ("L1I", "L1D", "L2", "L3")
OUTSIDE = -1
"""The level behind the last cache: main memory."""

(
    FIRST_LINE, FIRST_SET, LAST_SET, WAYS, LINE_SHIFT, USES_LRU, LATENCY, FP_EXTRA,
    ACCESSES, FIRST_PORT, BANKS, BANK_SHIFT, RETRY, QUEUE, FIRST_QUEUE, MISSES,
    FIRST_MISS, NEXT, WRITE, ALLOCATE_ON_WRITE, HITS_ARE_FREE,
) = range(21)  # fmt: skip
"""Columns of `shape`.  LAST_SET is also the mask of set numbers; BANKS 0, QUEUE 0 and MISSES 0 mean
that there is no such limit.  HITS_ARE_FREE: no program can ask so much of the level in a cycle that
ports, banks or a queue limit it, so that loads that hit need no account."""
SHAPE_COLUMNS = 21
WRITE_NONE, WRITE_THROUGH, WRITE_BACK = range(3)

LOAD, STORE, FETCH, PREFETCH = range(4)
"""Who accesses: an executed load, a store, instruction fetch, `lfetch`."""
REQUESTS = ("load", "store", "fetch", "prefetch")

HIT, MISS, MERGE = 0, 4, 8
"""Columns of `counts`: add the request.  MERGE is an access to a line that is still on its way."""
FILLS, WRITE_BACKS, RETRIES, QUEUE_WAIT, MISS_WAIT = range(12, 17)
"""Further columns: lines brought in, dirty lines sent out, accesses that found their bank or all
ports taken, and cycles that accesses waited for a full queue or a free miss slot."""
COUNT_COLUMNS = 17

WAY, LINE, FILLED = range(3)
"""Columns of `newest`: the way that is the newest, an index into `tags`, and what stands there in
`tags` and `filled`: most accesses look at nothing else."""
NEWEST_COLUMNS = 4

QUEUE_HEAD, MISS_HEAD = range(2)
"""Columns of `heads`."""
HEAD_COLUMNS = 2

REMEMBERED = 1024
"""Cycles whose accesses the ports and banks of a level remember, in the entry `cycle` modulo
REMEMBERED, two words long."""
COUNT_BITS = MOST_A_CYCLE.bit_length()
"""What the first word of such an entry holds: cycle << COUNT_BITS | accesses in that cycle.  The
second holds a bit for each bank that is taken in it."""

(
    MAIN_LATENCY, MAIN_FP_EXTRA, LINE_BYTES, TICKS_PER_CYCLE, TICKS_PER_LINE, BUS_FREE, LINES_READ,
    LINES_WRITTEN, TOUCHES,
) = range(9)  # fmt: skip
"""Entries of `main`: cycles to main memory, more for floating loads; bytes of a line on the bus;
the bus clock in ticks, a whole fraction of a cycle; the tick from which the bus is free; lines
carried; and the number of touches so far, the clock of LRU."""
MAIN_ENTRIES = 9


class Hierarchy(NamedTuple):
    """The state of all caches.

    shape     int64[levels, SHAPE_COLUMNS]  what never changes
    tags      int64[lines]   line number held (address >> LINE_SHIFT), -1 for none
    filled    int64[lines]   cycle at which an integer load gets the line's data
    touched   int64[lines]   LRU: number of the last touch; NRU: 1 if recently used
    dirty     uint8[lines]   1 if newer than the next level
    newest    int64[sets, NEWEST_COLUMNS]  of the line touched last in each set
    free      int64[slots]   cycle from which a queue entry or miss slot is free; of ports and
                             banks: the accesses of each cycle, see REMEMBERED
    heads     int64[levels, 2]  next queue entry and next miss slot, which are used in turn
    counts    int64[levels, COUNT_COLUMNS]
    main      int64[MAIN_ENTRIES]
    """

    shape: I64Rows
    tags: I64
    filled: I64
    touched: I64
    dirty: U8
    newest: I64Rows
    free: I64
    heads: I64Rows
    counts: I64Rows
    main: I64

    CONSTANT = ("shape",)
    OUTSIDE = ()


def build_hierarchy(machine: Epic) -> Hierarchy:
    """The empty caches of a machine."""
    caches = machine.memory
    levels = [caches.l1i, caches.l1d, caches.l2] + ([caches.l3] if caches.l3 else [])
    shape = np.zeros((len(levels), SHAPE_COLUMNS), dtype=np.int64)
    lines = sets = slots = 0
    for level, cache in enumerate(levels):
        row = shape[level]
        row[FIRST_LINE], row[FIRST_SET], row[LAST_SET] = lines, sets, cache.sets - 1
        row[WAYS], row[LINE_SHIFT] = cache.ways, int(cache.line).bit_length() - 1
        row[USES_LRU] = cache.replacement == "lru"
        row[LATENCY] = cache.latency
        row[ACCESSES] = MOST_A_CYCLE
        row[NEXT] = L2 if level in (L1I, L1D) else level + 1
        if isinstance(cache, DataCache):
            _limit(row, cache)
            row[HITS_ARE_FREE] = machine.never_retries(cache) and not cache.queue
        row[FIRST_PORT] = slots
        row[FIRST_QUEUE] = row[FIRST_PORT] + 2 * REMEMBERED
        row[FIRST_MISS] = row[FIRST_QUEUE] + row[QUEUE]
        slots = row[FIRST_MISS] + row[MISSES]
        lines += cache.sets * cache.ways
        sets += cache.sets
    shape[-1, NEXT] = OUTSIDE
    state = Hierarchy(
        shape=shape,
        tags=np.full(lines, -1, dtype=np.int64),
        filled=np.zeros(lines, dtype=np.int64),
        touched=np.zeros(lines, dtype=np.int64),
        dirty=np.zeros(lines, dtype=np.uint8),
        newest=np.zeros((sets, NEWEST_COLUMNS), dtype=np.int64),
        free=np.zeros(slots + 1, dtype=np.int64),
        heads=np.zeros((len(levels), HEAD_COLUMNS), dtype=np.int64),
        counts=np.zeros((len(levels), COUNT_COLUMNS), dtype=np.int64),
        main=np.zeros(MAIN_ENTRIES, dtype=np.int64),
    )
    for row in shape:
        state.free[row[FIRST_PORT] : row[FIRST_QUEUE]] = -1
        count = row[LAST_SET] + 1
        first_lines = row[FIRST_LINE] + np.arange(count) * row[WAYS]
        newest = state.newest[row[FIRST_SET] : row[FIRST_SET] + count]
        newest[:, WAY], newest[:, LINE] = first_lines, -1
    _fill_main(state.main, machine, levels[-1])
    return state


def _limit(row: np.ndarray, cache: DataCache) -> None:
    """What a row of `shape` says of loads and stores."""
    row[FP_EXTRA], row[RETRY] = cache.fp_extra, cache.retry
    row[ACCESSES], row[QUEUE], row[MISSES] = cache.accesses, cache.queue, cache.misses
    row[BANKS], row[BANK_SHIFT] = cache.banks, int(cache.bank_bytes).bit_length() - 1
    row[WRITE] = ("none", "through", "back").index(cache.write)
    row[ALLOCATE_ON_WRITE] = cache.allocate_on_write


def far_level(machine: Epic) -> int:
    """The level at which floating loads and stores, and semaphores, enter the caches."""
    return L1D + machine.memory.data_caches.index(machine.memory.nearest_with_floats)


def memory_latency(machine: Epic) -> int:
    """Cycles from issue to use of an integer load that main memory answers."""
    bus = machine.memory.main
    time = Fraction(bus.latency_time) * Fraction(machine.clock) / 10**9  # nanoseconds x hertz
    return bus.latency_cycles + round(time)


def _fill_main(main: np.ndarray, machine: Epic, last: Cache) -> None:
    bus = machine.memory.main
    main[MAIN_LATENCY], main[MAIN_FP_EXTRA] = memory_latency(machine), bus.fp_extra
    cycles_per_line = Fraction(last.line) * Fraction(machine.clock) / Fraction(bus.bandwidth)
    # A bandwidth such as 6.4 GB/s is no whole number of cycles a line: the bus counts in ticks.
    ticks = cycles_per_line.limit_denominator(4096)
    main[TICKS_PER_CYCLE], main[TICKS_PER_LINE] = ticks.denominator, ticks.numerator
    main[LINE_BYTES] = last.line
