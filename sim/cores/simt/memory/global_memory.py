"""Accesses of a warp to global and local memory, jitted: when their data comes.

    done, taken = global_access(memory, sm, cycle, kind, addresses, mask, bytes_)

All accesses to memory look alike (`shared_memory` has the others):

    sm         of the machine, from 0
    cycle      int64, in which the sub-core's pipe takes the instruction: its issue, or later if it
               had to wait in the queue of the pipe.  Calls come in the order of issue.
    kind       LOAD, STORE, ATOMIC, REDUCTION or COPY of `parameters`; from KIND_BITS on how an
               atomic or reduction changes memory
    addresses  int64[width], of each lane; those of lanes not in the mask are not looked at
    mask       int64, bit i: lane i takes part; never 0
    bytes_     that a lane reads or writes: 1, 2, 4, 8 or 16; addresses are multiples of it
    done       cycle from which the data may be used, or at which a store or reduction has reached
               the L2 (what a fence and the end of a warp wait for)
    taken      cycle in which the path of the SM has taken the instruction from the sub-core's pipe
               whole, `cycle` unless the path is busy or it takes several passes.  The pipe is free
               for the next one the pipe's interval after that, and the instruction's entry of the
               queue is free then.

An instruction becomes requests, one for each line its lanes touch.  It occupies the path of the SM
for as long as its slowest part: PATH_INTERVAL; the tags, PASS_INTERVAL for each pass, of PASS_TAGS
requests (so 5 lines take 2 passes of 4 tags, as on an H200: `l1_stride_5` of
`workloads/validation`); the banks that a load reads, a cycle for every word of the busiest; what
goes to registers, a cycle for RESULT_BYTES, also where all lanes load one word (8 bytes of 32 lanes
take two: `bcast16_32w` of its probes); the way of a store to the L2, STORE_INTERVAL for each line
beyond those of a pass of tags (`st_stride_33`, `_64` and `_65`: 75 cycles for 32 lines).

The sub-core's pipe has an instruction until its last pass: a warp that loads from 32 lines does so
every 11 cycles (7 passes later, and 4 of the pipe: `ld_stride_l1_65`).  Further words that it wants
of a bank are CONFLICT_INTERVAL apart, and from the third on the pipe has to wait for them, although
the path goes on with others after a cycle (`ld_stride_l1_64`: 66 cycles from one load of 32 words
of a bank to the next of the same warp; `l1_stride_2` 2.02 and `l1_stride_8` 8.02 of many warps).

Sectors that are
not in the L1 hold miss entries until they come, stores and atomics until the L2 has acknowledged
them; if there are not enough free, later accesses to global and local memory wait on the path
behind.

A store goes through to the L2 and leaves the L1 as it is; atomics and reductions are done in the
L2 and drop their sectors from the L1.

Known simplifications:
1. A line takes its way in the L1 or L2 when it is asked for, not when it comes.  If it is
   displaced before it has come, who wants it then asks again.
2. L1s are not kept coherent but by fences of the device, which empty them: a sector another SM has
   written stays until then (values are right all the same, caches hold no data).
3. What a request takes of the network between SMs and L2 is part of the slice's bandwidth.
"""

from __future__ import annotations

from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt.memory import parameters as at
from sim.cores.simt.memory.coalescing import (
    bits_in,
    conflict_degree,
    count_lanes,
    group_interleaved,
    group_lanes,
    sectors_in,
)
from sim.cores.simt.memory.device_memory import (
    do_atomics,
    fill,
    load_line,
    pending,
    reach_atomics,
    store_line,
    way_back,
)
from sim.cores.simt.memory.foresight import ask_for_records
from sim.cores.simt.memory.reservations import hold_entries, reserve, wait_for_entries
from sim.cores.simt.memory.sectored_cache import (
    ABSENT,
    MERGE_BITS,
    empty,
    find,
    replace,
    set_of,
    touch,
    words_of,
)

MOST_MERGES = (1 << MERGE_BITS) - 1


