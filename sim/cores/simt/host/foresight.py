"""What the host's caches are asked for ahead of time.

A GPU's state is far larger than the caches of the host, and what an instruction wants of it lies in
some twenty lines: they come together if all are asked for when its warp becomes ready, and not when
the first of them is missed.  An access that waits for its turn, while other SMs run, asks for what
it will look at.  Nothing here changes a result.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.kinds.simt.reconvergence import GROUP_COLUMNS, MASK, WARP_COLUMNS
from machines.layout import BASE
from machines.threads.spaces import GLOBAL
from sim.cores.jit import inlined
from sim.cores.simt import state as at
from sim.cores.simt.cycle.operands import operand_of
from sim.cores.simt.host.lane_words import (
    first_bit,
    last_bit,
    read_pair,
    read_u32,
)
from sim.cores.simt.memory.foresight import ask_for_line, ask_for_records
from sim.cores.simt.memory.parameters import LINE_BITS
from sim.cores.simt.units.barriers import KINDS as BARRIER_KINDS
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import ACCESS
from sim.cores.simt.units.load_store import KINDS as ACCESSES
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.pipes import PIPES
from sim.cores.simt.units.scoreboard import BOARD
from sim.cores.simt.units.shortcuts import ACTING, PATTERNS, SHAPE, SHORTCUT
from sim.cores.tables import beyond, prefetch

WORDS = 16
"""32-bit words in a line of the host."""


@inlined
def ask_for_issue(state, warp, pc):
    """What the issue of a warp's next instruction begins with."""
    parameters, code = state.parameters, state.code
    own = warp * at.WARP_COLUMNS
    prefetch(state.warps, own)
    prefetch(state.warps, own + at.HOST_LINE)
    prefetch(beyond(state.groups.running, warp * WARP_COLUMNS), 0)
    board = warp * parameters[BOARD.STRIDE]
    for line in range(3):
        prefetch(state.scoreboard, board + line * at.HOST_LINE)
    base = index(pc * at.CODE_COLUMNS)
    shape = code[base + SHORTCUT.SHAPE]
    if shape == SHAPE.ANY:
        ask_for_more(state, warp, base)
    elif shape == SHAPE.PLAIN_WORDS:
        place = code[base + SHORTCUT.PATTERN] & (PATTERNS - 1)
        prefetch(state.patterns, (warp * PATTERNS + place) * at.PATTERN_COLUMNS)


@inlined
def ask_for_more(state, warp, base):
    """What an instruction wants that is not a plain one: its columns begin at `base`."""
    code, groups = state.code, state.groups
    prefetch(beyond(groups.statistics, warp * WARP_COLUMNS), 0)
    kind = code[base + INSTRUCTION.KIND]
    if ACCESSES.LOAD <= kind <= ACCESSES.ATOMIC:
        if code[base + SHORTCUT.PATTERN] < 0:
            wide = 1 - code[base + ACCESS.NARROW_ADDRESS]
            ask_for_register(state, warp, base, code[base + ACCESS.ADDRESS], wide)
            ask_for_register(state, warp, base, code[base + ACCESS.DATA], int64(0))
    elif kind >= BARRIER_KINDS.BAR_SYNC:
        prefetch(beyond(groups.waiting, warp * groups.waiting.shape[1] * GROUP_COLUMNS), 0)
        sets = groups.cohorts.shape[1] * groups.cohorts.shape[2]
        prefetch(beyond(groups.cohorts, warp * sets), 0)


@inlined
def ask_for_register(state, warp, base, operand, is_wide):
    """The lanes of an operand of the instruction whose columns begin at `base`."""
    column = index(state.code[base + INSTRUCTION.OPERANDS] + 2 * operand)
    if state.lists[column + index(1)]:
        first = state.parameters[SIZE.REGISTERS_AT] + warp * state.parameters[SIZE.REGISTER_STRIDE]
        first += state.lists[column] >> 2
        prefetch(state.words, first)
        prefetch(state.words, first + WORDS)
        if is_wide:
            prefetch(state.words, first + 2 * WORDS)
            prefetch(state.words, first + 3 * WORDS)


@inlined
def ask_for_access(state, memory, sm, warp, pc, cycle):
    """What an access to global memory looks at that is due in a cycle: the bytes and the line of
    its first lane, the bytes of its last."""
    code, width = state.code, state.parameters[SIZE.WIDTH]
    base = index(pc * at.CODE_COLUMNS)
    kind = code[base + INSTRUCTION.KIND]
    if kind < ACCESSES.LOAD or kind > ACCESSES.ATOMIC or code[base + ACCESS.SPACE] != GLOBAL:
        return
    source = operand_of(state, warp, base, code[base + ACCESS.ADDRESS])
    mask, offset = state.groups.running[index(warp), MASK], code[base + ACCESS.OFFSET]
    if code[base + ACCESS.NARROW_ADDRESS]:
        first = read_u32(source, first_bit(mask)) + offset
        last = read_u32(source, last_bit(mask)) + offset
    else:
        first = read_pair(source, first_bit(mask), width) + offset
        last = read_pair(source, last_bit(mask), width) + offset
    prefetch(state.bytes, first - BASE)
    prefetch(state.bytes, last - BASE)
    line = first >> memory.parameters[LINE_BITS]
    ask_for_line(memory, sm, line, cycle)
    acting = index(sm * at.ACTING_COLUMNS)
    state.acting[acting + ACTING.WARP] = warp
    state.acting[acting + ACTING.PC] = pc
    state.acting[acting + ACTING.LINE] = line


@inlined
def ask_for_act(state, memory, sm, cycle):
    """What an act of an SM in a cycle begins with, its access that waits for that."""
    ask_for_sm(state, sm)
    acting = index(sm * at.ACTING_COLUMNS)
    ask_for_issue(
        state,
        state.acting[acting + ACTING.WARP],
        state.acting[acting + ACTING.PC],
    )
    ask_for_line(memory, sm, state.acting[acting + ACTING.LINE], cycle)
    ask_for_records(memory, sm, state.acting[acting + ACTING.LINE])


@inlined
def ask_for_sm(state, sm):
    """What a turn of an SM begins with."""
    parameters = state.parameters
    subcores, warps = parameters[SIZE.SUBCORES], parameters[SIZE.SUBCORE_WARPS]
    for subcore in range(sm * subcores, (sm + 1) * subcores):
        prefetch(state.subcores, subcore * at.SUBCORE_COLUMNS)
        prefetch(state.subcores, subcore * at.SUBCORE_COLUMNS + at.HOST_LINE)
        prefetch(state.free_at, subcore * parameters[PIPES.STRIDE])
        prefetch(state.waiting, subcore * parameters[PIPES.STRIDE])
        prefetch(state.ready_at, subcore * warps)
        prefetch(state.ready_at, subcore * warps + at.HOST_LINE)
        prefetch(state.next_pcs, subcore * warps)
        prefetch(state.next_pcs, subcore * warps + at.HOST_LINE)
