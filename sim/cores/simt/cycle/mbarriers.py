"""Barrier objects in shared memory: what lanes do to them, what comes later, and who waits."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.kinds.simt.copy_faults import MOST_OBJECTS
from machines.kinds.simt.reconvergence import COUNT
from machines.threads.spaces import SHARED
from machines.vocabulary import mbarriers
from sim.cores.jit import inlined, jitted, jitted_twins
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.cycle.control_bits import note_counters
from sim.cores.simt.cycle.copy_marks import (
    NO_MARK,
    TO_STORE,
    mark_at,
    numbers_of,
    object_mark,
    object_of,
    racing_lane,
    thread_of,
)
from sim.cores.simt.cycle.lane_accesses import find_addresses, find_targets
from sim.cores.simt.cycle.meetings import learn, object_row_of, own_row, tell
from sim.cores.simt.cycle.operands import operand_of
from sim.cores.simt.cycle.pipes import occupy, serve
from sim.cores.simt.cycle.scoreboard import mark_results
from sim.cores.simt.cycle.slots import warp_of
from sim.cores.simt.cycle.trace import note_done
from sim.cores.simt.cycle.warp_scheduler import announce, prepare
from sim.cores.simt.host.deferred import before_change
from sim.cores.simt.host.lane_words import (
    address_of,
    first_bit,
    read_b64,
    read_pair,
    read_u32,
    write_b64,
    write_pair,
)
from sim.cores.simt.memory.shared_memory import object_access
from sim.cores.simt.units.async_copies import COPYING, KEPT, KNOWN, MARK, OF_THREAD
from sim.cores.simt.units.block_dispatcher import RESIDENT, SLOTS
from sim.cores.simt.units.faults import FAULT
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import SM_STORES, SPANS
from sim.cores.simt.units.mbarriers import (
    DEED,
    DUE,
    HELD,
    MBARRIER,
    MOST_DUE,
    NO_OPERAND,
    OBJECT,
    SM_DUE,
)
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.pipes import USE
from sim.cores.simt.units.stalls import WAIT
from sim.cores.simt.units.trace import TRACE

_TWINS = jitted_twins(mbarriers)
arrived, changed, expecting = _TWINS.arrived, _TWINS.changed, _TWINS.expecting
is_over, missing_bytes, new, parity = (
    _TWINS.is_over, _TWINS.missing_bytes, _TWINS.new, _TWINS.parity,
)  # fmt: skip
pending = _TWINS.pending
AGAIN = 20
"""Cycles that some lanes wait at most while others of their warp are elsewhere."""
MOST_COUNT, MOST_BYTES = mbarriers.MOST_COUNT, mbarriers.SIGN - 1


@inlined
def access(state, memory, sm, subcore, warp, pc, mask, cycle, kind):
    """Lanes do something to barrier objects: see `choose`.  NOT_YET: all wait for a phase."""
    code, width = state.code, state.parameters[SIZE.WIDTH]
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    block = state.warps[own + RESIDENT.BLOCK]
    before_change(state, sm, block)
    find_addresses(state, warp, pc, width, mask, int64(SHARED))
    fault, lane = find_targets(state, warp, pc, width, mask, int64(SHARED))
    if fault != FAULT.NO_FAULT:
        return fault, lane
    lane = racing_lane(state, warp, width, mask, int64(8), int64(TO_STORE))
    if lane >= 0:
        return int64(FAULT.RACE), lane
    do_due(state, sm, block, cycle)
    if code[base + MBARRIER.DOES] == DEED.TEST:
        fault, lane = test(state, sm, block, warp, base, width, mask, cycle)
    else:
        fault, lane = change(state, sm, block, warp, base, width, mask, cycle)
    if fault != FAULT.NO_FAULT:
        return fault, lane
    pipe = code[base + USE.PIPE]
    begin = serve(state, subcore, pipe, cycle)
    done, taken = object_access(memory, sm, begin, state.addresses, mask)
    occupy(state, subcore, pipe, cycle, taken, code[base + USE.INTERVAL])
    if state.parameters[TRACE.TRACES]:
        note_done(state, done)
    mark_results(state, warp, pc, done)
    note_counters(state, warp, pc, begin, done)
    if code[base + MBARRIER.DOES] != DEED.TEST:
        state.sms[index(sm * at.SM_COLUMNS) + SM_STORES.COUNT] += 1
        wake_who_waits(state, sm, block, cycle, done)
    return fault, lane


# What lanes do -----------------------------------------------------------------------------------


@inlined
def object_row(block, number):
    """Where the columns of an object of a block slot begin."""
    return index((block * MOST_OBJECTS + number) * at.OBJECT_COLUMNS)


@inlined
def place_of(state, block, offset):
    """The host address of bytes in the shared memory of a block slot."""
    return address_of(state.shared) + block * state.parameters[SPANS.SHARED_STRIDE] + offset


@inlined
def number_at(state, block, offset):
    """Which object of the block is at an offset; -1: none."""
    number = object_of(state.marks[mark_at(state, block, offset) + MARK.COPY])
    if number >= 0:
        row = object_row(block, number)
        if state.objects[row + OBJECT.OFFSET] != offset + 1:
            number = int64(-1)
    return number


@inlined
def set_mark(state, block, offset, mark):
    """The words of an object are marked, or no more."""
    place = mark_at(state, block, offset)
    state.marks[place + MARK.COPY] = mark
    state.marks[place + index(at.MARK_COLUMNS) + MARK.COPY] = mark


@jitted
def put(state, block, offset, word):
    """An object becomes a word; a phase that is over is counted."""
    place = place_of(state, block, offset)
    if parity(read_b64(place, 0)) != parity(word):
        number = number_at(state, block, offset)
        state.objects[object_row(block, number) + OBJECT.PHASES] += 1
        over = object_row_of(state, block, number, int64(1))
        learn(state, over, object_row_of(state, block, number, int64(0)))
    write_b64(place, 0, word)


@inlined
def number_given(state, warp, base, operand, lane):
    """What a lane's operand says; 0 if there is none."""
    if operand == NO_OPERAND:
        return int64(0)
    return int64(read_u32(operand_of(state, warp, base, operand), lane))


