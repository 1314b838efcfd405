"""Accesses to the caches, jitted: when the data arrives, and what each level saw.

An access starts in the cycle its instruction issues and walks outward until a level has the line.
The latency of a level is what an integer load that hits there takes in all, so a pointer chase
sees exactly the figures of the description; waiting for a bank, a queue entry, a miss slot or the
bus comes on top.  The line is then put into every level that missed.

What an access meets at a level, in this order: an entry of the queue, held until the data has come;
a port and its bank; the line.  A miss needs a miss slot from when the level has looked (`latency`
after the start) until the data has come.  An access to a line still on its way is a merge, unless
the line will be there by the time a hit would answer.  Lines that come are installed from the
nearest level outward; a dirty line that leaves goes into the next level that has it, without a
touch there, or takes a way of the next level when the line that displaced it comes.

Floating loads and stores and semaphores enter at the nearest level that holds floating data,
`lfetch` at the L2.  A semaphore's store follows when its load has come.

Known simplifications:
1. Queue entries and miss slots are reused in the order they were taken, although the hardware
   frees them in the order in which data returns.
2. Levels are not kept inclusive: a line leaving L2 may stay in L1D (which is never dirty).
3. A write-back costs bus time, but no queue entry and no bank.
4. An access that waited so long that it is REMEMBERED cycles ahead of others takes a port and bank
   that they do not see taken.
"""

from __future__ import annotations

from numba import uint64

from sim.cores.epic.memory import hierarchy as at
from sim.cores.jit import apart, chosen, inlined, jitted
from sim.cores.tables import beyond

ABSENT = -1


@inlined
def shape_of(caches, level):
    """The row of a level in `shape`."""
    return beyond(caches.shape, level * at.SHAPE_COLUMNS)


@inlined
def counts_of(caches, level):
    """The row of a level in `counts`."""
    return beyond(caches.counts, level * at.COUNT_COLUMNS)


@inlined
def heads_of(caches, level):
    """The row of a level in `heads`."""
    return beyond(caches.heads, level * at.HEAD_COLUMNS)


@inlined
def newest_in(caches, shape, line):
    """The entry of `newest` of a line's set, in the level with this `shape`."""
    number = shape[at.FIRST_SET] + (line & shape[at.LAST_SET])
    return beyond(caches.newest, number * at.NEWEST_COLUMNS)


@inlined
def newest_of(caches, level, line):
    """The same of a level."""
    return newest_in(caches, shape_of(caches, level), line)


@inlined
def find(caches, level, line):
    """The way that holds a line in a level (index into `tags`), or ABSENT."""
    shape, newest = shape_of(caches, level), newest_of(caches, level, line)
    if newest[at.LINE] == line:
        return newest[at.WAY]
    tags, way = caches.tags, first_of(shape, line)
    last = way + shape[at.WAYS]
    while way < last:
        if tags[way] == line:
            return way
        way += 1
    return ABSENT


@inlined
def touch(caches, level, line, way):
    """Note that a line was used, for the replacement rule."""
    if newest_of(caches, level, line)[at.WAY] != way:
        make_recent(caches, level, line, way)  # else newest (LRU), or marked (NRU), already


@jitted
def make_recent(caches, level, line, way):
    """Make a line its set's newest.

    NRU: the line is marked; when all lines of the set are marked the other marks are cleared.
    """
    shape, newest = shape_of(caches, level), newest_of(caches, level, line)
    newest[at.WAY], newest[at.LINE], newest[at.FILLED] = way, line, caches.filled[way]
    touched = caches.touched
    if shape[at.USES_LRU]:
        caches.main[at.TOUCHES] += 1
        touched[way] = caches.main[at.TOUCHES]
        return
    if touched[way]:
        return  # marked already, and of the others one is not
    touched[way] = 1
    first = first_of(shape, line)
    last = first + shape[at.WAYS]
    for other in range(first, last):
        if not touched[other]:
            return
    for other in range(first, last):
        touched[other] = 0
    touched[way] = 1


@inlined
def first_of(shape, line):
    """The first way of a line's set, in the level with this `shape`."""
    return shape[at.FIRST_LINE] + (line & shape[at.LAST_SET]) * shape[at.WAYS]


