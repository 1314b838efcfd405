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

# ruff: noqa: F841  (the meanings of rows use variables that nothing here does)

from numba import int64, uint64

from machines.instructions.ia64_control import EXIT_ADDRESS
from machines.kinds.epic import stalls as why
from machines.kinds.epic.frame import NUMBER_MASK
from machines.kinds.epic.program import BUNDLE_BYTES, CODE_BASE
from machines.layout import BASE, GRANULE
from sim.cores.epic import state as at
from sim.cores.epic.memory import hierarchy as mem
from sim.cores.epic.memory.cache import access, counts_of, shape_of
from sim.cores.epic.register_stack import enter_frame, rotate_registers
from sim.cores.jit import apart, entry_point, inlined, jitted
from sim.cores.returned import DONE, FAULTED, QUANTUM
from sim.cores.tables import view_of

GRANULE_SHIFT = GRANULE.bit_length() - 1
view_of_state = view_of(at.CoreState)


@inlined
def bytes_of(size_code):
    """The size of an access."""
    return 10 if size_code == at.TEN_BYTES else 1 << size_code


@apart
def check_bounds(state, address, size_code, alignment):
    """The fault of an access, if any; see `machines.layout.Memory.check`."""
    size = bytes_of(size_code)
    granule = (address - BASE) >> GRANULE_SHIFT
    if address < BASE or granule >= state.parameters[at.GRANULES]:
        return at.OUT_OF_BOUNDS
    owner = state.owners[granule]
    if owner == 0 or address < state.starts[owner] or address + size > state.ends[owner]:
        return at.OUT_OF_BOUNDS
    return at.MISALIGNED if address & (alignment - 1) else at.NO_FAULT


@apart
def load_bytes(memory, offset, size_code):
    """What stands at any offset: the first eight bytes and the rest."""
    low, high = 0, 0
    for k in range(bytes_of(size_code)):
        byte = int64(memory[offset + k])
        if k < 8:
            low |= byte << 8 * k
        else:
            high |= byte << 8 * (k - 8)
    return low, high


@apart
def store_bytes(memory, offset, size_code, low, high):
    """Write the first eight bytes and the rest at any offset."""
    for k in range(bytes_of(size_code)):
        memory[offset + k] = (low >> 8 * k if k < 8 else high >> 8 * (k - 8)) & 255


@inlined
def is_at_hand(caches, line, cycle):
    """Whether a line of code, counted from the first bundle, is the newest of its set in L1I."""
    shape = shape_of(caches, mem.L1I)
    number = (CODE_BASE >> shape[mem.LINE_SHIFT]) + line
    way = caches.recent[shape[mem.FIRST_SET] + (number & shape[mem.LAST_SET])]
    return caches.tags[way] == number and caches.filled[way] <= cycle + shape[mem.LATENCY]


@jitted
def fetch(caches, line, cycle):
    """Ask for a line of code; the cycle from which its packets may issue."""
    shape = shape_of(caches, mem.L1I)
    address = CODE_BASE + (line << shape[mem.LINE_SHIFT])
    come, _ = access(caches, mem.L1I, address, cycle, mem.FETCH, 0)
    return come - shape[mem.LATENCY]


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
def note(mark, kind, since, names, issued, producer, settled, longest):
    """A register's value will be ready as if its producer, of class `kind`, issued at `since`."""
    register = names[mark & at.REGISTER_MASK]
    last = register
    if register == at.ALL_PREDICATES:
        register, last = at.FIRST_PREDICATE, at.LAST_PREDICATE
    while register <= last:
        issued[register] = since
        producer[register] = int64(kind)
        settled[register] = since + longest[kind]
        register += 1


@inlined
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


