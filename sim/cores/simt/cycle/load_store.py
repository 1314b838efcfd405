"""Loads, stores and atomics of a warp, as they issue."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined
from sim.cores.simt import state as at
from sim.cores.simt.cycle.control_bits import note_counters
from sim.cores.simt.cycle.copy_marks import TO_LOAD, TO_STORE, note_lanes, racing_lane
from sim.cores.simt.cycle.lane_accesses import (
    GLOBAL,
    LOCAL,
    SHARED,
    bytes_of,
    check_generic,
    check_parameter,
    far_lanes,
    find_addresses,
    find_targets,
    load_lanes,
    load_parameter,
    store_lanes,
    time_access,
    time_far,
)
from sim.cores.simt.cycle.meetings import meet_at_fences
from sim.cores.simt.cycle.pipes import occupy, serve
from sim.cores.simt.cycle.scoreboard import mark_results
from sim.cores.simt.cycle.trace import note_done
from sim.cores.simt.host.deferred import before_change, defer, have_all, run_meaning
from sim.cores.simt.host.shared_words import find_pattern, store_words, time_words
from sim.cores.simt.memory.shared_memory import matrix_access
from sim.cores.simt.units.async_copies import COPYING
from sim.cores.simt.units.block_dispatcher import RESIDENT
from sim.cores.simt.units.faults import FAULT
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import ACCESS, GENERIC, PARAMETER, SM_STORES, STORES
from sim.cores.simt.units.load_store import KINDS as ACCESSES
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.pipes import USE
from sim.cores.simt.units.shortcuts import SHORTCUT
from sim.cores.simt.units.trace import TRACE


@inlined
def access(state, memory, sm, subcore, warp, pc, mask, cycle, kind):
    """A load, store or atomic: see `choose`."""
    fault, lane = try_access(state, memory, sm, subcore, warp, pc, mask, cycle, kind)
    if fault != FAULT.NO_FAULT:
        find_addresses(state, warp, pc, state.parameters[SIZE.WIDTH], mask, int64(GENERIC))
    return fault, lane


@inlined
def try_access(state, memory, sm, subcore, warp, pc, mask, cycle, kind):
    """The same, but for what `addresses` has of a fault."""
    code = state.code
    base = index(pc * at.CODE_COLUMNS)
    width, space = state.parameters[SIZE.WIDTH], code[base + ACCESS.SPACE]
    loads = kind == ACCESSES.LOAD or kind == ACCESSES.LOAD_MATRIX
    if not loads and space in (SHARED, GENERIC):
        before_change(state, sm, state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK])
    if code[base + SHORTCUT.PATTERN] >= 0:
        found = find_pattern(state, memory, warp, pc, mask)
        if found >= 0:
            access_words(state, memory, sm, subcore, warp, pc, mask, cycle, found)
            return FAULT.NO_FAULT, int64(0)
        have_all(state, warp)
    if space == PARAMETER:
        return access_parameter(state, subcore, warp, pc, mask, cycle)
    if kind >= ACCESSES.LOAD_MATRIX:
        return access_matrices(state, memory, sm, subcore, warp, pc, mask, cycle)
    first, last = space, space
    if space == GENERIC:
        first, last = int64(GLOBAL), int64(LOCAL)
        fault, lane = check_generic(state, warp, pc, width, mask)
        if fault != FAULT.NO_FAULT:
            return fault, lane
    pipe = code[base + USE.PIPE]
    begin = serve(state, subcore, pipe, cycle)
    done, taken, lane = begin, begin, int64(0)
    for candidate in range(first, last + 1):
        here = find_addresses(state, warp, pc, width, mask, candidate)
        if here == 0:
            continue
        mask &= ~here  # what a lane has loaded may look like an address of the next space
        fault, lane = find_targets(state, warp, pc, width, here, candidate)
        if fault != FAULT.NO_FAULT:
            return fault, lane
        far = int64(0)
        if candidate == SHARED and space == GENERIC:
            far = far_lanes(state, width, here)
        if candidate == SHARED and state.parameters[COPYING.USED]:
            near = here & ~far
            size, use = bytes_of(code, base), int64(TO_LOAD if loads else TO_STORE)
            racing = racing_lane(state, warp, width, near, size, use)
            if racing >= 0:
                return int64(FAULT.RACE), racing
            note_lanes(state, warp, pc, width, near, size, not loads)
        if far != 0:
            come, taken = time_far(state, memory, sm, warp, pc, far, taken)
            done = max(done, come)
        if here & ~far != 0:
            near = here & ~far
            come, taken = time_access(state, memory, sm, warp, pc, near, candidate, taken)
            done = max(done, come)
        if code[base + SHORTCUT.DEFERS] and code[base + SHORTCUT.PATTERN] < 0:
            defer(state, warp, pc, here)
        elif kind == ACCESSES.LOAD:
            load_lanes(state, warp, pc, width, here)
        elif kind == ACCESSES.STORE:
            store_lanes(state, warp, pc, width, here)
        else:
            run_meaning(state, warp, pc, here)
            meet_at_fences(state, warp)
    end_access(state, subcore, warp, pc, cycle, begin, taken, done)
    return FAULT.NO_FAULT, lane


@inlined
def access_parameter(state, subcore, warp, pc, mask, cycle):
    """A load of a kernel's parameter: (fault, lane)."""
    fault, lane = check_parameter(state, warp, pc, mask)
    if fault == FAULT.NO_FAULT:
        base = index(pc * at.CODE_COLUMNS)
        begin = serve(state, subcore, state.code[base + USE.PIPE], cycle)
        if state.code[base + SHORTCUT.DEFERS]:
            defer(state, warp, pc, mask)
        else:
            load_parameter(state, warp, pc, mask)
        done = begin + state.code[base + USE.LATENCY]
        end_access(state, subcore, warp, pc, cycle, begin, begin, done)
    return fault, lane


