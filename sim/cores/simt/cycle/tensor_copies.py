"""Copies of boxes of tensors, one row after the other."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.layout import BASE
from machines.threads.spaces import LOCAL_BASE, MAPS, SHARED, WINDOW
from machines.vocabulary import tensor_maps
from sim.cores.bounds import owner_of
from sim.cores.jit import inlined, jitted, jitted_twins
from sim.cores.simt import state as at
from sim.cores.simt.cycle.bulk_copies import end_access, object_told
from sim.cores.simt.cycle.bulk_reductions import is_known, reduce_element, size_bits
from sim.cores.simt.cycle.copy_marks import (
    READING,
    TO_COPY_IN,
    TO_COPY_OUT,
    WORD_BITS,
    mark_at,
    marked,
    note_copy,
    numbers_of,
    race_at,
    thread_of,
)
from sim.cores.simt.cycle.lane_accesses import find_addresses
from sim.cores.simt.cycle.mbarriers import MOST_BYTES, add_due, first_due, wait_until
from sim.cores.simt.cycle.operands import operand_of
from sim.cores.simt.cycle.pipes import serve
from sim.cores.simt.host.deferred import before_change
from sim.cores.simt.host.lane_words import address_of, read_pair, read_u32
from sim.cores.simt.memory.bulk_copies import bulk_load, bulk_store
from sim.cores.simt.units.async_copies import MARK, OF_THREAD
from sim.cores.simt.units.block_dispatcher import GRID, RESIDENT
from sim.cores.simt.units.bulk_copies import BULK, SM_BULK
from sim.cores.simt.units.faults import FAULT
from sim.cores.simt.units.load_store import SPANS
from sim.cores.simt.units.mbarriers import MOST_DUE, SM_DUE
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.pipes import USE
from sim.cores.simt.units.tensor_copies import COPIES, TENSOR

_TWINS = jitted_twins(tensor_maps)
rank, element_bytes, swizzle = _TWINS.rank, _TWINS.element_bytes, _TWINS.swizzle
element_type = _TWINS.element_type
row_bytes, row_count, row_address = _TWINS.row_bytes, _TWINS.row_count, _TWINS.row_address
first_inside, end_inside, swizzled, filler = (
    _TWINS.first_inside, _TWINS.end_inside, _TWINS.swizzled, _TWINS.filler,
)  # fmt: skip
MAP_BYTES, LINE, UNIT = 128, 128, 16


@inlined
def access(state, memory, sm, subcore, warp, pc, mask, cycle, kind):
    """Lanes set out to copy boxes, one after the other: see `choose`."""
    code, width = state.code, state.parameters[SIZE.WIDTH]
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    block = state.warps[own + RESIDENT.BLOCK]
    if state.sms[index(sm * at.SM_COLUMNS) + SM_DUE.COUNT] + width > MOST_DUE:
        wait_until(state, warp, int64(0), first_due(state, sm))
        return int64(FAULT.NOT_YET), int64(0)
    before_change(state, sm, block)
    find_addresses(state, warp, pc, width, mask, int64(SHARED))
    begin = serve(state, subcore, code[base + USE.PIPE], cycle)
    done = begin
    for lane in range(width):
        if (mask >> lane) & 1:
            fault, come = copy_box(state, memory, sm, block, warp, pc, lane, begin, kind)
            if fault != FAULT.NO_FAULT:
                return fault, int64(lane)
            done = max(done, come)
    end_access(state, sm, subcore, block, warp, pc, cycle, begin, done, kind == COPIES.TENSOR_IN)
    return int64(FAULT.NO_FAULT), int64(0)


@inlined
def words_at(state):
    """Where in `addresses` the words of a map begin."""
    return 2 * state.parameters[SIZE.WIDTH]


@jitted
def read_map(state, warp, base, lane):
    """(fault, address) of the map of a lane's copy, which comes into `addresses` with the lane's
    coordinates behind it."""
    width, words = state.parameters[SIZE.WIDTH], words_at(state)
    address = read_pair(operand_of(state, warp, base, state.code[base + BULK.SOURCE]), lane, width)
    address += state.code[base + BULK.SOURCE_OFFSET]
    offset = address - MAPS - (LOCAL_BASE if address >= LOCAL_BASE else 0)
    if 0 <= offset < WINDOW:
        grid = index(state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.GRID] * at.GRID_COLUMNS)
        if offset + MAP_BYTES > state.grids[grid + GRID.PARAMETER_BYTES]:
            return int64(FAULT.NO_MAP), address
        there = address_of(state.param) + state.grids[grid + GRID.PARAMETERS] + offset
    else:
        end = state.ends[index(owner_of(state.starts, state.parameters[SPANS.BUFFERS], address))]
        if address < BASE or end - address < MAP_BYTES:
            return int64(FAULT.OUT_OF_BOUNDS), address
        if address & 63:
            return int64(FAULT.MISALIGNED), address
        there = address_of(state.bytes) + address - BASE
    for k in range(tensor_maps.WORDS):
        state.addresses[index(words + k)] = read_u32(there + 4 * k, 0)
    if state.addresses[index(words)] != tensor_maps.MAGIC:
        return int64(FAULT.NO_MAP), address
    if rank(state.addresses, words) != state.code[base + TENSOR.RANK]:
        return int64(FAULT.OTHER_RANK), address
    for k in range(state.code[base + TENSOR.RANK]):
        given = operand_of(state, warp, base, state.code[base + TENSOR.FIRST] + k)
        state.addresses[index(words + tensor_maps.COORDINATES + k)] = int64(read_u32(given, lane))
    return int64(FAULT.NO_FAULT), address


@jitted
def copy_box(state, memory, sm, block, warp, pc, lane, begin, kind):
    """(fault, cycle in which it is done) of a lane's copy; `addresses` has what is wrong."""
    base, words = index(pc * at.CODE_COLUMNS), words_at(state)
    inside = state.addresses[index(lane)]
    fault, address = read_map(state, warp, base, lane)
    if fault != FAULT.NO_FAULT:
        state.addresses[index(lane)] = address
        return fault, begin
    size = row_bytes(state.addresses, words) * row_count(state.addresses, words)
    grid = index(state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.GRID] * at.GRID_COLUMNS)
    span = UNIT << swizzle(state.addresses, words)
    limit = state.grids[grid + GRID.SHARED]
    if inside & LINE - 1:
        return int64(FAULT.NO_LINE), begin
    if inside + (size + span - 1) // span * span > limit:
        return int64(FAULT.BAD_SHARED), begin
    if size > MOST_BYTES:
        return int64(FAULT.BAD_BYTES), begin
    outside = first_outside(state, words)
    if outside != 0:
        state.addresses[index(lane)] = outside
        return int64(FAULT.OUT_OF_BOUNDS), begin
    thread = thread_of(state, warp, lane)
    numbers = numbers_of(state, thread)
    mark, barrier = READING | marked(state.copies[numbers + OF_THREAD.BULK_BATCH], thread, pc), 0
    if kind == COPIES.TENSOR_IN:
        barrier, mark = object_told(state, block, warp, pc, lane, limit)
        if mark < 0:
            state.addresses[index(lane)] = barrier
            return int64(FAULT.NO_OBJECT), begin
    reduces = state.code[base + BULK.REDUCES]
    if reduces != 0:
        reduces |= element_type(state.addresses, words) << 4
        if not is_known(reduces):
            return int64(FAULT.OTHER_TYPE), begin
    if not move_box(state, block, warp, inside, size, mark, words, kind, reduces):
        return int64(FAULT.RACE), begin
    done, seen = time_box(state, memory, sm, begin, words, kind)
    if kind == COPIES.TENSOR_IN:
        add_due(state, sm, block, barrier, done, int64(0), size)
    else:
        copies = state.copies
        copies[numbers + OF_THREAD.BULK_DONE] = max(copies[numbers + OF_THREAD.BULK_DONE], done)
        copies[numbers + OF_THREAD.BULK_READ] = max(copies[numbers + OF_THREAD.BULK_READ], seen)
    return int64(FAULT.NO_FAULT), done


