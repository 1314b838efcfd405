"""The shorter ways to issue: of plain instructions, see SHAPE in `state`.

They do what `issue_warps.issue` does for such an instruction, in every bit, and leave out what
cannot happen: it is most of what most programs issue.
"""

from __future__ import annotations

from numba import uint64 as index

from machines.kinds.simt.reconvergence import MASK, PC
from sim.cores.jit import inlined, jitted
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.host.deferred import defer, have_there
from sim.cores.simt.host.lane_words import bit_count
from sim.cores.simt.host.shared_words import find_pattern, time_words
from sim.cores.simt.units.account import charge_selected, warp_of
from sim.cores.simt.units.issuing import begin_issue, end_turn, mark_results, occupy, serve
from sim.cores.simt.units.noting import note_done
from sim.cores.simt.units.schedule import go_on


@jitted
def issue_lanes(state, core, bit, pc, cycle):
    """Let a warp issue a plain instruction that takes as long as its class says."""
    warp, base = warp_of(state, core, bit), index(pc * at.CODE_COLUMNS)
    have_there(state, warp, pc)
    conflicts = begin_issue(state, core, bit, warp, pc, cycle)
    begin = serve(state, core, state.code[base + index(at.PIPE)], cycle)
    done = begin + state.code[base + index(at.LATENCY)]
    end_plain(state, core, bit, warp, pc, cycle, conflicts, begin, done)


@jitted
def issue_words(state, memory, sm, core, bit, pc, cycle):
    """Let a warp issue a plain load of words; whether that is right for all lanes."""
    warp = warp_of(state, core, bit)
    mask = state.groups.running[index(warp), MASK]
    have_there(state, warp, pc)
    found = find_pattern(state, memory, warp, pc, mask)
    if found < 0:
        return False
    conflicts = begin_issue(state, core, bit, warp, pc, cycle)
    begin = serve(state, core, state.code[index(pc * at.CODE_COLUMNS + at.PIPE)], cycle)
    done, taken = time_words(state, memory, sm, pc, found, mask, begin)
    end_plain(state, core, bit, warp, pc, cycle, conflicts, taken, done)
    if state.parameters[at.TRACES]:
        note_done(state, done)
    return True


@inlined
def end_plain(state, core, bit, warp, pc, cycle, conflicts, taken, done):
    """A plain instruction that its pipe takes in a cycle is done in another: all that `issue` does
    then for one that does nothing else."""
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    mask = state.groups.running[index(warp), MASK]
    pipe, interval = state.code[base + index(at.PIPE)], state.code[base + index(at.INTERVAL)]
    next_cycle = cycle + 1 + conflicts
    charge_selected(state, pc, core, 1, conflicts)
    end_turn(state, core, bit, pc, next_cycle)
    state.executed[index(pc)] += 1
    state.active[index(pc)] += bit_count(mask)
    occupy(state, core, pipe, cycle, taken, interval)
    defer(state, warp, pc, mask)
    mark_results(state, warp, pc, done)
    state.groups.running[index(warp), PC] = pc + 1
    state.warps[own + index(at.SINCE)] = next_cycle
    state.warps[own + index(at.HELD_UNTIL)] = next_cycle
    state.warps[own + index(at.HOLD_REASON)] = why.BRANCH_RESOLVING
    state.warps[own + index(at.CHECK_UNTIL)] = next_cycle
    go_on(state, core, warp, pc + 1, next_cycle)
