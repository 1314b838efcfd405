"""Marks of shared memory: who has used a word last, and who may use it by now.

The rule is told in `sim.cores.simt.units.async_copies`, who knows of whom in `meetings`.  Where the
program has nothing that goes on meanwhile, nothing here is asked.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.threads.spaces import SHARED_BASE
from sim.cores.jit import inlined, jitted
from sim.cores.simt import state as at
from sim.cores.simt.cycle.meetings import (
    block_of,
    forget_meetings,
    knows,
    now_of,
    number_of_warp,
    own_row,
    row_of,
    when_waited,
)
from sim.cores.simt.host.lane_words import first_bit
from sim.cores.simt.units.async_copies import (
    BLOCK_COPIES,
    COPYING,
    KEPT,
    KNOWN,
    MARK,
    MARKING,
    MOST_WARPS,
    OF_THREAD,
    PC_BITS,
    THREAD_BITS,
)
from sim.cores.simt.units.block_dispatcher import BLOCK, DISPATCH
from sim.cores.simt.units.bulk_copies import BULK_MARKS
from sim.cores.simt.units.faults import FAULT
from sim.cores.simt.units.mbarriers import MOST_OBJECTS
from sim.cores.simt.units.multiprocessor import SIZE

WORD_BITS = 2
NO_MARK = 0
READING = 1 << 62
"""In a mark: the copy reads the word."""
TO_LOAD, TO_MULTIPLY, TO_COPY_OUT, TO_STORE, TO_COPY_IN = 0, 1, 2, 3, 4
"""What somebody wants to use a word for."""
WARP_BITS, TIME_BITS = 5, 32
BY_PRODUCTS = 1 << MOST_WARPS + WARP_BITS + PC_BITS
"""In READERS."""


@inlined
def numbers_of(state, thread):
    """Where the numbers of a thread begin in `copies`."""
    return index(thread * state.parameters[COPYING.STRIDE])


@inlined
def thread_of(state, warp, lane):
    """The number of a lane among all of the machine."""
    return warp * state.parameters[SIZE.WIDTH] + lane


@inlined
def mark_at(state, block, offset):
    """Where the marks of a word of a block slot begin."""
    first = state.blocks[index(block * at.BLOCK_COLUMNS) + BLOCK_COPIES.MARKS]
    return index((first + (offset >> WORD_BITS)) * at.MARK_COLUMNS)


@inlined
def marked(batch, thread, pc):
    """The mark of a copy."""
    return (batch << THREAD_BITS | thread) << PC_BITS | pc


@inlined
def object_mark(number):
    """The mark of the words of a barrier object, which is one of its block's."""
    return -1 - number


@inlined
def object_of(mark):
    """Which barrier object a mark is of; -1: of none."""
    return -1 - mark if mark < NO_MARK else int64(-1)


# Who may use a word ------------------------------------------------------------------------------


@jitted
def has_arrived(state, row, own, batch):
    """Whether a batch of a thread, whose numbers begin at `own`, has arrived at a barrier object,
    and whose row of `known` begins at `row` knows that the phase is over."""
    for kept in range(min(KEPT, state.copies[own + OF_THREAD.ARRIVALS])):
        entry = own + OF_THREAD.LAST_ARRIVALS + index(3 * kept)
        if state.copies[entry + index(2)] >= batch:
            seen = row + KNOWN.PHASES + index(state.copies[entry] % MOST_OBJECTS)
            if state.known[seen] >= state.copies[entry + index(1)]:
                return True
    return False


@jitted
def is_early(state, warp, mark, writes):
    """Whether a warp may not use a word with the mark of a copy yet."""
    if mark < NO_MARK or (mark & READING and not writes):
        return False
    row = own_row(state, warp)
    thread = mark >> PC_BITS & ((1 << THREAD_BITS) - 1)
    batch = (mark & ~READING) >> PC_BITS + THREAD_BITS
    first_object = state.parameters[BULK_MARKS.OBJECTS]
    if thread >= first_object and not mark & READING:
        number = index((thread - first_object) % MOST_OBJECTS)
        return state.known[row + KNOWN.PHASES + number] < batch
    own, time = numbers_of(state, thread), int64(0)
    other = thread // state.parameters[SIZE.WIDTH]
    if mark & READING:
        if batch >= state.copies[own + OF_THREAD.BULK_LANDED]:
            return True
        time = when_waited(state.copies, own + OF_THREAD.LAST_BULK_WAITS, batch)
    else:
        if batch >= state.copies[own + OF_THREAD.LANDED]:
            return not has_arrived(state, row, own, batch)
        if other != warp:
            time = when_waited(state.copies, own + OF_THREAD.LAST_WAITS, batch)
    if other == warp or knows(state, row, number_of_warp(state, other), time):
        return False
    return mark & READING != 0 or not has_arrived(state, row, own, batch)