@inlined
def bounds_of_row(state, words, row):
    """(address of what of a row is in bounds, first byte of the row, the one behind the last)."""
    size = element_bytes(state.addresses, words)
    low = first_inside(state.addresses, words) * size
    high = end_inside(state.addresses, words) * size
    start = row_address(state.addresses, words, row)
    if start == 0 or high <= low:
        return int64(0), int64(0), int64(0)
    first = tensor_maps.COORDINATES
    place = state.addresses[index(words + first)]
    place -= (place >> 31) << 32
    return start + place * size + low, low, high


@jitted
def first_outside(state, words):
    """The address of the first row that is within no buffer; 0: there is none."""
    for row in range(row_count(state.addresses, words)):
        address, low, high = bounds_of_row(state, words, row)
        if address != 0:
            owner = owner_of(state.starts, state.parameters[SPANS.BUFFERS], address)
            if address < BASE or high - low > state.ends[index(owner)] - address:
                return address
    return int64(0)


@jitted
def move_box(state, block, warp, inside, size, mark, words, kind, reduces):
    """Move bytes, and mark those of shared memory; False if somebody else still uses them."""
    comes_in = kind == COPIES.TENSOR_IN
    use = int64(TO_COPY_IN if comes_in else TO_COPY_OUT)
    place = mark_at(state, block, inside)
    for word in range(size >> WORD_BITS):
        if race_at(state, warp, place + index(word * at.MARK_COLUMNS), use, False) != 0:
            return False
    first = block * state.parameters[SPANS.SHARED_STRIDE]
    length, turn = row_bytes(state.addresses, words), swizzle(state.addresses, words)
    for row in range(row_count(state.addresses, words)):
        address, low, high = bounds_of_row(state, words, row)
        if reduces != 0:
            reduce_row(state, words, reduces, first, inside + row * length, address, low, high)
            continue
        for byte in range(length):
            here = index(first + swizzled(inside + row * length + byte, turn))
            there = index(address + byte - low - BASE)
            if low <= byte < high:
                if comes_in:
                    state.shared[here] = state.bytes[there]
                else:
                    state.bytes[there] = state.shared[here]
            elif comes_in:
                state.shared[here] = filler(state.addresses, words, byte)
    for word in range(size >> WORD_BITS):
        mine = place + index(word * at.MARK_COLUMNS)
        if comes_in:
            note_copy(state, mine, mark)
        else:
            state.marks[mine + MARK.COPY] = mark
    return True


@inlined
def reduce_row(state, words, reduces, first, begin, address, low, high):
    """What is in bounds of a row that begins at an offset of shared memory."""
    bits, turn = size_bits(reduces), swizzle(state.addresses, words)
    for k in range((high - low) >> bits):
        mine = address_of(state.shared) + first + swizzled(begin + low + (k << bits), turn)
        its = address_of(state.bytes) + address + (k << bits) - BASE
        reduce_element(reduces, mine, its, 1 << bits)


@jitted
def time_box(state, memory, sm, begin, words, kind):
    """(cycle in which a box is there, that in which it has been read)."""
    free = index(sm * at.SM_COLUMNS) + SM_BULK.FREE
    done, seen, is_first = begin, begin, int64(1)
    for row in range(row_count(state.addresses, words)):
        address, low, high = bounds_of_row(state, words, row)
        if address == 0:
            continue
        if kind == COPIES.TENSOR_IN:
            come, state.sms[free] = bulk_load(
                memory, sm, begin, state.sms[free], address, high - low, is_first
            )
        else:
            come, read, state.sms[free] = bulk_store(
                memory, sm, begin, state.sms[free], address, high - low, is_first
            )
            seen = max(seen, read)
        done, is_first = max(done, come), int64(0)
    return done, seen