@jitted
def change(state, sm, block, warp, base, width, mask, cycle):
    """Lanes change objects, one after the other: (fault, its lane)."""
    code, does = state.code, state.code[base + MBARRIER.DOES]
    if (
        does == DEED.COPIES
        and state.sms[index(sm * at.SM_COLUMNS) + SM_DUE.COUNT] + width > MOST_DUE
    ):
        wait_until(state, warp, int64(0), first_due(state, sm))
        return int64(FAULT.NOT_YET), int64(0)
    for lane in range(width):
        if (mask >> lane) & 1:
            offset = state.addresses[index(lane)]
            count = number_given(state, warp, base, code[base + MBARRIER.COUNT], lane)
            size = number_given(state, warp, base, code[base + MBARRIER.BYTES], lane)
            word = read_b64(place_of(state, block, offset), 0)
            if does == DEED.INIT:
                fault = make(state, block, offset, count)
                word = int64(0)
            elif number_at(state, block, offset) < 0:
                fault = int64(FAULT.NO_OBJECT)
            elif does == DEED.INVAL:
                fault = unmake(state, block, offset)
            elif does == DEED.COPIES:
                fault = arrive_later(state, sm, block, warp, base, lane, offset, word)
            else:
                if does == DEED.ARRIVE:
                    number = number_at(state, block, offset)
                    tell(state, warp, object_row_of(state, block, number, int64(0)))
                fault = arrive(state, block, base, offset, word, count, size)
            if fault != FAULT.NO_FAULT:
                return fault, int64(lane)
            if code[base + MBARRIER.RESULT] != NO_OPERAND:
                result = operand_of(state, warp, base, code[base + MBARRIER.RESULT])
                write_pair(result, lane, width, word)
    return int64(FAULT.NO_FAULT), int64(0)


@jitted
def make(state, block, offset, count):
    """An object for so many arrivals: a fault, or none."""
    if count < 1 or count > MOST_COUNT:
        return int64(FAULT.BAD_COUNT)
    if number_at(state, block, offset) >= 0:
        return int64(FAULT.IS_OBJECT)
    number = int64(0)
    while number < MOST_OBJECTS and state.objects[object_row(block, number) + OBJECT.OFFSET] != 0:
        number += 1
    if number == MOST_OBJECTS:
        return int64(FAULT.MANY_OBJECTS)
    row = object_row(block, number)
    state.objects[row + OBJECT.OFFSET] = offset + 1
    set_mark(state, block, offset, object_mark(number))
    write_b64(place_of(state, block, offset), 0, new(count))
    return int64(FAULT.NO_FAULT)


