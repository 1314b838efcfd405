"""Rows of `events` of what warps have waited for: see `trace`."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.kinds.simt.reconvergence import MASK
from sim.cores.jit import jitted
from sim.cores.simt import state as at
from sim.cores.simt import trace_events as told
from sim.cores.simt.cycle.pipes import pipe_wanted, throttled_before
from sim.cores.simt.cycle.slots import warp_of
from sim.cores.simt.cycle.stalls import look_at_throttle
from sim.cores.simt.cycle.trace import next_row_of_warp
from sim.cores.simt.units.block_dispatcher import SLOTS
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.stalls import WAIT
from sim.cores.simt.units.trace import EVENT, NOT_SERVED


@jitted
def note_wait(state, kind, subcore, warp, pc, cycle, conflicts):
    """A warp has waited, for what its columns say, and issues or leaves in a cycle; to be called
    before that is charged."""
    mask = state.groups.running[index(warp), MASK]
    base = next_row_of_warp(state, kind, cycle, warp, pc, mask)
    own, events = index(warp * at.WARP_COLUMNS), state.events
    events[base + EVENT.HELD] = state.warps[own + WAIT.HELD_UNTIL]
    events[base + EVENT.CHECK] = state.warps[own + WAIT.CHECK_UNTIL]
    events[base + EVENT.READY] = state.ready_at[index(warp)]
    events[base + EVENT.HOLD_REASON] = state.warps[own + WAIT.HOLD_REASON]
    events[base + EVENT.WAIT_REASON] = state.warps[own + WAIT.WAIT_REASON]
    events[base + EVENT.SINCE] = state.warps[own + WAIT.SINCE]
    pipe = pipe_wanted(state, warp)
    throttled = throttled_before(state, subcore, pipe, cycle)
    events[base + EVENT.THROTTLED] = throttled - state.warps[own + WAIT.THROTTLE_SEEN]
    events[base + EVENT.THROTTLE] = state.throttles[index(pipe)]
    events[base + EVENT.CONFLICTS] = conflicts
    events[base + EVENT.SERVED] = NOT_SERVED
    events[base + EVENT.DONE] = NOT_SERVED


@jitted
def note_waits(state, cycle):
    """All warps that are there wait in a cycle."""
    parameters = state.parameters
    for subcore in range(parameters[SIZE.SMS] * parameters[SIZE.SUBCORES]):
        resident = state.subcores[index(subcore * at.SUBCORE_COLUMNS) + SLOTS.RESIDENT]
        for bit in range(parameters[SIZE.SUBCORE_WARPS]):
            if (resident >> bit) & 1:
                look_at_throttle(state, subcore, bit, cycle)
                warp = warp_of(state, subcore, bit)
                pc = state.next_pcs[index(warp)]
                note_wait(state, told.WARP_WAITS, subcore, warp, pc, cycle, int64(0))
