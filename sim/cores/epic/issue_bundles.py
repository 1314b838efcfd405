"""The EPIC core, cycle by cycle: the text from which `write_core` makes the jitted `advance`.

The core is in order.  Each turn of the main loop is one cycle that issues a packet, or a stretch of
cycles in which nothing issues, every one of which is charged to one cause:

    fetch the packet's lines -> wait (pipe held, operands not ready) -> issue: execute its syllables
    in program order, note when their results will be ready, follow a taken branch

What a syllable does is the `meaning` of its row; `write_core` puts the meanings of all rows, found
by binary search, in the place marked below.  Nothing here knows a figure of any machine.

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

# ruff: noqa: F403, F405, F841  (the columns of the state's arrays are many, and the meanings of
# rows use some of the variables)

from numba import int64
from numba import uint64 as index  # an unsigned index needs no test for negative values

from machines.instructions.ia64_control import EXIT_ADDRESS
from machines.kinds.epic import stalls as why
from machines.kinds.epic.frame import NUMBER_MASK
from machines.kinds.epic.program import BUNDLE_BYTES, CODE_BASE
from machines.layout import BASE, GRANULE
from sim.cores.epic.memory.cache import access
from sim.cores.epic.memory.hierarchy import (
    FETCH,
    FIRST_SET,
    HIT,
    L1I,
    LAST_SET,
    LATENCY,
    LINE_SHIFT,
    LOAD,
    PREFETCH,
    STORE,
)
from sim.cores.epic.register_stack import enter_frame, rotate_registers
from sim.cores.epic.state import *
from sim.cores.jit import inlined, jitted, jitted_cached
from sim.cores.returned import DONE, FAULTED, QUANTUM

GRANULE_SHIFT = GRANULE.bit_length() - 1


@inlined
def bytes_of(size_code):
    """The size of an access."""
    return 10 if size_code == TEN_BYTES else 1 << size_code


@jitted
def check_bounds(owners, starts, ends, address, size_code, alignment):
    """The fault of an access, if any; see `machines.layout.Memory.check`."""
    size = bytes_of(size_code)
    granule = (address - BASE) >> GRANULE_SHIFT
    if address < BASE or granule >= len(owners):
        return OUT_OF_BOUNDS
    owner = index(owners[index(granule)])
    if owner == 0 or address < starts[owner] or address + size > ends[owner]:
        return OUT_OF_BOUNDS
    return MISALIGNED if address & (alignment - 1) else NO_FAULT


@jitted
def load_bytes(memory, offset, size_code):
    """What stands at any offset: the first eight bytes and the rest."""
    low, high = 0, 0
    for k in range(bytes_of(size_code)):
        byte = int64(memory[index(offset + k)])
        if k < 8:
            low |= byte << 8 * k
        else:
            high |= byte << 8 * (k - 8)
    return low, high


@jitted
def store_bytes(memory, offset, size_code, low, high):
    """Write the first eight bytes and the rest at any offset."""
    for k in range(bytes_of(size_code)):
        memory[index(offset + k)] = (low >> 8 * k if k < 8 else high >> 8 * (k - 8)) & 255


@inlined
def is_at_hand(caches, line, cycle):
    """Whether a line of code, counted from the first bundle, is the newest of its set in L1I."""
    shape = caches.shape[L1I]
    number = (CODE_BASE >> shape[LINE_SHIFT]) + line
    place = index(caches.recent[index(shape[FIRST_SET] + (number & shape[LAST_SET]))])
    return caches.tags[place] == number and caches.filled[place] <= cycle + shape[LATENCY]


@jitted
def fetch(caches, line, cycle):
    """Ask for a line of code; the cycle from which its packets may issue."""
    shape = caches.shape[L1I]
    address = CODE_BASE + (line << shape[LINE_SHIFT])
    come, _ = access(caches, L1I, address, cycle, FETCH, 0)
    return come - shape[LATENCY]


@inlined
def register_of(check, names):
    """The register that an entry of `checks` is about."""
    return index(names[index(check & REGISTER_MASK)])


@inlined
def guard_of(check, names):
    """The predicate under which it is waited for."""
    return index(names[index(PREDICATE + ((check >> GUARD_SHIFT) & GUARD_MASK))])


@inlined
def operand_ready(check, register, issued, producer, toward, use_columns):
    """The cycle at which the value that an entry of `checks` waits for may be used."""
    column = (check >> COLUMN_SHIFT) & COLUMN_MASK
    return issued[register] + toward[index(producer[register] * use_columns + column)]


@inlined
def note(mark, kind, since, names, issued, producer, settled, longest):
    """A register's value will be ready as if its producer, of class `kind`, issued at `since`."""
    register = index(names[index(mark & REGISTER_MASK)])
    last = register
    if register == ALL_PREDICATES:
        register, last = index(FIRST_PREDICATE), index(LAST_PREDICATE)
    while register <= last:
        issued[register] = since
        producer[register] = int64(kind)
        settled[register] = since + longest[kind]
        register += index(1)