@jitted
def unmake(state, block, offset):
    """The object at an offset is none any more."""
    number = number_at(state, block, offset)
    state.objects[object_row(block, number) + OBJECT.OFFSET] = 0
    set_mark(state, block, offset, int64(NO_MARK))
    write_b64(place_of(state, block, offset), 0, int64(0))
    return int64(FAULT.NO_FAULT)


@jitted
def arrive(state, block, base, offset, word, count, size):
    """Bytes are expected or have come, and perhaps a lane arrives: a fault, or none."""
    code, does = state.code, state.code[base + MBARRIER.DOES]
    by = -size if does == DEED.COMPLETE else size
    if size > MOST_BYTES or abs(missing_bytes(word) + by) > MOST_BYTES:
        return int64(FAULT.BAD_BYTES)
    after = word
    if by != 0:
        after = changed(word, by)
    if does == DEED.ARRIVE:
        if count < 1 or count > pending(word):
            return int64(FAULT.TOO_MANY)
        after = arrived(after, count, count if code[base + MBARRIER.DROPS] else int64(0))
        if parity(after) != parity(word) and not code[base + MBARRIER.COMPLETES]:
            return int64(FAULT.TOO_FEW)
    put(state, block, offset, after)
    return int64(FAULT.NO_FAULT)


@jitted
def arrive_later(state, sm, block, warp, base, lane, offset, word):
    """A lane arrives when its copies so far are there: a fault, or none."""
    counts_in = state.code[base + MBARRIER.COUNTS_IN]
    if not counts_in and pending(word) < 1:
        return int64(FAULT.TOO_MANY)
    if counts_in:
        put(state, block, offset, expecting(word, 1))
    number, copies = number_at(state, block, offset), state.copies
    numbers = numbers_of(state, thread_of(state, warp, lane))
    kept = copies[numbers + OF_THREAD.ARRIVALS] % KEPT
    entry = numbers + OF_THREAD.LAST_ARRIVALS + index(3 * kept)
    copies[entry] = block * MOST_OBJECTS + number
    copies[entry + index(1)] = state.objects[object_row(block, number) + OBJECT.PHASES] + 1
    copies[entry + index(2)] = copies[numbers + OF_THREAD.BATCH]
    copies[numbers + OF_THREAD.ARRIVALS] += 1
    copies[numbers + OF_THREAD.BATCH] += 1
    tell(state, warp, object_row_of(state, block, number, int64(0)))
    add_due(state, sm, block, offset, copies[numbers + OF_THREAD.DONE], int64(1), int64(0))
    return int64(FAULT.NO_FAULT)


