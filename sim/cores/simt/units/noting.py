"""Rows of `events`, from which timelines are made (see `sim.cores.simt.timeline`): what happens to
warps, what pipes and memory do for them, who comes to barriers.

Who notes something asks first whether a trace is wanted (TRACES); that is all that a run without
one pays.  What an instruction turns out to take is added to the row of its issue, the last one.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.kinds.simt.reconvergence import MASK
from sim.cores.jit import inlined, jitted
from sim.cores.simt import state as at
from sim.cores.simt import trace_events as told
from sim.cores.simt.units.account import (
    look_at_throttle,
    pipe_wanted,
    slot_of,
    throttled_before,
    warp_of,
)


@inlined
def row_at(state, number):
    """Where a row begins; rows that find no room are counted, and lost."""
    return index(min(number, state.parameters[at.TRACES] - 1) * at.EVENT_COLUMNS)


@inlined
def next_row(state, kind, cycle, sm):
    """Where the next row begins: of an event of an SM in a cycle."""
    base = row_at(state, state.scalars[at.TRACED])
    state.scalars[at.TRACED] += 1
    state.events[base + index(at.EVENT_KIND)] = kind
    state.events[base + index(at.EVENT_CYCLE)] = cycle
    state.events[base + index(at.EVENT_SM)] = sm
    return base


@inlined
def next_row_of_warp(state, kind, cycle, warp, pc, mask):
    """The same of a warp, which stands at a pc with some lanes."""
    base = next_row(state, kind, cycle, warp // state.parameters[at.SM_WARPS])
    slot = state.warps[index(warp * at.WARP_COLUMNS + at.BLOCK)]
    events = state.events
    events[base + index(at.EVENT_SLOT)] = slot_of(state.parameters, warp)
    events[base + index(at.EVENT_BLOCK)] = state.blocks[
        index(slot * at.BLOCK_COLUMNS + at.BLOCK_INDEX)
    ]
    events[base + index(at.EVENT_PC)] = pc
    events[base + index(at.EVENT_LANES)] = mask
    return base


@jitted
def note_event(state, kind, cycle, warp, pc, mask):
    """Something happens to lanes of a warp."""
    next_row_of_warp(state, kind, cycle, warp, pc, mask)


@jitted
def note_begin(state, cycle, warp, block, pc, mask):
    """A warp begins, of a block slot."""
    base = next_row_of_warp(state, told.WARP_BEGUN, cycle, warp, pc, mask)
    slots = state.parameters[at.BLOCK_SLOTS]
    state.events[base + index(at.EVENT_BLOCK_SLOT)] = block % slots


@jitted
def note_wait(state, kind, core, warp, pc, cycle, conflicts):
    """A warp has waited, for what its columns say, and issues or leaves in a cycle; to be called
    before that is charged."""
    mask = state.groups.running[index(warp), MASK]
    base = next_row_of_warp(state, kind, cycle, warp, pc, mask)
    own, events = index(warp * at.WARP_COLUMNS), state.events
    events[base + index(at.EVENT_HELD)] = state.warps[own + index(at.HELD_UNTIL)]
    events[base + index(at.EVENT_CHECK)] = state.warps[own + index(at.CHECK_UNTIL)]
    events[base + index(at.EVENT_READY)] = state.ready_at[index(warp)]
    events[base + index(at.EVENT_HOLD_REASON)] = state.warps[own + index(at.HOLD_REASON)]
    events[base + index(at.EVENT_WAIT_REASON)] = state.warps[own + index(at.WAIT_REASON)]
    events[base + index(at.EVENT_SINCE)] = state.warps[own + index(at.SINCE)]
    pipe = pipe_wanted(state, warp)
    throttled = throttled_before(state, core, pipe, cycle)
    events[base + index(at.EVENT_THROTTLED)] = (
        throttled - state.warps[own + index(at.THROTTLE_SEEN)]
    )
    events[base + index(at.EVENT_THROTTLE)] = state.throttles[index(pipe)]
    events[base + index(at.EVENT_CONFLICTS)] = conflicts
    events[base + index(at.EVENT_SERVED)] = at.NOT_SERVED
    events[base + index(at.EVENT_DONE)] = at.NOT_SERVED


@jitted
def note_waits(state, cycle):
    """All warps that are there wait in a cycle."""
    parameters = state.parameters
    for core in range(parameters[at.SMS] * parameters[at.SUBCORES]):
        resident = state.cores[index(core * at.CORE_COLUMNS + at.RESIDENT)]
        for bit in range(parameters[at.CORE_WARPS]):
            if (resident >> bit) & 1:
                look_at_throttle(state, core, bit, cycle)
                warp = warp_of(state, core, bit)
                pc = state.next_pcs[index(warp)]
                note_wait(state, told.WARP_WAITS, core, warp, pc, cycle, int64(0))


@jitted
def note_served(state, served):
    """The pipe of what issued last has served it in a cycle."""
    base = row_at(state, state.scalars[at.TRACED] - 1)
    state.events[base + index(at.EVENT_SERVED)] = served


@jitted
def note_done(state, done):
    """The access that issued last is done in a cycle."""
    base = row_at(state, state.scalars[at.TRACED] - 1)
    state.events[base + index(at.EVENT_DONE)] = done


@jitted
def note_barrier(state, kind, cycle, sm, block, barrier, value):
    """Threads of a block slot have come to a barrier, as many as `value`; or it lets them go on in
    that cycle."""
    base = next_row(state, kind, cycle, sm)
    events = state.events
    events[base + index(at.EVENT_BLOCK_SLOT)] = block % state.parameters[at.BLOCK_SLOTS]
    events[base + index(at.EVENT_BLOCK)] = state.blocks[
        index(block * at.BLOCK_COLUMNS + at.BLOCK_INDEX)
    ]
    events[base + index(at.EVENT_BARRIER)] = barrier
    events[base + index(at.EVENT_VALUE)] = value
