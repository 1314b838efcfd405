"""Loads, stores and atomics of a warp, as they issue."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined
from sim.cores.simt import state as at
from sim.cores.simt.host.deferred import before_change, defer, have_all, run_meaning
from sim.cores.simt.host.shared_words import find_pattern, store_words, time_words
from sim.cores.simt.units.issuing import mark_results, note_counters, occupy, serve
from sim.cores.simt.units.memory_rows import (
    GLOBAL,
    LOCAL,
    SHARED,
    check_generic,
    check_parameter,
    find_addresses,
    find_targets,
    load_lanes,
    load_parameter,
    store_lanes,
    time_access,
)
from sim.cores.simt.units.noting import note_done


@inlined
def access(state, memory, sm, core, warp, pc, mask, cycle):
    """A load, store or atomic: (fault, lane) of the first lane that may not do it."""
    code = state.code
    base = index(pc * at.CODE_COLUMNS)
    width = state.parameters[at.WIDTH]
    kind, space = code[base + index(at.KIND)], code[base + index(at.SPACE)]
    if kind != at.LOAD and space in (SHARED, at.GENERIC):
        before_change(state, sm, state.warps[index(warp * at.WARP_COLUMNS + at.BLOCK)])
    if code[base + index(at.PATTERN)] >= 0:
        found = find_pattern(state, memory, warp, pc, mask)
        if found >= 0:
            access_words(state, memory, sm, core, warp, pc, mask, cycle, found)
            return at.NO_FAULT, int64(0)
        have_all(state, warp)
    if space == at.PARAMETER:
        return access_parameter(state, core, warp, pc, mask, cycle)
    first, last = space, space
    if space == at.GENERIC:
        first, last = int64(GLOBAL), int64(LOCAL)
        fault, lane = check_generic(state, warp, pc, width, mask)
        if fault != at.NO_FAULT:
            return fault, lane
    pipe = code[base + index(at.PIPE)]
    begin = serve(state, core, pipe, cycle)
    done, taken, lane = begin, begin, int64(0)
    for candidate in range(first, last + 1):
        here = find_addresses(state, warp, pc, width, mask, candidate)
        if here == 0:
            continue
        mask &= ~here  # what a lane has loaded may look like an address of the next space
        fault, lane = find_targets(state, warp, pc, width, here, candidate)
        if fault != at.NO_FAULT:
            return fault, lane
        come, taken = time_access(state, memory, sm, warp, pc, here, candidate, taken)
        done = max(done, come)
        if code[base + index(at.DEFERS)] and code[base + index(at.PATTERN)] < 0:
            defer(state, warp, pc, here)
        elif kind == at.LOAD:
            load_lanes(state, warp, pc, width, here)
        elif kind == at.STORE:
            store_lanes(state, warp, pc, width, here)
        else:
            run_meaning(state, warp, pc, here)
    end_access(state, core, warp, pc, cycle, begin, taken, done)
    return at.NO_FAULT, lane


@inlined
def access_parameter(state, core, warp, pc, mask, cycle):
    """A load of a kernel's parameter: (fault, lane)."""
    fault, lane = check_parameter(state, warp, pc, mask)
    if fault == at.NO_FAULT:
        base = index(pc * at.CODE_COLUMNS)
        begin = serve(state, core, state.code[base + index(at.PIPE)], cycle)
        if state.code[base + index(at.DEFERS)]:
            defer(state, warp, pc, mask)
        else:
            load_parameter(state, warp, pc, mask)
        done = begin + state.code[base + index(at.LATENCY)]
        end_access(state, core, warp, pc, cycle, begin, begin, done)
    return fault, lane


@inlined
def access_words(state, memory, sm, core, warp, pc, mask, cycle, found):
    """An access of words in shared memory, the pattern of which was found."""
    code = state.code
    base = index(pc * at.CODE_COLUMNS)
    begin = serve(state, core, code[base + index(at.PIPE)], cycle)
    done, taken = time_words(state, memory, sm, pc, found, mask, begin)
    if code[base + index(at.KIND)] == at.LOAD:
        defer(state, warp, pc, mask)
    else:
        store_words(state, warp, pc, mask)
    end_access(state, core, warp, pc, cycle, begin, taken, done)


@inlined
def end_access(state, core, warp, pc, cycle, begin, taken, done):
    """An access that its pipe began in a cycle is taken by the path in another, and done."""
    code = state.code
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    pipe, interval = code[base + index(at.PIPE)], code[base + index(at.INTERVAL)]
    occupy(state, core, pipe, cycle, taken, interval)
    if state.parameters[at.TRACES]:
        note_done(state, done)
    mark_results(state, warp, pc, done)
    if code[base + index(at.KIND)] != at.LOAD:
        state.sms[index(core // state.parameters[at.SUBCORES] * at.SM_COLUMNS + at.SM_WRITES)] += 1
        state.warps[own + index(at.STORES_DONE)] = max(
            state.warps[own + index(at.STORES_DONE)], done
        )
    note_counters(state, warp, pc, begin, done)
