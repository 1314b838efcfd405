"""When a warp can issue, and which warp of a sub-core does.

`prepare` looks at a warp's next instruction once, when the one before has issued: the latest of
what it has to wait for is the cycle from which it is ready, and names the reason.  `pick` chooses
among ready warps whose pipe is free; `wake_warps` moves warps whose cycle has come to the ready
ones.
"""

from __future__ import annotations

from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.account import pipe_at, throttled_before, warp_of
from sim.cores.simt.lane_words import first_bit

CLASS_BITS = 8
CLASS_MASK = (1 << CLASS_BITS) - 1


@inlined
def prepare(state, warp, pc):
    """Work out from when a warp can issue its next instruction; its CHECK_UNTIL stands already."""
    warps, code, parameters = state.warps, state.code, state.parameters
    own, base = index(warp * at.WARP_COLUMNS), index(pc * at.CODE_COLUMNS)
    ready, reason = warps[own + index(at.CHECK_UNTIL)], why.WAIT
    if parameters[at.BY_CONTROL_BITS]:
        wanted = code[base + index(at.WAIT_MASK)]
        if wanted != 0:
            for counter in range(at.COUNTERS):
                if (wanted >> counter) & 1:
                    free = warps[own + index(at.COUNTER + counter)]
                    if free > ready:
                        ready = free
                        reason = warps[own + index(at.COUNTER + at.COUNTERS + counter)]
    else:
        scoreboard, waits = state.scoreboard, state.waits
        first = index(warp * parameters[at.SCOREBOARD_STRIDE])
        shift = index(code[base + index(at.PIPE)])
        pipes = index(parameters[at.PIPES])
        entry = base + index(at.SOURCE)
        last = entry + index(code[base + index(at.SOURCES)])
        while entry < last:
            noted = scoreboard[first + index(code[entry])]
            producer = index(noted & CLASS_MASK)
            usable = (noted >> CLASS_BITS) + state.extra[producer * pipes + shift]
            if usable > ready:
                ready = usable
                reason = waits[producer]
            entry += index(1)
        entry = base + index(at.DESTINATION)
        last = entry + index(code[base + index(at.DESTINATIONS)])
        while entry < last:
            noted = scoreboard[first + index(code[entry])]
            if noted >> CLASS_BITS > ready:
                kind = waits[index(noted & CLASS_MASK)]
                if kind != why.WAIT:  # of fixed latencies the later write comes later
                    ready = noted >> CLASS_BITS
                    reason = kind
            entry += index(1)
        guard = code[base + index(at.GUARD)]
        if guard != 0:
            number = abs(guard) - 1
            noted = scoreboard[first + index(parameters[at.FIRST_PREDICATE] + number)]
            producer = index(noted & CLASS_MASK)
            usable = (noted >> CLASS_BITS) + state.guard_extra[producer]
            if usable > ready:
                ready = usable
                reason = waits[producer]
    warps[own + index(at.READY_AT)] = ready
    warps[own + index(at.WAIT_REASON)] = reason
    warps[own + index(at.CHARGED_PC)] = pc


@inlined
def announce(state, core, ready):
    """A warp of a sub-core will be ready in a cycle."""
    cores, base = state.cores, index(core * at.CORE_COLUMNS)
    if ready < cores[base + index(at.NEXT_READY)]:
        cores[base + index(at.NEXT_READY)] = ready
    come = max(ready, cores[base + index(at.IDLE_SINCE)])
    if come < cores[base + index(at.NEXT)]:
        cores[base + index(at.NEXT)] = come


@inlined
def wake_warps(state, core, cycle):
    """Warps whose cycle has come are ready from now on.

    Returns the bit of one that only waits to leave, if there is one, else -1.
    """
    cores, warps, parameters = state.cores, state.warps, state.parameters
    base = index(core * at.CORE_COLUMNS)
    leaving = -1
    ready = cores[base + index(at.READY)]
    rest = cores[base + index(at.RESIDENT)] & ~ready
    earliest = at.NEVER
    while rest != 0:
        bit = first_bit(rest)
        rest &= rest - 1
        warp = warp_of(state, core, bit)
        own = index(warp * at.WARP_COLUMNS)
        come = warps[own + index(at.READY_AT)]
        if come <= cycle:
            pc = warps[own + index(at.CHARGED_PC)]
            if state.groups.live[index(warp)] == 0:
                leaving = bit
                earliest = min(earliest, come)
                continue
            ready |= 1 << bit
            pipe = state.code[index(pc * at.CODE_COLUMNS + at.PIPE)]
            base_of_pipe = pipe_at(parameters, core, pipe)
            warps[own + index(at.THROTTLE_SEEN)] = throttled_before(state.pipes, base_of_pipe, come)
        else:
            earliest = min(earliest, come)
    cores[base + index(at.READY)] = ready
    cores[base + index(at.NEXT_READY)] = earliest
    return leaving


@inlined
def pipe_free(state, core, bit):
    """From when the pipe of a ready warp's next instruction can take it."""
    warp = warp_of(state, core, bit)
    pc = state.warps[index(warp * at.WARP_COLUMNS + at.CHARGED_PC)]
    pipe = state.code[index(pc * at.CODE_COLUMNS + at.PIPE)]
    return state.pipes[pipe_at(state.parameters, core, pipe) + index(at.FREE)]


@jitted
def choose(state, core, cycle):
    """The bit of the ready warp to issue; -1: none, and NEXT says when to look again."""
    cores, parameters = state.cores, state.parameters
    base = index(core * at.CORE_COLUMNS)
    ready = cores[base + index(at.READY)]
    last, policy = cores[base + index(at.LAST)], parameters[at.SCHEDULER]
    come = cores[base + index(at.NEXT_READY)]
    best = -1
    best_rank = 0
    count = parameters[at.CORE_WARPS]
    rest = ready
    while rest != 0:
        bit = first_bit(rest)
        rest &= rest - 1
        free = pipe_free(state, core, bit)
        if bit == last and cores[base + index(at.YIELDED)] > cycle:
            free = max(free, cores[base + index(at.YIELDED)])
        if free > cycle:
            come = min(come, free)
            continue
        if policy == at.LRR:
            rank = (bit - last - 1) % count
        else:
            rank = state.warps[index(warp_of(state, core, bit) * at.WARP_COLUMNS + at.AGE)]
            rank = -rank if policy == at.GTY else rank
        if best < 0 or rank < best_rank:
            best = bit
            best_rank = rank
    if best < 0:
        cores[base + index(at.NEXT)] = come
    return best


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
