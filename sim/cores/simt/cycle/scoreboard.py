"""What an instruction waits for, and what waits for it."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined
from sim.cores.simt import state as at
from sim.cores.simt.units.scoreboard import (
    BOARD,
    DEPENDENCE,
    PRODUCER,
    PRODUCER_BITS,
    WAITED_AT_ONCE,
    WAITED_BITS,
)
from sim.cores.simt.units.shortcuts import SHORTCUT, WAITING
from sim.cores.simt.units.stalls import WAIT

NUMBER = (1 << PRODUCER_BITS) - 1
COLUMN = (1 << WAITED_BITS) - 1


@inlined
def results_there(state, warp, pc):
    """(from when all is there that an instruction waits for, the reason).  The first few are looked
    at without a branch: most wait for no more, and how many cannot be foreseen."""
    base = index(pc * at.CODE_COLUMNS)
    first = index(warp * state.parameters[BOARD.STRIDE])
    ready = state.warps[index(warp * at.WARP_COLUMNS) + WAIT.CHECK_UNTIL]
    producer = int64(0)
    waited = index(state.code[base + DEPENDENCE.WAITED])
    for number in range(WAITED_AT_ONCE):
        ready, producer = wait_for(state, first, waited + index(number), ready, producer)
    for number in range(WAITED_AT_ONCE, state.code[base + DEPENDENCE.WAITS]):
        ready, producer = wait_for(state, first, waited + index(number), ready, producer)
    return ready, state.producers[index(producer + PRODUCER.REASON)]


@inlined
def wait_for(state, first, waited, ready, producer):
    """(a cycle, who is waited for up to it), or those of one more that is waited for, if they come
    later."""
    entry = state.lists[waited]
    noted = state.scoreboard[first + index(entry >> WAITED_BITS)]
    other = noted & NUMBER
    usable = (noted >> PRODUCER_BITS) + state.producers[index(other + (entry & COLUMN))]
    is_later = usable > ready
    return usable if is_later else ready, other if is_later else producer


@inlined
def mark_results(state, warp, pc, ready):
    """The registers that an instruction writes will be ready in a cycle."""
    code = state.code
    base = index(pc * at.CODE_COLUMNS)
    if code[base + SHORTCUT.SPOILS]:
        state.warps[index(warp * at.WARP_COLUMNS) + WAITING.KNOWN] &= ~code[base + SHORTCUT.SPOILS]
    first = index(warp * state.parameters[BOARD.STRIDE])
    noted = ready << PRODUCER_BITS | code[base + DEPENDENCE.PRODUCER]
    entry = index(code[base + DEPENDENCE.DESTINATION])
    last = entry + index(code[base + DEPENDENCE.DESTINATIONS])
    while entry < last:
        state.scoreboard[first + index(state.lists[entry])] = noted
        entry += index(1)
