"""The EPIC core, cycle by cycle: the text from which `write_core` makes the jitted `advance`.

The core is in order.  Each turn of the main loop is one cycle that issues a packet, or a stretch of
cycles in which nothing issues, every one of which is charged to one cause:

    fetch the packet's lines -> wait (pipe held, operands not ready) -> issue: execute its syllables
    in program order, note when their results will be ready, follow a taken branch

What a syllable does is the `meaning` of its row; `write_core` puts the meanings of all rows, found
by binary search, where it is marked below.  Nothing here knows a figure of any machine.

Known simplifications:
1. Syllables of a packet that follow a mispredicted branch which was not taken execute with it.
2. The front end does not run ahead: a line of code is asked for when its first packet is due, and
   not again while the pipe stays in it.
3. A full queue holds the packets after the one whose access met it.
4. After a mispredicted branch that was not taken the whole window is there at once, also where the
   next bundle is the second of its pair.
5. A syllable whose guard is computed in its own packet waits for its operands either way.
6. An access that is not aligned, if it is served, is one access of the caches, at its first byte;
   the pipe is held from its packet on.
"""

# ruff: noqa: F841, RUF059  (the meanings of rows use variables that nothing here does)

from numba import int64, uint64

from machines.instructions.ia64_control import EXIT_ADDRESS
from machines.instructions.ia64_frame import NUMBER_MASK
from machines.kinds.epic import stalls as why
from machines.kinds.epic.program import BUNDLE_BYTES, CODE_BASE
from machines.layout import BASE
from sim.cores.epic import state as at
from sim.cores.epic.accesses import check_bounds, is_served, load, load_bytes, store, store_bytes
from sim.cores.epic.memory import hierarchy as mem
from sim.cores.epic.memory.cache import access
from sim.cores.epic.noting import look, note_branch, note_issue, note_memory
from sim.cores.epic.prediction import foresee
from sim.cores.epic.register_stack import enter_frame, rotate_registers
from sim.cores.epic.state import BETWEEN, ENDED, GO_ON, LEFT, NO_CAUSE, STOPPED, TAKEN
from sim.cores.epic.waiting import (
    charge,
    fetch_lines,
    hold,
    lose,
    lose_to_first,
    meant,
    note,
    wait_for,
)
from sim.cores.jit import apart, entry_point, inlined, piece
from sim.cores.returned import DONE, FAULTED, QUANTUM
from sim.cores.tables import call_at, view_of

view_of_state = view_of(at.CoreState)


@apart
def pack_predicates(predicates):
    """All predicates as one number, p0 in bit 0."""
    bits = 0
    for number in range(at.NO_PREDICATE - at.PREDICATE):
        bits |= predicates[at.PREDICATE + number] << number
    return bits


@apart
def unpack_predicates(bits, predicates):
    """Set all predicates from one number; p0 stays 1."""
    for number in range(1, at.NO_PREDICATE - at.PREDICATE):
        predicates[at.PREDICATE + number] = (bits >> number) & 1


@inlined
def begin(state, packet, cycle, until, line_held, held_until):
    """Fetch the lines of a packet, and let the cycles pass, up to `until`, in which it waits.

    Returns (cycle, line held by the front end, until when the pipe is held, whether it issues).
    """
    row = packet * at.PACKET_COLUMNS
    last_line = int64(state.packets[row + at.LAST_LINE])
    if last_line != line_held:
        held_until = fetch_lines(state, row, cycle, line_held, held_until)
    if held_until > cycle:
        cycle = lose_to_first(state, cycle, until)
        if cycle == until:
            return cycle, last_line, held_until, 0
    if held_until <= cycle:
        ready, blamed, cause, is_mixed = cycle, int64(0), int64(NO_CAUSE), int64(0)
        for entry in range(state.packets[row + at.CHECKS], state.packets[row + at.CHECKS_END]):
            ready, blamed, cause, is_mixed = wait_for(
                state, int64(entry), cycle, ready, blamed, cause, is_mixed, False
            )
        if ready == cycle:
            return cycle, last_line, held_until, 1
        if not is_mixed:
            cycle = charge(state, row, ready, blamed, cause, cycle, until)
            return cycle, last_line, held_until, int64(cycle < until)
    cycle = lose(state, row, cycle, until)
    return cycle, last_line, held_until, int64(cycle < until)


