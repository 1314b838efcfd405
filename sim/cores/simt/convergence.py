"""The rules of `machines.kinds.simt.reconvergence`, jitted: what the core calls of them.

events = convergence.branch(groups, warp, rules, markers, …)
"""

from __future__ import annotations

from machines.kinds.simt import reconvergence
from sim.cores.jit import jitted_twins

_TWINS = jitted_twins(reconvergence)

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
