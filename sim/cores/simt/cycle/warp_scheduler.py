"""When a warp can issue, and which warp of a sub-core does.

`prepare` looks at a warp's next instruction once, when the one before has issued: the latest of
what it has to wait for is the cycle from which it is ready, and names the reason.  `pick` chooses
among ready warps whose pipe is free; `wake_warps` moves warps whose cycle has come to the ready
ones.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt import state as at
from sim.cores.simt.cycle.control_bits import counters_free
from sim.cores.simt.cycle.pipes import pipe_free, pipe_wanted, throttled_before
from sim.cores.simt.cycle.scoreboard import results_there
from sim.cores.simt.cycle.slots import warp_of
from sim.cores.simt.host.foresight import ask_for_issue
from sim.cores.simt.host.lane_words import first_bit, last_bit
from sim.cores.simt.units.block_dispatcher import SLOTS
from sim.cores.simt.units.control_bits import CONTROL_BITS
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.pipes import PIPES, USE
from sim.cores.simt.units.stalls import IDLE, WAIT
from sim.cores.simt.units.warp_scheduler import POLICY, SCHEDULE, SCHEDULER
from sim.cores.together import least_above, up_to, with_any_of


@inlined
def prepare(state, subcore, warp, pc):
    """Work out from when a warp can issue its next instruction; its CHECK_UNTIL stands already."""
    if state.parameters[CONTROL_BITS.USED]:
        ready, reason = counters_free(state, warp, pc)
    else:
        ready, reason = results_there(state, warp, pc)
    own = index(warp * at.WARP_COLUMNS)
    state.ready_at[index(warp)] = ready
    state.warps[own + WAIT.WAIT_REASON] = reason
    state.next_pcs[index(warp)] = pc
    pipe = state.code[index(pc * at.CODE_COLUMNS) + USE.PIPE]
    queue = index(subcore * state.parameters[PIPES.STRIDE] + pipe)
    state.waiting[queue] |= int64(1) << (warp - warp_of(state, subcore, 0))


@inlined
def announce(state, subcore, ready):
    """A warp of a sub-core will be ready in a cycle."""
    subcores, base = state.subcores, index(subcore * at.SUBCORE_COLUMNS)
    if ready < subcores[base + SCHEDULE.NEXT_READY]:
        subcores[base + SCHEDULE.NEXT_READY] = ready
    come = max(ready, subcores[base + IDLE.SINCE])
    if come < state.turns[index(subcore)]:
        state.turns[index(subcore)] = come


@inlined
def come_by(state, subcore, cycle):
    """(the warps that are ready in a cycle, as bits; when the first of the others is)."""
    first, warps = warp_of(state, subcore, 0), state.parameters[SIZE.SUBCORE_WARPS]
    come, later = int64(0), int64(at.NEVER)
    whole = warps & -at.HOST_LINE
    for bit in range(0, whole, at.HOST_LINE):
        come |= up_to(state.ready_at, first + bit, cycle) << bit
        later = min(later, least_above(state.ready_at, first + bit, cycle))
    for bit in range(whole, warps):
        ready = state.ready_at[index(first + bit)]
        come |= int64(ready <= cycle) << bit
        later = min(later, at.NEVER if ready <= cycle else ready)
    return come, later


@inlined
def note_throttled(state, subcore, warp):
    """A warp becomes ready: note how long its pipe has kept warps back up to then."""
    seen = index(warp * at.WARP_COLUMNS) + WAIT.THROTTLE_SEEN
    state.warps[seen] = throttled_before(
        state, subcore, pipe_wanted(state, warp), state.ready_at[index(warp)]
    )


@inlined
def go_on(state, subcore, warp, pc, cycle):
    """A warp has issued, and its sub-core's next turn is in a cycle: from when it can issue what
    comes next.  If that is then it stays ready, which spares `wake_warps`, unless its control bits
    may say otherwise yet."""
    prepare(state, subcore, warp, pc)
    ready = state.ready_at[index(warp)]
    if ready <= cycle and not state.parameters[CONTROL_BITS.USED]:
        bit = warp - warp_of(state, subcore, 0)
        state.subcores[index(subcore * at.SUBCORE_COLUMNS) + SCHEDULE.READY] |= int64(1) << bit
        state.turns[index(subcore)] = cycle
        note_throttled(state, subcore, warp)
    else:
        announce(state, subcore, ready)


@inlined
def wake_warps(state, subcore, cycle):
    """Warps whose cycle has come are ready from now on.

    Returns the bit of one that only waits to leave, if there is one, else -1.
    """
    subcores, base = state.subcores, index(subcore * at.SUBCORE_COLUMNS)
    come, later = come_by(state, subcore, cycle)
    leaving = come & subcores[base + SLOTS.LEAVING]
    fresh = come & ~(subcores[base + SCHEDULE.READY] | leaving)
    subcores[base + SCHEDULE.READY] |= fresh
    while fresh != 0:
        warp = warp_of(state, subcore, first_bit(fresh))
        fresh &= fresh - 1
        ask_for_issue(state, warp, state.next_pcs[index(warp)])
        note_throttled(state, subcore, warp)
    rest = leaving
    while rest != 0:
        later = min(later, state.ready_at[index(warp_of(state, subcore, first_bit(rest)))])
        rest &= rest - 1
    subcores[base + SCHEDULE.NEXT_READY] = later
    return last_bit(leaving)


@inlined
def first_in_turn(state, subcore, warps, last):
    """Which of some warps, given as bits, the policy prefers: a bit number."""
    if warps & (warps - 1) == 0:
        return first_bit(warps)
    policy = state.parameters[SCHEDULER.POLICY]
    if policy == POLICY.LRR:
        behind = warps & ~((int64(2) << last) - 1)
        return first_bit(behind if behind != 0 else warps)
    best, best_rank = int64(-1), int64(0)
    while warps != 0:
        bit = first_bit(warps)
        warps &= warps - 1
        age = state.ages[index(warp_of(state, subcore, bit))]
        rank = -age if policy == POLICY.GTY else age
        if best < 0 or rank < best_rank:
            best = bit
            best_rank = rank
    return best


@jitted
def choose(state, subcore, cycle):
    """The bit of the ready warp to issue; -1: none, and `turns` says when to look again."""
    subcores, parameters = state.subcores, state.parameters
    base, own = index(subcore * at.SUBCORE_COLUMNS), subcore * parameters[PIPES.STRIDE]
    ready, last = subcores[base + SCHEDULE.READY], subcores[base + SCHEDULE.LAST]
    later = subcores[base + SCHEDULE.NEXT_READY]
    yielded = subcores[base + SCHEDULE.YIELDED]
    if yielded > cycle and (ready >> last) & 1:
        later = min(later, max(yielded, pipe_free(state, subcore, last)))
        ready &= ~(int64(1) << last)
    found = int64(0)
    for pipe in range(own, own + parameters[PIPES.STRIDE], at.HOST_LINE):
        wanted = with_any_of(state.waiting, pipe, ready)
        free = wanted & up_to(state.free_at, pipe, cycle)
        shut = wanted & ~free
        while free != 0:
            found |= state.waiting[index(pipe + first_bit(free))] & ready
            free &= free - 1
        while shut != 0:
            later = min(later, state.free_at[index(pipe + first_bit(shut))])
            shut &= shut - 1
    if found != 0:
        return first_in_turn(state, subcore, found, last)
    state.turns[index(subcore)] = later
    return int64(-1)


@inlined
def pick(state, subcore, cycle):
    """As `choose`; greedy policies look at the last warp first."""
    subcores = state.subcores
    base = index(subcore * at.SUBCORE_COLUMNS)
    last = subcores[base + SCHEDULE.LAST]
    is_ready = (subcores[base + SCHEDULE.READY] >> last) & 1 and subcores[
        base + SCHEDULE.YIELDED
    ] <= cycle
    is_greedy = state.parameters[SCHEDULER.POLICY] != POLICY.LRR
    if is_greedy and is_ready and pipe_free(state, subcore, last) <= cycle:
        return last
    return choose(state, subcore, cycle)
