"""Loads and stores of a word a lane in shared memory, the addresses of which are remembered.

    ld.shared.f32 f1, [r7]         what r7 holds of 32 lanes: the least 64, the most 188, all
    ld.shared.f32 f2, [r7+4]       multiples of 4, no two words in a bank; so none of the lanes is
    ld.shared.f32 f3, [r7+8]       looked at again until r7 is written or other lanes run

A register that addresses words has one of a warp's PATTERNS; KNOWN of the warp says which hold.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt import state as at
from sim.cores.simt.lane_merges import all_lanes
from sim.cores.simt.lane_words import (
    GATHERED,
    address_of,
    bit_count,
    gather_words,
    operand_address,
    read_u32,
    write_b32,
    write_b64,
)
from sim.cores.simt.memory.shared_memory import shared_turn, word_passes
from sim.cores.simt.memory_rows import own_bytes

WORD = 4


@inlined
def find_pattern(state, memory, warp, pc, mask):
    """Where the pattern of an instruction's addresses begins, if no lane may not access its word;
    else -1: it is to be looked at lane by lane."""
    code, patterns = state.code, state.patterns
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    number = code[base + index(at.PATTERN)]
    found = index((warp * at.PATTERNS + number) * at.PATTERN_COLUMNS)
    register = code[base + index(at.OPERANDS) + index(2 * code[base + index(at.ADDRESS)])]
    is_known = (state.warps[own + index(at.KNOWN)] >> number) & 1
    if (
        not is_known
        or patterns[found + index(at.PATTERN_REGISTER)] != register
        or patterns[found + index(at.PATTERN_LANES)] != mask
    ):
        note_pattern(state, memory, warp, pc, mask, found)
        patterns[found + index(at.PATTERN_REGISTER)] = register
        patterns[found + index(at.PATTERN_LANES)] = mask
        state.warps[own + index(at.KNOWN)] |= 1 << number
    offset = code[base + index(at.OFFSET)]
    low = patterns[found + index(at.PATTERN_LOW)] + offset
    high = patterns[found + index(at.PATTERN_HIGH)] + offset
    bits = patterns[found + index(at.PATTERN_BITS)] | offset
    if low < 0 or high + WORD > patterns[found + index(at.PATTERN_LIMIT)] or bits & (WORD - 1):
        return int64(-1)
    return int64(found)


@jitted
def note_pattern(state, memory, warp, pc, mask, found):
    """Look at the lanes of an address register."""
    addresses, patterns = state.addresses, state.patterns
    width = state.parameters[at.WIDTH]
    base = index(pc * at.CODE_COLUMNS)
    into, source = address_of(addresses), register_address(state, warp, base, at.ADDRESS)
    low, high, bits = 1 << 32, 0, 0
    for lane in range(width):
        address = read_u32(source, lane)
        is_in = (mask >> lane) & 1
        low = min(low, address if is_in else 1 << 32)
        high = max(high, address if is_in else 0)
        bits |= address if is_in else 0
        write_b64(into, lane, address)
    grid = state.warps[index(warp * at.WARP_COLUMNS + at.GRID)]
    limit = state.grids[index(grid * at.GRID_COLUMNS + at.GRID_SHARED)]
    patterns[found + index(at.PATTERN_LOW)] = low
    patterns[found + index(at.PATTERN_HIGH)] = high
    patterns[found + index(at.PATTERN_BITS)] = bits
    patterns[found + index(at.PATTERN_LIMIT)] = limit
    patterns[found + index(at.PATTERN_PASSES)] = word_passes(memory, addresses, mask)


@inlined
def register_address(state, warp, base, column):
    """The host address of the register that is the operand whose number a column of `code` has."""
    number = state.code[base + index(column)]
    operands = address_of(state.code) + 8 * (base + index(at.OPERANDS))
    own = own_bytes(state.parameters, warp)
    return operand_address(operands, number, address_of(state.words), own)


@inlined
def time_words(state, memory, sm, found, mask, cycle):
    """(done, taken) of an access whose pattern was found."""
    passes = state.patterns[index(found + at.PATTERN_PASSES)]
    return shared_turn(memory, sm, cycle, passes, 1, 1, bit_count(mask) * WORD)


@inlined
def first_word(state, warp, pc):
    """The host address of the word that a lane whose register holds 0 accesses."""
    block = state.warps[index(warp * at.WARP_COLUMNS + at.BLOCK)]
    offset = state.code[index(pc * at.CODE_COLUMNS + at.OFFSET)]
    return address_of(state.shared) + block * state.parameters[at.SHARED_STRIDE] + offset


@jitted
def load_words(state, warp, pc, mask):
    """Bring the words into the register."""
    width = state.parameters[at.WIDTH]
    base = index(pc * at.CODE_COLUMNS)
    memory, source = first_word(state, warp, pc), register_address(state, warp, base, at.ADDRESS)
    register = register_address(state, warp, base, at.DATA)
    if mask == all_lanes(width) and width % GATHERED == 0:
        for first in range(0, width, GATHERED):
            gather_words(memory, source, register, first)
    else:
        for lane in range(width):
            if (mask >> lane) & 1:
                write_b32(register, lane, read_u32(memory + read_u32(source, lane), 0))


@jitted
def store_words(state, warp, pc, mask):
    """Write the register's words; of lanes that meet the last one stays."""
    width = state.parameters[at.WIDTH]
    base = index(pc * at.CODE_COLUMNS)
    memory, source = first_word(state, warp, pc), register_address(state, warp, base, at.ADDRESS)
    register = register_address(state, warp, base, at.DATA)
    for lane in range(width):
        if (mask >> lane) & 1:
            write_b32(memory + read_u32(source, lane), 0, read_u32(register, lane))
