"""Instructions whose meaning is all."""

from __future__ import annotations

from numba import uint64 as index

from sim.cores.jit import inlined
from sim.cores.simt import state as at
from sim.cores.simt.host.deferred import defer, run_meaning
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.shortcuts import SHORTCUT
from sim.cores.simt.units.special_registers import SPECIAL


@inlined
def compute(state, warp, pc, executing, cycle, kind):
    """Compute an instruction for a warp's lanes, or let it wait: see `choose`."""
    base = index(pc * at.CODE_COLUMNS)
    if state.code[base + INSTRUCTION.READS_CLOCK]:
        own = index(warp * (at.TID + at.OF_LANES * state.parameters[SIZE.WIDTH]))
        state.specials[own + SPECIAL.NOW] = cycle
    if state.code[base + SHORTCUT.DEFERS]:
        defer(state, warp, pc, executing)
    else:
        run_meaning(state, warp, pc, executing)
