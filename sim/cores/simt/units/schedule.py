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
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.host.foresight import ask_for_issue
from sim.cores.simt.host.lane_words import first_bit, last_bit
from sim.cores.simt.units.account import pipe_wanted, throttled_before, warp_of
from sim.cores.together import least_above, up_to, with_any_of

PRODUCER = (1 << at.PRODUCER_BITS) - 1
COLUMN = (1 << at.WAITED_BITS) - 1


@inlined
def prepare(state, core, warp, pc):
    """Work out from when a warp can issue its next instruction; its CHECK_UNTIL stands already."""
    if state.parameters[at.BY_CONTROL_BITS]:
        ready, reason = counters_free(state, warp, pc)
    else:
        ready, reason = results_there(state, warp, pc)
    own = index(warp * at.WARP_COLUMNS)
    state.ready_at[index(warp)] = ready
    state.warps[own + index(at.WAIT_REASON)] = reason
    state.next_pcs[index(warp)] = pc
    pipe = state.code[index(pc * at.CODE_COLUMNS + at.PIPE)]
    queue = index(core * state.parameters[at.PIPE_STRIDE] + pipe)
    state.waiting[queue] |= int64(1) << (warp - warp_of(state, core, 0))


@inlined
def counters_free(state, warp, pc):
    """(from when the counters are free that an instruction's control bits name, the reason)."""
    warps, own = state.warps, index(warp * at.WARP_COLUMNS)
    ready, reason = warps[own + index(at.CHECK_UNTIL)], int64(why.WAIT)
    wanted = state.code[index(pc * at.CODE_COLUMNS + at.WAIT_MASK)]
    while wanted != 0:
        counter = own + index(at.COUNTER + first_bit(wanted))
        wanted &= wanted - 1
        if warps[counter] > ready:
            ready = warps[counter]
            reason = warps[counter + index(at.COUNTERS)]
    return ready, reason


@inlined
def results_there(state, warp, pc):
    """(from when all is there that an instruction waits for, the reason).  The first few are looked
    at without a branch: most wait for no more, and how many cannot be foreseen."""
    base = index(pc * at.CODE_COLUMNS)
    first = index(warp * state.parameters[at.SCOREBOARD_STRIDE])
    ready = state.warps[index(warp * at.WARP_COLUMNS + at.CHECK_UNTIL)]
    producer = int64(0)
    for number in range(at.WAITED_AT_ONCE):
        waited = base + index(at.WAITED + number)
        ready, producer = wait_for(state, first, waited, ready, producer)
    for number in range(at.WAITED_AT_ONCE, state.code[base + index(at.WAITS)]):
        waited = base + index(at.WAITED + number)
        ready, producer = wait_for(state, first, waited, ready, producer)
    return ready, state.producers[index(producer + at.REASON)]


@inlined
def wait_for(state, first, waited, ready, producer):
    """(a cycle, who is waited for up to it), or those of one more that is waited for, if they come
    later."""
    entry = state.code[waited]
    noted = state.scoreboard[first + index(entry >> at.WAITED_BITS)]
    other = noted & PRODUCER
    usable = (noted >> at.PRODUCER_BITS) + state.producers[index(other + (entry & COLUMN))]
    is_later = usable > ready
    return usable if is_later else ready, other if is_later else producer


@inlined
def announce(state, core, ready):
    """A warp of a sub-core will be ready in a cycle."""
    cores, base = state.cores, index(core * at.CORE_COLUMNS)
    if ready < cores[base + index(at.NEXT_READY)]:
        cores[base + index(at.NEXT_READY)] = ready
    come = max(ready, cores[base + index(at.IDLE_SINCE)])
    if come < state.turns[index(core)]:
        state.turns[index(core)] = come


@inlined
def come_by(state, core, cycle):
    """(the warps that are ready in a cycle, as bits; when the first of the others is)."""
    first, warps = warp_of(state, core, 0), state.parameters[at.CORE_WARPS]
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
def note_throttled(state, core, warp):
    """A warp becomes ready: note how long its pipe has kept warps back up to then."""
    seen = index(warp * at.WARP_COLUMNS + at.THROTTLE_SEEN)
    state.warps[seen] = throttled_before(
        state, core, pipe_wanted(state, warp), state.ready_at[index(warp)]
    )


