"""Copies of many bytes between global and shared memory, their groups, and who waits for them."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.layout import BASE
from machines.threads.spaces import SHARED
from sim.cores.bounds import owner_of
from sim.cores.jit import inlined, jitted
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.cycle.bulk_reductions import reduce_bytes
from sim.cores.simt.cycle.control_bits import note_counters
from sim.cores.simt.cycle.copy_marks import (
    READING,
    TO_COPY_IN,
    TO_COPY_OUT,
    WORD_BITS,
    mark_at,
    marked,
    note_copy,
    numbers_of,
    race_at,
    thread_of,
)
from sim.cores.simt.cycle.lane_accesses import find_addresses
from sim.cores.simt.cycle.mbarriers import (
    MOST_BYTES,
    add_due,
    first_due,
    number_at,
    object_row,
    place_of,
    wait_until,
    wake_who_waits,
)
from sim.cores.simt.cycle.meetings import note_wait, now_of
from sim.cores.simt.cycle.operands import operand_of
from sim.cores.simt.cycle.pipes import occupy, serve
from sim.cores.simt.cycle.scoreboard import mark_results
from sim.cores.simt.cycle.trace import note_done
from sim.cores.simt.host.deferred import before_change
from sim.cores.simt.host.lane_words import address_of, read_pair, read_u32, write_b32
from sim.cores.simt.memory.bulk_copies import bulk_load, bulk_store
from sim.cores.simt.units.async_copies import BULK_KEPT, MARK, OF_THREAD, WARP_COPIES
from sim.cores.simt.units.block_dispatcher import GRID, RESIDENT
from sim.cores.simt.units.bulk_copies import BULK, BULK_MARKS, COPIES, KINDS, SM_BULK, UNIT_BYTES
from sim.cores.simt.units.faults import FAULT
from sim.cores.simt.units.load_store import SM_STORES, SPANS
from sim.cores.simt.units.mbarriers import MOST_DUE, MOST_OBJECTS, OBJECT, SM_DUE
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.pipes import USE
from sim.cores.simt.units.trace import TRACE


@inlined
def access(state, memory, sm, subcore, warp, pc, mask, cycle, kind):
    """Lanes set out to copy, one after the other: see `choose`."""
    code, width = state.code, state.parameters[SIZE.WIDTH]
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    block, mine = state.warps[own + RESIDENT.BLOCK], index(sm * at.SM_COLUMNS)
    if state.sms[mine + SM_DUE.COUNT] + width > MOST_DUE:
        wait_until(state, warp, int64(0), first_due(state, sm))
        return int64(FAULT.NOT_YET), int64(0)
    before_change(state, sm, block)
    find_addresses(state, warp, pc, width, mask, int64(SHARED))
    begin = serve(state, subcore, code[base + USE.PIPE], cycle)
    done = begin
    for lane in range(width):
        if (mask >> lane) & 1:
            fault, come = copy_lane(state, memory, sm, block, warp, pc, lane, begin, kind)
            if fault != FAULT.NO_FAULT:
                return fault, int64(lane)
            done = max(done, come)
    end_access(state, sm, subcore, block, warp, pc, cycle, begin, done, kind == COPIES.BULK_IN)
    return int64(FAULT.NO_FAULT), int64(0)


@inlined
def end_access(state, sm, subcore, block, warp, pc, cycle, begin, done, comes_in):
    """Copies that their pipe began in a cycle are done in another."""
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    pipe, interval = state.code[base + USE.PIPE], state.code[base + USE.INTERVAL]
    state.warps[own + WARP_COPIES.DONE] = max(state.warps[own + WARP_COPIES.DONE], done)
    occupy(state, subcore, pipe, cycle, begin, interval)
    if state.parameters[TRACE.TRACES]:
        note_done(state, done)
    mark_results(state, warp, pc, done)
    state.sms[index(sm * at.SM_COLUMNS) + SM_STORES.COUNT] += 1
    note_counters(state, warp, pc, begin, done)
    if comes_in:
        wake_who_waits(state, sm, block, cycle, cycle + 1)


@inlined
def object_told(state, block, warp, pc, lane, limit):
    """(where the barrier object is that a lane's copy tells, the mark of what it writes; -1: there
    is none)."""
    base = index(pc * at.CODE_COLUMNS)
    given = operand_of(state, warp, base, state.code[base + BULK.BARRIER])
    barrier = int64(read_u32(given, lane)) + state.code[base + BULK.BARRIER_OFFSET] & 0xFFFFFFFF
    number = int64(-1)
    if barrier & 7 == 0 and barrier + 8 <= limit:
        number = number_at(state, block, barrier)
    if number < 0:
        return barrier, int64(-1)
    object_ = state.parameters[BULK_MARKS.OBJECTS] + block * MOST_OBJECTS + number
    phase = state.objects[object_row(block, number) + OBJECT.PHASES] + 1
    return barrier, marked(phase, object_, pc)


@jitted
def copy_lane(state, memory, sm, block, warp, pc, lane, begin, kind):
    """(fault, cycle in which it is done) of a lane's copy; `addresses` has what is wrong."""
    code, width = state.code, state.parameters[SIZE.WIDTH]
    base, free = index(pc * at.CODE_COLUMNS), index(sm * at.SM_COLUMNS) + SM_BULK.FREE
    inside = state.addresses[index(lane)]
    outside = read_pair(operand_of(state, warp, base, code[base + BULK.SOURCE]), lane, width)
    outside += code[base + BULK.SOURCE_OFFSET]
    size = int64(read_u32(operand_of(state, warp, base, code[base + BULK.SIZE]), lane))
    grid = index(state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.GRID] * at.GRID_COLUMNS)
    limit = state.grids[grid + GRID.SHARED]
    fault = fault_of(state, lane, inside, outside, size, limit)
    if fault != FAULT.NO_FAULT:
        return fault, begin
    thread, numbers = thread_of(state, warp, lane), index(0)
    numbers = numbers_of(state, thread)
    barrier = int64(0)
    mark = READING | marked(state.copies[numbers + OF_THREAD.BULK_BATCH], thread, pc)
    if kind == COPIES.BULK_IN:
        barrier, mark = object_told(state, block, warp, pc, lane, limit)
        if mark < 0:
            state.addresses[index(lane)] = barrier
            return int64(FAULT.NO_OBJECT), begin
    reduces = code[base + BULK.REDUCES]
    if not move(state, block, warp, inside, outside, size, mark, kind, reduces):
        return int64(FAULT.RACE), begin
    done = begin
    if size == 0:
        return int64(FAULT.NO_FAULT), done
    if kind == COPIES.BULK_IN:
        done, state.sms[free] = bulk_load(memory, sm, begin, state.sms[free], outside, size, 1)
        add_due(state, sm, block, barrier, done, int64(0), size)
    else:
        done, seen, state.sms[free] = bulk_store(
            memory, sm, begin, state.sms[free], outside, size, 1
        )
        copies = state.copies
        copies[numbers + OF_THREAD.BULK_DONE] = max(copies[numbers + OF_THREAD.BULK_DONE], done)
        copies[numbers + OF_THREAD.BULK_READ] = max(copies[numbers + OF_THREAD.BULK_READ], seen)
    return int64(FAULT.NO_FAULT), done