@jitted
def test(state, sm, block, warp, base, width, mask, cycle):
    """Whether phases are over, into a predicate: (fault, its lane), NOT_YET if lanes wait."""
    code, held = state.code, index(warp * at.WARP_COLUMNS)
    over = int64(0)
    for lane in range(width):
        if (mask >> lane) & 1:
            offset = state.addresses[index(lane)]
            number = number_at(state, block, offset)
            if number < 0:
                return int64(FAULT.NO_OBJECT), int64(lane)
            given = operand_of(state, warp, base, code[base + MBARRIER.PHASE])
            asked = int64(0)
            if code[base + MBARRIER.IS_PARITY]:
                asked = int64(read_u32(given, lane))
                if asked > 1:
                    return int64(FAULT.BAD_PARITY), int64(lane)
            else:
                asked = parity(read_pair(given, lane, width))
            if is_over(read_b64(place_of(state, block, offset), 0), asked):
                over |= int64(1) << lane
                own = own_row(state, warp)
                learn(state, own, object_row_of(state, block, number, int64(1)))
                phases = state.objects[object_row(block, number) + OBJECT.PHASES]
                state.known[own + KNOWN.PHASES + index(number)] = phases
    time = code[base + MBARRIER.TIME]
    if over == 0 and time != NO_OPERAND:
        if state.warps[held + HELD.OFFSET] == 0:
            nanoseconds = number_given(state, warp, base, time, first_bit(mask))
            cycles = nanoseconds * state.parameters[SIZE.CLOCK_HZ] // 1000000000
            state.warps[held + HELD.LIMIT] = cycle + 1 + cycles
        if state.warps[held + HELD.LIMIT] > cycle:
            offset = state.addresses[index(first_bit(mask))]
            number = number_at(state, block, offset)
            row = object_row(block, number)
            state.warps[held + HELD.PHASES] = state.objects[row + OBJECT.PHASES]
            end = min(end_of_phase(state, sm, block, offset), state.warps[held + HELD.LIMIT])
            if state.groups.running[index(warp), COUNT] > 0:  # others of the warp have their turn
                end = min(end, cycle + AGAIN)
                state.warps[held + HELD.LIMIT] = end
            wait_until(state, warp, offset + 1, end)
            return int64(FAULT.NOT_YET), int64(0)
    state.warps[held + HELD.OFFSET] = 0
    masks = at.FIXED_MASKS + warp * state.parameters[SIZE.PREDICATE_STRIDE]
    column = index(code[base + INSTRUCTION.OPERANDS] + 2 * code[base + MBARRIER.RESULT])
    result = index(masks + state.lists[column] // 8)
    state.masks[result] = (state.masks[result] & ~mask) | over
    return int64(FAULT.NO_FAULT), int64(0)


# What is due -------------------------------------------------------------------------------------


@inlined
def due_row(sm, number):
    """Where the columns of something that is due in an SM begin."""
    return index((sm * MOST_DUE + number) * at.DUE_COLUMNS)


@jitted
def add_due(state, sm, block, offset, cycle, arrivals, size):
    """Arrivals at an object, and bytes, come in a cycle; those that do together are one."""
    counted = index(sm * at.SM_COLUMNS) + SM_DUE.COUNT
    count = state.sms[counted]
    for number in range(count):
        row = due_row(sm, number)
        if (
            state.due[row + DUE.BLOCK] == block
            and state.due[row + DUE.OFFSET] == offset
            and state.due[row + DUE.CYCLE] == cycle
        ):
            state.due[row + DUE.ARRIVALS] += arrivals
            state.due[row + DUE.BYTES] += size
            return
    row = due_row(sm, count)
    state.due[row + DUE.BLOCK] = block
    state.due[row + DUE.OFFSET] = offset
    state.due[row + DUE.CYCLE] = cycle
    state.due[row + DUE.ARRIVALS] = arrivals
    state.due[row + DUE.BYTES] = size
    state.sms[counted] = count + 1


@inlined
def first_due(state, sm):
    """When the first of all that is due comes."""
    first = int64(at.NEVER)
    for number in range(state.sms[index(sm * at.SM_COLUMNS) + SM_DUE.COUNT]):
        first = min(first, state.due[due_row(sm, number) + DUE.CYCLE])
    return first


@jitted
def next_due(state, sm, block, offset, behind, until):
    """Which of what is due of a block comes first, behind a (cycle, number) and up to a cycle;
    -1: nothing.  `offset` -1: at any object."""
    best, best_cycle = int64(-1), until
    for number in range(state.sms[index(sm * at.SM_COLUMNS) + SM_DUE.COUNT]):
        row = due_row(sm, number)
        cycle = state.due[row + DUE.CYCLE]
        is_of = state.due[row + DUE.BLOCK] == block
        is_at = offset < 0 or state.due[row + DUE.OFFSET] == offset
        is_sooner = cycle < best_cycle or (best < 0 and cycle <= until)
        if is_of and is_at and cycle > behind and is_sooner:
            best, best_cycle = int64(number), cycle
    return best


@inlined
def after_due(word, arrivals, size):
    """An object after what was due."""
    if size > 0:
        word = changed(word, -size)
    if arrivals > 0:
        word = arrived(word, arrivals, 0)
    return word


@jitted
def do_due(state, sm, block, cycle):
    """What is due of a block up to a cycle happens, in the order of time."""
    number = next_due(state, sm, block, int64(-1), int64(-1), cycle)
    while number >= 0:
        row = due_row(sm, number)
        offset = state.due[row + DUE.OFFSET]
        if number_at(state, block, offset) >= 0:
            word = read_b64(place_of(state, block, offset), 0)
            arrivals, size = state.due[row + DUE.ARRIVALS], state.due[row + DUE.BYTES]
            put(state, block, offset, after_due(word, arrivals, size))
        forget_due(state, sm, number)
        number = next_due(state, sm, block, int64(-1), int64(-1), cycle)


@inlined
def forget_due(state, sm, number):
    """A row of `due` is free: the last one takes its place."""
    counted = index(sm * at.SM_COLUMNS) + SM_DUE.COUNT
    state.sms[counted] -= 1
    last = due_row(sm, state.sms[counted])
    row = due_row(sm, number)
    for column in range(at.DUE_COLUMNS):
        state.due[row + index(column)] = state.due[last + index(column)]


@jitted
def end_of_phase(state, sm, block, offset):
    """When the phase of an object is over by what is due; NEVER if it is not."""
    word = read_b64(place_of(state, block, offset), 0)
    phase, behind = parity(word), int64(-1)
    number = next_due(state, sm, block, offset, behind, int64(at.NEVER))
    while number >= 0:
        row = due_row(sm, number)
        behind = state.due[row + DUE.CYCLE]
        word = after_due(word, state.due[row + DUE.ARRIVALS], state.due[row + DUE.BYTES])
        if parity(word) != phase:
            return behind
        number = next_due(state, sm, block, offset, behind, int64(at.NEVER))
    return int64(at.NEVER)


# Who waits ---------------------------------------------------------------------------------------


@inlined
def wait_until(state, warp, offset, cycle):
    """A warp is to do what it was about to do again in a cycle; `offset` of the object whose phase
    it waits for, and 1."""
    own = index(warp * at.WARP_COLUMNS)
    state.warps[own + HELD.OFFSET] = offset
    state.warps[own + HELD.WAKE] = cycle


@jitted
def hold_warp(state, subcore, warp, pc, next_cycle):
    """A warp stays where it is until the cycle that HELD says."""
    own = index(warp * at.WARP_COLUMNS)
    wake = max(next_cycle, state.warps[own + HELD.WAKE])
    state.warps[own + WAIT.SINCE] = next_cycle
    state.warps[own + WAIT.HELD_UNTIL] = wake
    state.warps[own + WAIT.CHECK_UNTIL] = wake
    state.warps[own + WAIT.HOLD_REASON] = why.SHORT_SCOREBOARD
    prepare(state, subcore, warp, pc)
    announce(state, subcore, state.ready_at[index(warp)])


@jitted
def wake_who_waits(state, sm, block, cycle, done):
    """Objects of a block have changed, which is seen in a cycle `done`: warps that wait for phases
    which are over by then look again."""
    parameters = state.parameters
    for subcore in range(sm * parameters[SIZE.SUBCORES], (sm + 1) * parameters[SIZE.SUBCORES]):
        rest = state.subcores[index(subcore * at.SUBCORE_COLUMNS) + SLOTS.RESIDENT]
        while rest != 0:
            warp = warp_of(state, subcore, first_bit(rest))
            rest &= rest - 1
            own = index(warp * at.WARP_COLUMNS)
            if state.warps[own + RESIDENT.BLOCK] != block or state.warps[own + HELD.OFFSET] == 0:
                continue
            wake = wake_of(state, sm, block, warp, done)
            if wake < state.warps[own + HELD.WAKE]:
                state.warps[own + HELD.WAKE] = wake
                move_wake(state, subcore, warp, max(wake, cycle + 1))


@jitted
def wake_of(state, sm, block, warp, done):
    """When a warp that waits at an object has to look again."""
    own = index(warp * at.WARP_COLUMNS)
    offset = state.warps[own + HELD.OFFSET] - 1
    number = number_at(state, block, offset)
    if number < 0:
        return done
    row = object_row(block, number)
    if state.objects[row + OBJECT.PHASES] != state.warps[own + HELD.PHASES]:
        return done
    return max(done, end_of_phase(state, sm, block, offset))


@jitted
def move_wake(state, subcore, warp, cycle):
    """A held warp goes on in an earlier cycle."""
    own = index(warp * at.WARP_COLUMNS)
    if cycle < state.warps[own + WAIT.HELD_UNTIL]:
        state.warps[own + WAIT.HELD_UNTIL] = cycle
        state.warps[own + WAIT.CHECK_UNTIL] = cycle
        state.ready_at[index(warp)] = cycle
        announce(state, subcore, cycle)


@jitted
def forget_objects(state, sm, block):
    """A block begins: it has no objects, and nothing is due."""
    if not state.parameters[COPYING.OBJECTS]:
        return
    for number in range(MOST_OBJECTS):
        row = object_row(block, number)
        state.objects[row + OBJECT.OFFSET] = 0
        state.objects[row + OBJECT.PHASES] = 0
    number = next_due(state, sm, block, int64(-1), int64(-1), int64(at.NEVER))
    while number >= 0:
        forget_due(state, sm, number)
        number = next_due(state, sm, block, int64(-1), int64(-1), int64(at.NEVER))
