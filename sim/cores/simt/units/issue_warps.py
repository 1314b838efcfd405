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
    DIVERGED,
    IPDOM,
    LIVE,
    MASK,
    MERGED,
    PC,
    POLICY,
    WAITS,
)
from sim.cores.jit import inlined, jitted
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt import trace_events as told
from sim.cores.simt.host.deferred import defer, have_there, run_meaning
from sim.cores.simt.host.foresight import ask_for_access
from sim.cores.simt.host.lane_words import (
    address_of,
    bit_count,
    first_bit,
    operand_address,
    read_u32,
)
from sim.cores.simt.host.plain_instructions import issue_lanes, issue_words
from sim.cores.simt.memory.global_memory import fence
from sim.cores.simt.units import convergence
from sim.cores.simt.units.accesses import access
from sim.cores.simt.units.account import charge_selected, warp_of
from sim.cores.simt.units.barriers import arrive, threads_ended
from sim.cores.simt.units.dispatch import leave_sm
from sim.cores.simt.units.issuing import (
    begin_issue,
    end_turn,
    mark_results,
    note_counters,
    occupy,
    serve,
)
from sim.cores.simt.units.memory_rows import check_parameter, find_addresses, own_bytes
from sim.cores.simt.units.noting import note_event
from sim.cores.simt.units.schedule import announce, go_on, pick, wake_warps

ISSUED_ONE, NOT_NOW, FAULT_MET = range(3)
"""What `visit` returns.  NOT_NOW: what comes next can be noticed by other SMs, whose turn it is."""


@inlined
def mask_of(state, own_masks, guard, mask):
    """The lanes of a group for which a guard is true."""
    if guard == 0:
        return mask
    bits = state.masks[index(own_masks + abs(guard) - 1)]
    return mask & (bits if guard > 0 else ~bits)


@jitted
def note_fault(state, fault, warp, pc, lane, cycle, address):
    """A thread cannot go on."""
    scalars = state.scalars
    scalars[at.FAULT] = fault
    scalars[at.FAULT_WARP] = warp
    scalars[at.FAULT_PC] = pc
    scalars[at.FAULT_LANE] = lane
    scalars[at.FAULT_CYCLE] = cycle
    scalars[at.FAULT_ADDRESS] = address


@jitted
def lanes_wanted(state, warp, pc, mask):
    """(all lanes that those of `mask` execute an instruction with, the lanes that want the same as
    the first one, what that is): each lane says it in the mask operand."""
    code, width = state.code, state.parameters[at.WIDTH]
    base = index(pc * at.CODE_COLUMNS)
    operands = address_of(code) + 8 * int64(base + index(at.OPERANDS))
    own = own_bytes(state.parameters, warp)
    source = operand_address(operands, code[base + index(at.ADDRESS)], address_of(state.words), own)
    into = index(warp * (at.TID + at.OF_LANES * width) + at.TID + (at.OF_LANES - 1) * width)
    first = (read_u32(source, first_bit(mask)) ^ 0x80000000) - 0x80000000
    every, alike = int64(0), int64(0)
    for lane in range(width):
        wanted = (read_u32(source, lane) ^ 0x80000000) - 0x80000000
        is_in = (mask >> lane) & 1
        every |= wanted if is_in else int64(0)
        alike |= int64(is_in and wanted == first) << lane
        state.specials[into + index(lane)] = wanted
    return every, alike, first


@inlined
def meet(state, groups, warp, pc, executing):
    """Lanes are about to execute what several execute together: (events, whether they wait).

    Lanes that name different ones, as tiles of a warp do, go on together if all are there; else
    those that name the same as the first one try it without the others."""
    every, alike, first = lanes_wanted(state, warp, pc, executing)
    if convergence.is_here(groups, warp, every):
        return int64(0), False
    wanted = first
    if state.rules[POLICY] == IPDOM:
        wanted = every
    elif alike != executing:
        convergence.set_aside(groups, warp, state.rules, pc, executing & ~alike)
    events = convergence.meet(groups, warp, state.rules, pc, wanted)
    return events, events & WAITS != 0


@inlined
def note_members(state, warp, executing):
    """Of the lanes that each one named, those that execute the instruction are the ones it
    meets."""
    width = state.parameters[at.WIDTH]
    into = index(warp * (at.TID + at.OF_LANES * width) + at.TID + (at.OF_LANES - 1) * width)
    for lane in range(width):
        state.specials[into + index(lane)] &= executing


