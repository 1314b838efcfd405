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
from sim.cores.simt import state as at
from sim.cores.simt import trace_events as told
from sim.cores.simt.host.lane_words import first_bit
from sim.cores.simt.units import convergence
from sim.cores.simt.units.account import charge, warp_of
from sim.cores.simt.units.noting import note_barrier
from sim.cores.simt.units.schedule import announce, prepare


@inlined
def barrier_at(parameters, block, barrier):
    """Where the columns of a barrier of a block slot begin."""
    return index((block * parameters[at.BARRIERS] + barrier) * at.BARRIER_COLUMNS)


@jitted
def arrive(state, groups, sm, block, barrier, threads, wanted, cycle, come):
    """So many threads come to a barrier that wants so many (0: all that are left), in cycle `come`,
    now or later."""
    base = barrier_at(state.parameters, block, barrier)
    rate = state.parameters[at.ARRIVALS]
    own = index(sm * at.SM_COLUMNS + at.SM_ARRIVALS)
    begin = max(come, state.sms[own])
    state.sms[own] = begin + (threads + rate - 1) // rate
    state.barriers[base + index(at.ARRIVED)] += threads
    state.barriers[base + index(at.WANTED)] = wanted
    state.barriers[base + index(at.LAST_ARRIVAL)] = max(begin, state.sms[own] - 1)
    if state.parameters[at.TRACES]:
        note_barrier(state, told.ARRIVED, cycle, sm, block, barrier, threads)
    open_if_complete(state, groups, sm, block, barrier, cycle)


@jitted
def open_if_complete(state, groups, sm, block, barrier, cycle):
    """Let go who is held at a barrier if as many have come as it wants."""
    base = barrier_at(state.parameters, block, barrier)
    arrived, wanted = (
        state.barriers[base + index(at.ARRIVED)],
        state.barriers[base + index(at.WANTED)],
    )
    if wanted == 0:
        wanted = state.blocks[index(block * at.BLOCK_COLUMNS + at.BLOCK_THREADS)]
    if arrived == 0 or arrived < wanted:
        return
    state.barriers[base + index(at.ARRIVED)] = 0
    last = max(cycle, state.barriers[base + index(at.LAST_ARRIVAL)])
    until = last + state.parameters[at.BARRIER_LATENCY]
    if state.parameters[at.TRACES]:
        note_barrier(state, told.OPENED, cycle, sm, block, barrier, until)
    let_go(state, groups, sm, block, barrier, cycle, until)


@jitted
def let_go(state, groups, sm, block, barrier, cycle, until):
    """Who is held at a barrier may go on in cycle `until`."""
    parameters = state.parameters
    for core in range(sm * parameters[at.SUBCORES], (sm + 1) * parameters[at.SUBCORES]):
        rest = state.cores[index(core * at.CORE_COLUMNS + at.RESIDENT)]
        while rest != 0:
            warp = warp_of(state, core, first_bit(rest))
            rest &= rest - 1
            if state.warps[index(warp * at.WARP_COLUMNS + at.BLOCK)] != block:
                continue
            if state.groups.running[index(warp), LIVE] == 0:
                continue
            was_blocked = state.groups.running[index(warp), MASK] == 0
            events = convergence.release(groups, warp, state.rules, barrier)
            if was_blocked and state.groups.running[index(warp), MASK] != 0:
                resume(state, warp, core, cycle, until, events)


@jitted
def resume(state, warp, core, cycle, until, events):
    """A warp none of whose lanes could run goes on in cycle `until`."""
    own = index(warp * at.WARP_COLUMNS)
    until = max(until, cycle + 1)
    state.warps[own + index(at.HELD_UNTIL)] = until
    cost = state.parameters[at.CHECK_COST] if events & CHECK else int64(0)
    state.warps[own + index(at.CHECK_UNTIL)] = until + cost
    charge(state, warp, core, until + cost)
    pc = state.groups.running[index(warp), PC]
    prepare(state, core, warp, pc)
    announce(state, core, state.ready_at[index(warp)])


@jitted
def threads_ended(state, groups, sm, block, threads, cycle):
    """Threads of a block have ended: barriers that wait for all that are left may open."""
    own = index(block * at.BLOCK_COLUMNS + at.BLOCK_THREADS)
    state.blocks[own] -= threads
    for barrier in range(state.parameters[at.BARRIERS]):
        if state.barriers[barrier_at(state.parameters, block, barrier) + index(at.WANTED)] == 0:
            open_if_complete(state, groups, sm, block, barrier, cycle)
