"""What the host's caches are asked for ahead of time.

A GPU's state is far larger than the caches of the host, and what an instruction wants of it lies in
some twenty lines: they come together if all are asked for when its warp becomes ready, and not when
the first of them is missed.  Nothing here changes a result.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.kinds.simt.reconvergence import GROUP_COLUMNS, WARP_COLUMNS
from sim.cores.jit import inlined
from sim.cores.simt import state as at
from sim.cores.tables import beyond, prefetch

WORDS = 16
"""32-bit words in a line of the host."""


@inlined
def ask_for_issue(state, warp):
    """What the issue of a warp's next instruction begins with."""
    parameters, code = state.parameters, state.code
    own = warp * at.WARP_COLUMNS
    prefetch(state.warps, own + at.HOST_LINE)
    prefetch(beyond(state.groups.running, warp * WARP_COLUMNS), 0)
    prefetch(beyond(state.groups.statistics, warp * WARP_COLUMNS), 0)
    board = warp * parameters[at.SCOREBOARD_STRIDE]
    for line in range(3):
        prefetch(state.scoreboard, board + line * at.HOST_LINE)
    base = index(state.warps[index(own + at.CHARGED_PC)] * at.CODE_COLUMNS)
    kind = code[base + index(at.KIND)]
    if at.LOAD <= kind <= at.ATOMIC:
        if code[base + index(at.PATTERN)] < 0:
            wide = 1 - code[base + index(at.NARROW_ADDRESS)]
            ask_for_register(state, warp, base, code[base + index(at.ADDRESS)], wide)
            ask_for_register(state, warp, base, code[base + index(at.DATA)], int64(0))
    elif at.BSSY <= kind <= at.BREAK:
        groups = state.groups
        prefetch(beyond(groups.waiting, warp * groups.waiting.shape[1] * GROUP_COLUMNS), 0)
        sets = groups.cohorts.shape[1] * groups.cohorts.shape[2]
        prefetch(beyond(groups.cohorts, warp * sets), 0)


@inlined
def ask_for_register(state, warp, base, operand, is_wide):
    """The lanes of an operand of the instruction whose columns begin at `base`."""
    column = base + index(at.OPERANDS + 2 * operand)
    if state.code[column + index(1)]:
        first = state.parameters[at.REGISTERS_AT] + warp * state.parameters[at.REGISTER_STRIDE]
        first += state.code[column] >> 2
        prefetch(state.words, first)
        prefetch(state.words, first + WORDS)
        if is_wide:
            prefetch(state.words, first + 2 * WORDS)
            prefetch(state.words, first + 3 * WORDS)
