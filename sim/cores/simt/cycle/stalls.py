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
from sim.cores.simt.cycle.pipes import pipe_wanted, throttled_before
from sim.cores.simt.cycle.slots import warp_of
from sim.cores.simt.units.block_dispatcher import RESIDENT, SLOTS
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.stalls import IDLE, WAIT
from sim.cores.simt.units.warp_scheduler import SCHEDULE


@inlined
def charge_waits(state, warp, cycles, base, since, now):
    """Charge what a warp waited for from `since` up to `now` to the reasons from `base` on; the
    cycle from which it could have issued, `now` at the latest."""
    warps, own = state.warps, index(warp * at.WARP_COLUMNS)
    held = min(warps[own + WAIT.HELD_UNTIL], now)
    if held > since:
        cycles[base + index(warps[own + WAIT.HOLD_REASON])] += held - since
        since = held
    check = min(warps[own + WAIT.CHECK_UNTIL], now)
    if check > since:
        cycles[base + index(why.RECONVERGENCE_CHECK)] += check - since
        since = check
    ready = min(state.ready_at[index(warp)], now)
    if ready > since:
        cycles[base + index(warps[own + WAIT.WAIT_REASON])] += ready - since
        since = ready
    return since


@inlined
def charge(state, warp, subcore, now):
    """Charge a warp's cycles up to `now`."""
    warps, stalls = state.warps, state.stalls
    own = index(warp * at.WARP_COLUMNS)
    since = warps[own + WAIT.SINCE]
    if since < now:
        base = index(state.next_pcs[index(warp)] * why.COUNT)
        since = charge_waits(state, warp, stalls, base, since, now)
        if now > since:
            pipe = pipe_wanted(state, warp)
            kept = throttled_before(state, subcore, pipe, now)
            throttled = kept - warps[own + WAIT.THROTTLE_SEEN]
            warps[own + WAIT.THROTTLE_SEEN] = kept
            stalls[base + index(state.throttles[index(pipe)])] += throttled
            stalls[base + index(why.NOT_SELECTED)] += now - since - throttled
        warps[own + WAIT.SINCE] = now


@inlined
def charge_selected(state, pc, subcore, slots, conflicts):
    """An instruction issues: it takes issue slots, and its sources may hold the dispatch port."""
    base = index(pc * why.COUNT)
    state.stalls[base + index(why.SELECTED)] += slots
    state.subcores[index(subcore * at.SUBCORE_COLUMNS) + IDLE.ISSUED] += slots
    if conflicts > 0:
        state.stalls[base + index(why.DISPATCH_STALL)] += conflicts
        state.lost[index(subcore * why.LOST_COLUMNS + why.DISPATCH_STALL)] += conflicts


@inlined
def charge_idle(state, subcore, now):
    """Charge a sub-core's cycles in which nothing issued, up to `now`, to its oldest warp."""
    subcores, lost, warps = state.subcores, state.lost, state.warps
    since = subcores[index(subcore * at.SUBCORE_COLUMNS) + IDLE.SINCE]
    if since >= now:
        return
    subcores[index(subcore * at.SUBCORE_COLUMNS) + IDLE.SINCE] = now
    base = index(subcore * why.LOST_COLUMNS)
    oldest = subcores[index(subcore * at.SUBCORE_COLUMNS) + IDLE.OLDEST]
    if oldest < 0:
        lost[base + index(why.EMPTY)] += now - since
        return
    warp = warp_of(state, subcore, oldest)
    own = index(warp * at.WARP_COLUMNS)
    started = min(warps[own + RESIDENT.STARTED], now)
    if started > since:
        lost[base + index(why.EMPTY)] += started - since
        since = started
    since = charge_waits(state, warp, lost, base, since, now)
    if now > since:
        pipe = pipe_wanted(state, warp)
        lost[base + index(state.throttles[index(pipe)])] += now - since


@jitted
def find_oldest(state, subcore):
    """Note which of a sub-core's warps is the oldest."""
    subcores, parameters = state.subcores, state.parameters
    resident = subcores[index(subcore * at.SUBCORE_COLUMNS) + SLOTS.RESIDENT]
    oldest = -1
    least = 0
    for bit in range(parameters[SIZE.SUBCORE_WARPS]):
        if (resident >> bit) & 1:
            age = state.ages[index(warp_of(state, subcore, bit))]
            if oldest < 0 or age < least:
                oldest = bit
                least = age
    subcores[index(subcore * at.SUBCORE_COLUMNS) + IDLE.OLDEST] = oldest


@inlined
def look_at_throttle(state, subcore, bit, cycle):
    """Note of a warp that has become ready since the last turn of its sub-core how long its pipe
    had kept warps back up to then; of the others that is noted."""
    warp = warp_of(state, subcore, bit)
    mine = index(subcore * at.SUBCORE_COLUMNS)
    is_noted = (state.subcores[mine + SCHEDULE.READY] >> bit) & 1
    ready = state.ready_at[index(warp)]
    if not is_noted and ready < cycle:
        seen = throttled_before(state, subcore, pipe_wanted(state, warp), ready)
        state.warps[index(warp * at.WARP_COLUMNS) + WAIT.THROTTLE_SEEN] = seen


@jitted
def settle(state, cycle):
    """Charge everything up to `cycle`."""
    parameters = state.parameters
    for subcore in range(parameters[SIZE.SMS] * parameters[SIZE.SUBCORES]):
        charge_idle(state, subcore, cycle)
        resident = state.subcores[index(subcore * at.SUBCORE_COLUMNS) + SLOTS.RESIDENT]
        for bit in range(parameters[SIZE.SUBCORE_WARPS]):
            if (resident >> bit) & 1:
                look_at_throttle(state, subcore, bit, cycle)
                charge(state, warp_of(state, subcore, bit), subcore, cycle)
