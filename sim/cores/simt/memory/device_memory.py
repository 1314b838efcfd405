"""The L2 and the DRAM of a SIMT machine, jitted: when a request of an SM's L1 is answered.

A request is one line and some of its sectors; `time` is the tick at which the L1 would have
answered.  From there to the line's slice it takes OUT, in the slice L2_SERVICE for each sector, and
BACK to the SM; OUT and BACK together are what the description says an L2 hit takes beyond an L1
hit, near or far.  A request occupies the slice for L2_REQUEST at least, longer than a single sector
takes.  Sectors that are not there wait for as many miss entries of the slice and go to
its channel: DRAM_OUT, what `dram` says, DRAM_BACK.

    a load of one sector, in nobody's way: hit in L2 after near_latency, else after dram.latency
    one of four sectors: three services of the slice (and of the channel) later

Every line has a home partition.  An SM of another one asks its own partition first; what that does
not have comes from the home, far_latency in all, and a copy of it stays.  Stores and atomics go to
the home by way of a slice of their own partition, too (so half of the sectors are counted twice in
`workloads/validation/kernels/h100_counted.json`), which they occupy as if they were one sector, and
drop the copies; only sectors that a store writes whole stay in the partition that they pass.

What a load misses comes with its neighbours: L2_FETCH sectors at a time, those of them that are not
there.  A store takes a line of the L2 without fetching: one that writes some words only of a sector
occupies the slice for L2_PARTIAL at least, and the sector is read from DRAM when somebody reads it,
or when its line leaves, unless stores have written every word of it by then.  A dirty line that
leaves is written back behind the request it makes room for; a store is acknowledged no earlier
than the write-back it caused begins.  Atomics bring their sectors in and are done in the slice,
which they occupy ATOMIC_INTERVAL for each sector, its way through the slice included, all words of
it at once, and again for each lane that wants a word which another one wants too: FLOAT_INTERVAL if
it adds floats.  Lines are given to slices 1 << INTERLEAVE at a time.
"""

from __future__ import annotations

from numba import uint64 as index

from sim.cores.jit import inlined
from sim.cores.simt.memory import parameters as at
from sim.cores.simt.memory.coalescing import bits_in, whole_sectors_in
from sim.cores.simt.memory.dram import read_sectors, with_neighbours, write_sectors
from sim.cores.simt.memory.reservations import hold_entries, reserve, wait_for_entries
from sim.cores.simt.memory.sectored_cache import (
    ABSENT,
    SECTOR_MASK,
    find,
    replace,
    set_of,
    share,
    spread,
    touch,
    words_of,
)


@inlined
def slice_of(memory, line):
    """The slice of the L2 that a line belongs to."""
    together = line >> memory.parameters[at.INTERLEAVE]
    return share(spread(together), memory.parameters[at.SLICES])


@inlined
def partition_of(memory, slice_):
    """The partition of a slice."""
    return slice_ // memory.parameters[at.PARTITION_SLICES]


@inlined
def own_partition(memory, sm):
    """The partition that an SM is near to."""
    return sm % memory.parameters[at.PARTITIONS]


@inlined
def distance_of(memory, sm, slice_):
    """NEAR or FAR: where a slice lies, seen from an SM."""
    return at.NEAR if partition_of(memory, slice_) == own_partition(memory, sm) else at.FAR


@inlined
def passing_time(parameters, sectors):
    """Ticks that a request of some sectors, none written in part, occupies a slice."""
    return max(sectors * parameters[at.L2_SERVICE], parameters[at.L2_REQUEST])


@inlined
def reach_slice(memory, kind, slice_, sectors, partial, arrival):
    """The tick at which a slice that is reached at `arrival` has passed all sectors but the last of
    a request, of which some may be written in part: when it would answer, if it had them."""
    parameters, counts = memory.parameters, memory.counts
    counts[index(at.L2_REQUESTS + kind)] += 1
    service = passing_time(parameters, sectors)
    if partial:
        service = max(service, parameters[at.L2_PARTIAL])
    begin = reserve(
        memory.state, parameters[at.FIRST_SLICE] + slice_ * at.WINDOWS, arrival, service
    )
    counts[at.L2_WAIT] += begin - arrival
    counts[at.L2_BUSY] += service
    return begin + (sectors - 1) * parameters[at.L2_SERVICE]


