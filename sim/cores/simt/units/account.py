"""Where the cycles of warps and sub-cores go: one reason each, charged in whole stretches.

A warp's columns say what it will wait for, in this order:

    STARTED … HELD_UNTIL … CHECK_UNTIL … READY_AT … issue
            HOLD_REASON   a check       WAIT_REASON  its pipe, or not selected

What is known when an instruction issues is charged then; the rest when the warp issues again, or
when somebody wants the sums.  A sub-core's cycle is issued, empty, or the reason of its oldest
warp.
"""

from __future__ import annotations

from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at


@inlined
def warp_of(state, core, bit):
    """The warp that a bit of READY or RESIDENT stands for."""
    return core * state.parameters[at.CORE_WARPS] + bit


@inlined
def slot_of(parameters, warp):
    """The number of a warp's slot among those of its SM."""
    core = warp // parameters[at.CORE_WARPS]
    bit = warp - core * parameters[at.CORE_WARPS]
    return bit * parameters[at.SUBCORES] + core % parameters[at.SUBCORES]


@inlined
def pipe_wanted(state, warp):
    """The pipe of what a warp waits to issue."""
    return state.code[index(state.next_pcs[index(warp)] * at.CODE_COLUMNS + at.PIPE)]


@inlined
def pipe_at(parameters, core, pipe):
    """Where a pipe's columns begin."""
    return index((core * parameters[at.PIPES] + pipe) * at.PIPE_COLUMNS)


@inlined
def throttled_before(state, core, pipe, cycle):
    """In how many cycles before `cycle`, now or later, a pipe could take no instruction.

    A warp of a new block may come in the cycle in which it took one, which is none of them.
    """
    base = pipe_at(state.parameters, core, pipe)
    behind = max(cycle, state.pipes[base + index(at.SHUT)])
    free = state.free_at[index(core * state.parameters[at.PIPE_STRIDE] + pipe)]
    return state.pipes[base + index(at.THROTTLED)] - max(0, free - behind)


@inlined
def charge(state, warp, core, now):
    """Charge a warp's cycles up to `now`."""
    warps, stalls = state.warps, state.stalls
    own = index(warp * at.WARP_COLUMNS)
    since = warps[own + index(at.SINCE)]
    if since < now:
        base = index(state.next_pcs[index(warp)] * why.COUNT)
        held = min(warps[own + index(at.HELD_UNTIL)], now)
        if held > since:
            stalls[base + index(warps[own + index(at.HOLD_REASON)])] += held - since
            since = held
        check = min(warps[own + index(at.CHECK_UNTIL)], now)
        if check > since:
            stalls[base + index(why.RECONVERGENCE_CHECK)] += check - since
            since = check
        ready = min(state.ready_at[index(warp)], now)
        if ready > since:
            stalls[base + index(warps[own + index(at.WAIT_REASON)])] += ready - since
            since = ready
        if now > since:
            pipe = pipe_wanted(state, warp)
            kept = throttled_before(state, core, pipe, now)
            throttled = kept - warps[own + index(at.THROTTLE_SEEN)]
            warps[own + index(at.THROTTLE_SEEN)] = kept
            stalls[base + index(state.throttles[index(pipe)])] += throttled
            stalls[base + index(why.NOT_SELECTED)] += now - since - throttled
        warps[own + index(at.SINCE)] = now


@inlined
def charge_selected(state, pc, core, slots, conflicts):
    """An instruction issues: it takes issue slots, and its sources may hold the dispatch port."""
    base = index(pc * why.COUNT)
    state.stalls[base + index(why.SELECTED)] += slots
    state.cores[index(core * at.CORE_COLUMNS + at.ISSUED)] += slots
    if conflicts > 0:
        state.stalls[base + index(why.DISPATCH_STALL)] += conflicts
        state.lost[index(core * why.LOST_COLUMNS + why.DISPATCH_STALL)] += conflicts


@inlined
def charge_idle(state, core, now):
    """Charge a sub-core's cycles in which nothing issued, up to `now`, to its oldest warp."""
    cores, lost, warps = state.cores, state.lost, state.warps
    since = cores[index(core * at.CORE_COLUMNS + at.IDLE_SINCE)]
    if since >= now:
        return
    cores[index(core * at.CORE_COLUMNS + at.IDLE_SINCE)] = now
    base = index(core * why.LOST_COLUMNS)
    oldest = cores[index(core * at.CORE_COLUMNS + at.OLDEST)]
    if oldest < 0:
        lost[base + index(why.EMPTY)] += now - since
        return
    warp = warp_of(state, core, oldest)
    own = index(warp * at.WARP_COLUMNS)
    started = min(warps[own + index(at.STARTED)], now)
    if started > since:
        lost[base + index(why.EMPTY)] += started - since
        since = started
    held = min(warps[own + index(at.HELD_UNTIL)], now)
    if held > since:
        lost[base + index(warps[own + index(at.HOLD_REASON)])] += held - since
        since = held
    check = min(warps[own + index(at.CHECK_UNTIL)], now)
    if check > since:
        lost[base + index(why.RECONVERGENCE_CHECK)] += check - since
        since = check
    ready = min(state.ready_at[index(warp)], now)
    if ready > since:
        lost[base + index(warps[own + index(at.WAIT_REASON)])] += ready - since
        since = ready
    if now > since:
        pipe = pipe_wanted(state, warp)
        lost[base + index(state.throttles[index(pipe)])] += now - since


@jitted
def find_oldest(state, core):
    """Note which of a sub-core's warps is the oldest."""
    cores, parameters = state.cores, state.parameters
    resident = cores[index(core * at.CORE_COLUMNS + at.RESIDENT)]
    oldest = -1
    least = 0
    for bit in range(parameters[at.CORE_WARPS]):
        if (resident >> bit) & 1:
            age = state.ages[index(warp_of(state, core, bit))]
            if oldest < 0 or age < least:
                oldest = bit
                least = age
    cores[index(core * at.CORE_COLUMNS + at.OLDEST)] = oldest


@inlined
def look_at_throttle(state, core, bit, cycle):
    """Note of a warp that has become ready since the last turn of its sub-core how long its pipe
    had kept warps back up to then; of the others that is noted."""
    warp = warp_of(state, core, bit)
    is_noted = (state.cores[index(core * at.CORE_COLUMNS + at.READY)] >> bit) & 1
    ready = state.ready_at[index(warp)]
    if not is_noted and ready < cycle:
        seen = throttled_before(state, core, pipe_wanted(state, warp), ready)
        state.warps[index(warp * at.WARP_COLUMNS + at.THROTTLE_SEEN)] = seen


@jitted
def settle(state, cycle):
    """Charge everything up to `cycle`."""
    parameters = state.parameters
    for core in range(parameters[at.SMS] * parameters[at.SUBCORES]):
        charge_idle(state, core, cycle)
        resident = state.cores[index(core * at.CORE_COLUMNS + at.RESIDENT)]
        for bit in range(parameters[at.CORE_WARPS]):
            if (resident >> bit) & 1:
                look_at_throttle(state, core, bit, cycle)
                charge(state, warp_of(state, core, bit), core, cycle)
