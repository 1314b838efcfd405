"""What a packet waits for before it issues: its lines of code, a pipe that is held, its operands.

Also who makes it wait: `hold` and `note` say until when.
"""

from numba import int64

from machines.kinds.epic import stalls as why
from machines.kinds.epic.program import CODE_BASE
from sim.cores.epic import state as at
from sim.cores.epic.memory import hierarchy as mem
from sim.cores.epic.memory.cache import counts_of, hit_or_walk, newest_in, shape_of
from sim.cores.epic.noting import look, note_fetch, note_lost
from sim.cores.jit import apart, inlined, jitted


@inlined
def meant(state, number, is_bound):
    """The register that a number in the program means now, or the immediate that it is.

    is_bound  the number is a constant of the code: of one that never means another nothing is
              looked up
    """
    if is_bound and number >= at.IMMEDIATES:
        return number - at.IMMEDIATES
    if is_bound and not may_be_renamed(state.parameters, number):
        return number
    return int64(state.names[number])


@inlined
def may_be_renamed(parameters, number):
    """Whether a register is one of those that rotate, or that a frame moves, and has a name in
    the program."""
    general = number - at.GENERAL - parameters[at.FIRST_GENERAL]
    floating = number - at.FLOATING - parameters[at.FIRST_FLOATING]
    predicate = number - at.PREDICATE - parameters[at.FIRST_ROTATING_PREDICATE]
    return (
        (general >= 0 and general < parameters[at.NAMED_GENERAL])
        or (floating >= 0 and floating < parameters[at.NAMED_FLOATING])
        or (predicate >= 0 and predicate < parameters[at.NAMED_PREDICATES])
    )


@inlined
def is_at_hand(caches, line, cycle):
    """Whether a line of code, counted from the first bundle, is the newest of its set in L1I."""
    shape = shape_of(caches, mem.L1I)
    number = (CODE_BASE >> shape[mem.LINE_SHIFT]) + line
    newest = newest_in(caches, shape, number)
    return newest[mem.LINE] == number and newest[mem.FILLED] <= cycle + shape[mem.LATENCY]


@jitted
def fetch(caches, line, cycle):
    """Ask for a line of code; the cycle from which its packets may issue."""
    shape = shape_of(caches, mem.L1I)
    address = CODE_BASE + (line << shape[mem.LINE_SHIFT])
    come, _ = hit_or_walk(caches, mem.L1I, address, cycle, mem.FETCH, 0)
    return come - shape[mem.LATENCY]


@inlined
def fetched_from(state, cycle):
    """The cycle in which the front end asks for the lines of a packet that is due in `cycle`."""
    pending, parameters = state.pending, state.parameters
    return max(
        cycle,
        pending[parameters[at.RANK + why.BRANCH_FLUSH]],
        pending[parameters[at.RANK + why.TAKEN_BRANCH]],
    )


@inlined
def fetch_lines(state, row, cycle, line_held, held_until):
    """Ask for the lines that the packet in `row` stands in and the front end does not hold.

    Returns until when the pipe is held by any cause.
    """
    packets, caches = state.packets, state.caches
    begin = fetched_from(state, cycle)
    line = int64(packets[row + at.FIRST_LINE])
    come = begin
    if state.parameters[at.TRACES]:
        look(state, int64(mem.L1I))
    while line <= packets[row + at.LAST_LINE]:
        if line != line_held:
            if is_at_hand(caches, line, begin):
                counts_of(caches, mem.L1I)[mem.HIT + mem.FETCH] += 1
            else:
                come = max(come, fetch(caches, line, begin))
        line += 1
    if come > begin:
        if state.parameters[at.TRACES]:
            note_fetch(state, begin, come, int64(packets[row + at.FIRST]))
        missing = state.parameters[at.RANK + why.INSTRUCTION_MISS]
        state.pending[missing] = come
        first = packets[row + at.FIRST]  # END, if all syllables are nops
        state.blamed[missing] = min(first, packets[row + at.END] - 1)
        held_until = max(held_until, come)
    return held_until


@inlined
def register_of(check, names):
    """The register that an entry of `checks` is about."""
    return names[check & at.REGISTER_MASK]


@inlined
def guard_of(check, names):
    """The predicate under which it is waited for."""
    return names[at.PREDICATE + ((check >> at.GUARD_SHIFT) & at.GUARD_MASK)]


@inlined
def operand_ready(check, register, issued, producer, toward, use_columns):
    """The cycle at which the value that an entry of `checks` waits for may be used."""
    column = (check >> at.COLUMN_SHIFT) & at.COLUMN_MASK
    return issued[register] + toward[producer[register] * use_columns + column]