@jitted
def choose_victim(caches, level, line):
    """The way a new line takes: an empty one, else the first that is least (not) recently used."""
    shape, tags, touched = shape_of(caches, level), caches.tags, caches.touched
    first = first_of(shape, line)
    victim = first
    for way in range(first, first + shape[at.WAYS]):
        if tags[way] == ABSENT:
            return way
        if touched[way] < touched[victim]:
            victim = way
    return victim


@apart
def install(caches, level, line, filled, dirty):
    """Put a line into a level; dirty lines that must leave go outward, each making room in turn."""
    while True:
        shape = shape_of(caches, level)
        way = choose_victim(caches, level, line)
        evicted, was_dirty = caches.tags[way], caches.dirty[way]
        caches.tags[way] = line
        caches.filled[way] = filled
        caches.dirty[way] = dirty
        caches.touched[way] = 0
        make_recent(caches, level, line, way)
        if evicted == ABSENT or not was_dirty:
            return
        counts_of(caches, level)[at.WRITE_BACKS] += 1
        address = evicted << shape[at.LINE_SHIFT]
        level = shape[at.NEXT]
        if level == at.OUTSIDE:
            caches.main[at.LINES_WRITTEN] += 1
            caches.main[at.BUS_FREE] += caches.main[at.TICKS_PER_LINE]
            return
        line = address >> shape_of(caches, level)[at.LINE_SHIFT]
        held = find(caches, level, line)
        if held != ABSENT:
            caches.dirty[held] = 1
            return
        dirty = 1  # the next level has dropped the line: it takes it back, whole


@inlined
def bank_of(shape, address):
    """The bank of an access, as a bit; 0 if there are none."""
    if not shape[at.BANKS]:
        return 0
    return 1 << ((address >> shape[at.BANK_SHIFT]) & (shape[at.BANKS] - 1))


@inlined
def enter(caches, shape, counts, address, time):
    """The cycle in which an access gets a port and its bank: `time`, or RETRY cycles later.

    An access is retried once: in the later cycle it takes its port and bank whoever else has them.
    """
    bank = bank_of(shape, address)
    slot = shape[at.FIRST_PORT] + 2 * (time & (at.REMEMBERED - 1))
    before = uint64(caches.free[slot] - (time << at.COUNT_BITS))
    if before > uint64(at.MOST_A_CYCLE):  # accesses of another cycle stand there
        caches.free[slot] = (time << at.COUNT_BITS) + 1
        caches.free[slot + 1] = bank
        return time
    if before >= uint64(shape[at.ACCESSES]) or caches.free[slot + 1] & bank:
        counts[at.RETRIES] += 1
        time += shape[at.RETRY]
        enter_again(caches, shape[at.FIRST_PORT], bank, time)
        return time
    caches.free[slot] += 1
    caches.free[slot + 1] |= bank
    return time


@apart
def enter_again(caches, first_port, bank, time):
    """Take a port and a bank, whoever else has them."""
    slot = first_port + 2 * (time & (at.REMEMBERED - 1))
    if caches.free[slot] >> at.COUNT_BITS != time:
        caches.free[slot] = time << at.COUNT_BITS
        caches.free[slot + 1] = 0
    caches.free[slot] += 1
    caches.free[slot + 1] |= bank


@inlined
def after(entry, size):
    """The next entry of a ring."""
    return entry + 1 if entry + 1 < size else 0


@inlined
def take(caches, first, heads, column, time):
    """The cycle from which the next entry of a ring is free, at least `time`; `hold` takes it."""
    return max(time, caches.free[first + heads[column]])


@inlined
def hold(caches, first, heads, column, size, until):
    """Take the next entry of a ring until a cycle."""
    head = heads[column]
    heads[column] = after(head, size)
    caches.free[first + head] = until


@inlined
def hold_queue(caches, level, until):
    """An access stays in the queue of a level, if it has one, until its data has come."""
    shape = shape_of(caches, level)
    if shape[at.QUEUE]:
        heads = heads_of(caches, level)
        hold(caches, shape[at.FIRST_QUEUE], heads, at.QUEUE_HEAD, shape[at.QUEUE], until)