@inlined
def passed_on_the_way(memory, sm, slice_):
    """The slice of an SM's own partition by which it reaches one of another."""
    own, slices = own_partition(memory, sm), memory.parameters[at.PARTITION_SLICES]
    return own * slices + slice_ % slices


@inlined
def reach_home(memory, sm, kind, slice_, sectors, partial, time):
    """What `reach_slice` says of the home of a store or atomic that leaves its SM at `time`."""
    arrival = time + memory.parameters[at.OUT]
    if distance_of(memory, sm, slice_) == at.FAR:
        passed = passed_on_the_way(memory, sm, slice_)
        arrival = reach_slice(memory, kind, passed, 1, 0, arrival)
        arrival += memory.parameters[at.OUT + at.FAR] - memory.parameters[at.OUT]
    return reach_slice(memory, kind, slice_, sectors, partial, arrival)


@inlined
def read_dram(memory, kind, slice_, distance, line, sectors, time):
    """The tick at which a slice has sectors of a line that were not there at `time`."""
    parameters = memory.parameters
    table = parameters[at.FIRST_L2_TABLE] + slice_ * parameters[at.L2_TABLE_WORDS]
    count, entries = bits_in(sectors), parameters[at.L2_ENTRIES]
    go_on = wait_for_entries(memory.state, table, entries, time, count)
    memory.counts[at.L2_ENTRY_WAIT] += go_on - time
    memory.counts[index(at.DRAM_READ + kind)] += count
    asked = go_on + parameters[index(at.DRAM_OUT + distance)]
    begin, service = read_sectors(memory, line, sectors, asked)
    last = begin + service - parameters[at.DRAM_SERVICE]
    filled = last + parameters[index(at.DRAM_BACK + distance)]
    hold_entries(memory.state, table, entries, count, filled)
    return filled


@inlined
def write_back(memory, line, state, time):
    """Write the dirty sectors of a line that leaves; the tick at which the DRAM takes them, or
    `time`."""
    dirty = state >> at.DIRTY_SHIFT
    if not dirty:
        return time
    counts, asked = memory.counts, time + memory.parameters[at.DRAM_OUT]
    counts[at.DRAM_WRITTEN] += bits_in(dirty)
    partial = dirty & ~state
    if partial:
        counts[at.L2_COMPLETED] += bits_in(partial)
        begin, service = read_sectors(memory, line, partial, asked)
        asked = begin + service
    taken = write_sectors(memory, line, dirty, asked)
    return taken - memory.parameters[at.DRAM_OUT]


@inlined
def hold_line(memory, partition, line):
    """(where a line's record in a partition begins, the line that left for it, its STATE or 0)."""
    cache = memory.caches[memory.parameters[at.SMS] + partition]
    group = set_of(cache, line)
    way, left, state = find(memory, cache, group, line), line, 0
    if way == ABSENT:
        way, left, state = replace(memory, cache, group, line)
    else:
        touch(memory, cache, group, way)
    return words_of(memory, cache, group, way), left, state


@inlined
def drop_copies(memory, home, kept, line, sectors):
    """Sectors of a line change in its home partition: the others but `kept` forget theirs."""
    for partition in range(memory.parameters[at.PARTITIONS]):
        if partition != home and partition != kept:
            cache = memory.caches[memory.parameters[at.SMS] + partition]
            group = set_of(cache, line)
            way = find(memory, cache, group, line)
            if way != ABSENT:
                memory.records[index(words_of(memory, cache, group, way) + at.STATE)] &= ~sectors


