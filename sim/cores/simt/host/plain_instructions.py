"""The shorter ways to issue: of plain instructions, see SHAPE in `columns`.

They do what `issue.issue` does for such an instruction, in every bit, and leave out what
cannot happen: it is most of what most programs issue.
"""

from __future__ import annotations

from numba import uint64 as index

from machines.kinds.simt.reconvergence import MASK, PC
from sim.cores.jit import inlined, jitted
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.cycle.issuing import begin_issue, end_turn
from sim.cores.simt.cycle.pipes import occupy, serve
from sim.cores.simt.cycle.scoreboard import mark_results
from sim.cores.simt.cycle.slots import warp_of
from sim.cores.simt.cycle.stalls import charge_selected
from sim.cores.simt.cycle.trace import note_done
from sim.cores.simt.cycle.warp_scheduler import go_on
from sim.cores.simt.host.deferred import defer, have_there
from sim.cores.simt.host.lane_words import bit_count
from sim.cores.simt.host.shared_words import find_pattern, time_words
from sim.cores.simt.units.pipes import USE
from sim.cores.simt.units.stalls import WAIT
from sim.cores.simt.units.trace import TRACE


@jitted
def issue_lanes(state, subcore, bit, pc, cycle):
    """Let a warp issue a plain instruction that takes as long as its class says."""
    warp, base = warp_of(state, subcore, bit), index(pc * at.CODE_COLUMNS)
    have_there(state, warp, pc)
    conflicts = begin_issue(state, subcore, bit, warp, pc, cycle)
    begin = serve(state, subcore, state.code[base + USE.PIPE], cycle)
    done = begin + state.code[base + USE.LATENCY]
    end_plain(state, subcore, bit, warp, pc, cycle, conflicts, begin, done)


@jitted
def issue_words(state, memory, sm, subcore, bit, pc, cycle):
    """Let a warp issue a plain load of words; whether that is right for all lanes."""
    warp = warp_of(state, subcore, bit)
    mask = state.groups.running[index(warp), MASK]
    have_there(state, warp, pc)
    found = find_pattern(state, memory, warp, pc, mask)
    if found < 0:
        return False
    conflicts = begin_issue(state, subcore, bit, warp, pc, cycle)
    begin = serve(state, subcore, state.code[index(pc * at.CODE_COLUMNS) + USE.PIPE], cycle)
    done, taken = time_words(state, memory, sm, pc, found, mask, begin)
    end_plain(state, subcore, bit, warp, pc, cycle, conflicts, taken, done)
    if state.parameters[TRACE.TRACES]:
        note_done(state, done)
    return True


@inlined
def end_plain(state, subcore, bit, warp, pc, cycle, conflicts, taken, done):
    """A plain instruction that its pipe takes in a cycle is done in another: all that `issue` does
    then for one that does nothing else."""
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    mask = state.groups.running[index(warp), MASK]
    pipe, interval = state.code[base + USE.PIPE], state.code[base + USE.INTERVAL]
    next_cycle = cycle + 1 + conflicts
    charge_selected(state, pc, subcore, 1, conflicts)
    end_turn(state, subcore, bit, pc, next_cycle)
    state.executed[index(pc)] += 1
    state.active[index(pc)] += bit_count(mask)
    occupy(state, subcore, pipe, cycle, taken, interval)
    defer(state, warp, pc, mask)
    mark_results(state, warp, pc, done)
    state.groups.running[index(warp), PC] = pc + 1
    state.warps[own + WAIT.SINCE] = next_cycle
    state.warps[own + WAIT.HELD_UNTIL] = next_cycle
    state.warps[own + WAIT.HOLD_REASON] = why.BRANCH_RESOLVING
    state.warps[own + WAIT.CHECK_UNTIL] = next_cycle
    go_on(state, subcore, warp, pc + 1, next_cycle)
