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
from sim.cores.simt.host.lane_words import (
    address_of,
    first_bit,
    last_bit,
    operand_address,
    read_pair,
    read_u32,
)
from sim.cores.simt.memory.foresight import ask_for_line, ask_for_records
from sim.cores.simt.memory.parameters import LINE_BITS
from sim.cores.simt.units.memory_rows import own_bytes
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
    board = warp * parameters[at.SCOREBOARD_STRIDE]
    for line in range(3):
        prefetch(state.scoreboard, board + line * at.HOST_LINE)
    base = index(pc * at.CODE_COLUMNS)
    shape = code[base + index(at.SHAPE)]
    if shape == at.ANY:
        ask_for_more(state, warp, base)
    elif shape == at.PLAIN_WORDS:
        place = code[base + index(at.PATTERN)] & (at.PATTERNS - 1)
        prefetch(state.patterns, (warp * at.PATTERNS + place) * at.PATTERN_COLUMNS)


@inlined
def ask_for_more(state, warp, base):
    """What an instruction wants that is not a plain one: its columns begin at `base`."""
    code, groups = state.code, state.groups
    prefetch(beyond(groups.statistics, warp * WARP_COLUMNS), 0)
    kind = code[base + index(at.KIND)]
    if at.LOAD <= kind <= at.ATOMIC:
        if code[base + index(at.PATTERN)] < 0:
            wide = 1 - code[base + index(at.NARROW_ADDRESS)]
            ask_for_register(state, warp, base, code[base + index(at.ADDRESS)], wide)
            ask_for_register(state, warp, base, code[base + index(at.DATA)], int64(0))
    elif kind >= at.BAR_SYNC:
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


@inlined
def ask_for_access(state, memory, sm, warp, pc, cycle):
    """What an access to global memory looks at that is due in a cycle: the bytes and the line of
    its first lane, the bytes of its last."""
    code, width = state.code, state.parameters[at.WIDTH]
    base = index(pc * at.CODE_COLUMNS)
    kind = code[base + index(at.KIND)]
    if kind < at.LOAD or kind > at.ATOMIC or code[base + index(at.SPACE)] != GLOBAL:
        return
    operands = address_of(code) + 8 * int64(base + index(at.OPERANDS))
    own = own_bytes(state.parameters, warp)
    source = operand_address(operands, code[base + index(at.ADDRESS)], address_of(state.words), own)
    mask, offset = state.groups.running[index(warp), MASK], code[base + index(at.OFFSET)]
    if code[base + index(at.NARROW_ADDRESS)]:
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
    state.acting[acting + index(at.ACTING_WARP)] = warp
    state.acting[acting + index(at.ACTING_PC)] = pc
    state.acting[acting + index(at.ACTING_LINE)] = line


@inlined
def ask_for_act(state, memory, sm, cycle):
    """What an act of an SM in a cycle begins with, its access that waits for that."""
    ask_for_sm(state, sm)
    acting = index(sm * at.ACTING_COLUMNS)
    ask_for_issue(
        state,
        state.acting[acting + index(at.ACTING_WARP)],
        state.acting[acting + index(at.ACTING_PC)],
    )
    ask_for_line(memory, sm, state.acting[acting + index(at.ACTING_LINE)], cycle)
    ask_for_records(memory, sm, state.acting[acting + index(at.ACTING_LINE)])


@inlined
def ask_for_sm(state, sm):
    """What a turn of an SM begins with."""
    parameters = state.parameters
    subcores, warps = parameters[at.SUBCORES], parameters[at.CORE_WARPS]
    for core in range(sm * subcores, (sm + 1) * subcores):
        prefetch(state.cores, core * at.CORE_COLUMNS)
        prefetch(state.cores, core * at.CORE_COLUMNS + at.HOST_LINE)
        prefetch(state.free_at, core * parameters[at.PIPE_STRIDE])
        prefetch(state.waiting, core * parameters[at.PIPE_STRIDE])
        prefetch(state.ready_at, core * warps)
        prefetch(state.ready_at, core * warps + at.HOST_LINE)
        prefetch(state.next_pcs, core * warps)
        prefetch(state.next_pcs, core * warps + at.HOST_LINE)
