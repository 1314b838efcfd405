"""Lanes of a warp that wait for each other."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.kinds.simt.reconvergence import IPDOM, POLICY, WAITS
from sim.cores.jit import inlined, jitted
from sim.cores.simt import state as at
from sim.cores.simt.cycle import convergence
from sim.cores.simt.cycle.instructions import compute  # noqa: F401  (when all are there)
from sim.cores.simt.cycle.operands import operand_of
from sim.cores.simt.host.lane_words import first_bit, read_u32
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.warp_barriers import MEETING


@jitted
def lanes_wanted(state, warp, pc, mask):
    """(all lanes that those of `mask` execute an instruction with, the lanes that want the same as
    the first one, what that is): each lane says it in the mask operand."""
    width, base = state.parameters[SIZE.WIDTH], index(pc * at.CODE_COLUMNS)
    source = operand_of(state, warp, base, state.code[base + MEETING.WHO])
    into = index(warp * (at.TID + at.OF_LANES * width) + at.TID + (at.OF_LANES - 1) * width)
    first = (read_u32(source, first_bit(mask)) ^ 0x80000000) - 0x80000000
    every, alike = int64(0), int64(0)
    for lane in range(width):
        wanted = (read_u32(source, lane) ^ 0x80000000) - 0x80000000
        is_in = (mask >> lane) & 1
        every |= wanted if is_in else int64(0)
        alike |= int64(is_in and wanted == first) << lane
        state.specials[into + index(lane)] = wanted
    return every, alike, first


@inlined
def meet(state, groups, warp, pc, executing):
    """Lanes are about to execute what several execute together: (events, whether they wait).

    Lanes that name different ones, as tiles of a warp do, go on together if all are there; else
    those that name the same as the first one try it without the others."""
    every, alike, first = lanes_wanted(state, warp, pc, executing)
    if convergence.is_here(groups, warp, every):
        return int64(0), False
    wanted = first
    if state.rules[POLICY] == IPDOM:
        wanted = every
    elif alike != executing:
        convergence.set_aside(groups, warp, state.rules, pc, executing & ~alike)
    events = convergence.meet(groups, warp, state.rules, pc, wanted)
    return events, events & WAITS != 0


@inlined
def note_members(state, warp, executing):
    """Of the lanes that each one named, those that execute the instruction are the ones it
    meets."""
    width = state.parameters[SIZE.WIDTH]
    into = index(warp * (at.TID + at.OF_LANES * width) + at.TID + (at.OF_LANES - 1) * width)
    for lane in range(width):
        state.specials[into + index(lane)] &= executing
