"""Memory fences."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.cycle.meetings import fence_proxies, meet_at_fences
from sim.cores.simt.memory.global_memory import fence, forget
from sim.cores.simt.units.fences import KINDS
from sim.cores.simt.units.load_store import STORES


@inlined
def control(state, groups, memory, sm, warp, pc, executing, cycle, kind, until):
    """Wait until the warp's stores are seen by others: see `choose`."""
    own = index(warp * at.WARP_COLUMNS)
    if kind == KINDS.PROXIES:
        fence_proxies(state, warp)
    else:
        meet_at_fences(state, warp)
    if kind == KINDS.FENCE:
        forget(memory, sm)
    seen = fence(memory, sm, cycle, state.warps[own + STORES.DONE])
    return int64(0), max(until, seen), int64(why.MEMBAR), True