@jitted
def global_access(memory, sm, cycle, kind, addresses, mask, bytes_):
    """(done, taken) of an access to global memory; `addresses` are global ones."""
    shift, width = memory.parameters[at.LINE_BITS], memory.parameters[at.WIDTH]
    count = group_lanes(memory.rows, addresses, 0, width, mask, bytes_, shift)
    how, kind = kind >> at.KIND_BITS, kind & (1 << at.KIND_BITS) - 1
    return do_requests(memory, sm, cycle, kind, how, count, addresses, mask, bytes_)


@jitted
def local_access(memory, sm, slot, frame, cycle, kind, offsets, mask, bytes_):
    """(done, taken) of an access to local memory, LOAD or STORE.

    slot     of the warp among the resident warps of the SM, from 0 to limits.warps - 1
    frame    bytes of local memory of a thread
    offsets  int64[width], of each lane in its own local memory
    """
    parameters = memory.parameters
    shift, width = parameters[at.LINE_BITS], parameters[at.WIDTH]
    lines = (frame * width + (1 << shift) - 1) >> shift
    base = at.LOCAL_MEMORY + ((sm * parameters[at.WARPS] + slot) * lines << shift)
    count = group_interleaved(memory.rows, offsets, base, width, mask, bytes_, shift)
    kind = at.LOCAL_LOAD if kind == at.LOAD else at.LOCAL_STORE
    return do_requests(memory, sm, cycle, kind, at.ANYHOW, count, offsets, mask, bytes_)


@jitted
def copy_access(memory, sm, cycle, is_cached, addresses, mask, bytes_):
    """(done, taken) of what a copy reads from global memory; the L1 keeps it only if `is_cached`,
    else it is not asked."""
    shift, width = memory.parameters[at.LINE_BITS], memory.parameters[at.WIDTH]
    count = group_lanes(memory.rows, addresses, 0, width, mask, bytes_, shift)
    if is_cached:
        return do_requests(memory, sm, cycle, at.COPY, at.ANYHOW, count, addresses, mask, bytes_)
    begin, last, extra = enter(memory, sm, at.COPY, cycle, mask, bytes_, count)
    done = load_past_l1(memory, sm, count, begin + memory.parameters[at.L1_LATENCY], extra)
    return done + at.LAST_TICK >> at.TICK_BITS, begin + last + at.LAST_TICK >> at.TICK_BITS


@jitted
def do_requests(memory, sm, cycle, kind, how, count, addresses, mask, bytes_):
    """(done, taken) of an access whose lanes have been grouped into `count` requests."""
    for row in range(count):
        ask_for_records(memory, sm, memory.rows[index(at.FIRST_NUMBER + row)])
    begin, last, extra = enter(memory, sm, kind, cycle, mask, bytes_, count)
    time = begin + memory.parameters[at.L1_LATENCY]
    if kind in at.LOADS:
        done = load(memory, sm, kind, count, time, extra)
    elif kind in at.STORES:
        if kind == at.STORE and bytes_ < 1 << at.WORD_BITS:
            count_lanes(memory.rows, count, memory.parameters[at.WIDTH], mask)
        done = store(memory, sm, kind, count, bytes_, time)
    else:
        done = change(memory, sm, kind, how, count, mask, bytes_, time)
    return done + at.LAST_TICK >> at.TICK_BITS, begin + last + at.LAST_TICK >> at.TICK_BITS


@jitted
def fence(memory, sm, cycle, outstanding):
    """The cycle from which a warp may go on behind a fence it issues in `cycle`; `outstanding` is
    the latest `done` of its stores, reductions and atomics."""
    return max(cycle, outstanding)


@jitted
def forget(memory, sm):
    """The L1 of an SM forgets all lines, so that loads behind a fence of the device see what others
    have stored (ptxas writes CCTL.IVALL behind MEMBAR.GPU and .SYS)."""
    empty(memory, memory.caches[sm])


