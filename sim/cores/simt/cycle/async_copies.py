"""Copies from global to shared memory that go on meanwhile, their groups, who waits for them."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.layout import BASE
from machines.threads.spaces import SHARED
from sim.cores.bounds import owner_of
from sim.cores.jit import inlined, jitted
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.cycle.control_bits import note_counters
from sim.cores.simt.cycle.copy_marks import (
    TO_COPY_IN,
    WORD_BITS,
    mark_at,
    marked,
    note_copy,
    numbers_of,
    race_at,
    thread_of,
)
from sim.cores.simt.cycle.lane_accesses import find_addresses, find_targets
from sim.cores.simt.cycle.meetings import note_wait, now_of
from sim.cores.simt.cycle.operands import operand_of
from sim.cores.simt.cycle.pipes import occupy, serve
from sim.cores.simt.cycle.scoreboard import mark_results
from sim.cores.simt.cycle.trace import note_done
from sim.cores.simt.host.deferred import before_change
from sim.cores.simt.host.lane_words import (
    address_of,
    peek_u8,
    read_pair,
    read_u32,
    write_b32,
)
from sim.cores.simt.memory.global_memory import copy_access
from sim.cores.simt.memory.parameters import L1_LATENCY, TICK_BITS
from sim.cores.simt.memory.shared_memory import fill_shared
from sim.cores.simt.units.async_copies import (
    ALL_COPIES,
    COPY,
    COPYING,
    KINDS,
    OF_THREAD,
    WARP_COPIES,
)
from sim.cores.simt.units.block_dispatcher import RESIDENT
from sim.cores.simt.units.faults import FAULT
from sim.cores.simt.units.load_store import ACCESS, SM_STORES, SPANS
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.pipes import USE
from sim.cores.simt.units.trace import TRACE

WORD = 1 << WORD_BITS


@inlined
def access(state, memory, sm, subcore, warp, pc, mask, cycle, kind):
    """Lanes set out to copy: see `choose`."""
    code, width = state.code, state.parameters[SIZE.WIDTH]
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    before_change(state, sm, state.warps[own + RESIDENT.BLOCK])
    fault, lane, reading = copy_lanes(state, warp, pc, width, mask)
    if fault != FAULT.NO_FAULT:
        return fault, lane
    pipe, size = code[base + USE.PIPE], code[base + ACCESS.BYTES]
    begin = serve(state, subcore, pipe, cycle)
    come, taken = begin + (memory.parameters[L1_LATENCY] >> TICK_BITS), begin
    if reading != 0:
        find_sources(state, warp, base, width)
        is_cached = code[base + COPY.CACHED] != 0
        come, taken = copy_access(memory, sm, begin, is_cached, state.addresses, reading, size)
    find_addresses(state, warp, pc, width, mask, int64(SHARED))
    done = fill_shared(memory, sm, come, state.addresses, mask, size)
    note_copies(state, warp, width, mask, done)
    occupy(state, subcore, pipe, cycle, taken, code[base + USE.INTERVAL])
    if state.parameters[TRACE.TRACES]:
        note_done(state, done)
    mark_results(state, warp, pc, done)
    state.sms[index(sm * at.SM_COLUMNS) + SM_STORES.COUNT] += 1
    note_counters(state, warp, pc, begin, done)
    return fault, lane


@inlined
def source_of(state, warp, base, lane, width):
    """Where a lane copies from, as its operand says it."""
    address = operand_of(state, warp, base, state.code[base + COPY.SOURCE])
    return read_pair(address, lane, width) + state.code[base + COPY.SOURCE_OFFSET]


@inlined
def find_sources(state, warp, base, width):
    """The addresses that lanes copy from into `addresses`."""
    for lane in range(width):
        state.addresses[index(lane)] = source_of(state, warp, base, lane, width)


@jitted
def copy_lanes(state, warp, pc, width, mask):
    """Copy, and mark what is written: (fault, its lane, the lanes that read anything)."""
    code, addresses = state.code, state.addresses
    base = index(pc * at.CODE_COLUMNS)
    size, reading = code[base + ACCESS.BYTES], int64(0)
    find_addresses(state, warp, pc, width, mask, int64(SHARED))
    fault, lane = find_targets(state, warp, pc, width, mask, int64(SHARED))
    if fault != FAULT.NO_FAULT:
        return fault, lane, reading
    wanted = operand_of(state, warp, base, code[base + COPY.SIZE])
    for lane in range(width):
        if (mask >> lane) & 1:
            source = source_of(state, warp, base, lane, width)
            count = read_u32(wanted, lane)
            fault = source_fault(state, source, count, size)
            if fault != FAULT.NO_FAULT:
                if fault != FAULT.BAD_SIZE:
                    addresses[index(lane)] = source
                return fault, int64(lane), reading
            if not copy_bytes(state, warp, pc, lane, width, source, count, size):
                return int64(FAULT.RACE), int64(lane), reading
            reading |= int64(count > 0) << lane
    return int64(FAULT.NO_FAULT), int64(0), reading


@inlined
def source_fault(state, source, count, size):
    """Why a lane may not copy `count` bytes from an address, of which it has room for `size`."""
    fault = int64(FAULT.NO_FAULT)
    if count > size:
        return int64(FAULT.BAD_SIZE)
    if count > 0:
        end = state.ends[index(owner_of(state.starts, state.parameters[SPANS.BUFFERS], source))]
        if source < BASE or count > end - source:
            fault = int64(FAULT.OUT_OF_BOUNDS)
        elif source & (size - 1):
            fault = int64(FAULT.MISALIGNED)
    return fault


@inlined
def copy_bytes(state, warp, pc, lane, width, source, count, size):
    """Copy the bytes of a lane, zeros behind `count`; False if somebody else still uses what is
    there, or copies other bytes to it."""
    thread = thread_of(state, warp, lane)
    mark = marked(state.copies[numbers_of(state, thread) + OF_THREAD.BATCH], thread, pc)
    block = state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK]
    first = mark_at(state, block, state.addresses[index(lane)])
    into = state.addresses[index(width + lane)]
    place = address_of(state.bytes) + source - BASE
    for word in range(size >> WORD_BITS):
        value = bytes_at(place + word * WORD, count - word * WORD)
        mine = first + index(word * at.MARK_COLUMNS)
        is_same = read_u32(into + word * WORD, 0) == value
        if race_at(state, warp, mine, TO_COPY_IN, is_same) != 0:
            return False
        write_b32(into + word * WORD, 0, value)
        note_copy(state, mine, mark)
    return True


@inlined
def bytes_at(place, count):
    """A word of which the first `count` bytes stand at a host address, and zeros behind them."""
    if count >= WORD:
        return read_u32(place, 0)
    value = int64(0)
    for byte in range(count):
        value |= peek_u8(place + byte, 0) << 8 * byte
    return value


@inlined
def note_copies(state, warp, width, mask, done):
    """What lanes have set out to copy counts as written from a cycle on."""
    own = index(warp * at.WARP_COLUMNS) + WARP_COPIES.DONE
    state.warps[own] = max(state.warps[own], done)
    for lane in range(width):
        if (mask >> lane) & 1:
            numbers = numbers_of(state, thread_of(state, warp, lane))
            state.copies[numbers + OF_THREAD.DONE] = max(
                state.copies[numbers + OF_THREAD.DONE], done
            )


@inlined
def control(state, groups, memory, sm, warp, pc, executing, cycle, kind, until):
    """Groups of copies: see `choose`."""
    if kind == KINDS.COMMIT:
        commit(state, warp, executing)
        return int64(0), until, int64(why.WAIT), True
    count = state.code[index(pc * at.CODE_COLUMNS) + COPY.COUNT]
    return int64(0), wait(state, warp, executing, count, until), int64(why.LONG_SCOREBOARD), True


@inlined
def group_at(state, numbers, group):
    """Where a group of a thread is noted."""
    kept = group % state.parameters[COPYING.GROUPS]
    return numbers + OF_THREAD.LAST_GROUPS + index(2 * kept)


@jitted
def commit(state, warp, mask):
    """The copies of lanes so far are a group."""
    copies = state.copies
    for lane in range(state.parameters[SIZE.WIDTH]):
        if (mask >> lane) & 1:
            numbers = numbers_of(state, thread_of(state, warp, lane))
            group = group_at(state, numbers, copies[numbers + OF_THREAD.GROUPS])
            copies[group] = copies[numbers + OF_THREAD.BATCH]
            copies[group + index(1)] = copies[numbers + OF_THREAD.DONE]
            copies[numbers + OF_THREAD.GROUPS] += 1
            copies[numbers + OF_THREAD.BATCH] += 1


@jitted
def wait(state, warp, mask, count, until):
    """Lanes wait for all their groups but the last `count`: the cycle, at least `until`, from which
    they go on."""
    copies = state.copies
    now = now_of(state, state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK])
    for lane in range(state.parameters[SIZE.WIDTH]):
        if (mask >> lane) & 1:
            numbers = numbers_of(state, thread_of(state, warp, lane))
            landed, done = int64(0), int64(0)
            if count == ALL_COPIES:
                copies[numbers + OF_THREAD.BATCH] += 1
                landed, done = copies[numbers + OF_THREAD.BATCH], copies[numbers + OF_THREAD.DONE]
            elif copies[numbers + OF_THREAD.GROUPS] > count:
                last = copies[numbers + OF_THREAD.GROUPS] - 1 - count
                group = group_at(state, numbers, last)
                landed, done = copies[group] + 1, copies[group + index(1)]
            until = max(until, done)
            if landed > copies[numbers + OF_THREAD.LANDED]:
                copies[numbers + OF_THREAD.LANDED] = landed
                note_wait(copies, numbers + OF_THREAD.LAST_WAITS, landed, now)
    return until