@inlined
def lose(state, row, cycle, until):
    """Charge the cycles from `cycle` in which the packet in `row` cannot issue, up to `until`.

    A lost cycle belongs to the first cause, in order of priority, that is still unmet in it.
    Returns the cycle up to which cycles were charged.
    """
    pending, blamed = state.pending, state.blamed
    parameters = state.parameters
    causes = len(pending)
    start = state.packets[index(row + FIRST)]
    ready = cycle
    for cause in range(causes):
        if not parameters[HOLDS] >> cause & 1:
            pending[cause] = 0
        ready = max(ready, pending[cause])
    for entry in range(state.packets[index(row + CHECKS)], state.packets[index(row + CHECKS_END)]):
        check = int64(state.checks[index(entry)])
        if not state.predicates[guard_of(check, state.names)]:
            continue
        register = register_of(check, state.names)
        if state.settled[register] <= cycle:
            continue
        usable = operand_ready(
            check, register, state.issued, state.producer, state.toward, parameters[USE_COLUMNS]
        )
        cause = state.waits[index(state.producer[register])]
        if usable > pending[index(cause)]:
            pending[index(cause)] = usable
            blamed[index(cause)] = start + (check >> PLACE_SHIFT)
            ready = max(ready, usable)
    end = min(ready, until)
    while cycle < end:
        cause = 0
        while pending[index(cause)] <= cycle:
            cause += 1
        stop = min(pending[index(cause)], end)
        state.lost[index(cause)] += stop - cycle
        state.stalls[index(blamed[index(cause)] * causes + cause)] += stop - cycle
        cycle = stop
    return cycle


@inlined
def hold(state, cause, at, cycle, cycles, held_until):
    """Let a cause hold what follows for some cycles.

    Returns until when the pipe is held by any cause.
    """
    if cycles:
        number = index(state.parameters[RANK + cause])
        state.pending[number] = cycle + 1 + cycles
        state.blamed[number] = at
        held_until = max(held_until, cycle + 1 + cycles)
    return held_until


