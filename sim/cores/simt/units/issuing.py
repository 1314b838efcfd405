"""What every instruction does to its warp, its sub-core and its pipe when it issues."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.kinds.simt.program import NO_COUNTER
from sim.cores.jit import inlined
from sim.cores.simt import state as at
from sim.cores.simt import trace_events as told
from sim.cores.simt.units.account import charge, charge_idle, pipe_at
from sim.cores.simt.units.noting import note_served, note_wait


@inlined
def begin_issue(state, core, bit, warp, pc, cycle):
    """Charge what a sub-core and its warp have waited for; cycles that the sources of what it
    issues hold the dispatch port."""
    code, cores = state.code, state.cores
    base, mine = index(pc * at.CODE_COLUMNS), index(core * at.CORE_COLUMNS)
    conflicts = code[base + index(at.CONFLICTS)]
    if cores[mine + index(at.FOLLOWING_PC)] == pc and cores[mine + index(at.LAST)] == bit:
        conflicts = code[base + index(at.REPEATED_CONFLICTS)]
    if state.parameters[at.TRACES]:
        note_wait(state, told.ISSUED, core, warp, pc, cycle, conflicts)
    charge_idle(state, core, cycle)
    charge(state, warp, core, cycle)
    return conflicts


@inlined
def end_turn(state, core, bit, pc, next_cycle):
    """A warp of a sub-core has issued, which may issue the next in a cycle."""
    cores, mine = state.cores, index(core * at.CORE_COLUMNS)
    cores[mine + index(at.IDLE_SINCE)] = next_cycle
    others = cores[mine + index(at.READY)] & ~(int64(1) << bit)
    cores[mine + index(at.READY)] = others
    turn = next_cycle
    if others == 0:  # nobody can issue before somebody becomes ready, see `announce`
        turn = max(next_cycle, cores[mine + index(at.NEXT_READY)])
    state.turns[index(core)] = turn
    pipe = state.code[index(pc * at.CODE_COLUMNS + at.PIPE)]
    state.waiting[index(core * state.parameters[at.PIPE_STRIDE] + pipe)] &= ~(int64(1) << bit)
    cores[mine + index(at.LAST)] = bit
    cores[mine + index(at.FOLLOWING_PC)] = pc + 1


@inlined
def serve(state, core, pipe, cycle):
    """The cycle in which a pipe begins with an instruction that issues in `cycle`."""
    return max(cycle, state.pipes[pipe_at(state.parameters, core, pipe) + index(at.SERVED)])


@inlined
def occupy(state, core, pipe, cycle, taken, interval):
    """A pipe has begun with an instruction in cycle `taken`: when it can take the next ones."""
    parameters, pipes = state.parameters, state.pipes
    base = pipe_at(parameters, core, pipe)
    served = taken + interval
    pipes[base + index(at.SERVED)] = served
    if parameters[at.TRACES]:
        note_served(state, served)
    queue = state.queues[index(pipe)]
    free = served
    if queue > 0:
        head = pipes[base + index(at.HEAD)]
        ring = index((core * parameters[at.PIPES] + pipe) * parameters[at.MOST_QUEUE])
        state.rings[ring + index(head)] = taken
        head = head + 1 if head + 1 < queue else 0
        pipes[base + index(at.HEAD)] = head
        free = state.rings[ring + index(head)]
    free = max(free, cycle + 1)
    pipes[base + index(at.SHUT)] = cycle + 1
    state.free_at[index(core * parameters[at.PIPE_STRIDE] + pipe)] = free
    pipes[base + index(at.THROTTLED)] += free - (cycle + 1)


@inlined
def mark_results(state, warp, pc, ready):
    """The registers that an instruction writes will be ready in a cycle."""
    code = state.code
    base = index(pc * at.CODE_COLUMNS)
    if code[base + index(at.SPOILS)]:
        state.warps[index(warp * at.WARP_COLUMNS + at.KNOWN)] &= ~code[base + index(at.SPOILS)]
    first = index(warp * state.parameters[at.SCOREBOARD_STRIDE])
    noted = ready << at.PRODUCER_BITS | code[base + index(at.CLASS)]
    entry = base + index(at.DESTINATION)
    last = entry + index(code[base + index(at.DESTINATIONS)])
    while entry < last:
        state.scoreboard[first + index(code[entry])] = noted
        entry += index(1)


@inlined
def note_counters(state, warp, pc, begin, done):
    """Control bits: which counters an instruction keeps until when."""
    if not state.parameters[at.BY_CONTROL_BITS]:
        return
    code = state.code
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    reason = state.producers[index(code[base + index(at.CLASS)] + at.REASON)]
    counter = code[base + index(at.WRITE_COUNTER)]
    if counter != NO_COUNTER:
        behind = code[base + index(at.BEHIND_RESULT)]
        hold_counter(state.warps, own, counter, done + behind, reason)
    counter = code[base + index(at.READ_COUNTER)]
    if counter != NO_COUNTER:
        hold_counter(state.warps, own, counter, begin + code[base + index(at.READ_LATENCY)], reason)


@inlined
def hold_counter(warps, own, counter, until, reason):
    """A counter of a warp is not 0 before a cycle."""
    if until > warps[own + index(at.COUNTER + counter)]:
        warps[own + index(at.COUNTER + counter)] = until
        warps[own + index(at.COUNTER + at.COUNTERS + counter)] = reason
