"""Barriers of a block: threads arrive one by one, as from Volta on; the last ones open it.

    bar.sync 0, 64       threads 0 … 31 arrive in cycle 10, 32 … 63 in cycle 20, at 16 a cycle:
                         the last count in cycle 21, all go on in cycle 21 + latency

A barrier without a count waits for all threads of the block that have not ended.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.kinds.simt.reconvergence import CHECK, LIVE, MASK, PC
from sim.cores.jit import inlined, jitted
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt import trace_events as told
from sim.cores.simt.cycle import convergence
from sim.cores.simt.cycle.meetings import barrier_row, number_of_warp, open_barrier, tell
from sim.cores.simt.cycle.operands import number_of
from sim.cores.simt.cycle.slots import warp_of
from sim.cores.simt.cycle.stalls import charge
from sim.cores.simt.cycle.trace import note_barrier
from sim.cores.simt.cycle.warp_scheduler import announce, prepare
from sim.cores.simt.host.lane_words import bit_count, first_bit
from sim.cores.simt.units.async_copies import COPYING
from sim.cores.simt.units.barriers import ARRIVAL, BARRIER, BARRIERS, KINDS, SM_BARRIERS
from sim.cores.simt.units.block_dispatcher import BLOCK, RESIDENT, SLOTS
from sim.cores.simt.units.convergence import CHECKS
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.stalls import WAIT
from sim.cores.simt.units.trace import TRACE


@inlined
def barrier_at(parameters, block, barrier):
    """Where the columns of a barrier of a block slot begin."""
    return index((block * parameters[BARRIERS.COUNT] + barrier) * at.BARRIER_COLUMNS)


@jitted
def arrive(state, groups, sm, block, barrier, threads, wanted, cycle, come):
    """So many threads come to a barrier that wants so many (0: all that are left), in cycle `come`,
    now or later."""
    base = barrier_at(state.parameters, block, barrier)
    rate = state.parameters[BARRIERS.ARRIVALS]
    own = index(sm * at.SM_COLUMNS) + SM_BARRIERS.NEXT_ARRIVAL
    begin = max(come, state.sms[own])
    state.sms[own] = begin + (threads + rate - 1) // rate
    state.barriers[base + ARRIVAL.ARRIVED] += threads
    state.barriers[base + ARRIVAL.WANTED] = wanted
    state.barriers[base + ARRIVAL.LAST_ARRIVAL] = max(begin, state.sms[own] - 1)
    if state.parameters[TRACE.TRACES]:
        note_barrier(state, told.ARRIVED, cycle, sm, block, barrier, threads)
    open_if_complete(state, groups, sm, block, barrier, cycle)


@jitted
def open_if_complete(state, groups, sm, block, barrier, cycle):
    """Let go who is held at a barrier if as many have come as it wants."""
    base = barrier_at(state.parameters, block, barrier)
    arrived, wanted = (
        state.barriers[base + ARRIVAL.ARRIVED],
        state.barriers[base + ARRIVAL.WANTED],
    )
    if wanted == 0:
        wanted = state.blocks[index(block * at.BLOCK_COLUMNS) + BLOCK.THREADS]
    if arrived == 0 or arrived < wanted:
        return
    state.barriers[base + ARRIVAL.ARRIVED] = 0
    if state.parameters[COPYING.USED]:
        open_barrier(state, block, barrier, state.barriers[base + ARRIVAL.WAITING])
        state.barriers[base + ARRIVAL.WAITING] = 0
    last = max(cycle, state.barriers[base + ARRIVAL.LAST_ARRIVAL])
    until = last + state.parameters[BARRIERS.LATENCY]
    if state.parameters[TRACE.TRACES]:
        note_barrier(state, told.OPENED, cycle, sm, block, barrier, until)
    let_go(state, groups, sm, block, barrier, cycle, until)


@jitted
def let_go(state, groups, sm, block, barrier, cycle, until):
    """Who is held at a barrier may go on in cycle `until`."""
    parameters = state.parameters
    for subcore in range(sm * parameters[SIZE.SUBCORES], (sm + 1) * parameters[SIZE.SUBCORES]):
        rest = state.subcores[index(subcore * at.SUBCORE_COLUMNS) + SLOTS.RESIDENT]
        while rest != 0:
            warp = warp_of(state, subcore, first_bit(rest))
            rest &= rest - 1
            if state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK] != block:
                continue
            if state.groups.running[index(warp), LIVE] == 0:
                continue
            was_blocked = state.groups.running[index(warp), MASK] == 0
            events = convergence.release(groups, warp, state.rules, barrier)
            if was_blocked and state.groups.running[index(warp), MASK] != 0:
                resume(state, warp, subcore, cycle, until, events)


@jitted
def resume(state, warp, subcore, cycle, until, events):
    """A warp none of whose lanes could run goes on in cycle `until`."""
    own = index(warp * at.WARP_COLUMNS)
    until = max(until, cycle + 1)
    state.warps[own + WAIT.HELD_UNTIL] = until
    cost = state.parameters[CHECKS.CHECK_COST] if events & CHECK else int64(0)
    state.warps[own + WAIT.CHECK_UNTIL] = until + cost
    charge(state, warp, subcore, until + cost)
    pc = state.groups.running[index(warp), PC]
    prepare(state, subcore, warp, pc)
    announce(state, subcore, state.ready_at[index(warp)])


@jitted
def threads_ended(state, groups, sm, block, threads, cycle):
    """Threads of a block have ended: barriers that wait for all that are left may open."""
    own = index(block * at.BLOCK_COLUMNS) + BLOCK.THREADS
    state.blocks[own] -= threads
    for barrier in range(state.parameters[BARRIERS.COUNT]):
        if state.barriers[barrier_at(state.parameters, block, barrier) + ARRIVAL.WANTED] == 0:
            open_if_complete(state, groups, sm, block, barrier, cycle)


@inlined
def control(state, groups, memory, sm, warp, pc, executing, cycle, kind, until):
    """Threads come to a barrier: see `choose`."""
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    block, barrier = state.warps[own + RESIDENT.BLOCK], state.code[base + BARRIER.NUMBER]
    wanted = number_of(state, warp, base, state.code[base + BARRIER.THREADS], executing)
    events = int64(0)
    if state.parameters[COPYING.USED]:
        tell(state, warp, barrier_row(state, block, barrier))
        if kind == KINDS.BAR_SYNC:
            waiting = barrier_at(state.parameters, block, barrier) + ARRIVAL.WAITING
            state.barriers[waiting] |= int64(1) << number_of_warp(state, warp)
    if kind == KINDS.BAR_SYNC:
        events = convergence.hold(groups, warp, state.rules, pc, barrier)
    arrive(state, groups, sm, block, barrier, bit_count(executing), wanted, cycle, until)
    return events, until, int64(why.BRANCH_RESOLVING), kind != KINDS.BAR_SYNC
