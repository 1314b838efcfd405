"""The SIMT core, cycle by cycle: what a sub-core does in its turn (see `turns`).

All times that follow from an instruction are worked out when it issues, its values then, or when
somebody wants them (see `deferred`); so a cycle in which nothing issues costs nothing.

Known simplifications:
1. A taken instruction is there at once: no fetch, no instruction caches.
2. A register is read when its instruction issues.
3. The cache of reused operands holds what the warp's previous instruction read, as long as its
   sub-core has issued nothing else in between.
4. A software sequence issues its slots without a break.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.kinds.simt.reconvergence import (
    CHECK,
    LIVE,
    MASK,
    PC,
)
from sim.cores.jit import inlined, jitted
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.cycle.block_dispatcher import leave_sm
from sim.cores.simt.cycle.branch import branch, fall
from sim.cores.simt.cycle.choose import access, compute, control
from sim.cores.simt.cycle.control_bits import keep_stall, note_counters
from sim.cores.simt.cycle.faults import note_fault, note_race
from sim.cores.simt.cycle.issuing import begin_issue, end_turn
from sim.cores.simt.cycle.lane_accesses import check_parameter
from sim.cores.simt.cycle.mbarriers import hold_warp
from sim.cores.simt.cycle.pipes import occupy, serve
from sim.cores.simt.cycle.scoreboard import mark_results
from sim.cores.simt.cycle.slots import warp_of
from sim.cores.simt.cycle.stalls import charge_selected
from sim.cores.simt.cycle.trace import trace_issue
from sim.cores.simt.cycle.warp_barriers import lanes_wanted, meet, note_members
from sim.cores.simt.cycle.warp_scheduler import announce, go_on, pick, wake_warps
from sim.cores.simt.host.deferred import have_there
from sim.cores.simt.host.foresight import ask_for_access
from sim.cores.simt.host.lane_merges import all_lanes
from sim.cores.simt.host.lane_words import (
    bit_count,
    first_bit,
)
from sim.cores.simt.host.plain_instructions import issue_lanes, issue_words
from sim.cores.simt.unit import STEP, STEP_BITS
from sim.cores.simt.units.async_copies import WARP_COPIES
from sim.cores.simt.units.block_dispatcher import GRID, RESIDENT, SLOTS
from sim.cores.simt.units.block_dispatcher import KINDS as EXITS
from sim.cores.simt.units.branch import BRANCHES
from sim.cores.simt.units.branch import KINDS as JUMPS
from sim.cores.simt.units.clusters import KINDS as CLUSTER_KINDS
from sim.cores.simt.units.convergence import CHECKS
from sim.cores.simt.units.faults import FAULT, MET, TRAP
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import STORES
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.pipes import USE
from sim.cores.simt.units.shortcuts import SHAPE, SHORTCUT
from sim.cores.simt.units.stalls import WAIT
from sim.cores.simt.units.trace import TRACE
from sim.cores.simt.units.warp_barriers import KINDS as COMBINES
from sim.cores.simt.units.warp_barriers import MEETING
from sim.cores.simt.units.warp_scheduler import SCHEDULE

OF_CLUSTERS = tuple(CLUSTER_KINDS)
GOES_ON, NOT_NOW, FAULT_MET = range(3)
"""What `visit` returns.  NOT_NOW: what comes next can be noticed by other SMs, whose turn it is."""


@inlined
def mask_of(state, own_masks, guard, mask):
    """The lanes of a group for which a guard is true."""
    if guard == 0:
        return mask
    bits = state.masks[index(own_masks + abs(guard) - 1)]
    return mask & (bits if guard > 0 else ~bits)


@inlined
def block_warp(state, warp, pc, next_cycle):
    """No lane of a warp can run, until somebody lets one."""
    warps = state.warps
    own = index(warp * at.WARP_COLUMNS)
    warps[own + WAIT.SINCE] = next_cycle
    warps[own + WAIT.HELD_UNTIL] = at.NEVER
    warps[own + WAIT.CHECK_UNTIL] = at.NEVER
    state.ready_at[index(warp)] = at.NEVER
    warps[own + WAIT.HOLD_REASON] = why.BARRIER
    state.next_pcs[index(warp)] = pc


@inlined
def plan_next(state, subcore, warp, pc, next_cycle, until, reason, events):
    """After an issue: from when the warp can issue again, if any lane can run.  What is known to
    come is charged at once."""
    warps = state.warps
    own = index(warp * at.WARP_COLUMNS)
    if state.groups.running[index(warp), MASK] == 0:
        block_warp(state, warp, pc, next_cycle)
        return
    until = max(until, next_cycle)
    stalls = index(pc * why.COUNT)
    state.stalls[stalls + index(reason)] += until - next_cycle
    check = until
    if events & CHECK:
        cost = state.parameters[CHECKS.CHECK_COST]
        state.stalls[stalls + index(why.RECONVERGENCE_CHECK)] += cost
        check += cost
    warps[own + WAIT.SINCE] = check
    warps[own + WAIT.HELD_UNTIL] = until
    warps[own + WAIT.HOLD_REASON] = reason
    warps[own + WAIT.CHECK_UNTIL] = check
    go_on(state, subcore, warp, state.groups.running[index(warp), PC], next_cycle)


@inlined
def visit(state, groups, memory, sm, subcore, cycle, permitted):
    """A sub-core's turn in a cycle: let a warp leave, or issue one instruction."""
    subcores, warps, code = state.subcores, state.warps, state.code
    mine = index(subcore * at.SUBCORE_COLUMNS)
    if subcores[mine + SCHEDULE.NEXT_READY] <= cycle:
        leaving = wake_warps(state, subcore, cycle)
        if leaving >= 0:
            if not permitted:
                return NOT_NOW
            own = index(warp_of(state, subcore, leaving) * at.WARP_COLUMNS)
            warps[own + WAIT.HELD_UNTIL] = max(cycle, warps[own + WAIT.HELD_UNTIL])
            leave_sm(state, groups, sm, subcore, leaving, cycle)
            return GOES_ON
    bit = pick(state, subcore, cycle)
    if bit < 0:
        return GOES_ON
    warp = warp_of(state, subcore, bit)
    pc = state.next_pcs[index(warp)]
    base = index(pc * at.CODE_COLUMNS)
    if code[base + INSTRUCTION.IS_ACT] and not permitted:
        have_there(state, warp, pc)  # its address, above all
        ask_for_access(state, memory, sm, warp, pc, cycle)
        return NOT_NOW
    shape = code[base + SHORTCUT.SHAPE]
    is_lanes = shape == SHAPE.PLAIN_LANES
    if shape == SHAPE.PLAIN_PARAMETER:
        fault, _ = check_parameter(state, warp, pc, int64(-1))
        is_lanes = fault == FAULT.NO_FAULT
    if is_lanes:
        issue_lanes(state, subcore, bit, pc, cycle)
        return GOES_ON
    if shape == SHAPE.PLAIN_WORDS and issue_words(state, memory, sm, subcore, bit, pc, cycle):
        return GOES_ON
    return issue(state, groups, memory, sm, subcore, bit, pc, cycle, permitted)