@inlined
def fill(memory, words, sectors, filled):
    """Sectors of the record at `words` are (to be) there from a tick on."""
    memory.records[index(words + at.STATE)] |= sectors
    memory.records[index(words + at.UNTIL)] = max(memory.records[index(words + at.UNTIL)], filled)
    for sector in range(memory.parameters[at.SECTORS]):
        if sectors >> sector & 1:
            memory.records[index(words + at.FILL + sector)] = filled


@inlined
def pending(memory, words, sectors, time):
    """(sectors, of those given, that come after `time`; when the last of them does)."""
    late, latest = 0, time
    if memory.records[index(words + at.UNTIL)] > time:
        for sector in range(memory.parameters[at.SECTORS]):
            filled = memory.records[index(words + at.FILL + sector)]
            if sectors >> sector & 1 and filled > time:
                late |= 1 << sector
                latest = max(latest, filled)
    return late, latest


@inlined
def mark_dirty(memory, words, sectors):
    """Sectors of the record at `words` must be written back."""
    clean = sectors & ~(memory.records[index(words + at.STATE)] >> at.DIRTY_SHIFT)
    if clean:
        memory.counts[at.L2_DIRTIED] += bits_in(clean)
        memory.records[index(words + at.STATE)] |= clean << at.DIRTY_SHIFT


@inlined
def bring_in(memory, kind, slice_, distance, line, sectors, time):
    """(where the record of a line begins, tick at which its slice has all the wanted sectors) of a
    request whose last sector the slice could answer at `time`."""
    counts = memory.counts
    words, left, left_state = hold_line(memory, partition_of(memory, slice_), line)
    there = memory.records[index(words + at.STATE)] & sectors & SECTOR_MASK
    late, ready = pending(memory, words, there, time)
    missing = sectors & ~there
    if missing:
        fetched = missing
        if kind in at.LOADS:
            together = memory.parameters[at.L2_FETCH]
            neighbours = with_neighbours(memory.parameters, missing, together)
            fetched = neighbours & ~memory.records[index(words + at.STATE)]
            counts[at.L2_NEIGHBOURS] += bits_in(fetched & ~missing)
        filled = read_dram(memory, kind, slice_, distance, line, fetched, time)
        fill(memory, words, fetched, filled)
        ready = max(ready, filled)
        counts[index(at.L2_MISSES + kind)] += bits_in(missing)
    counts[index(at.L2_MERGED + kind)] += bits_in(late)
    counts[index(at.L2_HITS + kind)] += bits_in(there & ~late)
    write_back(memory, left, left_state, time)
    return words, ready


@inlined
def load_line(memory, sm, kind, line, sectors, time):
    """The tick at which an SM has sectors of a line that its L1 asks for."""
    slice_ = slice_of(memory, line)
    distance = distance_of(memory, sm, slice_)
    if distance == at.FAR:
        return load_far_line(memory, sm, kind, slice_, line, sectors, time)
    arrival = time + memory.parameters[at.OUT]
    last = reach_slice(memory, kind, slice_, bits_in(sectors), 0, arrival)
    _, ready = bring_in(memory, kind, slice_, distance, line, sectors, last)
    return ready + memory.parameters[at.BACK]


@inlined
def load_far_line(memory, sm, kind, slice_, line, sectors, time):
    """The same of a line at home in another partition: the own one may have a copy of it."""
    parameters, counts = memory.parameters, memory.counts
    own, copying = own_partition(memory, sm), passed_on_the_way(memory, sm, slice_)
    seen = reach_slice(memory, kind, copying, bits_in(sectors), 0, time + parameters[at.OUT])
    words, left, left_state = hold_line(memory, own, line)
    there = memory.records[index(words + at.STATE)] & sectors & SECTOR_MASK
    late, ready = pending(memory, words, there, seen)
    missing = sectors & ~there
    if missing:
        count = bits_in(missing)
        arrival = seen + parameters[at.OUT + at.FAR] - parameters[at.OUT]
        last = reach_slice(memory, kind, slice_, count, 0, arrival)
        _, filled = bring_in(memory, kind, slice_, at.FAR, line, missing, last)
        filled += parameters[at.BACK + at.FAR] - parameters[at.BACK]
        fill(memory, words, missing, filled)
        ready = max(ready, filled)
        counts[index(at.L2_FAR + kind)] += count
    counts[index(at.L2_MERGED + kind)] += bits_in(late)
    counts[index(at.L2_HITS + kind)] += bits_in(there & ~late)
    write_back(memory, left, left_state, seen)
    return ready + parameters[at.BACK]