@inlined
def foresee(state, at, flags, taken, target, following):
    """Predict a branch, learn from it, and say whether the prediction was right.

    A branch with a dynamic hint has an entry of past outcomes, at its syllable number modulo the
    entries; entry and outcomes together choose a two-bit counter, modulo the counters, which begins
    on the weak side of the hint.  Static hints are followed.  The target of a direct branch is
    known; a return goes where the return stack, a ring, says; other indirect branches where the
    branch of that entry went last.

    target     bundle address it goes to, if taken
    following  address of the bundle after it, the return point of a call
    Returns PREDICTED if all was right, else WRONG_PATH or WRONG_TARGET.
    """
    parameters = state.parameters
    right = PREDICTED
    state.branches[PREDICTED] += 1
    if flags & COUNTED and parameters[PERFECT_COUNTED_LOOPS]:
        return right
    entry = index(at % parameters[HISTORY_ENTRIES])
    if flags & (CONDITIONAL | COUNTED):
        guess = flags & HINTED_TAKEN != 0
        if flags & DYNAMIC and parameters[LOCAL_HISTORY]:
            past = state.history[entry]
            slot = index(((int64(entry) << parameters[HISTORY_BITS]) | past) % parameters[COUNTERS])
            strength = int64(state.counters[slot])
            if strength == UNTRAINED:  # the hint stands until the branch has shown itself
                strength = 2 if guess else 1
            guess = strength >= 2
            state.counters[slot] = min(3, strength + 1) if taken else max(0, strength - 1)
            mask = (1 << parameters[HISTORY_BITS]) - 1
            state.history[entry] = ((past << 1) | taken) & mask
        if guess != (taken != 0):
            right = WRONG_PATH
    if taken and flags & CALLS and parameters[RETURN_STACK]:
        state.returns[index(state.scalars[RETURN_TOP] % parameters[RETURN_STACK])] = following
        state.scalars[RETURN_TOP] += 1
    if taken and flags & INDIRECT:
        foreseen = state.targets[entry]
        if flags & RETURNS and parameters[RETURN_STACK] and state.scalars[RETURN_TOP] > 0:
            state.scalars[RETURN_TOP] -= 1
            foreseen = state.returns[index(state.scalars[RETURN_TOP] % parameters[RETURN_STACK])]
        state.targets[entry] = target
        if right == PREDICTED and foreseen != target:
            right = WRONG_TARGET
    if right != PREDICTED:
        state.branches[right] += 1
    return right


@jitted
def pack_predicates(predicates):
    """All predicates as one number, p0 in bit 0."""
    bits = 0
    for number in range(NO_PREDICATE - PREDICATE):
        bits |= predicates[PREDICATE + number] << number
    return bits


@jitted
def unpack_predicates(bits, predicates):
    """Set all predicates from one number; p0 stays 1."""
    for number in range(1, NO_PREDICATE - PREDICATE):
        predicates[PREDICATE + number] = (bits >> number) & 1


