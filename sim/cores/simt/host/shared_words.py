"""Loads and stores of whole words in shared memory, the addresses of which are remembered.

    ld.shared.f32 f1, [r7]         what r7 holds of 32 lanes: the least 64, the most 188, all
    ld.shared.f32 f2, [r7+4]       multiples of 4, no two words in a bank; so none of the lanes is
    ld.shared.f32 f3, [r7+8]       looked at again until r7 is written or other lanes run

A register that addresses words has a pattern for each number of them.  A warp keeps PATTERNS of
them, each in a place that several may want; KNOWN of the warp says which places hold one.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt import state as at
from sim.cores.simt.cycle.lane_accesses import bytes_of
from sim.cores.simt.cycle.operands import operand_of
from sim.cores.simt.host.lane_merges import all_lanes
from sim.cores.simt.host.lane_vectors import AT_ONCE, gather_words, scatter_words
from sim.cores.simt.host.lane_words import (
    address_of,
    bit_count,
    read_u32,
    write_b32,
    write_b64,
)
from sim.cores.simt.memory.parameters import ANYHOW
from sim.cores.simt.memory.shared_memory import passes_of, shared_turn
from sim.cores.simt.units.block_dispatcher import GRID, RESIDENT
from sim.cores.simt.units.load_store import ACCESS, SPANS
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.shortcuts import PATTERN, PATTERNS, SHORTCUT, WAITING

WORD = 4


@inlined
def find_pattern(state, memory, warp, pc, mask):
    """Where the pattern of an instruction's addresses begins, if no lane may not access its words;
    else -1: it is to be looked at lane by lane."""
    code, patterns = state.code, state.patterns
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    number = code[base + SHORTCUT.PATTERN]
    place = number & (PATTERNS - 1)
    found = index((warp * PATTERNS + place) * at.PATTERN_COLUMNS)
    is_known = (state.warps[own + WAITING.KNOWN] >> place) & 1
    if (
        not is_known
        or patterns[found + PATTERN.NUMBER] != number
        or patterns[found + PATTERN.LANES] != mask
    ):
        note_pattern(state, memory, warp, pc, mask, found)
        patterns[found + PATTERN.NUMBER] = number
        patterns[found + PATTERN.LANES] = mask
        state.warps[own + WAITING.KNOWN] |= 1 << place
    offset, size = code[base + ACCESS.OFFSET], bytes_of(code, base)
    low = patterns[found + PATTERN.LOW] + offset
    high = patterns[found + PATTERN.HIGH] + offset
    bits = patterns[found + PATTERN.BITS] | offset
    if low < 0 or high + size > patterns[found + PATTERN.LIMIT] or bits & (size - 1):
        return int64(-1)
    return int64(found)


@jitted
def note_pattern(state, memory, warp, pc, mask, found):
    """Look at the lanes of an address register."""
    addresses, patterns = state.addresses, state.patterns
    width = state.parameters[SIZE.WIDTH]
    base = index(pc * at.CODE_COLUMNS)
    into, source = address_of(addresses), register_address(state, warp, base, ACCESS.ADDRESS, 0)
    low, high, bits = 1 << 32, 0, 0
    for lane in range(width):
        address = read_u32(source, lane)
        is_in = (mask >> lane) & 1
        low = min(low, address if is_in else 1 << 32)
        high = max(high, address if is_in else 0)
        bits |= address if is_in else 0
        write_b64(into, lane, address)
    grid = state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.GRID]
    limit = state.grids[index(grid * at.GRID_COLUMNS) + GRID.SHARED]
    passes, parts = passes_of(memory, addresses, mask, bytes_of(state.code, base))
    patterns[found + PATTERN.LOW] = low
    patterns[found + PATTERN.HIGH] = high
    patterns[found + PATTERN.BITS] = bits
    patterns[found + PATTERN.LIMIT] = limit
    patterns[found + PATTERN.PASSES] = passes
    patterns[found + PATTERN.PARTS] = parts


@inlined
def register_address(state, warp, base, column, further):
    """The host address of the register that is the operand whose number a column of `code` has, or
    of one `further` operands on."""
    number = state.code[base + index(column)] + further
    return operand_of(state, warp, base, number)


@inlined
def time_words(state, memory, sm, pc, found, mask, cycle):
    """(done, taken) of an access whose pattern was found."""
    passes = state.patterns[index(found) + PATTERN.PASSES]
    parts = state.patterns[index(found) + PATTERN.PARTS]
    size = bytes_of(state.code, index(pc * at.CODE_COLUMNS))
    return shared_turn(memory, sm, cycle, ANYHOW, passes, parts, 1, bit_count(mask) * size)


@inlined
def first_word(state, warp, pc):
    """The host address of the first word that a lane whose register holds 0 accesses."""
    block = state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK]
    offset = state.code[index(pc * at.CODE_COLUMNS) + ACCESS.OFFSET]
    return address_of(state.shared) + block * state.parameters[SPANS.SHARED_STRIDE] + offset


@inlined
def register_of_word(state, warp, base, word):
    """The host address of the register, or the half of a pair, that a word of a lane belongs to."""
    further = state.code[base + ACCESS.BYTES] // WORD - 1  # halves of a pair, behind the low one
    register = register_address(state, warp, base, ACCESS.DATA, word >> further)
    return register + (word & further) * WORD * state.parameters[SIZE.WIDTH]


@jitted
def load_words(state, warp, pc, mask):
    """Bring the words into the registers."""
    width = state.parameters[SIZE.WIDTH]
    base = index(pc * at.CODE_COLUMNS)
    memory, source = (
        first_word(state, warp, pc),
        register_address(state, warp, base, ACCESS.ADDRESS, 0),
    )
    for word in range(bytes_of(state.code, base) // WORD):
        register = register_of_word(state, warp, base, word)
        if mask == all_lanes(width) and width % AT_ONCE == 0:
            for first in range(0, width, AT_ONCE):
                gather_words(memory + word * WORD, source, register, first)
        else:
            for lane in range(width):
                if (mask >> lane) & 1:
                    place = memory + word * WORD + read_u32(source, lane)
                    write_b32(register, lane, read_u32(place, 0))


@jitted
def store_words(state, warp, pc, mask):
    """Write the registers' words; of lanes that meet the last one stays."""
    width = state.parameters[SIZE.WIDTH]
    base = index(pc * at.CODE_COLUMNS)
    memory, source = (
        first_word(state, warp, pc),
        register_address(state, warp, base, ACCESS.ADDRESS, 0),
    )
    for word in range(bytes_of(state.code, base) // WORD):
        register = register_of_word(state, warp, base, word)
        if mask == all_lanes(width) and width % AT_ONCE == 0:
            for first in range(0, width, AT_ONCE):
                scatter_words(memory + word * WORD, source, register, first)
        else:
            for lane in range(width):
                if (mask >> lane) & 1:
                    place = memory + word * WORD + read_u32(source, lane)
                    write_b32(place, 0, read_u32(register, lane))