@jitted
def set_carve_out(memory, sm, shared):
    """Make `shared` bytes of an SM's memory shared memory and the rest an L1, which is empty then:
    what a kernel finds when it starts."""
    parameters, cache = memory.parameters, memory.caches[sm]
    empty(memory, cache)
    cache[at.SETS] = (parameters[at.L1_SIZE] - shared) // (
        parameters[at.L1_WAYS] << parameters[at.LINE_BITS]
    )


@inlined
def enter(memory, sm, kind, cycle, mask, bytes_, count):
    """(tick at which the path of the SM takes an instruction of `count` requests, ticks from then
    until its last pass begins, ticks that its data comes later than that of one pass)."""
    parameters, counts, state = memory.parameters, memory.counts, memory.state
    least = max(parameters[at.PATH_INTERVAL], parameters[at.PASS_INTERVAL])
    last = tag_time(parameters, count - 1)
    service = max(least, parameters[at.PASS_INTERVAL] + last)
    passes, late = result_passes(parameters, mask, bytes_), 0
    if parameters[at.L1_BANK_WORDS] and kind in at.LOADS:
        degree = conflict_degree(
            memory.rows,
            count,
            parameters[at.LINE_WORDS],
            parameters[at.L1_BANK_WORDS],
            parameters[at.L1_BANK_BITS],
        )
        service = max(service, degree << at.TICK_BITS)
        if degree > passes:
            further = (degree - passes) * parameters[at.CONFLICT_INTERVAL]
            late = max(last, further) + (passes - 1 << at.TICK_BITS)
            last = max(last, further - parameters[at.CONFLICT_INTERVAL])
    if kind in at.WITH_RESULTS:
        service = max(service, passes << at.TICK_BITS)
    elif kind in at.STORES and count > parameters[at.PASS_TAGS]:
        lines = (count - parameters[at.PASS_TAGS]) * parameters[at.STORE_INTERVAL]
        last, service = max(last, lines), max(service, least + lines)
        counts[at.STORE_LINES] += lines
    arrival = cycle << at.TICK_BITS
    free = max(arrival, state[index(parameters[at.FIRST_BLOCKED] + sm)])
    begin = reserve(state, parameters[at.FIRST_PATH] + sm * at.WINDOWS, free, service)
    counts[index(at.INSTRUCTIONS + kind)] += 1
    counts[index(at.BYTES_WANTED + kind)] += bits_in(mask) * bytes_
    counts[index(at.L1_REQUESTS + kind)] += count
    counts[at.PATH_WAIT] += begin - arrival
    counts[at.L1_PASSES] += service - least
    return begin, last, max(late, service - least)


@inlined
def result_passes(parameters, mask, bytes_):
    """Cycles in which what lanes load goes to their registers: so many lanes at a time as there is
    room for, and those of which none takes part not at all."""
    width, lanes = parameters[at.WIDTH], parameters[at.RESULT_BYTES] // bytes_
    if lanes >= width:
        return 1
    passes = first = 0
    while first < width:
        passes += mask >> first & (1 << lanes) - 1 != 0
        first += lanes
    return passes


@inlined
def tag_time(parameters, requests):
    """Ticks that the tags of an L1 take for requests beyond the first: most accesses have none."""
    return requests // parameters[at.PASS_TAGS] * parameters[at.PASS_INTERVAL] if requests else 0


@inlined
def look_up(memory, kind, row, time):
    """(line, sectors wanted, tick of the look-up) of a request, for an instruction whose first
    request is looked up at `time`."""
    parameters, rows = memory.parameters, memory.rows
    words = rows[index(at.FIRST_WORDS + row)]
    sectors = sectors_in(words, parameters[at.SECTOR_WORDS], parameters[at.SECTORS])
    memory.counts[index(at.SECTORS_WANTED + kind)] += bits_in(sectors)
    later = tag_time(parameters, row)
    return rows[index(at.FIRST_NUMBER + row)], sectors, time + later