@jitted_cached
def advance(state, until):
    """Run the core until cycle `until`; returns QUANTUM (reached it), DONE or FAULTED.

    The result does not depend on where the run is cut into calls.
    """
    code, wide, packets, checks = state.code, state.wide, state.packets, state.checks
    general, predicates, application = state.general, state.predicates, state.application
    floating, significands, tags = state.floating, state.significands, state.tags
    branch_registers = state.branch_registers
    settled, issued, producer = state.settled, state.issued, state.producer
    toward, longest, nominal = state.toward, state.longest, state.nominal
    owners, starts, ends = state.owners, state.starts, state.ends
    granules, caches, scalars = state.granules, state.caches, state.scalars
    parameters = state.parameters
    bytes1, bytes2, bytes4, bytes8 = state.bytes1, state.bytes2, state.bytes4, state.bytes8
    packet_counts, squashed, cut = state.packet_counts, state.squashed, state.cut
    names, rings, frame = state.names, state.rings, state.frame

    cycle, packet, line_held = scalars[CYCLE], scalars[PACKET], scalars[LINE_HELD]
    held_until, issuing, retired = scalars[HELD_UNTIL], scalars[ISSUING], scalars[RETIRED]
    use_columns, span = parameters[USE_COLUMNS], len(bytes1)
    near, far = parameters[NEAR_LEVEL], parameters[FAR_LEVEL]
    near_shift, near_latency = caches.shape[near, LINE_SHIFT], caches.shape[near, LATENCY]
    misaligned = parameters[MISALIGNED_COST]
    near_is_free = parameters[NEAR_IS_FREE]
    near_set, near_mask = caches.shape[near, FIRST_SET], caches.shape[near, LAST_SET]
    recent, line_tags, filled, counts = caches.recent, caches.tags, caches.filled, caches.counts
    status = QUANTUM
    fault, fault_address = NO_FAULT, 0

    while cycle < until:
        row = packet * PACKET_COLUMNS
        last_line = packets[index(row + LAST_LINE)]
        if last_line != line_held:
            begin = max(
                cycle,
                state.pending[parameters[RANK + why.BRANCH_FLUSH]],
                state.pending[parameters[RANK + why.TAKEN_BRANCH]],
            )
            line = int64(packets[index(row + FIRST_LINE)])
            come = begin
            while line <= last_line:
                if line != line_held:
                    if is_at_hand(caches, line, begin):
                        caches.counts[L1I, HIT + FETCH] += 1
                    else:
                        come = max(come, fetch(caches, line, begin))
                line += 1
            line_held = last_line
            if come > begin:
                state.pending[parameters[RANK + why.INSTRUCTION_MISS]] = come
                first = packets[index(row + FIRST)]  # END, if all syllables are nops
                state.blamed[parameters[RANK + why.INSTRUCTION_MISS]] = min(
                    first, packets[index(row + END)] - 1
                )
                held_until = max(held_until, come)

        waiting = held_until > cycle
        entry, last_entry = packets[index(row + CHECKS)], packets[index(row + CHECKS_END)]
        while entry < last_entry:
            check = int64(checks[index(entry)])
            entry += 1
            register = register_of(check, names)
            if settled[register] > cycle:
                usable = operand_ready(check, register, issued, producer, toward, use_columns)
                if usable > cycle and predicates[guard_of(check, names)]:
                    waiting = True
                    break
        if waiting:
            cycle = lose(state, row, cycle, until)
            continue

        at, end, serving = int64(packets[index(row + FIRST)]), packets[index(row + END)], 0
        packet_counts[index(packet)] += 1
        retired += packets[index(row + COUNT)]
        packet = packets[index(row + NEXT_PACKET)]
        while at < end:
            k = at * CODE_COLUMNS
            flags = int64(code[index(k + FLAGS)])
            guard = code[index(k + GUARD)]
            if flags & RENAMED:
                needs = int64(guard) >> NEEDS_SHIFT
                guard = names[index(guard & REGISTER_MASK)]
                if needs > frame[NAMED] & NUMBER_MASK and predicates[index(guard)]:
                    fault = NOT_IN_FRAME
                    break
            executes = predicates[index(guard)] != 0
            taken, target = 0, 0
            stored, stored_high = 0, 0
            address, offset, piecewise = 0, 0, False
            if executes:
                loaded, loaded_high = 0, 0
                if flags & MEMORY:
                    base = code[index(k + ADDRESS_REGISTER)]
                    if flags & RENAMED:
                        base = names[index(base)]
                    address = general[index(base)]
                    offset = address - BASE
                    size = (flags >> SIZE_SHIFT) & SIZE_MASK
                    alignment = 1 << min(size, 4)
                    is_inside = index(offset) < index(span) and address & (alignment - 1) == 0
                    if not (is_inside and granules[index(offset >> GRANULE_SHIFT)] == WHOLE):
                        fault = check_bounds(owners, starts, ends, address, size, alignment)
                        is_semaphore = flags & LOADS and flags & STORES
                        is_served = misaligned != NEVER_SERVED and not is_semaphore
                        if fault == MISALIGNED and is_served:
                            fault, piecewise = NO_FAULT, True
                            serving += misaligned
                            held_until = hold(state, why.MISALIGNED, at, cycle, serving, held_until)
                            scalars[MISALIGNED_LOADS if flags & LOADS else MISALIGNED_STORES] += 1
                        if fault != NO_FAULT and flags & PREFETCHES:
                            fault = NO_FAULT
                            scalars[PREFETCHES_DROPPED] += 1
                            flags &= ~PREFETCHES
                        elif fault != NO_FAULT:
                            fault_address = address
                            break
                    if flags & LOADS:
                        if piecewise:
                            loaded, loaded_high = load_bytes(bytes1, offset, size)
                        elif size == 3:
                            loaded = bytes8[index(offset >> 3)]
                        elif size == 2:
                            loaded = int64(bytes4[index(offset >> 2)])
                        elif size == 0:
                            loaded = int64(bytes1[index(offset)])
                        elif size == 1:
                            loaded = int64(bytes2[index(offset >> 1)])
                        else:
                            loaded = bytes8[index(offset >> 3)]
                            if size == TEN_BYTES:
                                loaded_high = int64(bytes2[index((offset >> 1) + 4)])
                            else:
                                loaded_high = bytes8[index((offset >> 3) + 1)]

                opcode = code[index(k + OPCODE)]
                operand0, operand1 = code[index(k + OPERAND)], code[index(k + OPERAND + 1)]
                operand2, operand3 = code[index(k + OPERAND + 2)], code[index(k + OPERAND + 3)]
                operand4 = code[index(k + OPERAND + 4)]
                if flags & RENAMED:
                    operand0, operand1 = names[index(operand0)], names[index(operand1)]
                    operand2, operand3 = names[index(operand2)], names[index(operand3)]
                    if not flags & (MEMORY | BRANCHES):  # else it is a mark
                        operand4 = names[index(operand4)]
                wide_operand = wide[index(at * WORDS_PER_ROW + WIDE_WORD)]
                # OPERATIONS: write_core puts the meanings of all rows here
            else:
                squashed[index(at)] += 1
                if flags & CLEARS_FIRST:
                    predicates[index(names[index(code[index(k + OPERAND)])])] = 0
                if flags & CLEARS_SECOND:
                    predicates[index(names[index(code[index(k + OPERAND + 1)])])] = 0
                if flags & (CLEARS_FIRST | CLEARS_SECOND):
                    flags &= MARKED
                else:
                    flags &= BRANCHES | OF_BRANCHES

            if flags & SPECIAL:
                if flags & MEMORY:
                    if flags & STORES:
                        size = (flags >> SIZE_SHIFT) & SIZE_MASK
                        if piecewise:
                            store_bytes(bytes1, offset, size, stored, stored_high)
                        elif size == 3:
                            bytes8[index(offset >> 3)] = stored
                        elif size == 2:
                            bytes4[index(offset >> 2)] = stored
                        elif size == 0:
                            bytes1[index(offset)] = stored
                        elif size == 1:
                            bytes2[index(offset >> 1)] = stored
                        else:
                            bytes8[index(offset >> 3)] = stored
                            if size == TEN_BYTES:
                                bytes2[index((offset >> 1) + 4)] = stored_high
                            else:
                                bytes8[index((offset >> 3) + 1)] = stored_high
                        scalars[MEMORY_WRITES] += 1
                    ready = cycle
                    request = LOAD if flags & LOADS else STORE if flags & STORES else PREFETCH
                    more = True
                    while more:
                        # A semaphore is a load, and a store when that has come; anything else
                        # goes round once.
                        more = flags & STORES != 0 and request == LOAD
                        line = address >> near_shift
                        place = index(recent[index(near_set + (line & near_mask))])
                        begin = max(ready, state.pending[parameters[RANK + why.QUEUE_FULL]])
                        if (
                            near_is_free
                            and request == LOAD
                            and not flags & FAR
                            and line_tags[place] == line
                            and filled[place] <= begin + near_latency
                        ):
                            counts[index(near), HIT + LOAD] += 1
                            ready = begin + near_latency
                        else:
                            level = far if flags & FAR else near
                            if request == PREFETCH:
                                level = parameters[PREFETCH_LEVEL]
                            extra = 1 if flags & FLOATING_LOAD else 0
                            come, go_on = access(caches, level, address, begin, request, extra)
                            if request == LOAD:
                                ready = come
                            if go_on > begin:
                                full = parameters[RANK + why.QUEUE_FULL]
                                state.pending[full] = go_on
                                state.blamed[full] = at
                                held_until = max(held_until, go_on)
                        request = STORE
                    mark = int64(code[index(k + MARK)])
                    if mark:
                        kind = index(mark >> MARK_SHIFT)
                        since = ready - nominal[kind] if flags & LOADS else cycle
                        note(mark, kind, since, names, issued, producer, settled, longest)
                        mark = int64(code[index(k + SECOND_MARK)])
                        if mark:
                            note(mark, kind, since, names, issued, producer, settled, longest)
                    mark = int64(code[index(k + THIRD_MARK)])
                    if mark:
                        kind = index(mark >> MARK_SHIFT)
                        note(mark, kind, cycle, names, issued, producer, settled, longest)
                elif flags & MARKED:
                    mark = int64(code[index(k + MARK)])
                    kind = index(mark >> MARK_SHIFT)
                    note(mark, kind, cycle, names, issued, producer, settled, longest)
                    mark = int64(code[index(k + SECOND_MARK)])
                    if mark:
                        kind = index(mark >> MARK_SHIFT)
                        note(mark, kind, cycle, names, issued, producer, settled, longest)
                if flags & MAY_FAULT:
                    if fault == NO_FAULT and flags & FRAMES:
                        fault, moving = enter_frame(state, 0)
                        if fault == NO_FAULT:
                            general[index(names[index(wide_operand)])] = general[HELD]
                            held_until = hold(
                                state, why.REGISTER_STACK, at, cycle, moving, held_until
                            )
                    if fault != NO_FAULT:
                        break
                if flags & BRANCHES:
                    if flags & ROTATES:
                        rotate_registers(frame, names, rings, predicates, parameters)
                    following = CODE_BASE + (at // 3 + 1) * BUNDLE_BYTES
                    outcome = foresee(state, at, flags, taken, target, following)
                    if outcome != PREDICTED:
                        held_until = hold(
                            state, why.BRANCH_FLUSH, at, cycle, parameters[MISPREDICT], held_until
                        )
                    elif taken and parameters[TAKEN_BUBBLE]:
                        held_until = hold(
                            state, why.TAKEN_BRANCH, at, cycle, parameters[TAKEN_BUBBLE], held_until
                        )
                    if taken:
                        if flags & INDIRECT:
                            bundle = index((target - CODE_BASE) // BUNDLE_BYTES)
                            if target == EXIT_ADDRESS:
                                status = DONE
                            elif bundle >= index(len(state.entries)):
                                fault, fault_address = NOT_CODE, target
                            else:
                                packet = state.entries[bundle]
                        else:
                            packet = wide[index(at * WORDS_PER_ROW + WIDE_WORD)]
                        if flags & (CALLS | RETURNS) and status != DONE and fault == NO_FAULT:
                            fault, moving = enter_frame(state, 1 if flags & CALLS else -1)
                            held_until = hold(
                                state, why.REGISTER_STACK, at, cycle, moving, held_until
                            )
                        if fault == NO_FAULT:
                            at += 1
                        break
            at += int64(code[index(k + SKIP)])

        cycle += 1
        issuing += 1
        if fault != NO_FAULT:
            status = FAULTED
            scalars[FAULT_SYLLABLE] = at
        while at < end:  # not executed: a branch was taken before it, or a syllable faulted
            if code[index(at * CODE_COLUMNS + OPCODE)] != NOT_AN_OPERATION:
                cut[index(at)] += 1
                retired -= 1
            at += 1
        if status != QUANTUM:
            break

    scalars[CYCLE], scalars[PACKET], scalars[LINE_HELD] = cycle, packet, line_held
    scalars[HELD_UNTIL], scalars[ISSUING], scalars[RETIRED] = held_until, issuing, retired
    scalars[FAULT], scalars[FAULT_ADDRESS] = fault, fault_address
    return status
