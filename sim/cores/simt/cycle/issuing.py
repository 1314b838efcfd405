"""What every instruction does to its warp, its sub-core and its pipe when it issues."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined
from sim.cores.simt import state as at
from sim.cores.simt import trace_events as told
from sim.cores.simt.cycle.stalls import charge, charge_idle
from sim.cores.simt.cycle.trace_waits import note_wait
from sim.cores.simt.units.pipes import PIPES, USE
from sim.cores.simt.units.register_file import PORT
from sim.cores.simt.units.stalls import IDLE
from sim.cores.simt.units.trace import TRACE
from sim.cores.simt.units.warp_scheduler import SCHEDULE


@inlined
def begin_issue(state, subcore, bit, warp, pc, cycle):
    """Charge what a sub-core and its warp have waited for; cycles that the sources of what it
    issues hold the dispatch port."""
    code, subcores = state.code, state.subcores
    base, mine = index(pc * at.CODE_COLUMNS), index(subcore * at.SUBCORE_COLUMNS)
    conflicts = code[base + PORT.CONFLICTS]
    if subcores[mine + SCHEDULE.FOLLOWING_PC] == pc and subcores[mine + SCHEDULE.LAST] == bit:
        conflicts = code[base + PORT.REPEATED_CONFLICTS]
    if state.parameters[TRACE.TRACES]:
        note_wait(state, told.ISSUED, subcore, warp, pc, cycle, conflicts)
    charge_idle(state, subcore, cycle)
    charge(state, warp, subcore, cycle)
    return conflicts


@inlined
def end_turn(state, subcore, bit, pc, next_cycle):
    """A warp of a sub-core has issued, which may issue the next in a cycle."""
    subcores, mine = state.subcores, index(subcore * at.SUBCORE_COLUMNS)
    subcores[mine + IDLE.SINCE] = next_cycle
    others = subcores[mine + SCHEDULE.READY] & ~(int64(1) << bit)
    subcores[mine + SCHEDULE.READY] = others
    turn = next_cycle
    if others == 0:  # nobody can issue before somebody becomes ready, see `announce`
        turn = max(next_cycle, subcores[mine + SCHEDULE.NEXT_READY])
    state.turns[index(subcore)] = turn
    pipe = state.code[index(pc * at.CODE_COLUMNS) + USE.PIPE]
    state.waiting[index(subcore * state.parameters[PIPES.STRIDE] + pipe)] &= ~(int64(1) << bit)
    subcores[mine + SCHEDULE.LAST] = bit
    subcores[mine + SCHEDULE.FOLLOWING_PC] = pc + 1
