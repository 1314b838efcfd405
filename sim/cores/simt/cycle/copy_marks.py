"""Marks of shared memory: which copy has written a word last, and who may access it by now.

The rule is told in `sim.cores.simt.units.async_copies`.  Where the program has no copies that go on
meanwhile nothing here is asked, but epochs are counted.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.threads.spaces import SHARED_BASE
from sim.cores.jit import inlined, jitted
from sim.cores.simt import state as at
from sim.cores.simt.units.async_copies import (
    BLOCK_COPIES,
    COPYING,
    KEPT,
    OF_THREAD,
    PC_BITS,
    THREAD_BITS,
)
from sim.cores.simt.units.block_dispatcher import RESIDENT
from sim.cores.simt.units.bulk_copies import BULK_MARKS
from sim.cores.simt.units.load_store import SPANS
from sim.cores.simt.units.mbarriers import OBJECT
from sim.cores.simt.units.multiprocessor import SIZE

WORD_BITS = 2
NO_MARK = 0
READING = 1 << 62
"""In a mark: the copy reads the word."""


@inlined
def numbers_of(state, thread):
    """Where the numbers of a thread begin in `copies`."""
    return index(thread * state.parameters[COPYING.STRIDE])


@inlined
def thread_of(state, warp, lane):
    """The number of a lane among all of the machine."""
    return warp * state.parameters[SIZE.WIDTH] + lane


@inlined
def first_mark(state, block):
    """Where the marks of a block slot begin."""
    return block * (state.parameters[SPANS.SHARED_STRIDE] >> WORD_BITS)


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


@jitted
def has_arrived(state, own, batch):
    """Whether a batch of a thread, whose numbers begin at `own`, has arrived at a barrier object,
    and somebody has seen that the phase is over."""
    for kept in range(min(KEPT, state.copies[own + OF_THREAD.ARRIVALS])):
        entry = own + OF_THREAD.LAST_ARRIVALS + index(3 * kept)
        if state.copies[entry + index(2)] >= batch:
            row = index(state.copies[entry] * at.OBJECT_COLUMNS)
            if state.objects[row + OBJECT.SEEN] >= state.copies[entry + index(1)]:
                return True
    return False


@jitted
def is_race(state, warp, mark, stores):
    """Whether a lane of a warp may not load a word with this mark yet, or not store it."""
    width = state.parameters[SIZE.WIDTH]
    if mark < NO_MARK or (mark & READING and not stores):
        return False
    thread = mark >> PC_BITS & ((1 << THREAD_BITS) - 1)
    batch = (mark & ~READING) >> PC_BITS + THREAD_BITS
    first_object = state.parameters[BULK_MARKS.OBJECTS]
    if thread >= first_object and not mark & READING:
        row = index((thread - first_object) * at.OBJECT_COLUMNS)
        return state.objects[row + OBJECT.SEEN] < batch
    own = numbers_of(state, thread)
    if mark & READING:
        return batch >= state.copies[own + OF_THREAD.BULK_LANDED]
    if batch >= state.copies[own + OF_THREAD.LANDED]:
        return not has_arrived(state, own, batch)
    if thread // width == warp or batch < state.copies[own + OF_THREAD.BEFORE]:
        return False
    block = index(state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK] * at.BLOCK_COLUMNS)
    return state.copies[own + OF_THREAD.EPOCH] == state.blocks[block + BLOCK_COPIES.EPOCH]


@jitted
def racing_mark(state, warp, offset, size, stores):
    """The mark of the first word of some bytes of shared memory that a lane of a warp may not
    access yet, else NO_MARK."""
    block = state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK]
    if offset >= SHARED_BASE:
        offset -= SHARED_BASE
    first = first_mark(state, block)
    for word in range(offset >> WORD_BITS, (offset + size + 3) >> WORD_BITS):
        mark = state.marks[index(first + word)]
        if mark != NO_MARK and is_race(state, warp, mark, stores):
            return mark
    return int64(NO_MARK)


@jitted
def racing_lane(state, warp, width, mask, size, stores):
    """The first lane of an access to shared memory, whose offsets are in `addresses`, that may not
    do it yet; -1: none."""
    for lane in range(width):
        offset, is_in = state.addresses[index(lane)], (mask >> lane) & 1
        if is_in and racing_mark(state, warp, offset, size, stores) != NO_MARK:
            return int64(lane)
    return int64(-1)


@inlined
def begin_epoch(state, block):
    """Threads of a block have met: what they have waited for before, all may access."""
    state.blocks[index(block * at.BLOCK_COLUMNS) + BLOCK_COPIES.EPOCH] += 1


@inlined
def begin_epoch_of(state, warp):
    """The same of the block of a warp."""
    begin_epoch(state, state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK])


@jitted
def forget_copies(state, block, size):
    """A block begins, of so many bytes of shared memory: nothing is marked."""
    state.blocks[index(block * at.BLOCK_COLUMNS) + BLOCK_COPIES.EPOCH] = 0
    if state.parameters[COPYING.USED]:
        first = first_mark(state, block)
        for word in range((size + 3) >> WORD_BITS):
            state.marks[index(first + word)] = NO_MARK


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
        state.copies[own + OF_THREAD.BEFORE] = 1
        state.copies[own + OF_THREAD.BULK_BATCH] = 1
        state.copies[own + OF_THREAD.BULK_LANDED] = 1