@inlined
def go_on(state, core, warp, pc, cycle):
    """A warp has issued, and its sub-core's next turn is in a cycle: from when it can issue what
    comes next.  If that is then it stays ready, which spares `wake_warps`, unless its control bits
    may say otherwise yet."""
    prepare(state, core, warp, pc)
    ready = state.ready_at[index(warp)]
    if ready <= cycle and not state.parameters[at.BY_CONTROL_BITS]:
        bit = warp - warp_of(state, core, 0)
        state.cores[index(core * at.CORE_COLUMNS + at.READY)] |= int64(1) << bit
        state.turns[index(core)] = cycle
        note_throttled(state, core, warp)
    else:
        announce(state, core, ready)


@inlined
def wake_warps(state, core, cycle):
    """Warps whose cycle has come are ready from now on.

    Returns the bit of one that only waits to leave, if there is one, else -1.
    """
    cores, base = state.cores, index(core * at.CORE_COLUMNS)
    come, later = come_by(state, core, cycle)
    leaving = come & cores[base + index(at.LEAVING)]
    fresh = come & ~(cores[base + index(at.READY)] | leaving)
    cores[base + index(at.READY)] |= fresh
    while fresh != 0:
        warp = warp_of(state, core, first_bit(fresh))
        fresh &= fresh - 1
        ask_for_issue(state, warp, state.next_pcs[index(warp)])
        note_throttled(state, core, warp)
    rest = leaving
    while rest != 0:
        later = min(later, state.ready_at[index(warp_of(state, core, first_bit(rest)))])
        rest &= rest - 1
    cores[base + index(at.NEXT_READY)] = later
    return last_bit(leaving)


@inlined
def pipe_free(state, core, bit):
    """From when the pipe of a ready warp's next instruction can take it."""
    warp = warp_of(state, core, bit)
    pipe = pipe_wanted(state, warp)
    return state.free_at[index(core * state.parameters[at.PIPE_STRIDE] + pipe)]


@inlined
def first_in_turn(state, core, warps, last):
    """Which of some warps, given as bits, the policy prefers: a bit number."""
    if warps & (warps - 1) == 0:
        return first_bit(warps)
    policy = state.parameters[at.SCHEDULER]
    if policy == at.LRR:
        behind = warps & ~((int64(2) << last) - 1)
        return first_bit(behind if behind != 0 else warps)
    best, best_rank = int64(-1), int64(0)
    while warps != 0:
        bit = first_bit(warps)
        warps &= warps - 1
        age = state.ages[index(warp_of(state, core, bit))]
        rank = -age if policy == at.GTY else age
        if best < 0 or rank < best_rank:
            best = bit
            best_rank = rank
    return best


@jitted
def choose(state, core, cycle):
    """The bit of the ready warp to issue; -1: none, and `turns` says when to look again."""
    cores, parameters = state.cores, state.parameters
    base, own = index(core * at.CORE_COLUMNS), core * parameters[at.PIPE_STRIDE]
    ready, last = cores[base + index(at.READY)], cores[base + index(at.LAST)]
    later = cores[base + index(at.NEXT_READY)]
    yielded = cores[base + index(at.YIELDED)]
    if yielded > cycle and (ready >> last) & 1:
        later = min(later, max(yielded, pipe_free(state, core, last)))
        ready &= ~(int64(1) << last)
    found = int64(0)
    for pipe in range(own, own + parameters[at.PIPE_STRIDE], at.HOST_LINE):
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
        return first_in_turn(state, core, found, last)
    state.turns[index(core)] = later
    return int64(-1)


@inlined
def pick(state, core, cycle):
    """As `choose`; greedy policies look at the last warp first."""
    cores = state.cores
    base = index(core * at.CORE_COLUMNS)
    last = cores[base + index(at.LAST)]
    is_ready = (cores[base + index(at.READY)] >> last) & 1 and cores[
        base + index(at.YIELDED)
    ] <= cycle
    is_greedy = state.parameters[at.SCHEDULER] != at.LRR
    if is_greedy and is_ready and pipe_free(state, core, last) <= cycle:
        return last
    return choose(state, core, cycle)
