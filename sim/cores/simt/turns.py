"""Whose turn it is: the SMs go on at the same time, and what one does others may notice.

    SM 0   | add add mul | ld at 17 …          what only its own SM can notice an SM does at once:
    SM 1   | add ld at 12 …                    it runs ahead.  What others can notice, an *act*,
    SM 2   | st at 15 …                        happens in the order of (cycle, SM, sub-core): SM 1
                                               goes on first

Within a window of cycles SMs run ahead of each other; if a thread faults, the others run on to the
end of the window or to their next act, so that what a run leaves does not depend on how it was cut
into calls.

Several threads of the host may each have a part of the SMs.  A part says in `progress` from which
cycle on its SMs may still act, and acts when no other part can do so before it: the acts are those
of one thread, in the same order, and so is all that a run gives.  Parts work at the same time
because SMs run ahead.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.returned import DONE, FAULTED, QUANTUM, STUCK, WAITS
from sim.cores.simt import state as at
from sim.cores.simt.cycle.block_dispatcher import next_of
from sim.cores.simt.cycle.issue import FAULT_MET, GOES_ON, NOT_NOW, visit
from sim.cores.simt.host.deferred import compute_all
from sim.cores.simt.host.foresight import ask_for_act
from sim.cores.simt.units.block_dispatcher import DISPATCHED
from sim.cores.simt.units.clusters import CLUSTERED
from sim.cores.simt.units.faults import FAULT, MET
from sim.cores.simt.units.multiprocessor import ADVANCE, NOW, SIZE
from sim.cores.simt.units.stalls import IDLE
from sim.cores.simt.units.trace import TRACE, TRACED
from sim.cores.tables import load_acquire, pause, store_release

PATIENCE = 20_000
"""How often a part looks whether it may go on, before it lets its thread rest."""


@jitted
def run_sm(state, groups, memory, sm, limit, until):
    """Run an SM up to cycle `until`; it may act up to cycle `limit`.

    Returns NOT_NOW if it waits to act, FAULT_MET, or GOES_ON; `times` has its next cycle.
    """
    subcores = state.parameters[SIZE.SUBCORES]
    first = sm * subcores
    met = GOES_ON
    cycle = next_of(state, sm, subcores)
    while cycle < until and met == GOES_ON:
        for subcore in range(first, first + subcores):
            if met == GOES_ON and state.turns[index(subcore)] <= cycle:
                met = visit(state, groups, memory, sm, subcore, cycle, cycle <= limit)
                if cycle <= limit and state.scalars[DISPATCHED.ENDED]:
                    met = NOT_NOW
        cycle = next_of(state, sm, subcores)
    state.times[index(sm)] = cycle
    return met


@inlined
def sm_of(key):
    """The SM of an entry of `runs` or `acts`."""
    return key & ((1 << at.SM_BITS) - 1)


@inlined
def enter(tree, leaves, sm, cycle):
    """Note an SM's cycle, and the earlier one of each pair above it."""
    node = leaves + sm
    tree[index(node)] = cycle << at.SM_BITS | sm
    node >>= 1
    while node > 0:
        tree[index(node)] = min(tree[index(2 * node)], tree[index(2 * node + 1)])
        node >>= 1