@inlined
def table_of(memory, sm):
    """Where the miss entries of an SM stand in `state`."""
    return memory.parameters[at.FIRST_L1_TABLE] + sm * memory.parameters[at.L1_TABLE_WORDS]


@inlined
def wait_on_path(memory, sm, time, go_on):
    """A request that was looked up at `time` waits until `go_on`: those behind it wait too."""
    if go_on > time:
        slot = index(memory.parameters[at.FIRST_BLOCKED] + sm)
        memory.state[slot] = max(memory.state[slot], go_on - memory.parameters[at.L1_LATENCY])
        memory.counts[at.L1_ENTRY_WAIT] += go_on - time
    return go_on


@inlined
def load(memory, sm, kind, count, time, extra):
    """The tick at which a load of `count` requests has all its data."""
    parameters, counts = memory.parameters, memory.counts
    cache, entries, table = memory.caches[sm], parameters[at.L1_ENTRIES], table_of(memory, sm)
    done, floor = time + extra, time
    for row in range(count):
        line, sectors, looked_up = look_up(memory, kind, row, time)
        floor = max(floor, looked_up)
        group = set_of(cache, line)
        way = find(memory, cache, group, line)
        words = words_of(memory, cache, group, way)
        there = late = 0
        if way != ABSENT:
            touch(memory, cache, group, way)
            there = memory.records[index(words + at.STATE)] & sectors
            late, ready = pending(memory, words, there, floor)
            if late:
                if parameters[at.L1_MERGES]:
                    floor = wait_on_path(memory, sm, floor, merge(memory, words, late, floor))
                done = max(done, ready)
        missing = sectors & ~there
        if missing:
            wanted = bits_in(missing)
            go_on = wait_for_entries(memory.state, table, entries, floor, wanted)
            floor = wait_on_path(memory, sm, floor, go_on)
            ready = load_line(memory, sm, kind, line, missing, floor)
            hold_entries(memory.state, table, entries, wanted, ready)
            if way == ABSENT:
                way, _, _ = replace(memory, cache, group, line)
                words = words_of(memory, cache, group, way)
            fill(memory, words, missing, ready)
            if parameters[at.L1_MERGES]:
                start_merging(memory, words, missing)
            done = max(done, ready)
            counts[index(at.L1_MISSES + kind)] += wanted
        counts[index(at.L1_MERGED + kind)] += bits_in(late)
        counts[index(at.L1_HITS + kind)] += bits_in(there & ~late)
    return done


@inlined
def load_past_l1(memory, sm, count, time, extra):
    """The same of a copy of which the L1 keeps nothing: all its sectors count as missed."""
    parameters = memory.parameters
    entries, table = parameters[at.L1_ENTRIES], table_of(memory, sm)
    done, floor = time + extra, time
    for row in range(count):
        line, sectors, looked_up = look_up(memory, at.COPY, row, time)
        wanted = bits_in(sectors)
        go_on = wait_for_entries(memory.state, table, entries, max(floor, looked_up), wanted)
        floor = wait_on_path(memory, sm, max(floor, looked_up), go_on)
        ready = load_line(memory, sm, at.COPY, line, sectors, floor)
        hold_entries(memory.state, table, entries, wanted, ready)
        done = max(done, ready)
        memory.counts[index(at.L1_MISSES + at.COPY)] += wanted
    return done


@inlined
def start_merging(memory, words, sectors):
    """The access that asked for sectors of the record at `words` is the first to wait for them."""
    merges = memory.records[index(words + at.MERGES)]
    for sector in range(memory.parameters[at.SECTORS]):
        if sectors >> sector & 1:
            merges &= ~(MOST_MERGES << sector * MERGE_BITS)
            merges |= 1 << sector * MERGE_BITS
    memory.records[index(words + at.MERGES)] = merges