@inlined
def number_operand(state, warp, pc, mask):
    """A number that all lanes agree on, of the first lane: a thread count, a time."""
    code = state.code
    base = index(pc * at.CODE_COLUMNS)
    operands = address_of(code) + 8 * int64(base + index(at.OPERANDS))
    own = own_bytes(state.parameters, warp)
    source = operand_address(operands, code[base + index(at.ADDRESS)], address_of(state.words), own)
    return read_u32(source, first_bit(mask))


@inlined
def control(state, groups, memory, sm, warp, pc, executing, cycle):
    """An instruction that may change which lanes run: (events, cycle from which the warp may go on,
    reason, whether the group simply goes on at the next pc)."""
    code, rules, parameters = state.code, state.rules, state.parameters
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    kind = code[base + index(at.KIND)]
    until, reason = cycle + code[base + index(at.LATENCY)], int64(why.BRANCH_RESOLVING)
    events = int64(0)
    falls = True
    if kind == at.EXIT:
        falls = False
        events = convergence.leave(groups, warp, rules)
        block = state.warps[own + index(at.BLOCK)]
        threads_ended(state, groups, sm, block, bit_count(executing), cycle)
    elif kind in (at.BAR_SYNC, at.BAR_ARRIVE):
        block = state.warps[own + index(at.BLOCK)]
        barrier = code[base + index(at.TARGET)]
        wanted = number_operand(state, warp, pc, executing)
        if kind == at.BAR_SYNC:
            falls = False
            events = convergence.hold(groups, warp, rules, pc, barrier)
        arrive(state, groups, sm, block, barrier, bit_count(executing), wanted, cycle, until)
    elif kind == at.BSSY:
        convergence.bssy(groups, warp, code[base + index(at.TARGET)])
    elif kind == at.BSYNC:
        falls = False
        events = convergence.bsync(groups, warp, rules, pc, code[base + index(at.TARGET)])
    elif kind == at.BREAK:
        events = convergence.break_(groups, warp, code[base + index(at.TARGET)])
    elif kind == at.MARKER:
        falls = False
        events = convergence.mark(groups, warp, rules, pc)
    elif kind == at.FENCE:
        until = max(until, fence(memory, sm, cycle, state.warps[own + index(at.STORES_DONE)]))
        reason = int64(why.MEMBAR)
    elif kind == at.SLEEP:
        time = number_operand(state, warp, pc, executing)
        until = cycle + 1 + time * parameters[at.CLOCK_HZ] // 1000000000
        reason = int64(why.SLEEPING)
    return events, until, reason, falls


@inlined
def branch(state, groups, warp, pc, mask, executing):
    """The lanes of `executing` go to a branch's target, those left of `mask` do not; events."""
    code, rules = state.code, state.rules
    base = index(pc * at.CODE_COLUMNS)
    target = code[base + index(at.TARGET)]
    if executing == mask or executing == 0:
        next_pc = target if executing else pc + 1
        return convergence.jump(groups, warp, rules, state.markers, pc, next_pc)
    state.diverged[index(pc)] += 1
    meeting = code[base + index(at.MEETING_PC)]
    return convergence.branch(
        groups, warp, rules, state.markers, pc, target, pc + 1, executing, meeting
    )


@inlined
def fall(state, groups, warp, pc):
    """The running group goes on at the next pc; events."""
    if state.code[index(pc * at.CODE_COLUMNS + at.BEGINS_BLOCK)]:
        return convergence.fall_into(groups, warp, state.rules, state.markers, pc + 1)
    state.groups.running[index(warp), PC] = pc + 1
    return 0


@inlined
def block_warp(state, warp, pc, next_cycle):
    """No lane of a warp can run, until somebody lets one."""
    warps = state.warps
    own = index(warp * at.WARP_COLUMNS)
    warps[own + index(at.SINCE)] = next_cycle
    warps[own + index(at.HELD_UNTIL)] = at.NEVER
    warps[own + index(at.CHECK_UNTIL)] = at.NEVER
    state.ready_at[index(warp)] = at.NEVER
    warps[own + index(at.HOLD_REASON)] = why.BARRIER
    state.next_pcs[index(warp)] = pc


@inlined
def plan_next(state, core, warp, pc, next_cycle, until, reason, events):
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
        cost = state.parameters[at.CHECK_COST]
        state.stalls[stalls + index(why.RECONVERGENCE_CHECK)] += cost
        check += cost
    warps[own + index(at.SINCE)] = check
    warps[own + index(at.HELD_UNTIL)] = until
    warps[own + index(at.HOLD_REASON)] = reason
    warps[own + index(at.CHECK_UNTIL)] = check
    go_on(state, core, warp, state.groups.running[index(warp), PC], next_cycle)