@inlined
def is_rare(flags):
    """Whether a syllable, if it executes, may do what no code is made for."""
    return (flags & at.BRANCHES and flags & at.RARE_BRANCHES) or flags & at.MAY_FAULT


@inlined
def level_of(parameters, flags):
    """The level at which an access enters the caches."""
    if not flags & (at.LOADS | at.STORES):
        return parameters[at.PREFETCH_LEVEL]
    return parameters[at.FAR_LEVEL] if flags & at.FAR else parameters[at.NEAR_LEVEL]


@inlined
def reach(state, syllable, flags, address, cycle, held_until):
    """Let an access go through the caches.

    Returns (cycle at which an integer load has its data, until when the pipe is held).
    """
    if state.parameters[at.TRACES]:
        return reach_noted(state, syllable, flags, address, cycle, held_until)
    return reach_caches(state, syllable, flags, address, cycle, held_until)


@apart
def reach_noted(state, syllable, flags, address, cycle, held_until):
    level = level_of(state.parameters, flags)
    look(state, level)
    ready, held_until = reach_caches(state, syllable, flags, address, cycle, held_until)
    note_memory(state, cycle, ready, syllable, level, address)
    return ready, held_until


@inlined
def reach_caches(state, syllable, flags, address, cycle, held_until):
    """`reach`."""
    parameters = state.parameters
    full = parameters[at.RANK + why.QUEUE_FULL]
    level = level_of(parameters, flags)
    extra = 1 if flags & at.FLOATING_LOAD else 0
    begin = max(cycle, state.pending[full])
    if flags & at.LOADS:
        request = mem.LOAD
    elif flags & at.STORES:
        request = mem.STORE
    else:
        request = mem.PREFETCH
    ready, go_on = access(state.caches, level, address, begin, request, extra)
    if go_on > begin:
        state.pending[full] = go_on
        state.blamed[full] = syllable
        held_until = max(held_until, go_on)
    if flags & at.LOADS and flags & at.STORES:  # a semaphore stores when its load has come
        begin = max(ready, state.pending[full])
        _, go_on = access(state.caches, level, address, begin, mem.STORE, extra)
        if go_on > begin:
            state.pending[full] = go_on
            state.blamed[full] = syllable
            held_until = max(held_until, go_on)
    return ready, held_until


@inlined
def cut_off(state, syllable):
    """Note that a syllable did not execute though its packet issued."""
    if state.code[syllable * at.CODE_COLUMNS + at.OPCODE] != at.NOT_AN_OPERATION:
        state.cut[syllable] += 1


@inlined
def note_results(state, k, like, cycle, is_bound):
    """Note the results of the syllable at `k` in `code`, which come as their class says."""
    code = state.code
    if code[like + at.MARK]:
        note(int64(code[k + at.MARK]), cycle, state, is_bound)
        if code[like + at.SECOND_MARK]:
            note(int64(code[k + at.SECOND_MARK]), cycle, state, is_bound)
            if code[like + at.FLAGS] & at.BRANCHES and code[like + at.THIRD_MARK]:
                note(int64(code[k + at.THIRD_MARK]), cycle, state, is_bound)


@inlined
def note_access(state, k, like, ready, cycle, is_bound):
    """Note the results of an access: what it loads is there from `ready` on."""
    code = state.code
    if code[like + at.MARK]:
        mark = int64(code[k + at.MARK])
        is_load = code[like + at.FLAGS] & at.LOADS
        since = ready - state.nominal[mark >> at.MARK_SHIFT] if is_load else cycle
        note(mark, since, state, is_bound)
        if code[like + at.SECOND_MARK]:
            note(int64(code[k + at.SECOND_MARK]), since, state, is_bound)
    if code[like + at.THIRD_MARK]:
        note(int64(code[k + at.THIRD_MARK]), cycle, state, is_bound)