@inlined
def merge(memory, words, sectors, time):
    """One more access waits for sectors that are on their way.

    Returns the tick from which it does: `time`, or when the last of those has come for which
    already as many wait as may.
    """
    for sector in range(memory.parameters[at.SECTORS]):
        if sectors >> sector & 1:
            waiting = memory.records[index(words + at.MERGES)] >> sector * MERGE_BITS & MOST_MERGES
            if waiting < memory.parameters[at.L1_MERGES]:
                memory.records[index(words + at.MERGES)] += 1 << sector * MERGE_BITS
            else:
                time = max(time, memory.records[index(words + at.FILL + sector)])
    return time


@inlined
def words_written(rows, row, kind, bytes_):
    """The words of a line of which a store writes every byte.  One of less than a word does that if
    its lanes fill all the words that they want; else none of them counts.  In local memory no two
    lanes share a word."""
    words = rows[index(at.FIRST_WORDS + row)]
    if bytes_ >= 1 << at.WORD_BITS:
        return words
    is_filled = rows[index(at.FIRST_TIME + row)] * bytes_ == bits_in(words) << at.WORD_BITS
    return words if kind == at.STORE and is_filled else 0


@inlined
def store(memory, sm, kind, count, bytes_, time):
    """The tick at which all requests of a store have reached the L2."""
    parameters, counts = memory.parameters, memory.counts
    cache, entries, table = memory.caches[sm], parameters[at.L1_ENTRIES], table_of(memory, sm)
    done, floor = time, time
    for row in range(count):
        line, sectors, looked_up = look_up(memory, kind, row, time)
        written = words_written(memory.rows, row, kind, bytes_)
        wanted = bits_in(sectors)
        floor = max(floor, looked_up)
        go_on = wait_for_entries(memory.state, table, entries, floor, wanted)
        floor = wait_on_path(memory, sm, floor, go_on)
        ready = store_line(memory, sm, kind, line, sectors, written, floor)
        hold_entries(memory.state, table, entries, wanted, ready)
        done = max(done, ready)
        found = 0
        group = set_of(cache, line)
        way = find(memory, cache, group, line)
        if way != ABSENT:
            touch(memory, cache, group, way)
            words = words_of(memory, cache, group, way)
            found = bits_in(memory.records[index(words + at.STATE)] & sectors)
        counts[index(at.L1_HITS + kind)] += found
        counts[index(at.L1_MISSES + kind)] += wanted - found
    return done


@inlined
def change(memory, sm, kind, how, count, mask, bytes_, time):
    """The tick at which all atomics or reductions of an instruction are done, and their results
    with the SM.  The instruction holds entries for all its sectors until then."""
    parameters, rows, cache = memory.parameters, memory.rows, memory.caches[sm]
    entries, table = parameters[at.L1_ENTRIES], table_of(memory, sm)
    wanted = 0
    for row in range(count):
        words = rows[index(at.FIRST_WORDS + row)]
        wanted += bits_in(sectors_in(words, parameters[at.SECTOR_WORDS], parameters[at.SECTORS]))
    go_on = wait_for_entries(memory.state, table, entries, time, wanted)
    time = wait_on_path(memory, sm, time, go_on)
    count_lanes(rows, count, parameters[at.WIDTH], mask)
    done = time
    for row in range(count):
        line, sectors, looked_up = look_up(memory, kind, row, time)
        ready = reach_atomics(memory, sm, kind, line, sectors, looked_up)
        lanes, words = rows[index(at.FIRST_TIME + row)], rows[index(at.FIRST_WORDS + row)]
        again = lanes - (bits_in(words) << at.WORD_BITS) // max(1 << at.WORD_BITS, bytes_)
        last = do_atomics(memory, line, how, bits_in(sectors), again, ready)
        done = max(done, last + way_back(memory, sm, line))
        group = set_of(cache, line)
        way = find(memory, cache, group, line)
        if way != ABSENT:
            memory.records[index(words_of(memory, cache, group, way) + at.STATE)] &= ~sectors
    memory.counts[index(at.L1_MISSES + kind)] += wanted
    hold_entries(memory.state, table, entries, wanted, done)
    return done
