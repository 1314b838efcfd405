"""Rows of `events`, from which timelines are made (see `sim.cores.simt.timeline`): what happens to
warps, what pipes and memory do for them, who comes to barriers.

Who notes something asks first whether a trace is wanted (TRACES); that is all that a run without
one pays.  What an instruction turns out to take is added to the row of its issue, the last one.
"""

from __future__ import annotations

from numba import uint64 as index

from machines.kinds.simt.reconvergence import CHECK, DIVERGED, MASK, MERGED, PC
from sim.cores.jit import inlined, jitted
from sim.cores.simt import state as at
from sim.cores.simt import trace_events as told
from sim.cores.simt.cycle.slots import slot_of
from sim.cores.simt.units.barriers import KINDS as BARRIER_KINDS
from sim.cores.simt.units.block_dispatcher import BLOCK, DISPATCH, RESIDENT
from sim.cores.simt.units.block_dispatcher import KINDS as EXITS
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.trace import EVENT, TRACE, TRACED


@inlined
def row_at(state, number):
    """Where a row begins; rows that find no room are counted, and lost."""
    return index(min(number, state.parameters[TRACE.TRACES] - 1) * at.EVENT_COLUMNS)


@inlined
def next_row(state, kind, cycle, sm):
    """Where the next row begins: of an event of an SM in a cycle."""
    base = row_at(state, state.scalars[TRACED.COUNT])
    state.scalars[TRACED.COUNT] += 1
    state.events[base + EVENT.KIND] = kind
    state.events[base + EVENT.CYCLE] = cycle
    state.events[base + EVENT.SM] = sm
    return base


@inlined
def next_row_of_warp(state, kind, cycle, warp, pc, mask):
    """The same of a warp, which stands at a pc with some lanes."""
    base = next_row(state, kind, cycle, warp // state.parameters[SIZE.SM_WARPS])
    slot = state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK]
    events = state.events
    events[base + EVENT.SLOT] = slot_of(state.parameters, warp)
    events[base + EVENT.BLOCK] = state.blocks[index(slot * at.BLOCK_COLUMNS) + BLOCK.INDEX]
    events[base + EVENT.PC] = pc
    events[base + EVENT.LANES] = mask
    return base


@jitted
def note_event(state, kind, cycle, warp, pc, mask):
    """Something happens to lanes of a warp."""
    next_row_of_warp(state, kind, cycle, warp, pc, mask)


@jitted
def note_begin(state, cycle, warp, block, pc, mask):
    """A warp begins, of a block slot."""
    base = next_row_of_warp(state, told.WARP_BEGUN, cycle, warp, pc, mask)
    slots = state.parameters[DISPATCH.BLOCK_SLOTS]
    state.events[base + EVENT.BLOCK_SLOT] = block % slots


@jitted
def note_served(state, served):
    """The pipe of what issued last has served it in a cycle."""
    base = row_at(state, state.scalars[TRACED.COUNT] - 1)
    state.events[base + EVENT.SERVED] = served


@jitted
def note_done(state, done):
    """The access that issued last is done in a cycle."""
    base = row_at(state, state.scalars[TRACED.COUNT] - 1)
    state.events[base + EVENT.DONE] = done


@jitted
def note_barrier(state, kind, cycle, sm, block, barrier, value):
    """Threads of a block slot have come to a barrier, as many as `value`; or it lets them go on in
    that cycle."""
    base = next_row(state, kind, cycle, sm)
    events = state.events
    events[base + EVENT.BLOCK_SLOT] = block % state.parameters[DISPATCH.BLOCK_SLOTS]
    events[base + EVENT.BLOCK] = state.blocks[index(block * at.BLOCK_COLUMNS) + BLOCK.INDEX]
    events[base + EVENT.BARRIER] = barrier
    events[base + EVENT.VALUE] = value


@jitted
def trace_issue(state, kind, events, warp, pc, executing, cycle):
    """Note what an instruction has done to the lanes that run."""
    if kind == BARRIER_KINDS.BAR_SYNC:
        note_event(state, told.AT_BARRIER, cycle, warp, pc, executing)
    if kind == EXITS.EXIT and executing != 0:
        note_event(state, told.EXITED, cycle, warp, pc, executing)
    now, mask = state.groups.running[index(warp), PC], state.groups.running[index(warp), MASK]
    if events & CHECK:
        note_event(state, told.CHECKED, cycle, warp, now, mask)
    if events & DIVERGED:
        note_event(state, told.DIVERGED, cycle, warp, pc, executing)
    if events & MERGED:
        note_event(state, told.MERGED, cycle, warp, now, mask)
    begins = state.code[index(pc * at.CODE_COLUMNS) + INSTRUCTION.BEGINS_BLOCK] and now == pc + 1
    if mask != 0 and (begins or now != pc + 1):
        note_event(state, told.BLOCK_BEGUN, cycle, warp, now, mask)
