"""Warps that sleep."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.cycle.operands import number_of
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.sleep import SLEEP


@inlined
def control(state, groups, memory, sm, warp, pc, executing, cycle, kind, until):
    """Sleep: see `choose`."""
    base = index(pc * at.CODE_COLUMNS)
    time = number_of(state, warp, base, state.code[base + SLEEP.NANOSECONDS], executing)
    end = cycle + 1 + time * state.parameters[SIZE.CLOCK_HZ] // 1000000000
    return int64(0), end, int64(why.SLEEPING), True
