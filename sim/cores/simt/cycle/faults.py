"""A thread that cannot go on."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import jitted
from sim.cores.simt import state as at
from sim.cores.simt.cycle.copy_marks import racing_mark
from sim.cores.simt.cycle.lane_accesses import bytes_of
from sim.cores.simt.units.bulk_copies import COPIES as BULK
from sim.cores.simt.units.faults import MET
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import KINDS as ACCESSES
from sim.cores.simt.units.load_store import SPANS
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
    """A thread may not access shared memory at an address yet: note the copy it is early for."""
    base = index(pc * at.CODE_COLUMNS)
    kind, size = state.code[base + INSTRUCTION.KIND], bytes_of(state.code, base)
    if kind == BULK.BULK_IN or kind == BULK.BULK_OUT:
        size = state.parameters[SPANS.SHARED_STRIDE] - address  # the first word in the way counts
    loads = kind == ACCESSES.LOAD or kind == ACCESSES.LOAD_MATRIX or kind == BULK.BULK_OUT
    if kind == PRODUCTS.MULTIPLY:
        loads, size = True, int64(16)
    state.scalars[MET.COPY] = racing_mark(state, warp, address, size, not loads)