@jitted
def plant(state, part, parts):
    """The trees of a part: all its SMs may run ahead."""
    leaves, sms = state.parameters[SIZE.LEAVES], state.parameters[SIZE.SMS]
    for node in range(2 * leaves):
        state.runs[index(node)] = at.NEVER << at.SM_BITS
        state.acts[index(node)] = at.NEVER << at.SM_BITS
    for sm in range(sms * part // parts, sms * (part + 1) // parts):
        enter(state.runs, leaves, sm, state.times[index(sm)])


@jitted
def wake_others(state, leaves):
    """An act has begun something on other SMs: those that do not wait to act themselves may run
    ahead from an earlier cycle on.  One part has all SMs then."""
    state.scalars[CLUSTERED.WOKEN] = 0
    subcores = state.parameters[SIZE.SUBCORES]
    for sm in range(state.parameters[SIZE.SMS]):
        if state.acts[index(leaves + sm)] >> at.SM_BITS == at.NEVER:
            cycle = next_of(state, sm, subcores)
            if cycle != state.times[index(sm)]:
                state.times[index(sm)] = cycle
                enter(state.runs, leaves, sm, cycle)


@inlined
def look_at_others(progress, part, parts):
    """(last cycle in which no other part acts before this one, first in which another may act)."""
    limit, earliest = int64(at.NEVER), int64(at.NEVER)
    for other in range(parts):
        if other != part:
            first = load_acquire(progress, other * at.HOST_LINE)
            earliest = min(earliest, first)
            limit = min(limit, first - int64(other < part))
    return limit, earliest


@inlined
def advance(state, groups, memory, part, parts):
    """Advance the SMs of a part up to the cycle that `progress` says, which a grid's end, a fault
    or a trace that is half full (lest an event is lost) makes an earlier one.

    Returns QUANTUM, FAULTED, or WAITS: for other parts, for so long that it is to be called again.
    """
    scalars, parameters, progress = state.scalars, state.parameters, state.progress
    window, leaves = parameters[ADVANCE.WINDOW], parameters[SIZE.LEAVES]
    runs, acts, shared = state.runs, state.acts, parts * at.HOST_LINE
    plant(state, part, parts)
    waited = 0
    while waited < PATIENCE:
        run, act = runs[1], acts[1]
        first = min(run, act) >> at.SM_BITS
        store_release(progress, part * at.HOST_LINE, first)
        limit, earliest = look_at_others(progress, part, parts)
        until = progress[index(shared)]
        if first >= until:
            return QUANTUM
        end = min(until, (min(first, earliest) // window + 1) * window)
        if act < run and first <= limit:
            actor = sm_of(act)
            met = run_sm(state, groups, memory, actor, first, first + 1)
            if met == FAULT_MET:
                progress[index(shared)] = first
                return FAULTED
            if scalars[DISPATCHED.ENDED]:
                progress[index(shared)] = min(until, scalars[DISPATCHED.LATEST_END])
            enter(acts, leaves, actor, at.NEVER)
            enter(runs, leaves, actor, state.times[index(actor)])
            if scalars[CLUSTERED.WOKEN]:
                wake_others(state, leaves)
        elif run >> at.SM_BITS < end:
            runner = sm_of(run)
            ask_for_act(state, memory, sm_of(act), act >> at.SM_BITS)
            if run_sm(state, groups, memory, runner, int64(-1), end) == NOT_NOW:
                enter(runs, leaves, runner, at.NEVER)
                enter(acts, leaves, runner, state.times[index(runner)])
            else:
                enter(runs, leaves, runner, state.times[index(runner)])
        else:
            waited += 1
            pause()
            continue
        waited = 0
        if 2 * scalars[TRACED.COUNT] > parameters[TRACE.TRACES]:
            progress[index(shared)] = min(until, end)
    return WAITS


@jitted
def busy_until(state):
    """The cycle behind the last one in which a sub-core issued."""
    busy = int64(0)
    for subcore in range(state.parameters[SIZE.SMS] * state.parameters[SIZE.SUBCORES]):
        busy = max(busy, state.subcores[index(subcore * at.SUBCORE_COLUMNS) + IDLE.SINCE])
    return busy


@inlined
def conclude(state, groups, memory, parts):
    """All parts have advanced: what has come of it, one of `sim.cores.returned`.  Nothing waits any
    more (see `deferred`)."""
    scalars, parameters = state.scalars, state.parameters
    until = state.progress[index(parts * at.HOST_LINE)]
    returned = QUANTUM
    first = int64(at.NEVER)
    for sm in range(parameters[SIZE.SMS]):
        first = min(first, state.times[index(sm)])
    if scalars[MET.FAULT] != FAULT.NO_FAULT:
        scalars[NOW.CYCLE] = scalars[MET.CYCLE]
        end = (scalars[MET.CYCLE] // parameters[ADVANCE.WINDOW] + 1) * parameters[ADVANCE.WINDOW]
        for sm in range(parameters[SIZE.SMS]):
            run_sm(state, groups, memory, sm, int64(-1), end)
        returned = FAULTED
    elif first == at.NEVER and scalars[DISPATCHED.GRIDS_LEFT] != 0:
        busy = busy_until(state)
        scalars[NOW.CYCLE] = max(scalars[NOW.CYCLE], min(busy, until))
        returned = STUCK if busy <= until else QUANTUM
    else:
        if first != at.NEVER or scalars[DISPATCHED.ENDED]:
            scalars[NOW.CYCLE] = until
        if first == at.NEVER or (scalars[DISPATCHED.ENDED] and scalars[DISPATCHED.GRIDS_LEFT] == 0):
            returned = DONE
    compute_all(state)
    return returned
