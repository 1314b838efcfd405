"""A thread that cannot go on."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import jitted
from sim.cores.simt import state as at
from sim.cores.simt.cycle.copy_marks import (
    TO_COPY_IN,
    TO_COPY_OUT,
    TO_LOAD,
    TO_MULTIPLY,
    TO_STORE,
    WORD_BITS,
    race_in,
)
from sim.cores.simt.cycle.lane_accesses import bytes_of
from sim.cores.simt.units.async_copies import BLOCK_COPIES, COPIES
from sim.cores.simt.units.block_dispatcher import RESIDENT
from sim.cores.simt.units.bulk_copies import COPIES as BULK
from sim.cores.simt.units.faults import MET
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import KINDS as ACCESSES
from sim.cores.simt.units.tensor_copies import COPIES as TENSORS
from sim.cores.simt.units.warp_groups import PRODUCTS


@jitted
def note_fault(state, fault, warp, pc, lane, cycle, address):
    """A thread cannot go on."""
    scalars = state.scalars
    scalars[MET.FAULT] = fault
    scalars[MET.WARP] = warp
    scalars[MET.PC] = pc
    scalars[MET.LANE] = lane
    scalars[MET.CYCLE] = cycle
    scalars[MET.ADDRESS] = address


@jitted
def note_race(state, warp, pc, address):
    """A thread may not use shared memory at an address yet: note what it is early for."""
    base = index(pc * at.CODE_COLUMNS)
    kind, size = state.code[base + INSTRUCTION.KIND], bytes_of(state.code, base)
    use = int64(TO_STORE)
    comes_in = kind == BULK.BULK_IN or kind == TENSORS.TENSOR_IN
    if comes_in or kind == BULK.BULK_OUT or kind == TENSORS.TENSOR_OUT:
        use = int64(TO_COPY_IN if comes_in else TO_COPY_OUT)
        block = state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK]
        words = state.blocks[index(block * at.BLOCK_COLUMNS) + BLOCK_COPIES.WORDS]
        size = (words << WORD_BITS) - address  # the first word in the way counts
    elif kind == COPIES.COPY:
        use = int64(TO_COPY_IN)
    elif kind == PRODUCTS.MULTIPLY:
        use, size = int64(TO_MULTIPLY), int64(16)
    elif kind == ACCESSES.LOAD or kind == ACCESSES.LOAD_MATRIX:
        use = int64(TO_LOAD)
    found = race_in(state, warp, address, size, use)
    state.scalars[MET.FAULT] = found & 0xFF
    state.scalars[MET.OTHER] = found >> 8