@jitted
def issue(state, groups, memory, sm, subcore, bit, pc, cycle, permitted):
    """Let a warp issue what comes next, which stands at a pc."""
    code, parameters = state.code, state.parameters
    warp = warp_of(state, subcore, bit)
    mask = state.groups.running[index(warp), MASK]
    base = index(pc * at.CODE_COLUMNS)
    have_there(state, warp, pc)
    conflicts = begin_issue(state, subcore, bit, warp, pc, cycle)
    kind, slots = code[base + INSTRUCTION.KIND], code[base + INSTRUCTION.SLOTS]
    own_masks = at.FIXED_MASKS + warp * parameters[SIZE.PREDICATE_STRIDE]
    executing = mask_of(state, own_masks, code[base + INSTRUCTION.GUARD], mask)
    events = int64(0)
    is_missing = False
    step = kind >> STEP_BITS
    is_of_all = code[base + MEETING.IS_OF_ALL]
    if (step == STEP.MEETS or kind == COMBINES.TOGETHER or is_of_all) and executing != 0:
        events, is_missing = meet(state, groups, warp, pc, executing)
        mask = state.groups.running[index(warp), MASK]
        executing = mask_of(state, own_masks, code[base + INSTRUCTION.GUARD], mask)
        if not is_missing:
            lanes_wanted(state, warp, pc, executing)
            note_members(state, warp, executing)
            if is_of_all and executing != all_lanes(parameters[SIZE.WIDTH]):
                if not permitted:
                    return NOT_NOW
                first = first_bit(executing)
                note_fault(state, FAULT.LANES_MISSING, warp, pc, first, cycle, int64(0))
                return FAULT_MET
    if step == STEP.ACCESSES and executing != 0 and not is_missing:
        fault, lane = access(state, memory, sm, subcore, warp, pc, executing, cycle, kind)
        if fault == FAULT.NOT_YET:
            is_missing = True
        elif fault != FAULT.NO_FAULT:
            if not permitted:
                return NOT_NOW
            note_fault(state, fault, warp, pc, lane, cycle, state.addresses[index(lane)])
            if fault == FAULT.RACE:
                note_race(state, warp, pc, state.addresses[index(lane)])
            return FAULT_MET
    if step == STEP.FAULTS and executing != 0:
        fault = code[base + TRAP.FAULT]
        note_fault(state, fault, warp, pc, first_bit(executing), cycle, int64(0))
        return FAULT_MET

    charge_selected(state, pc, subcore, slots, conflicts)
    next_cycle = cycle + slots + conflicts
    end_turn(state, subcore, bit, pc, next_cycle)
    until, reason = next_cycle, int64(why.BRANCH_RESOLVING)
    falls = not is_missing
    if not is_missing:
        state.executed[index(pc)] += 1
        # A branch's guard is its condition: all lanes take part.
        state.active[index(pc)] += bit_count(mask if kind == JUMPS.BRANCH else executing)
    if not is_missing and step != STEP.ACCESSES:
        pipe = code[base + USE.PIPE]
        begin = serve(state, subcore, pipe, cycle)
        occupy(state, subcore, pipe, cycle, begin, code[base + USE.INTERVAL])
        done = begin + code[base + USE.LATENCY]
        note_counters(state, warp, pc, begin, done)
        if step == STEP.COMPUTES:
            if executing != 0:
                compute(state, warp, pc, executing, cycle, kind)
            mark_results(state, warp, pc, done)
        elif step == STEP.GOES:
            falls = False
            taken = parameters[BRANCHES.LATENCY]
            until = cycle + (taken if executing != 0 else parameters[BRANCHES.NOT_TAKEN])
            events = branch(state, groups, warp, pc, mask, executing)
        elif step == STEP.MEETS:
            until, reason = cycle + code[base + USE.LATENCY], int64(why.WAIT)
        elif kind == EXITS.EXIT and executing == 0:
            until = cycle + parameters[BRANCHES.NOT_TAKEN]
        elif executing != 0:
            block_warp(state, warp, pc, next_cycle)
            until = cycle + code[base + USE.LATENCY]
            events, until, reason, falls = control(
                state, groups, memory, sm, warp, pc, executing, cycle, kind, until
            )
            if kind in OF_CLUSTERS and state.scalars[MET.FAULT] != FAULT.NO_FAULT:
                return FAULT_MET
    if falls and (code[base + INSTRUCTION.BEGINS_BLOCK] or events != 0):
        events |= fall(state, groups, warp, pc)
    elif falls:
        state.groups.running[index(warp), PC] = pc + 1
    if parameters[TRACE.TRACES]:
        trace_issue(state, kind, events, warp, pc, executing, cycle)
    if state.groups.running[index(warp), LIVE] == 0:
        finish_warp(state, subcore, warp, pc, next_cycle, until)
    elif is_missing and step == STEP.ACCESSES:
        hold_warp(state, subcore, warp, pc, next_cycle)
    elif falls or is_missing or step == STEP.GOES or state.ready_at[index(warp)] == at.NEVER:
        plan_next(state, subcore, warp, pc, next_cycle, until, reason, events)
        keep_stall(state, subcore, warp, base, cycle)
    return GOES_ON