@inlined
def wait_for(state, entry, cycle, ready, blamed, cause, is_mixed, is_bound):
    """What is known of a packet's operands before an entry of its `checks`, and with it.

    ready     the cycle in which all may be used that were looked at: `cycle`, or later
    blamed    the entry that is met last, of several the first
    cause     what the unmet ones wait for; at.NO_CAUSE if there is none
    is_mixed  1 if they wait for several causes
    """
    check = int64(state.checks[entry])
    register = meant(state, check & at.REGISTER_MASK, is_bound)
    if state.settled[register] > cycle:
        usable = operand_ready(
            check,
            register,
            state.issued,
            state.producer,
            state.toward,
            state.parameters[at.USE_COLUMNS],
        )
        if usable > cycle and is_waited_for(state, check, is_bound):
            own = state.waits[state.producer[register]]
            if cause != at.NO_CAUSE and cause != own:
                is_mixed = 1
            cause = own
            if usable > ready:
                ready, blamed = usable, entry
    return ready, blamed, cause, is_mixed


@inlined
def is_waited_for(state, check, is_bound):
    """Whether the guard of an entry of `checks` is true."""
    guard = at.PREDICATE + ((check >> at.GUARD_SHIFT) & at.GUARD_MASK)
    if is_bound and guard == at.PREDICATE:
        return True
    return state.predicates[meant(state, guard, is_bound)] != 0


@inlined
def charge(state, row, ready, blamed, cause, cycle, until):
    """Charge the cycles up to `ready`, or `until` if that comes before, to one cause, and to the
    syllable that an entry of `checks` is about.

    Returns the cycle up to which cycles were charged.
    """
    check = int64(state.checks[blamed])
    syllable = int64(state.packets[row + at.FIRST]) + (check >> at.SYLLABLE_SHIFT)
    end = min(ready, until)
    if state.parameters[at.TRACES]:
        note_lost(state, cycle, end, cause, syllable)
    state.lost[cause] += end - cycle
    state.stalls[syllable * state.parameters[at.REASONS] + cause] += end - cycle
    return end


@inlined
def note(mark, since, state, is_bound):
    """A register's value will be ready as if its producer, both as a mark says them, issued at
    `since`."""
    kind = mark >> at.MARK_SHIFT
    settled = since + state.longest[kind]
    if mark & at.REGISTER_MASK == at.ALL_PREDICATES:
        for register in range(at.FIRST_PREDICATE, at.LAST_PREDICATE + 1):
            note_one(state, register, kind, since, settled)
    else:
        register = meant(state, mark & at.REGISTER_MASK, is_bound)
        note_one(state, register, kind, since, settled)


@inlined
def note_one(state, register, kind, since, settled):
    state.issued[register] = since
    state.producer[register] = kind
    state.settled[register] = settled


@inlined
def lose_to_first(state, cycle, until):
    """Charge the cycles up to `until` in which the first of all causes in the order of priority
    holds the pipe: they are its, whatever else is unmet.

    Returns the cycle up to which cycles were charged.
    """
    end = min(state.pending[0], until)
    if not state.parameters[at.HOLDS] & 1 or end <= cycle:
        return cycle
    if state.parameters[at.TRACES]:
        note_lost(state, cycle, end, int64(0), state.blamed[0])
    state.lost[0] += end - cycle
    state.stalls[state.blamed[0] * state.parameters[at.REASONS]] += end - cycle
    return end


@apart
def lose(state, row, cycle, until):
    """Charge the cycles from `cycle` in which the packet in `row` cannot issue, up to `until`.

    A lost cycle belongs to the first cause, in order of priority, that is still unmet in it.
    Returns the cycle up to which cycles were charged.
    """
    pending, blamed = state.pending, state.blamed
    parameters = state.parameters
    causes = parameters[at.REASONS]
    start = state.packets[row + at.FIRST]
    ready = cycle
    for cause in range(causes):
        if not parameters[at.HOLDS] >> cause & 1:
            pending[cause] = 0
        ready = max(ready, pending[cause])
    for entry in range(state.packets[row + at.CHECKS], state.packets[row + at.CHECKS_END]):
        check = int64(state.checks[entry])
        if not state.predicates[guard_of(check, state.names)]:
            continue
        register = register_of(check, state.names)
        if state.settled[register] <= cycle:
            continue
        usable = operand_ready(
            check, register, state.issued, state.producer, state.toward, parameters[at.USE_COLUMNS]
        )
        cause = state.waits[state.producer[register]]
        if usable > pending[cause]:
            pending[cause] = usable
            blamed[cause] = start + (check >> at.SYLLABLE_SHIFT)
            ready = max(ready, usable)
    end = min(ready, until)
    while cycle < end:
        cause = 0
        while pending[cause] <= cycle:
            cause += 1
        stop = min(pending[cause], end)
        if parameters[at.TRACES]:
            note_lost(state, cycle, stop, cause, blamed[cause])
        state.lost[cause] += stop - cycle
        state.stalls[blamed[cause] * causes + cause] += stop - cycle
        cycle = stop
    return cycle


@inlined
def hold(state, cause, syllable, cycle, cycles, held_until):
    """Let a cause hold what follows for some cycles.

    Returns until when the pipe is held by any cause.
    """
    if cycles:
        number = state.parameters[at.RANK + cause]
        state.pending[number] = cycle + 1 + cycles
        state.blamed[number] = syllable
        held_until = max(held_until, cycle + 1 + cycles)
    return held_until
