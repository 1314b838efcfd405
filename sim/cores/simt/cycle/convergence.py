"""The rules of `machines.kinds.simt.reconvergence`, jitted: what the subcore calls of them.

events = convergence.branch(groups, warp, rules, markers, …)
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.kinds.simt import lane_bits, reconvergence
from sim.cores.jit import inlined, jitted, jitted_twins
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.host.lane_words import bit_count, first_bit
from sim.cores.simt.units.convergence import CONVERGENCE, KINDS

_TWINS = jitted_twins(
    reconvergence, {"bit": jitted(lane_bits.bit), "first_lane": first_bit, "lane_count": bit_count}
)

begin = _TWINS.begin
branch = _TWINS.branch
break_ = _TWINS.break_
bssy = _TWINS.bssy
bsync = _TWINS.bsync
fall_into = _TWINS.fall_into
hold = _TWINS.hold
is_here = _TWINS.is_here
jump = _TWINS.jump
leave = _TWINS.leave
mark = _TWINS.mark
meet = _TWINS.meet
release = _TWINS.release
set_aside = _TWINS.set_aside


@inlined
def control(state, groups, memory, sm, warp, pc, executing, cycle, kind, until):
    """Convergence barriers and markers: see `choose`."""
    barrier = state.code[index(pc * at.CODE_COLUMNS) + CONVERGENCE.BARRIER]
    events = int64(0)
    if kind == KINDS.BSSY:
        bssy(groups, warp, barrier)
    elif kind == KINDS.BSYNC:
        events = bsync(groups, warp, state.rules, pc, barrier)
    elif kind == KINDS.BREAK:
        events = break_(groups, warp, barrier)
    else:
        events = mark(groups, warp, state.rules, pc)
    return events, until, int64(why.BRANCH_RESOLVING), kind in (KINDS.BSSY, KINDS.BREAK)
