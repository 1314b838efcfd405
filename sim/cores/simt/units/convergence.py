"""The rules of `machines.kinds.simt.reconvergence`, jitted: what the core calls of them.

events = convergence.branch(groups, warp, rules, markers, …)
"""

from __future__ import annotations

from machines.kinds.simt import lane_bits, reconvergence
from sim.cores.jit import jitted, jitted_twins
from sim.cores.simt.host.lane_words import bit_count, first_bit

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
