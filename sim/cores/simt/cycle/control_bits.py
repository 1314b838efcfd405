"""Control bits: counters of a warp, and how long it stays away."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.kinds.simt.program import NO_COUNTER
from sim.cores.jit import inlined
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.host.lane_words import first_bit
from sim.cores.simt.units.control_bits import BITS, CONTROL_BITS, COUNTER
from sim.cores.simt.units.scoreboard import DEPENDENCE, PRODUCER
from sim.cores.simt.units.stalls import WAIT
from sim.cores.simt.units.warp_scheduler import SCHEDULE


@inlined
def counters_free(state, warp, pc):
    """(from when the counters are free that an instruction's control bits name, the reason)."""
    counters, own = state.counters, index(warp * at.COUNTER_COLUMNS)
    ready = state.warps[index(warp * at.WARP_COLUMNS) + WAIT.CHECK_UNTIL]
    reason = int64(why.WAIT)
    wanted = state.code[index(pc * at.CODE_COLUMNS) + BITS.WAIT_MASK]
    while wanted != 0:
        counter = own + index(first_bit(wanted))
        wanted &= wanted - 1
        if counters[counter + COUNTER.FREE_AT] > ready:
            ready = counters[counter + COUNTER.FREE_AT]
            reason = counters[counter + COUNTER.FREE_REASON]
    return ready, reason


@inlined
def note_counters(state, warp, pc, begin, done):
    """Control bits: which counters an instruction keeps until when."""
    if not state.parameters[CONTROL_BITS.USED]:
        return
    code = state.code
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.COUNTER_COLUMNS)
    reason = state.producers[index(code[base + DEPENDENCE.PRODUCER] + PRODUCER.REASON)]
    counter = code[base + BITS.WRITE_COUNTER]
    if counter != NO_COUNTER:
        behind = code[base + BITS.BEHIND_RESULT]
        hold_counter(state.counters, own + index(counter), done + behind, reason)
    counter = code[base + BITS.READ_COUNTER]
    if counter != NO_COUNTER:
        read = begin + code[base + BITS.READ_LATENCY]
        hold_counter(state.counters, own + index(counter), read, reason)


@inlined
def hold_counter(counters, counter, until, reason):
    """A counter of a warp is not 0 before a cycle."""
    if until > counters[counter + COUNTER.FREE_AT]:
        counters[counter + COUNTER.FREE_AT] = until
        counters[counter + COUNTER.FREE_REASON] = reason


@inlined
def keep_stall(state, subcore, warp, base, cycle):
    """Control bits: the warp stays away for some cycles, and may give way in the next."""
    if state.parameters[CONTROL_BITS.USED]:
        own = index(warp * at.WARP_COLUMNS)
        ready = cycle + state.code[base + BITS.STALL_COUNT]
        if ready > state.ready_at[index(warp)]:
            state.ready_at[index(warp)] = ready
            state.warps[own + WAIT.WAIT_REASON] = why.WAIT
        if state.code[base + BITS.YIELDS]:
            state.subcores[index(subcore * at.SUBCORE_COLUMNS) + SCHEDULE.YIELDED] = cycle + 2
