"""Slots for warps, by their numbers."""

from __future__ import annotations

from sim.cores.jit import inlined
from sim.cores.simt.units.multiprocessor import SIZE


@inlined
def warp_of(state, subcore, bit):
    """The warp that a bit of READY or RESIDENT stands for."""
    return subcore * state.parameters[SIZE.SUBCORE_WARPS] + bit


@inlined
def slot_of(parameters, warp):
    """The number of a warp's slot among those of its SM."""
    subcore = warp // parameters[SIZE.SUBCORE_WARPS]
    bit = warp - subcore * parameters[SIZE.SUBCORE_WARPS]
    return bit * parameters[SIZE.SUBCORES] + subcore % parameters[SIZE.SUBCORES]