@inlined
def squash(state, syllable, like, flags, cycle, is_bound):
    """What a syllable does whose guard is false; a branch is still to be predicted."""
    k, like = syllable * at.CODE_COLUMNS, like * at.CODE_COLUMNS
    state.squashed[syllable] += 1
    if flags & at.BRANCHES:
        return
    if flags & at.CLEARS_FIRST:
        state.predicates[meant(state, int64(state.code[k + at.OPERAND]), is_bound)] = 0
    if flags & at.CLEARS_SECOND:
        state.predicates[meant(state, int64(state.code[k + at.OPERAND + 1]), is_bound)] = 0
    if flags & (at.CLEARS_FIRST | at.CLEARS_SECOND) and flags & at.MARKED:
        note_results(state, k, like, cycle, is_bound)


@inlined
def stop(state, fault, detail):
    """Note a fault, and what it is about."""
    state.scalars[at.FAULT], state.scalars[at.FAULT_ADDRESS] = fault, detail


@inlined
def follow(state, syllable, flags, packet, cycle, held_until, taken, target):
    """Predict a branch, and go where it goes.

    Returns (what follows, packet, until when the pipe is held).
    """
    parameters = state.parameters
    if flags & at.ROTATES:
        rotate_registers(state)
    following = CODE_BASE + (syllable // 3 + 1) * BUNDLE_BYTES
    outcome = foresee(state, syllable, flags, taken, target, following)
    if parameters[at.TRACES]:
        note_branch(state, syllable, cycle, flags, outcome, taken, target)
    if outcome != at.PREDICTED:
        cycles = parameters[at.MISPREDICT]
        held_until = hold(state, why.BRANCH_FLUSH, syllable, cycle, cycles, held_until)
    elif taken:
        cycles = parameters[at.TAKEN_BUBBLE]
        held_until = hold(state, why.TAKEN_BRANCH, syllable, cycle, cycles, held_until)
    if not taken:
        return GO_ON, packet, held_until
    if not flags & at.INDIRECT:
        packet = state.wide[syllable * at.WORDS_PER_ROW + at.WIDE_WORD]
    elif target == EXIT_ADDRESS:
        return ENDED, packet, held_until
    else:
        bundle = (target - CODE_BASE) // BUNDLE_BYTES
        if uint64(bundle) >= uint64(parameters[at.BUNDLES]):
            stop(state, at.NOT_CODE, target)
            return STOPPED, packet, held_until
        packet = int64(state.entries[bundle])
        if not state.foreseen[packet]:
            state.scalars[at.UNFORESEEN] = 1
    if flags & (at.CALLS | at.RETURNS):
        fault, moving = enter_frame(state, 1 if flags & at.CALLS else -1)
        held_until = hold(state, why.REGISTER_STACK, syllable, cycle, moving, held_until)
        if fault != at.NO_FAULT:
            stop(state, fault, 0)
            return STOPPED, packet, held_until
    return TAKEN, packet, held_until


@inlined
def perform(state, syllable, like, cycle, held_until, serving, is_bound, leaves):
    """Do what a syllable says whose guard is true; see `execute`.

    Returns (GO_ON, STOPPED or LEFT, held_until, serving, whether a branch is taken, where to).
    """
    scalars, names, predicates = state.scalars, state.names, state.predicates
    code, parameters = state.code, state.parameters
    k, like = syllable * at.CODE_COLUMNS, like * at.CODE_COLUMNS
    flags = int64(code[like + at.FLAGS])
    taken, target = 0, 0
    stored, stored_high = 0, 0
    loaded, loaded_high = 0, 0
    address, offset, piecewise, is_dropped = 0, 0, False, False
    fault, fault_address = at.NO_FAULT, 0
    size = (flags >> at.SIZE_SHIFT) & at.SIZE_MASK
    if flags & at.MEMORY:
        base = int64(code[k + at.ADDRESS_REGISTER])
        if flags & at.RENAMED:
            base = meant(state, base, is_bound)
        address = state.general[base]
        offset = address - BASE
        if not is_served(state, address, size):
            if leaves:
                return LEFT, held_until, serving, taken, target
            fault = check_bounds(state, address, size, 1 << min(size, 4))
            is_semaphore = flags & at.LOADS and flags & at.STORES
            may_serve = parameters[at.MISALIGNED_COST] != at.NEVER_SERVED and not is_semaphore
            if fault == at.MISALIGNED and may_serve:
                fault, piecewise = at.NO_FAULT, True
                serving += parameters[at.MISALIGNED_COST]
                held_until = hold(state, why.MISALIGNED, syllable, cycle, serving, held_until)
                scalars[at.MISALIGNED_LOADS if flags & at.LOADS else at.MISALIGNED_STORES] += 1
            if fault != at.NO_FAULT and flags & at.PREFETCHES:
                fault, is_dropped = at.NO_FAULT, True
                scalars[at.PREFETCHES_DROPPED] += 1
            elif fault != at.NO_FAULT:
                stop(state, fault, address)
                return STOPPED, held_until, serving, taken, target
        if flags & at.LOADS:
            if piecewise:
                loaded, loaded_high = load_bytes(state.bytes1, offset, size)
            else:
                loaded, loaded_high = load(state, offset, size)

    opcode = code[like + at.OPCODE]
    operand0 = int64(code[k + at.OPERAND])
    operand1 = int64(code[k + at.OPERAND + 1])
    operand2 = int64(code[k + at.OPERAND + 2])
    operand3 = int64(code[k + at.OPERAND + 3])
    operand4 = int64(code[k + at.OPERAND + 4])
    if flags & at.RENAMED:
        operand0, operand1 = meant(state, operand0, is_bound), meant(state, operand1, is_bound)
        operand2, operand3 = meant(state, operand2, is_bound), meant(state, operand3, is_bound)
        if not flags & (at.MEMORY | at.BRANCHES):  # else it is a mark
            operand4 = meant(state, operand4, is_bound)
    wide_operand = state.wide[syllable * at.WORDS_PER_ROW + at.WIDE_WORD]
    general, floating, frame = state.general, state.floating, state.frame
    significands, tags, application = state.significands, state.tags, state.application
    branch_registers = state.branch_registers
    # OPERATIONS: write_core puts the meanings of all rows here

    if flags & at.MEMORY and not is_dropped:
        if flags & at.STORES:
            if piecewise:
                store_bytes(state.bytes1, offset, size, stored, stored_high)
            else:
                store(state, offset, size, stored, stored_high)
            scalars[at.MEMORY_WRITES] += 1
        ready, held_until = reach(state, syllable, flags, address, cycle, held_until)
        note_access(state, k, like, ready, cycle, is_bound)
    elif flags & at.MARKED:
        note_results(state, k, like, cycle, is_bound)
    if flags & at.MAY_FAULT:
        if fault == at.NO_FAULT and flags & at.FRAMES:
            fault, moving = enter_frame(state, 0)
            if fault == at.NO_FAULT:
                general[names[wide_operand]] = general[at.HELD]
                held_until = hold(state, why.REGISTER_STACK, syllable, cycle, moving, held_until)
        if fault != at.NO_FAULT:
            stop(state, fault, fault_address)
            return STOPPED, held_until, serving, taken, target
    return GO_ON, held_until, serving, taken, target


@inlined
def execute(state, syllable, like, packet, cycle, held_until, serving, is_bound, leaves):
    """Execute a syllable of the packet that issues in `cycle`.

    like        a syllable of the same shape (see `packets.Shape`), which may be known better
    packet      where the program goes on if no branch is taken
    held_until  until when the pipe is held by any cause
    serving     cycles for which accesses of this packet that are not aligned are served
    is_bound    the syllable is a constant of the code
    leaves      what is rare is LEFT
    Returns (what follows, packet, held_until, serving).
    """
    code, k, first = state.code, syllable * at.CODE_COLUMNS, like * at.CODE_COLUMNS
    flags = int64(code[first + at.FLAGS])
    guard = int64(code[k + at.GUARD]) & at.REGISTER_MASK
    is_free = leaves and code[first + at.GUARD] & at.REGISTER_MASK == at.PREDICATE
    if flags & at.RENAMED:
        guard = meant(state, guard, is_bound)
    follows, taken, target = GO_ON, 0, 0
    if is_free or state.predicates[guard] != 0:
        if leaves and is_rare(flags):
            return LEFT, packet, held_until, serving
        is_stacked = code[first + at.GUARD] >> at.NEEDS_SHIFT
        needs = int64(code[k + at.GUARD]) >> at.NEEDS_SHIFT
        if is_stacked and needs > state.frame[at.NAMED] & NUMBER_MASK:
            if leaves:
                return LEFT, packet, held_until, serving
            stop(state, at.NOT_IN_FRAME, 0)
            return STOPPED, packet, held_until, serving
        follows, held_until, serving, taken, target = perform(
            state, syllable, like, cycle, held_until, serving, is_bound, leaves
        )
    else:
        squash(state, syllable, like, flags, cycle, is_bound)
    if flags & at.BRANCHES and follows == GO_ON:
        follows, packet, held_until = follow(
            state, syllable, flags, packet, cycle, held_until, taken, target
        )
    return follows, packet, held_until, serving


@entry_point
def advance(table, until):
    """Run the core whose `CoreState` is at `table` until cycle `until`.

    Returns QUANTUM (it has reached the cycle), DONE or FAULTED.

    The result does not depend on where the run is cut into calls, nor on which packets have code
    of their own (`CoreState.bound`): that does what is done here, and returns at the first packet
    that has none, or in the midst of one, at a syllable that it has LEFT.  It takes for certain
    what is so whenever a packet is due: not that a packet before this call has waited already.
    """
    state = view_of_state(table)
    code, packets, scalars, cut = state.code, state.packets, state.scalars, state.cut
    cycle, packet, line_held = scalars[at.CYCLE], scalars[at.PACKET], scalars[at.LINE_HELD]
    held_until = scalars[at.HELD_UNTIL]
    status = QUANTUM

    while cycle < until:
        left = BETWEEN
        if state.bound[packet] and held_until <= cycle and not scalars[at.UNFORESEEN]:
            scalars[at.CYCLE], scalars[at.PACKET] = cycle, packet
            scalars[at.LINE_HELD], scalars[at.HELD_UNTIL] = line_held, held_until
            left = call_at(state.bound[packet], table, until)
            cycle, packet, line_held = scalars[at.CYCLE], scalars[at.PACKET], scalars[at.LINE_HELD]
            held_until = scalars[at.HELD_UNTIL]
            if left == BETWEEN:
                continue
        row = packet * at.PACKET_COLUMNS
        syllable, end = int64(packets[row + at.FIRST]), int64(packets[row + at.END])
        if left == BETWEEN:
            cycle, line_held, held_until, issues = begin(
                state, packet, cycle, until, line_held, held_until
            )
            if not issues:
                continue
            state.packet_counts[packet] += 1
            if state.parameters[at.TRACES]:
                note_issue(state, packet, cycle)
        else:
            syllable = left
        packet = int64(packets[row + at.NEXT_PACKET])
        serving = 0
        follows = GO_ON
        while syllable < end:
            follows, packet, held_until, serving = execute(
                state, syllable, syllable, packet, cycle, held_until, serving, False, False
            )
            if follows != GO_ON:
                break
            syllable += int64(code[syllable * at.CODE_COLUMNS + at.SKIP])
        cycle += 1
        if follows == STOPPED:
            status = FAULTED
            scalars[at.FAULT_SYLLABLE] = syllable
        elif follows != GO_ON:  # the branch itself has executed
            syllable += 1
            if follows == ENDED:
                status = DONE
        while syllable < end:  # not executed: a branch was taken before it, or a syllable faulted
            cut_off(state, syllable)
            syllable += 1
        if status != QUANTUM:
            break

    scalars[at.CYCLE], scalars[at.PACKET], scalars[at.LINE_HELD] = cycle, packet, line_held
    scalars[at.HELD_UNTIL] = held_until
    return status


# Pieces of the code that `sim.cores.epic.bind_packets` makes for the packets of one program.  What
# they are given first is a constant there.


@piece(at.CoreState)
def resume(state):
    """(packet, cycle, line held, until when the pipe is held) where the core stands."""
    scalars = state.scalars
    return scalars[at.PACKET], scalars[at.CYCLE], scalars[at.LINE_HELD], scalars[at.HELD_UNTIL]


@piece(at.CoreState)
def stand(state, packet, cycle, line_held, held_until):
    """Let the core stand at a packet."""
    scalars = state.scalars
    scalars[at.PACKET], scalars[at.CYCLE] = packet, cycle
    scalars[at.LINE_HELD], scalars[at.HELD_UNTIL] = line_held, held_until
    return 0


@piece(at.CoreState)
def turn_lines(state, packet, cycle, line_held, held_until):
    """`fetch_lines`."""
    return fetch_lines(state, packet * at.PACKET_COLUMNS, cycle, line_held, held_until)


@piece(at.CoreState)
def is_settled(state, entry, cycle):
    """Whether nobody waits for what an entry of `checks` is about."""
    register = meant(state, int64(state.checks[entry]) & at.REGISTER_MASK, True)
    return 1 if state.settled[register] <= cycle else 0


@piece(at.CoreState)
def wait_bound(state, entry, cycle, ready, blamed, cause, is_mixed):
    """`wait_for`."""
    return wait_for(state, entry, cycle, ready, blamed, cause, is_mixed, True)


@piece(at.CoreState)
def charge_bound(state, packet, cycle, until, ready, blamed, cause):
    """`charge`."""
    return charge(state, packet * at.PACKET_COLUMNS, ready, blamed, cause, cycle, until)


@piece(at.CoreState)
def lose_bound(state, cycle, until):
    """`lose_to_first`."""
    return lose_to_first(state, cycle, until)


@apart
def begin_apart(state, packet, cycle, until, line_held, held_until):
    return begin(state, packet, cycle, until, line_held, held_until)


@piece(at.CoreState)
def begin_slowly(state, packet, cycle, line_held, held_until, until):
    """(cycle, until when the pipe is held): `begin`, where there may be anything to wait for.  It
    issues if that is before `until`, and its line is held."""
    cycle, _, held_until, _ = begin_apart(state, packet, cycle, until, line_held, held_until)
    return cycle, held_until


@piece(at.CoreState)
def count_issue(state, packet):
    state.packet_counts[packet] += 1
    return 0


@piece(at.CoreState)
def execute_bound(state, syllable, cycle, held_until):
    """(what follows, until when the pipe is held): `execute`."""
    follows, _, held_until, _ = execute(
        state, syllable, syllable, 0, cycle, held_until, 0, True, True
    )
    return follows, held_until


@piece(at.CoreState)
def execute_like(state, like, syllable, cycle, held_until):
    """(what follows, until when the pipe is held): `execute`, where only the shape is known."""
    follows, _, held_until, _ = execute(state, syllable, like, 0, cycle, held_until, 0, False, True)
    return follows, held_until


@piece(at.CoreState)
def cut_bound(state, syllable):
    """`cut_off`."""
    cut_off(state, syllable)
    return 0