@jitted
def fault_of(state, lane, inside, outside, size, limit):
    """Why a lane may not copy so many bytes between two addresses."""
    if size & (UNIT_BYTES - 1):
        return int64(FAULT.BAD_BULK)
    if size > MOST_BYTES:
        return int64(FAULT.BAD_BYTES)
    if inside & (UNIT_BYTES - 1):
        return int64(FAULT.MISALIGNED)
    if inside + size > limit:
        return int64(FAULT.BAD_SHARED)
    end = state.ends[index(owner_of(state.starts, state.parameters[SPANS.BUFFERS], outside))]
    if outside < BASE or size > end - outside:
        state.addresses[index(lane)] = outside
        return int64(FAULT.OUT_OF_BOUNDS)
    if outside & (UNIT_BYTES - 1):
        state.addresses[index(lane)] = outside
        return int64(FAULT.MISALIGNED)
    return int64(FAULT.NO_FAULT)


@jitted
def move(state, block, warp, inside, outside, size, mark, kind, reduces):
    """Move bytes, and mark those of shared memory; False if somebody else still uses them."""
    first = mark_at(state, block, inside)
    here = place_of(state, block, inside)
    there = address_of(state.bytes) + outside - BASE
    comes_in = kind == COPIES.BULK_IN
    use = int64(TO_COPY_IN if comes_in else TO_COPY_OUT)
    for word in range(size >> WORD_BITS):
        mine, its = here + (word << WORD_BITS), there + (word << WORD_BITS)
        is_same = comes_in and read_u32(mine, 0) == read_u32(its, 0)
        if race_at(state, warp, first + index(word * at.MARK_COLUMNS), use, is_same) != 0:
            return False
    if reduces != 0:
        reduce_bytes(reduces, here, there, size)
    for word in range(size >> WORD_BITS):
        mine, its = here + (word << WORD_BITS), there + (word << WORD_BITS)
        place = first + index(word * at.MARK_COLUMNS)
        if comes_in:
            write_b32(mine, 0, read_u32(its, 0))
            note_copy(state, place, mark)
        else:
            if reduces == 0:
                write_b32(its, 0, read_u32(mine, 0))
            state.marks[place + MARK.COPY] = mark
    return True