@inlined
def reader_bits(readers):
    """The warps of READERS, as bits."""
    return readers & (int64(1) << MOST_WARPS) - 1


@inlined
def time_of_reader(place, state, number):
    """When a warp, by its number, has read a word the marks of which stand at a place."""
    readers, read = state.marks[place + MARK.READERS], state.marks[place + MARK.READ]
    last = readers >> MOST_WARPS & MOST_WARPS - 1
    return read & (int64(1) << TIME_BITS) - 1 if number == last else read >> TIME_BITS


@jitted
def is_through(state, warp, place, number):
    """Whether a warp knows that another one, by its number, has read a word."""
    mine, row = number_of_warp(state, warp), own_row(state, warp)
    time = time_of_reader(place, state, number)
    if state.marks[place + MARK.READERS] & BY_PRODUCTS:
        ring = row_of(state, block_of(state, warp), number) + KNOWN.PRODUCTS
        if state.known[ring] <= time:
            return False
        time = when_waited(state.known, ring, time)
    return number == mine or knows(state, row, number, time)


@jitted
def is_read(state, warp, place):
    """Whether others, or products, may still read a word that a warp wants to write."""
    rest = reader_bits(state.marks[place + MARK.READERS])
    while rest != 0:
        if not is_through(state, warp, place, first_bit(rest)):
            return True
        rest &= rest - 1
    return False


@jitted
def is_unfenced(state, warp, store, use):
    """Whether a copy or product of a warp may not see what was stored yet, or not overwrite it."""
    row = own_row(state, warp)
    time, number = store >> WARP_BITS + PC_BITS, store >> PC_BITS & MOST_WARPS - 1
    if use in (TO_MULTIPLY, TO_COPY_OUT):
        return state.known[row + KNOWN.FENCED + index(number)] < time
    return number != number_of_warp(state, warp) and not knows(state, row, number, time)


@jitted
def race_at(state, warp, place, use, is_same):
    """What makes the use of a word by a warp, the marks of which stand at a place, a race: a fault
    and the pc of the other instruction in front of it, or 0.  `is_same`: a copy would write what
    the last one has written, which is none."""
    copy = state.marks[place + MARK.COPY]
    pcs = (int64(1) << PC_BITS) - 1
    if copy != NO_MARK and not is_same and is_early(state, warp, copy, use >= TO_STORE):
        return (copy & pcs) << 8 | FAULT.RACE
    readers = state.marks[place + MARK.READERS]
    if use >= TO_STORE and readers != 0:
        is_product = readers & BY_PRODUCTS != 0
        if (is_product or use > TO_STORE) and is_read(state, warp, place):
            pc = readers >> MOST_WARPS + WARP_BITS & pcs
            return pc << 8 | (FAULT.RACE_WITH_PRODUCT if is_product else FAULT.RACE_WITH_LOAD)
    store = state.marks[place + MARK.STORE]
    if store != 0 and use not in (TO_LOAD, TO_STORE) and is_unfenced(state, warp, store, use):
        return (store & pcs) << 8 | FAULT.RACE_WITH_STORE
    return int64(0)


@jitted
def race_in(state, warp, offset, size, use):
    """The same of the first word of some bytes of shared memory that is one."""
    block = block_of(state, warp)
    if offset >= SHARED_BASE:
        offset -= SHARED_BASE
    marks, place = state.marks, mark_at(state, block, offset)
    before = place
    for _ in range(((offset + size + 3) >> WORD_BITS) - (offset >> WORD_BITS)):
        if place == before or are_unlike(marks, place, before):
            found = race_at(state, warp, place, use, False)
            if found != 0:
                return found
            before = place
        place += index(at.MARK_COLUMNS)
    return int64(0)


@inlined
def are_unlike(marks, place, other):
    """Whether the marks of two words differ."""
    return (
        marks[place + MARK.COPY] != marks[other + MARK.COPY]
        or marks[place + MARK.STORE] != marks[other + MARK.STORE]
        or marks[place + MARK.READERS] != marks[other + MARK.READERS]
        or marks[place + MARK.READ] != marks[other + MARK.READ]
    )


@jitted
def racing_lane(state, warp, width, mask, size, use):
    """The first lane of an access to shared memory, whose offsets are in `addresses`, that may not
    do it yet; -1: none."""
    for lane in range(width):
        offset, is_in = state.addresses[index(lane)], (mask >> lane) & 1
        if is_in and race_in(state, warp, offset, size, use) != 0:
            return int64(lane)
    return int64(-1)


# Who has used it ---------------------------------------------------------------------------------