@inlined
def foresee(state, syllable, flags, taken, target, following):
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
    right = at.PREDICTED
    state.branches[at.PREDICTED] += 1
    if flags & at.COUNTED and parameters[at.PERFECT_COUNTED_LOOPS]:
        return right
    entry = syllable % parameters[at.HISTORY_ENTRIES]
    if flags & (at.CONDITIONAL | at.COUNTED):
        guess = flags & at.HINTED_TAKEN != 0
        if flags & at.DYNAMIC and parameters[at.LOCAL_HISTORY]:
            past = state.history[entry]
            slot = ((entry << parameters[at.HISTORY_BITS]) | past) % parameters[at.COUNTERS]
            strength = int64(state.counters[slot])
            if strength == at.UNTRAINED:  # the hint stands until the branch has shown itself
                strength = 2 if guess else 1
            guess = strength >= 2
            state.counters[slot] = min(3, strength + 1) if taken else max(0, strength - 1)
            mask = (1 << parameters[at.HISTORY_BITS]) - 1
            state.history[entry] = ((past << 1) | taken) & mask
        if guess != (taken != 0):
            right = at.WRONG_PATH
    if taken and flags & at.CALLS and parameters[at.RETURN_STACK]:
        state.returns[state.scalars[at.RETURN_TOP] % parameters[at.RETURN_STACK]] = following
        state.scalars[at.RETURN_TOP] += 1
    if taken and flags & at.INDIRECT:
        foreseen = state.targets[entry]
        if flags & at.RETURNS and parameters[at.RETURN_STACK] and state.scalars[at.RETURN_TOP] > 0:
            state.scalars[at.RETURN_TOP] -= 1
            foreseen = state.returns[state.scalars[at.RETURN_TOP] % parameters[at.RETURN_STACK]]
        state.targets[entry] = target
        if right == at.PREDICTED and foreseen != target:
            right = at.WRONG_TARGET
    if right != at.PREDICTED:
        state.branches[right] += 1
    return right


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