@inlined
def control(state, groups, memory, sm, warp, pc, executing, cycle, kind, until):
    """Groups of copies to global memory: see `choose`."""
    if kind == KINDS.BULK_COMMIT:
        commit(state, warp, executing)
        return int64(0), until, int64(why.WAIT), True
    return int64(0), wait(state, warp, pc, executing, until), int64(why.LONG_SCOREBOARD), True


@inlined
def group_at(numbers, group):
    """Where a group of a thread is noted: its batch, when it is written, when it has been read."""
    return numbers + OF_THREAD.LAST_BULK + index(3 * (group % BULK_KEPT))


@jitted
def commit(state, warp, mask):
    """The copies of lanes so far are a group."""
    copies = state.copies
    for lane in range(state.parameters[SIZE.WIDTH]):
        if (mask >> lane) & 1:
            numbers = numbers_of(state, thread_of(state, warp, lane))
            group = group_at(numbers, copies[numbers + OF_THREAD.BULK_GROUPS])
            copies[group] = copies[numbers + OF_THREAD.BULK_BATCH]
            copies[group + index(1)] = copies[numbers + OF_THREAD.BULK_DONE]
            copies[group + index(2)] = copies[numbers + OF_THREAD.BULK_READ]
            copies[numbers + OF_THREAD.BULK_GROUPS] += 1
            copies[numbers + OF_THREAD.BULK_BATCH] += 1


@jitted
def wait(state, warp, pc, mask, until):
    """Lanes wait for all such groups but the last few: the cycle from which they go on."""
    copies, base = state.copies, index(pc * at.CODE_COLUMNS)
    now = now_of(state, state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK])
    count, reads = state.code[base + BULK.COUNT], state.code[base + BULK.READS]
    for lane in range(state.parameters[SIZE.WIDTH]):
        if (mask >> lane) & 1:
            numbers = numbers_of(state, thread_of(state, warp, lane))
            last = copies[numbers + OF_THREAD.BULK_GROUPS] - 1 - count
            if last >= 0:
                group = group_at(numbers, last)
                until = max(until, copies[group + index(2 if reads else 1)])
                landed = copies[group] + 1
                if landed > copies[numbers + OF_THREAD.BULK_LANDED]:
                    copies[numbers + OF_THREAD.BULK_LANDED] = landed
                    note_wait(copies, numbers + OF_THREAD.LAST_BULK_WAITS, landed, now)
    return until