@jitted
def trace_issue(state, kind, events, warp, pc, executing, cycle):
    """Note what an instruction has done to the lanes that run."""
    if kind == at.BAR_SYNC:
        note_event(state, told.AT_BARRIER, cycle, warp, pc, executing)
    if kind == at.EXIT:
        note_event(state, told.EXITED, cycle, warp, pc, executing)
    now, mask = state.groups.running[index(warp), PC], state.groups.running[index(warp), MASK]
    if events & CHECK:
        note_event(state, told.CHECKED, cycle, warp, now, mask)
    if events & DIVERGED:
        note_event(state, told.DIVERGED, cycle, warp, pc, executing)
    if events & MERGED:
        note_event(state, told.MERGED, cycle, warp, now, mask)
    begins = state.code[index(pc * at.CODE_COLUMNS + at.BEGINS_BLOCK)] and now == pc + 1
    if mask != 0 and (begins or now != pc + 1):
        note_event(state, told.BLOCK_BEGUN, cycle, warp, now, mask)


@inlined
def visit(state, groups, memory, sm, core, cycle, permitted):
    """A sub-core's turn in a cycle: let a warp leave, or issue one instruction."""
    cores, warps, code = state.cores, state.warps, state.code
    mine = index(core * at.CORE_COLUMNS)
    if cores[mine + index(at.NEXT_READY)] <= cycle:
        leaving = wake_warps(state, core, cycle)
        if leaving >= 0:
            if not permitted:
                return NOT_NOW
            own = index(warp_of(state, core, leaving) * at.WARP_COLUMNS)
            warps[own + index(at.HELD_UNTIL)] = max(cycle, warps[own + index(at.HELD_UNTIL)])
            leave_sm(state, groups, sm, core, leaving, cycle)
            return ISSUED_ONE
    bit = pick(state, core, cycle)
    if bit < 0:
        return ISSUED_ONE
    warp = warp_of(state, core, bit)
    pc = state.next_pcs[index(warp)]
    base = index(pc * at.CODE_COLUMNS)
    if code[base + index(at.IS_GLOBAL)] and not permitted:
        have_there(state, warp, pc)  # its address, above all
        ask_for_access(state, memory, sm, warp, pc, cycle)
        return NOT_NOW
    shape = code[base + index(at.SHAPE)]
    is_lanes = shape == at.PLAIN_LANES
    if shape == at.PLAIN_PARAMETER:
        fault, _ = check_parameter(state, warp, pc, int64(-1))
        is_lanes = fault == at.NO_FAULT
    if is_lanes:
        issue_lanes(state, core, bit, pc, cycle)
        return ISSUED_ONE
    if shape == at.PLAIN_WORDS and issue_words(state, memory, sm, core, bit, pc, cycle):
        return ISSUED_ONE
    return issue(state, groups, memory, sm, core, bit, pc, cycle, permitted)


