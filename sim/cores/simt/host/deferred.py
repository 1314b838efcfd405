"""Instructions whose results come when somebody wants them.

    issued   ld.shared add add fma | bar       nothing of the four is computed when it issues, only
    computed                       4 at once   its times; the barrier first has all four computed

A warp issues seldom, and between two of its turns the host has forgotten its registers: what is
computed in one go finds them near.  What waits of a warp is a run of instructions that follow each
other (PENDING_FIRST to before PENDING_END), for the same lanes (PENDING_LANES), none of which can
fault any more.  Nobody can notice, because it is computed before

* an instruction of the warp that reads or writes at once what the run reads or writes: only those
  wait that compute for each lane from its registers, without the clock, and loads from memory that
  only its block can change;
* a store or atomic of a warp of the block to shared memory, if a load from there waits;
* `advance` returns.

Columns of `code`:

    DEFERS   the instruction may wait
    WRITES   what it writes: a bit for each of its registers, modulo WRITE_BITS; one for any
             predicate, and one for loads from shared memory; PENDING_WRITES: of all that wait
    NEEDS    what has to be there when it issues: everything, or what its address and guard are
"""

from __future__ import annotations

from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt import state as at
from sim.cores.simt.cycle.lane_accesses import (
    find_addresses,
    find_targets,
    load_lanes,
    load_parameter,
)
from sim.cores.simt.cycle.operands import operands_of, own_bytes
from sim.cores.simt.cycle.slots import warp_of
from sim.cores.simt.host.lane_words import address_of, call_meaning, first_bit
from sim.cores.simt.host.shared_words import load_words
from sim.cores.simt.units.block_dispatcher import RESIDENT, SLOTS
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import ACCESS, PARAMETER
from sim.cores.simt.units.load_store import KINDS as ACCESSES
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.shortcuts import (
    BLOCK_WAITING,
    FROM_SHARED,
    NO_PC,
    SHORTCUT,
    WAITING,
)


@inlined
def run_meaning(state, warp, pc, mask):
    """Compute an instruction for a warp's lanes."""
    code, parameters = state.code, state.parameters
    base = index(pc * at.CODE_COLUMNS)
    width = state.parameters[SIZE.WIDTH]
    return call_meaning(
        code[base + INSTRUCTION.FUNCTION],
        code[base + INSTRUCTION.CASE],
        operands_of(state, base),
        address_of(state.words),
        own_bytes(parameters, warp),
        address_of(state.masks),
        8 * (at.FIXED_MASKS + warp * parameters[SIZE.PREDICATE_STRIDE]),
        address_of(state.specials) + 8 * warp * (at.TID + at.OF_LANES * width),
        mask,
        address_of(state.addresses) + 8 * width,
    )


@inlined
def defer(state, warp, pc, mask):
    """Let an instruction wait."""
    warps, code = state.warps, state.code
    own, base = index(warp * at.WARP_COLUMNS), index(pc * at.CODE_COLUMNS)
    follows = warps[own + WAITING.PENDING_END] == pc
    if not follows or warps[own + WAITING.PENDING_LANES] != mask:
        if warps[own + WAITING.PENDING_END] != NO_PC:
            compute_pending(state, warp)
        warps[own + WAITING.PENDING_FIRST] = pc
        warps[own + WAITING.PENDING_LANES] = mask
    warps[own + WAITING.PENDING_END] = pc + 1
    writes = code[base + SHORTCUT.WRITES]
    if writes & ~warps[own + WAITING.PENDING_WRITES] & FROM_SHARED:
        block = index(warps[own + RESIDENT.BLOCK] * at.BLOCK_COLUMNS) + BLOCK_WAITING.COUNT
        state.blocks[block] += 1
    warps[own + WAITING.PENDING_WRITES] |= writes


