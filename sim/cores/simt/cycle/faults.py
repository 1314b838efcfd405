"""A thread that cannot go on."""

from __future__ import annotations

from numba import uint64 as index

from sim.cores.jit import jitted
from sim.cores.simt import state as at
from sim.cores.simt.cycle.copy_marks import racing_mark
from sim.cores.simt.cycle.lane_accesses import bytes_of
from sim.cores.simt.units.faults import MET


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
    size = bytes_of(state.code, index(pc * at.CODE_COLUMNS))
    state.scalars[MET.COPY] = racing_mark(state, warp, address, size)