@inlined
def access_matrices(state, memory, sm, subcore, warp, pc, mask, cycle):
    """Rows of matrices in shared memory, each at the address of a lane: (fault, lane)."""
    code = state.code
    base = index(pc * at.CODE_COLUMNS)
    width, named = state.parameters[SIZE.WIDTH], code[base + ACCESS.LANES]
    loads = code[base + INSTRUCTION.KIND] == ACCESSES.LOAD_MATRIX
    find_addresses(state, warp, pc, width, named, int64(SHARED))
    fault, lane = find_targets(state, warp, pc, width, named, int64(SHARED))
    if fault == FAULT.NO_FAULT and state.parameters[COPYING.USED]:
        size, use = bytes_of(code, base), int64(TO_LOAD if loads else TO_STORE)
        racing = racing_lane(state, warp, width, named, size, use)
        if racing >= 0:
            return int64(FAULT.RACE), racing
        note_lanes(state, warp, pc, width, named, size, not loads)
    if fault == FAULT.NO_FAULT:
        begin = serve(state, subcore, code[base + USE.PIPE], cycle)
        done, taken = matrix_access(memory, sm, begin, state.addresses, named, bytes_of(code, base))
        run_meaning(state, warp, pc, mask)
        end_access(state, subcore, warp, pc, cycle, begin, taken, done)
    return fault, lane


@inlined
def access_words(state, memory, sm, subcore, warp, pc, mask, cycle, found):
    """An access of words in shared memory, the pattern of which was found."""
    code = state.code
    base = index(pc * at.CODE_COLUMNS)
    begin = serve(state, subcore, code[base + USE.PIPE], cycle)
    done, taken = time_words(state, memory, sm, pc, found, mask, begin)
    if code[base + INSTRUCTION.KIND] == ACCESSES.LOAD:
        defer(state, warp, pc, mask)
    else:
        store_words(state, warp, pc, mask)
    end_access(state, subcore, warp, pc, cycle, begin, taken, done)


@inlined
def end_access(state, subcore, warp, pc, cycle, begin, taken, done):
    """An access that its pipe began in a cycle is taken by the path in another, and done."""
    code = state.code
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    pipe, interval = code[base + USE.PIPE], code[base + USE.INTERVAL]
    occupy(state, subcore, pipe, cycle, taken, interval)
    if state.parameters[TRACE.TRACES]:
        note_done(state, done)
    mark_results(state, warp, pc, done)
    kind = code[base + INSTRUCTION.KIND]
    if kind != ACCESSES.LOAD and kind != ACCESSES.LOAD_MATRIX:
        state.sms[
            index(subcore // state.parameters[SIZE.SUBCORES] * at.SM_COLUMNS) + SM_STORES.COUNT
        ] += 1
        state.warps[own + STORES.DONE] = max(state.warps[own + STORES.DONE], done)
        state.warps[own + STORES.SENT] = max(state.warps[own + STORES.SENT], taken)
    note_counters(state, warp, pc, begin, done)