@apart
def read_main(caches, time):
    """The cycle at which a line asked for at `time` has come over the bus."""
    main = caches.main
    ticks = max(
        (time + main[at.MAIN_LATENCY]) * main[at.TICKS_PER_CYCLE],
        main[at.BUS_FREE] + main[at.TICKS_PER_LINE],
    )
    main[at.BUS_FREE] = ticks
    main[at.LINES_READ] += 1
    return -(-ticks // main[at.TICKS_PER_CYCLE])


@inlined
def hits_at_once(caches, shape, head, address, time, writing):
    """The way (index into `tags`) with the line of an access that ends at the level with this
    `shape`, waits for nothing but its port and bank, and leaves the order of lines as it is; else
    ABSENT.  `head` is the next entry of the queue."""
    line = address >> shape[at.LINE_SHIFT]
    newest = newest_in(caches, shape, line)
    if newest[at.LINE] != line or newest[at.FILLED] > time + shape[at.LATENCY]:
        return ABSENT
    if writing and shape[at.WRITE] != at.WRITE_BACK:
        return ABSENT
    if shape[at.QUEUE] and caches.free[shape[at.FIRST_QUEUE] + head] > time:
        return ABSENT
    return newest[at.WAY]


@inlined
def access(caches, level, address, time, request, extra):
    """An access that enters at `level` in cycle `time`; see `walk`, which does all of them."""
    shape = shape_of(caches, level)
    if request == at.STORE and only_passes_on(shape):
        start = pass_on(caches, level, address, time)
        ready, go_on = access_one(caches, shape[at.NEXT], address, start, request, extra)
        return ready, go_on if go_on > start else time
    return access_one(caches, level, address, time, request, extra)


@inlined
def access_one(caches, level, address, time, request, extra):
    """The same, where stores do not pass through the level."""
    shape, heads = shape_of(caches, level), heads_of(caches, level)
    head = heads[at.QUEUE_HEAD]
    way = hits_at_once(caches, shape, head, address, time, request == at.STORE)
    if way == ABSENT:
        return hit_or_walk(caches, level, address, time, request, extra)
    counts = counts_of(caches, level)
    counts[at.HIT + request] += 1
    if request == at.LOAD and shape[at.HITS_ARE_FREE]:
        return time + shape[at.LATENCY] + extra * shape[at.FP_EXTRA], time
    ready = enter(caches, shape, counts, address, time) + shape[at.LATENCY]
    if request == at.STORE:
        caches.dirty[way] = 1
    if shape[at.QUEUE]:
        heads[at.QUEUE_HEAD] = after(head, shape[at.QUEUE])
        caches.free[shape[at.FIRST_QUEUE] + head] = ready
    return ready + extra * shape[at.FP_EXTRA], time


@chosen
def hit_or_walk(caches, level, address, time, request, extra):
    """`walk`; what it does with most accesses in fewer steps: the level has the line, or has asked
    for it, and a place in its queue."""
    shape, heads = shape_of(caches, level), heads_of(caches, level)
    line, writing = address >> shape[at.LINE_SHIFT], request == at.STORE
    way = find(caches, level, line)
    is_full = shape[at.QUEUE] and caches.free[shape[at.FIRST_QUEUE] + heads[at.QUEUE_HEAD]] > time
    if way == ABSENT or is_full or (writing and shape[at.WRITE] != at.WRITE_BACK):
        return walk(caches, level, address, time, request, extra)
    counts = counts_of(caches, level)
    start = time
    if request != at.LOAD or not shape[at.HITS_ARE_FREE]:
        start = enter(caches, shape, counts, address, time)
    ready = start + shape[at.LATENCY]
    if caches.filled[way] > ready:
        ready = caches.filled[way]
        counts[at.MERGE + request] += 1
    else:
        counts[at.HIT + request] += 1
    touch(caches, level, line, way)
    if writing:
        caches.dirty[way] = 1
    hold_queue(caches, level, ready)
    return ready + extra * shape[at.FP_EXTRA], time


@inlined
def only_passes_on(shape):
    """Whether all that a store meets at a level is its port and bank, and the line if it is there;
    then it goes on to the next."""
    is_through = shape[at.WRITE] == at.WRITE_THROUGH and not shape[at.ALLOCATE_ON_WRITE]
    return is_through and not shape[at.QUEUE] and shape[at.NEXT] != at.OUTSIDE


@inlined
def pass_on(caches, level, address, time):
    """What `walk` does with a store at such a level; the cycle in which the store leaves it."""
    shape, counts = shape_of(caches, level), counts_of(caches, level)
    start = enter(caches, shape, counts, address, time)
    line = address >> shape[at.LINE_SHIFT]
    way = find(caches, level, line)
    if way == ABSENT:
        counts[at.MISS + at.STORE] += 1
        return start
    is_there = caches.filled[way] <= start + shape[at.LATENCY]
    counts[(at.HIT if is_there else at.MERGE) + at.STORE] += 1
    touch(caches, level, line, way)
    return start


@jitted
def walk(caches, level, address, time, request, extra):
    """An access that enters at `level` in cycle `time`.

    extra   1 for a floating load, which takes `fp_extra` cycles more at the level that has it
    Returns (cycle at which the data is there, cycle from which the pipe may go on): the second is
    later than `time` when the first queue met on the way was full.
    """
    start = time
    go_on = time
    writing = request == at.STORE
    missing = 0  # bit k: level k fetches the line
    dirty_level = at.OUTSIDE
    here = level
    ready = time
    while here != at.OUTSIDE:
        shape = shape_of(caches, here)
        if writing and shape[at.WRITE] == at.WRITE_NONE:
            here = shape[at.NEXT]
            continue
        counts = counts_of(caches, here)
        heads = heads_of(caches, here)
        if shape[at.QUEUE]:
            free = take(caches, shape[at.FIRST_QUEUE], heads, at.QUEUE_HEAD, start)
            counts[at.QUEUE_WAIT] += free - start
            if free > start and go_on == time:
                go_on = free
            start = free
        start = enter(caches, shape, counts, address, start)
        line = address >> shape[at.LINE_SHIFT]
        way = find(caches, here, line)
        if way != ABSENT:
            ready = start + shape[at.LATENCY]
            if caches.filled[way] > ready:
                ready = caches.filled[way]
                counts[at.MERGE + request] += 1
            else:
                counts[at.HIT + request] += 1
            touch(caches, here, line, way)
            if not writing or shape[at.WRITE] == at.WRITE_BACK:
                if writing:
                    caches.dirty[way] = 1
                break
        else:
            counts[at.MISS + request] += 1
            if not writing or shape[at.ALLOCATE_ON_WRITE]:
                missing |= 1 << here
                if shape[at.MISSES]:
                    seen = start + shape[at.LATENCY]
                    free = take(caches, shape[at.FIRST_MISS], heads, at.MISS_HEAD, seen)
                    counts[at.MISS_WAIT] += free - seen
                    start += free - seen
                if writing and shape[at.WRITE] == at.WRITE_BACK:
                    dirty_level = here
                    writing = False
                    request = at.LOAD  # from here on the line is only read
        here = shape[at.NEXT]
    if here == at.OUTSIDE:
        if writing:
            caches.main[at.LINES_WRITTEN] += 1
            caches.main[at.BUS_FREE] += caches.main[at.TICKS_PER_LINE]
        else:
            ready = read_main(caches, start)
    # The way back: queue entries are held and lines installed up to where the line was found.
    end = here
    here = level
    while here != end:
        shape = shape_of(caches, here)
        if missing >> here & 1:
            if shape[at.MISSES]:
                heads = heads_of(caches, here)
                hold(caches, shape[at.FIRST_MISS], heads, at.MISS_HEAD, shape[at.MISSES], ready)
            counts_of(caches, here)[at.FILLS] += 1
            line = address >> shape[at.LINE_SHIFT]
            install(caches, here, line, ready, 1 if here == dirty_level else 0)
        hold_queue(caches, here, ready)
        here = shape[at.NEXT]
    if end == at.OUTSIDE:
        return ready + extra * caches.main[at.MAIN_FP_EXTRA], go_on
    hold_queue(caches, end, ready)
    return ready + extra * shape_of(caches, end)[at.FP_EXTRA], go_on
