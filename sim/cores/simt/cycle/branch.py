"""Where the lanes of a group go."""

from __future__ import annotations

from numba import uint64 as index

from machines.kinds.simt.reconvergence import PC
from sim.cores.jit import inlined
from sim.cores.simt import state as at
from sim.cores.simt.cycle import convergence
from sim.cores.simt.units.branch import BRANCH
from sim.cores.simt.units.instructions import INSTRUCTION


@inlined
def branch(state, groups, warp, pc, mask, executing):
    """The lanes of `executing` go to a branch's target, those left of `mask` do not; events."""
    code, rules = state.code, state.rules
    base = index(pc * at.CODE_COLUMNS)
    target = code[base + BRANCH.TARGET]
    if executing == mask or executing == 0:
        next_pc = target if executing else pc + 1
        return convergence.jump(groups, warp, rules, state.markers, pc, next_pc)
    state.diverged[index(pc)] += 1
    meeting = code[base + BRANCH.MEETING_PC]
    return convergence.branch(
        groups, warp, rules, state.markers, pc, target, pc + 1, executing, meeting
    )


@inlined
def fall(state, groups, warp, pc):
    """The running group goes on at the next pc; events."""
    if state.code[index(pc * at.CODE_COLUMNS) + INSTRUCTION.BEGINS_BLOCK]:
        return convergence.fall_into(groups, warp, state.rules, state.markers, pc + 1)
    state.groups.running[index(warp), PC] = pc + 1
    return 0