@inlined
def keep_copy(memory, partition, line, sectors, whole, time):
    """A store that passes the partition of its SM leaves there the sectors that it writes whole;
    what it writes in part is forgotten."""
    words, left, left_state = hold_line(memory, partition, line)
    memory.records[index(words + at.STATE)] &= ~sectors
    fill(memory, words, whole, time)
    memory.counts[at.L2_KEPT] += bits_in(whole)
    write_back(memory, left, left_state, time)


@inlined
def store_line(memory, sm, kind, line, sectors, written, time):
    """The tick at which an SM knows that sectors of a line are in the L2; `written` are the words
    that the store wrote."""
    parameters, counts = memory.parameters, memory.counts
    slice_ = slice_of(memory, line)
    distance, home = distance_of(memory, sm, slice_), partition_of(memory, slice_)
    size, number = parameters[at.SECTOR_WORDS], parameters[at.SECTORS]
    count = bits_in(sectors)
    whole = whole_sectors_in(written, size, number)
    last = reach_home(memory, sm, kind, slice_, count, count - bits_in(whole), time)
    words, left, left_state = hold_line(memory, home, line)
    state = memory.records[index(words + at.STATE)]
    found = bits_in(sectors & (state | state >> at.DIRTY_SHIFT))
    counts[index(at.L2_HITS + kind)] += found
    counts[index(at.L2_MISSES + kind)] += count - found
    written |= memory.records[index(words + at.WRITTEN)]
    memory.records[index(words + at.WRITTEN)] = written
    memory.records[index(words + at.STATE)] |= whole_sectors_in(written, size, number)
    mark_dirty(memory, words, sectors)
    done = max(last, write_back(memory, left, left_state, last))
    kept = own_partition(memory, sm) if whole else home
    if kept != home:
        keep_copy(memory, kept, line, sectors, whole, last)
    drop_copies(memory, home, kept, line, sectors)
    return done + parameters[index(at.BACK + distance)]


@inlined
def reach_atomics(memory, sm, kind, line, sectors, time):
    """The tick at which the slice of a line has the sectors of atomics on it."""
    slice_ = slice_of(memory, line)
    distance, home = distance_of(memory, sm, slice_), partition_of(memory, slice_)
    last = reach_home(memory, sm, kind, slice_, bits_in(sectors), 0, time)
    words, ready = bring_in(memory, kind, slice_, distance, line, sectors, last)
    mark_dirty(memory, words, sectors)
    drop_copies(memory, home, home, line, sectors)
    return ready


@inlined
def do_atomics(memory, line, how, sectors, again, time):
    """The tick at which the slice of a line, which it has passed, has done the atomics on some
    sectors that it could begin at `time`; `again` are those of lanes beyond the first on a word."""
    parameters = memory.parameters
    calendar = parameters[at.FIRST_SLICE] + slice_of(memory, line) * at.WINDOWS
    turn = at.FLOAT_INTERVAL if how == at.FLOAT_SUM else at.ATOMIC_INTERVAL
    service = sectors * parameters[at.ATOMIC_INTERVAL] + again * parameters[turn]
    service = max(0, service - passing_time(parameters, sectors))
    begin = reserve(memory.state, calendar, time, service)
    memory.counts[at.ATOMIC_WAIT] += begin - time
    return begin + service


@inlined
def way_back(memory, sm, line):
    """Ticks from the slice of a line to an SM."""
    distance = distance_of(memory, sm, slice_of(memory, line))
    return memory.parameters[index(at.BACK + distance)]