@jitted
def finish_warp(state, subcore, warp, pc, cycle, until):
    """All lanes of a warp have ended: it leaves when the latency of its exit is over and the path
    to memory has taken its stores, in that cycle's turn of its sub-core: what comes after it may
    not be charged before the others had theirs.  The launch ends when the stores have arrived."""
    warps = state.warps
    own = index(warp * at.WARP_COLUMNS)
    warps[own + WAIT.SINCE] = cycle
    state.next_pcs[index(warp)] = pc
    stored = index(warps[own + RESIDENT.GRID] * at.GRID_COLUMNS) + GRID.STORED
    state.grids[stored] = max(state.grids[stored], warps[own + STORES.DONE])
    gone = max(max(cycle, until), max(warps[own + STORES.SENT], warps[own + WARP_COPIES.DONE]))
    warps[own + WAIT.HELD_UNTIL] = gone
    warps[own + WAIT.CHECK_UNTIL] = gone
    state.ready_at[index(warp)] = gone
    warps[own + WAIT.HOLD_REASON] = why.DRAIN
    leaving = index(subcore * at.SUBCORE_COLUMNS) + SLOTS.LEAVING
    state.subcores[leaving] |= int64(1) << (warp - warp_of(state, subcore, 0))
    announce(state, subcore, gone)
