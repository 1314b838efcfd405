"""A thread that cannot go on."""

from __future__ import annotations

from sim.cores.jit import jitted
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