@entry_point
def advance(table, until):
    """Run the core whose `CoreState` is at `table` until cycle `until`.

    Returns QUANTUM (it has reached the cycle), DONE or FAULTED.

    The result does not depend on where the run is cut into calls.
    """
    state = view_of_state(table)
    code, wide, packets, checks = state.code, state.wide, state.packets, state.checks
    general, predicates, application = state.general, state.predicates, state.application
    floating, significands, tags = state.floating, state.significands, state.tags
    branch_registers = state.branch_registers
    settled, issued, producer = state.settled, state.issued, state.producer
    toward, longest, nominal = state.toward, state.longest, state.nominal
    granules, caches, scalars = state.granules, state.caches, state.scalars
    parameters = state.parameters
    bytes1, bytes2, bytes4, bytes8 = state.bytes1, state.bytes2, state.bytes4, state.bytes8
    packet_counts, squashed, cut = state.packet_counts, state.squashed, state.cut
    names, rings, frame = state.names, state.rings, state.frame

    cycle, packet, line_held = scalars[at.CYCLE], scalars[at.PACKET], scalars[at.LINE_HELD]
    held_until, issuing, retired = scalars[at.HELD_UNTIL], scalars[at.ISSUING], scalars[at.RETIRED]
    use_columns, span = parameters[at.USE_COLUMNS], parameters[at.SPAN]
    near, far = parameters[at.NEAR_LEVEL], parameters[at.FAR_LEVEL]
    near_shape, near_counts = shape_of(caches, near), counts_of(caches, near)
    near_shift, near_latency = near_shape[mem.LINE_SHIFT], near_shape[mem.LATENCY]
    misaligned = parameters[at.MISALIGNED_COST]
    near_is_free = parameters[at.NEAR_IS_FREE]
    near_set, near_mask = near_shape[mem.FIRST_SET], near_shape[mem.LAST_SET]
    recent, line_tags, filled = caches.recent, caches.tags, caches.filled
    status = QUANTUM
    fault, fault_address = at.NO_FAULT, 0

    while cycle < until:
        row = packet * at.PACKET_COLUMNS
        last_line = packets[row + at.LAST_LINE]
        if last_line != line_held:
            begin = max(
                cycle,
                state.pending[parameters[at.RANK + why.BRANCH_FLUSH]],
                state.pending[parameters[at.RANK + why.TAKEN_BRANCH]],
            )
            line = int64(packets[row + at.FIRST_LINE])
            come = begin
            while line <= last_line:
                if line != line_held:
                    if is_at_hand(caches, line, begin):
                        counts_of(caches, mem.L1I)[mem.HIT + mem.FETCH] += 1
                    else:
                        come = max(come, fetch(caches, line, begin))
                line += 1
            line_held = last_line
            if come > begin:
                state.pending[parameters[at.RANK + why.INSTRUCTION_MISS]] = come
                first = packets[row + at.FIRST]  # END, if all syllables are nops
                state.blamed[parameters[at.RANK + why.INSTRUCTION_MISS]] = min(
                    first, packets[row + at.END] - 1
                )
                held_until = max(held_until, come)

        waiting = held_until > cycle
        entry, last_entry = packets[row + at.CHECKS], packets[row + at.CHECKS_END]
        while entry < last_entry:
            check = int64(checks[entry])
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

        syllable, end = int64(packets[row + at.FIRST]), packets[row + at.END]
        serving = 0
        packet_counts[packet] += 1
        retired += packets[row + at.COUNT]
        packet = packets[row + at.NEXT_PACKET]
        while syllable < end:
            k = syllable * at.CODE_COLUMNS
            flags = int64(code[k + at.FLAGS])
            guard = code[k + at.GUARD]
            if flags & at.RENAMED:
                needs = int64(guard) >> at.NEEDS_SHIFT
                guard = names[guard & at.REGISTER_MASK]
                if needs > frame[at.NAMED] & NUMBER_MASK and predicates[guard]:
                    fault = at.NOT_IN_FRAME
                    break
            executes = predicates[guard] != 0
            taken, target = 0, 0
            stored, stored_high = 0, 0
            address, offset, piecewise = 0, 0, False
            if executes:
                loaded, loaded_high = 0, 0
                if flags & at.MEMORY:
                    base = code[k + at.ADDRESS_REGISTER]
                    if flags & at.RENAMED:
                        base = names[base]
                    address = general[base]
                    offset = address - BASE
                    size = (flags >> at.SIZE_SHIFT) & at.SIZE_MASK
                    alignment = 1 << min(size, 4)
                    is_inside = uint64(offset) < uint64(span) and address & (alignment - 1) == 0
                    if not (is_inside and granules[offset >> GRANULE_SHIFT] == at.WHOLE):
                        fault = check_bounds(state, address, size, alignment)
                        is_semaphore = flags & at.LOADS and flags & at.STORES
                        is_served = misaligned != at.NEVER_SERVED and not is_semaphore
                        if fault == at.MISALIGNED and is_served:
                            fault, piecewise = at.NO_FAULT, True
                            serving += misaligned
                            held_until = hold(
                                state, why.MISALIGNED, syllable, cycle, serving, held_until
                            )
                            scalars[
                                at.MISALIGNED_LOADS if flags & at.LOADS else at.MISALIGNED_STORES
                            ] += 1
                        if fault != at.NO_FAULT and flags & at.PREFETCHES:
                            fault = at.NO_FAULT
                            scalars[at.PREFETCHES_DROPPED] += 1
                            flags &= ~at.PREFETCHES
                        elif fault != at.NO_FAULT:
                            fault_address = address
                            break
                    if flags & at.LOADS:
                        if piecewise:
                            loaded, loaded_high = load_bytes(bytes1, offset, size)
                        elif size == 3:
                            loaded = bytes8[offset >> 3]
                        elif size == 2:
                            loaded = int64(bytes4[offset >> 2])
                        elif size == 0:
                            loaded = int64(bytes1[offset])
                        elif size == 1:
                            loaded = int64(bytes2[offset >> 1])
                        else:
                            loaded = bytes8[offset >> 3]
                            if size == at.TEN_BYTES:
                                loaded_high = int64(bytes2[(offset >> 1) + 4])
                            else:
                                loaded_high = bytes8[(offset >> 3) + 1]

                opcode = code[k + at.OPCODE]
                operand0, operand1 = code[k + at.OPERAND], code[k + at.OPERAND + 1]
                operand2 = code[k + at.OPERAND + 2]
                operand3 = code[k + at.OPERAND + 3]
                operand4 = code[k + at.OPERAND + 4]
                if flags & at.RENAMED:
                    operand0, operand1 = names[operand0], names[operand1]
                    operand2, operand3 = names[operand2], names[operand3]
                    if not flags & (at.MEMORY | at.BRANCHES):  # else it is a mark
                        operand4 = names[operand4]
                wide_operand = wide[syllable * at.WORDS_PER_ROW + at.WIDE_WORD]
                # OPERATIONS: write_core puts the meanings of all rows here
            else:
                squashed[syllable] += 1
                if flags & at.CLEARS_FIRST:
                    predicates[names[code[k + at.OPERAND]]] = 0
                if flags & at.CLEARS_SECOND:
                    predicates[names[code[k + at.OPERAND + 1]]] = 0
                if flags & (at.CLEARS_FIRST | at.CLEARS_SECOND):
                    flags &= at.MARKED
                else:
                    flags &= at.BRANCHES | at.OF_BRANCHES

            if flags & at.SPECIAL:
                if flags & at.MEMORY:
                    if flags & at.STORES:
                        size = (flags >> at.SIZE_SHIFT) & at.SIZE_MASK
                        if piecewise:
                            store_bytes(bytes1, offset, size, stored, stored_high)
                        elif size == 3:
                            bytes8[offset >> 3] = stored
                        elif size == 2:
                            bytes4[offset >> 2] = stored
                        elif size == 0:
                            bytes1[offset] = stored
                        elif size == 1:
                            bytes2[offset >> 1] = stored
                        else:
                            bytes8[offset >> 3] = stored
                            if size == at.TEN_BYTES:
                                bytes2[(offset >> 1) + 4] = stored_high
                            else:
                                bytes8[(offset >> 3) + 1] = stored_high
                        scalars[at.MEMORY_WRITES] += 1
                    ready = cycle
                    request = (
                        mem.LOAD
                        if flags & at.LOADS
                        else mem.STORE
                        if flags & at.STORES
                        else mem.PREFETCH
                    )
                    more = True
                    while more:
                        # A semaphore is a load, and a store when that has come; anything else
                        # goes round once.
                        more = flags & at.STORES != 0 and request == mem.LOAD
                        line = address >> near_shift
                        way = recent[near_set + (line & near_mask)]
                        begin = max(ready, state.pending[parameters[at.RANK + why.QUEUE_FULL]])
                        if (
                            near_is_free
                            and request == mem.LOAD
                            and not flags & at.FAR
                            and line_tags[way] == line
                            and filled[way] <= begin + near_latency
                        ):
                            near_counts[mem.HIT + mem.LOAD] += 1
                            ready = begin + near_latency
                        else:
                            level = far if flags & at.FAR else near
                            if request == mem.PREFETCH:
                                level = parameters[at.PREFETCH_LEVEL]
                            extra = 1 if flags & at.FLOATING_LOAD else 0
                            come, go_on = access(caches, level, address, begin, request, extra)
                            if request == mem.LOAD:
                                ready = come
                            if go_on > begin:
                                full = parameters[at.RANK + why.QUEUE_FULL]
                                state.pending[full] = go_on
                                state.blamed[full] = syllable
                                held_until = max(held_until, go_on)
                        request = mem.STORE
                    mark = int64(code[k + at.MARK])
                    if mark:
                        kind = mark >> at.MARK_SHIFT
                        since = ready - nominal[kind] if flags & at.LOADS else cycle
                        note(mark, kind, since, names, issued, producer, settled, longest)
                        mark = int64(code[k + at.SECOND_MARK])
                        if mark:
                            note(mark, kind, since, names, issued, producer, settled, longest)
                    mark = int64(code[k + at.THIRD_MARK])
                    if mark:
                        kind = mark >> at.MARK_SHIFT
                        note(mark, kind, cycle, names, issued, producer, settled, longest)
                elif flags & at.MARKED:
                    mark = int64(code[k + at.MARK])
                    kind = mark >> at.MARK_SHIFT
                    note(mark, kind, cycle, names, issued, producer, settled, longest)
                    mark = int64(code[k + at.SECOND_MARK])
                    if mark:
                        kind = mark >> at.MARK_SHIFT
                        note(mark, kind, cycle, names, issued, producer, settled, longest)
                if flags & at.MAY_FAULT:
                    if fault == at.NO_FAULT and flags & at.FRAMES:
                        fault, moving = enter_frame(state, 0)
                        if fault == at.NO_FAULT:
                            general[names[wide_operand]] = general[at.HELD]
                            held_until = hold(
                                state, why.REGISTER_STACK, syllable, cycle, moving, held_until
                            )
                    if fault != at.NO_FAULT:
                        break
                if flags & at.BRANCHES:
                    if flags & at.ROTATES:
                        rotate_registers(frame, names, rings, predicates, parameters)
                    following = CODE_BASE + (syllable // 3 + 1) * BUNDLE_BYTES
                    outcome = foresee(state, syllable, flags, taken, target, following)
                    if outcome != at.PREDICTED:
                        held_until = hold(
                            state,
                            why.BRANCH_FLUSH,
                            syllable,
                            cycle,
                            parameters[at.MISPREDICT],
                            held_until,
                        )
                    elif taken and parameters[at.TAKEN_BUBBLE]:
                        held_until = hold(
                            state,
                            why.TAKEN_BRANCH,
                            syllable,
                            cycle,
                            parameters[at.TAKEN_BUBBLE],
                            held_until,
                        )
                    if taken:
                        if flags & at.INDIRECT:
                            bundle = (target - CODE_BASE) // BUNDLE_BYTES
                            if target == EXIT_ADDRESS:
                                status = DONE
                            elif uint64(bundle) >= uint64(parameters[at.BUNDLES]):
                                fault, fault_address = at.NOT_CODE, target
                            else:
                                packet = state.entries[bundle]
                        else:
                            packet = wide[syllable * at.WORDS_PER_ROW + at.WIDE_WORD]
                        if (
                            flags & (at.CALLS | at.RETURNS)
                            and status != DONE
                            and fault == at.NO_FAULT
                        ):
                            fault, moving = enter_frame(state, 1 if flags & at.CALLS else -1)
                            held_until = hold(
                                state, why.REGISTER_STACK, syllable, cycle, moving, held_until
                            )
                        if fault == at.NO_FAULT:
                            syllable += 1
                        break
            syllable += int64(code[k + at.SKIP])

        cycle += 1
        issuing += 1
        if fault != at.NO_FAULT:
            status = FAULTED
            scalars[at.FAULT_SYLLABLE] = syllable
        while syllable < end:  # not executed: a branch was taken before it, or a syllable faulted
            if code[syllable * at.CODE_COLUMNS + at.OPCODE] != at.NOT_AN_OPERATION:
                cut[syllable] += 1
                retired -= 1
            syllable += 1
        if status != QUANTUM:
            break

    scalars[at.CYCLE], scalars[at.PACKET], scalars[at.LINE_HELD] = cycle, packet, line_held
    scalars[at.HELD_UNTIL], scalars[at.ISSUING], scalars[at.RETIRED] = held_until, issuing, retired
    scalars[at.FAULT], scalars[at.FAULT_ADDRESS] = fault, fault_address
    return status