@jitted
def issue(state, groups, memory, sm, core, bit, pc, cycle, permitted):
    """Let a warp issue what comes next, which stands at a pc."""
    code, parameters = state.code, state.parameters
    warp = warp_of(state, core, bit)
    mask = state.groups.running[index(warp), MASK]
    base = index(pc * at.CODE_COLUMNS)
    have_there(state, warp, pc)
    conflicts = begin_issue(state, core, bit, warp, pc, cycle)
    kind, slots = code[base + index(at.KIND)], code[base + index(at.SLOTS)]
    own_masks = at.FIXED_MASKS + warp * parameters[at.PREDICATE_STRIDE]
    executing = mask_of(state, own_masks, code[base + index(at.GUARD)], mask)
    events = int64(0)
    is_missing = False
    if kind in (at.MEET, at.TOGETHER) and executing != 0:
        events, is_missing = meet(state, groups, warp, pc, executing)
        mask = state.groups.running[index(warp), MASK]
        executing = mask_of(state, own_masks, code[base + index(at.GUARD)], mask)
        if not is_missing:
            lanes_wanted(state, warp, pc, executing)
            note_members(state, warp, executing)
    if at.LOAD <= kind <= at.ATOMIC and executing != 0:
        fault, lane = access(state, memory, sm, core, warp, pc, executing, cycle)
        if fault != at.NO_FAULT:
            if not permitted:
                return NOT_NOW
            find_addresses(state, warp, pc, parameters[at.WIDTH], executing, int64(at.GENERIC))
            note_fault(state, fault, warp, pc, lane, cycle, state.addresses[index(lane)])
            return FAULT_MET
    if kind == at.TRAP and executing != 0:
        trapped = code[base + index(at.TARGET)]
        note_fault(state, trapped, warp, pc, first_bit(executing), cycle, int64(0))
        return FAULT_MET

    charge_selected(state, pc, core, slots, conflicts)
    next_cycle = cycle + slots + conflicts
    end_turn(state, core, bit, pc, next_cycle)
    until, reason = next_cycle, int64(why.BRANCH_RESOLVING)
    falls = not is_missing
    if not is_missing:
        state.executed[index(pc)] += 1
        # A branch's guard is its condition: all lanes take part.
        state.active[index(pc)] += bit_count(mask if kind == at.BRANCH else executing)
    if not is_missing and (kind == at.LANES or kind > at.ATOMIC):
        pipe = code[base + index(at.PIPE)]
        begin = serve(state, core, pipe, cycle)
        occupy(state, core, pipe, cycle, begin, code[base + index(at.INTERVAL)])
        done = begin + code[base + index(at.LATENCY)]
        note_counters(state, warp, pc, begin, done)
        if kind in (at.LANES, at.TOGETHER):
            if code[base + index(at.IS_SIGNED)]:
                entry = warp * (at.TID + at.OF_LANES * parameters[at.WIDTH]) + at.NOW
                state.specials[index(entry)] = cycle
            if executing != 0 and code[base + index(at.DEFERS)]:
                defer(state, warp, pc, executing)
            elif executing != 0:
                run_meaning(state, warp, pc, executing)
            mark_results(state, warp, pc, done)
        elif kind in (at.JUMP, at.BRANCH):
            falls = False
            until = cycle + parameters[at.BRANCH_LATENCY]
            events = branch(state, groups, warp, pc, mask, executing)
        elif kind == at.MEET:
            until, reason = cycle + code[base + index(at.LATENCY)], int64(why.WAIT)
        elif executing != 0:
            block_warp(state, warp, pc, next_cycle)
            events, until, reason, falls = control(
                state, groups, memory, sm, warp, pc, executing, cycle
            )
    if falls and (code[base + index(at.BEGINS_BLOCK)] or events != 0):
        events |= fall(state, groups, warp, pc)
    elif falls:
        state.groups.running[index(warp), PC] = pc + 1
    if parameters[at.TRACES]:
        trace_issue(state, kind, events, warp, pc, executing, cycle)
    if state.groups.running[index(warp), LIVE] == 0:
        finish_warp(state, core, warp, pc, next_cycle, until)
    elif falls or is_missing or kind < at.EXIT or state.ready_at[index(warp)] == at.NEVER:
        plan_next(state, core, warp, pc, next_cycle, until, reason, events)
        keep_stall(state, core, warp, base, cycle)
    return ISSUED_ONE


@inlined
def keep_stall(state, core, warp, base, cycle):
    """Control bits: the warp stays away for some cycles, and may give way in the next."""
    if state.parameters[at.BY_CONTROL_BITS]:
        own = index(warp * at.WARP_COLUMNS)
        ready = cycle + state.code[base + index(at.STALL_COUNT)]
        if ready > state.ready_at[index(warp)]:
            state.ready_at[index(warp)] = ready
            state.warps[own + index(at.WAIT_REASON)] = why.WAIT
        if state.code[base + index(at.YIELDS)]:
            state.cores[index(core * at.CORE_COLUMNS + at.YIELDED)] = cycle + 2


@jitted
def finish_warp(state, core, warp, pc, cycle, until):
    """All lanes of a warp have ended: it leaves when the latency of its exit is over and its stores
    have arrived, in that cycle's turn of its sub-core: what comes after it may not be charged
    before the others had theirs."""
    warps = state.warps
    own = index(warp * at.WARP_COLUMNS)
    warps[own + index(at.SINCE)] = cycle
    state.next_pcs[index(warp)] = pc
    gone = max(max(cycle, until), warps[own + index(at.STORES_DONE)])
    warps[own + index(at.HELD_UNTIL)] = gone
    warps[own + index(at.CHECK_UNTIL)] = gone
    state.ready_at[index(warp)] = gone
    warps[own + index(at.HOLD_REASON)] = why.DRAIN
    leaving = index(core * at.CORE_COLUMNS + at.LEAVING)
    state.cores[leaving] |= int64(1) << (warp - warp_of(state, core, 0))
    announce(state, core, gone)