@inlined
def have_there(state, warp, pc):
    """What an instruction needs is computed."""
    wanted = state.code[index(pc * at.CODE_COLUMNS) + SHORTCUT.NEEDS]
    if state.warps[index(warp * at.WARP_COLUMNS) + WAITING.PENDING_WRITES] & wanted:
        compute_pending(state, warp)


@inlined
def have_all(state, warp):
    """Nothing waits of a warp."""
    if state.warps[index(warp * at.WARP_COLUMNS) + WAITING.PENDING_WRITES]:
        compute_pending(state, warp)


@jitted
def compute_pending(state, warp):
    """Compute what waits of a warp."""
    warps, code = state.warps, state.code
    own = index(warp * at.WARP_COLUMNS)
    mask = warps[own + WAITING.PENDING_LANES]
    for pc in range(warps[own + WAITING.PENDING_FIRST], warps[own + WAITING.PENDING_END]):
        if code[index(pc * at.CODE_COLUMNS) + INSTRUCTION.KIND] == ACCESSES.LOAD:
            load(state, warp, pc, mask)
        else:
            run_meaning(state, warp, pc, mask)
    if warps[own + WAITING.PENDING_WRITES] & FROM_SHARED:
        block = index(warps[own + RESIDENT.BLOCK] * at.BLOCK_COLUMNS) + BLOCK_WAITING.COUNT
        state.blocks[block] -= 1
    nothing_waits(state, warp)


@inlined
def nothing_waits(state, warp):
    """Of a warp."""
    own = index(warp * at.WARP_COLUMNS)
    state.warps[own + WAITING.PENDING_FIRST] = NO_PC
    state.warps[own + WAITING.PENDING_END] = NO_PC
    state.warps[own + WAITING.PENDING_WRITES] = 0


@inlined
def load(state, warp, pc, mask):
    """Do a load that was found to be right when it issued."""
    width, base = state.parameters[SIZE.WIDTH], index(pc * at.CODE_COLUMNS)
    if state.code[base + SHORTCUT.PATTERN] >= 0:
        load_words(state, warp, pc, mask)
        return
    space = state.code[base + ACCESS.SPACE]
    if space == PARAMETER:
        load_parameter(state, warp, pc, mask)
        return
    find_addresses(state, warp, pc, width, mask, space)
    find_targets(state, warp, pc, width, mask, space)
    load_lanes(state, warp, pc, width, mask)


@inlined
def before_change(state, sm, block):
    """A block's shared memory is about to change: loads from it that wait are done."""
    if state.blocks[index(block * at.BLOCK_COLUMNS) + BLOCK_WAITING.COUNT] > 0:
        load_all(state, sm, block)


@jitted
def load_all(state, sm, block):
    """Compute what waits of the warps of a block that have loads from shared memory waiting."""
    parameters = state.parameters
    for subcore in range(sm * parameters[SIZE.SUBCORES], (sm + 1) * parameters[SIZE.SUBCORES]):
        rest = state.subcores[index(subcore * at.SUBCORE_COLUMNS) + SLOTS.RESIDENT]
        while rest != 0:
            warp = warp_of(state, subcore, first_bit(rest))
            rest &= rest - 1
            own = index(warp * at.WARP_COLUMNS)
            if state.warps[own + RESIDENT.BLOCK] != block:
                continue
            if state.warps[own + WAITING.PENDING_WRITES] & FROM_SHARED:
                compute_pending(state, warp)


@jitted
def compute_all(state):
    """Nothing waits any more."""
    parameters = state.parameters
    for subcore in range(parameters[SIZE.SMS] * parameters[SIZE.SUBCORES]):
        rest = state.subcores[index(subcore * at.SUBCORE_COLUMNS) + SLOTS.RESIDENT]
        while rest != 0:
            warp = warp_of(state, subcore, first_bit(rest))
            rest &= rest - 1
            if state.warps[index(warp * at.WARP_COLUMNS) + WAITING.PENDING_END] != NO_PC:
                compute_pending(state, warp)