@jitted
def note_read(state, warp, place, pc, time, product):
    """A warp reads a word, or a product of it does (BY_PRODUCTS, else 0)."""
    marks, mine = state.marks, number_of_warp(state, warp)
    before = marks[place + MARK.READERS]
    is_of_products = before & BY_PRODUCTS
    if is_of_products and not product and is_read(state, warp, place):
        return  # what is on its way is what others have to wait for
    rest, first = reader_bits(before) & ~(int64(1) << mine), time
    if rest != 0:
        kept = int64(0)
        while rest != 0 and is_of_products == product:
            number = first_bit(rest)
            kept |= int64(not is_through(state, warp, place, number)) << number
            rest &= rest - 1
        if kept != 0:
            first = marks[place + MARK.READ] >> TIME_BITS
        rest = kept
    bits = rest | int64(1) << mine
    marks[place + MARK.READERS] = product | (pc << WARP_BITS | mine) << MOST_WARPS | bits
    marks[place + MARK.READ] = first << TIME_BITS | time


@jitted
def note_reads(state, warp, place, words, pc, time, product):
    """The same of some words, of which neighbours often have the same marks."""
    marks = state.marks
    before, read, readers, when = int64(-1), int64(0), int64(0), int64(0)
    for _ in range(words):
        if marks[place + MARK.READERS] == before and marks[place + MARK.READ] == read:
            marks[place + MARK.READERS], marks[place + MARK.READ] = readers, when
        else:
            before, read = marks[place + MARK.READERS], marks[place + MARK.READ]
            note_read(state, warp, place, pc, time, product)
            readers, when = marks[place + MARK.READERS], marks[place + MARK.READ]
        place += index(at.MARK_COLUMNS)


@inlined
def note_store(state, warp, place, pc):
    """A warp stores a word."""
    time, mine = now_of(state, block_of(state, warp)), number_of_warp(state, warp)
    state.marks[place + MARK.STORE] = (time << WARP_BITS | mine) << PC_BITS | pc


@inlined
def note_copy(state, place, mark):
    """A copy writes a word: what was before does not matter any more."""
    state.marks[place + MARK.COPY] = mark
    state.marks[place + MARK.STORE] = 0
    state.marks[place + MARK.READERS] = 0


@jitted
def note_lanes(state, warp, pc, width, mask, size, stores):
    """Lanes load or store so many bytes each, whose offsets are in `addresses`."""
    block = block_of(state, warp)
    time = now_of(state, block)
    for lane in range(width):
        if (mask >> lane) & 1:
            offset = state.addresses[index(lane)]
            if offset >= SHARED_BASE:
                offset -= SHARED_BASE
            place = mark_at(state, block, offset)
            words = ((offset + size + 3) >> WORD_BITS) - (offset >> WORD_BITS)
            if not stores:
                note_reads(state, warp, place, words, pc, time, int64(0))
                continue
            for _ in range(words):
                note_store(state, warp, place, pc)
                place += index(at.MARK_COLUMNS)


# Beginnings --------------------------------------------------------------------------------------


@jitted
def place_marks(state, block, words):
    """Where the marks of a block begin that has so many words: the first place in its SM where no
    other block has its own."""
    slots = state.parameters[DISPATCH.BLOCK_SLOTS]
    sm = block // slots
    first, moved = sm * state.parameters[MARKING.AREA], True
    while moved:
        moved = False
        for other in range(sm * slots, (sm + 1) * slots):
            row = index(other * at.BLOCK_COLUMNS)
            begin = state.blocks[row + BLOCK_COPIES.MARKS]
            end = begin + state.blocks[row + BLOCK_COPIES.WORDS]
            is_there = other != block and state.blocks[row + BLOCK.GRID] >= 0
            if is_there and begin < first + words and first < end:
                first, moved = end, True
    own = index(block * at.BLOCK_COLUMNS)
    state.blocks[own + BLOCK_COPIES.MARKS] = first
    state.blocks[own + BLOCK_COPIES.WORDS] = words


@jitted
def forget_copies(state, block, size):
    """A block begins, of so many bytes of shared memory: nothing is marked."""
    if state.parameters[COPYING.USED]:
        words = (size + 3) >> WORD_BITS
        place_marks(state, block, words)
        place = mark_at(state, block, int64(0))
        for column in range(words * at.MARK_COLUMNS):
            state.marks[place + index(column)] = 0
        forget_meetings(state, block)


@jitted
def begin_threads(state, warp):
    """The threads of a warp begin: they have set out to copy nothing."""
    if not state.parameters[COPYING.USED]:
        return
    stride = state.parameters[COPYING.STRIDE]
    for lane in range(state.parameters[SIZE.WIDTH]):
        own = numbers_of(state, thread_of(state, warp, lane))
        for k in range(stride):
            state.copies[own + index(k)] = 0
        state.copies[own + OF_THREAD.BATCH] = 1
        state.copies[own + OF_THREAD.LANDED] = 1
        state.copies[own + OF_THREAD.BULK_BATCH] = 1
        state.copies[own + OF_THREAD.BULK_LANDED] = 1
