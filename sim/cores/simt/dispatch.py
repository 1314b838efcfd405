"""Blocks of threads go to SMs, in order, round robin, as long as everything they need is free.

    grid 0: 8 blocks, 2 fit an SM, 2 SMs      SM 0: blocks 0 2, SM 1: blocks 1 3; the next free
                                              place of any SM gets block 4

A block takes a place, shared memory, and for each warp a slot and registers in a sub-core.  Its
warps go to neighbouring sub-cores in turn, beginning with the emptiest in which that works out.
What a block has taken is free again when its last warp has left.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt import convergence
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import trace_events as told
from sim.cores.simt.account import charge, charge_idle, find_oldest, warp_of
from sim.cores.simt.lane_words import first_bit
from sim.cores.simt.schedule import announce, prepare
from sim.cores.simt.state import (
    AGE,
    AGES,
    BARRIER_COLUMNS,
    BARRIERS,
    BLOCK,
    BLOCK_BEGAN,
    BLOCK_COLUMNS,
    BLOCK_GRID,
    BLOCK_INDEX,
    BLOCK_PLACES,
    BLOCK_THREADS,
    BLOCK_WARPS,
    BLOCK_X,
    BLOCKS_RUN,
    CHARGED_ROW,
    CHECK_UNTIL,
    CLOCK_HERTZ,
    CLOCK_HZ,
    CORE_COLUMNS,
    CORE_REGISTERS,
    CORE_WARPS,
    COUNTER,
    COUNTERS,
    CTAID,
    DYNAMIC_SMEM,
    ENDED,
    EVENT_COLUMNS,
    FIRST_GRID,
    GRID,
    GRID_BLOCKS,
    GRID_COLUMNS,
    GRID_DYNAMIC,
    GRID_END,
    GRID_FIRST_ROW,
    GRID_LEFT,
    GRID_LOCAL,
    GRID_NEXT_BLOCK,
    GRID_NUMBER,
    GRID_REGISTERS,
    GRID_SHARED,
    GRID_SHARED_TAKEN,
    GRID_THREADS,
    GRID_WARPS,
    GRID_X,
    GRIDID,
    GRIDS,
    GRIDS_LEFT,
    HELD_UNTIL,
    HOLD_REASON,
    LATEST_END,
    LEAVES,
    LOCAL_STRIDE,
    NCTAID,
    NEXT,
    NEXT_SM,
    NSMID,
    NTID,
    NUMBER,
    NWARPID,
    OF_LANES,
    PREDICATE_STRIDE,
    READY,
    REGISTER_STRIDE,
    REGISTERS_AT,
    RESIDENT,
    RESIDENT_CYCLES,
    SCOREBOARD_STRIDE,
    SHARED_STRIDE,
    SINCE,
    SM_BLOCKS,
    SM_CARVE_OUT,
    SM_COLUMNS,
    SM_CTAS,
    SM_SHARED,
    SM_WARPS,
    SMID,
    SMS,
    STARTED,
    STORES_DONE,
    SUBCORES,
    TAKEN,
    TID,
    TOTAL_SMEM,
    TRACED,
    TRACES,
    WARP_COLUMNS,
    WARPID,
    WARPS_RUN,
    WIDTH,
)

FIXED_MASKS = 2
"""The first of `masks`: no lane and all."""


@inlined
def trace(state, kind, cycle, warp, row, mask):
    """Note an event, if a trace is wanted."""
    if state.parameters[TRACES]:
        note_event(state, kind, cycle, warp, row, mask)


@jitted
def note_event(state, kind, cycle, warp, row, mask):
    """Note an event; one that finds no room is counted and lost."""
    at = index(state.scalars[TRACED] * EVENT_COLUMNS)
    state.scalars[TRACED] += 1
    if state.scalars[TRACED] > state.parameters[TRACES]:
        return
    place = state.warps[index(warp * WARP_COLUMNS + BLOCK)]
    events = state.events
    events[at] = cycle
    events[at + index(1)] = warp // state.parameters[SM_WARPS]
    events[at + index(2)] = warp % state.parameters[SM_WARPS]
    events[at + index(3)] = state.blocks[index(place * BLOCK_COLUMNS + BLOCK_INDEX)]
    events[at + index(4)] = row
    events[at + index(5)] = mask
    events[at + index(6)] = kind


@jitted
def first_core(state, sm, grid):
    """The sub-core to begin with, -1 if the block's warps find no room."""
    parameters = state.parameters
    subcores = parameters[SUBCORES]
    warps = state.grids[index(grid * GRID_COLUMNS + GRID_WARPS)]
    taken = state.grids[index(grid * GRID_COLUMNS + GRID_REGISTERS)]
    best, least = -1, 0
    for start in range(subcores):
        fits = True
        for k in range(min(subcores, warps)):
            core = sm * subcores + (start + k) % subcores
            more = (warps - k + subcores - 1) // subcores
            taken_slots = _bits(state.cores[index(core * CORE_COLUMNS + TAKEN)])
            if taken_slots + more > parameters[CORE_WARPS]:
                fits = False
            if state.core_registers[index(core)] + more * taken > parameters[CORE_REGISTERS]:
                fits = False
        here = _bits(state.cores[index((sm * subcores + start) * CORE_COLUMNS + TAKEN)])
        if fits and (best < 0 or here < least):
            best, least = start, here
    return best


@jitted
def _bits(mask):
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


@jitted
def try_block(state, groups, sm, grid, cycle):
    """Begin a grid's next block on an SM in a cycle; whether it fitted."""
    parameters, sms, at = state.parameters, state.sms, index(grid * GRID_COLUMNS)
    own = index(sm * SM_COLUMNS)
    if sms[own + index(SM_BLOCKS)] >= parameters[SM_CTAS]:
        return False
    taken = state.grids[at + index(GRID_SHARED_TAKEN)]
    if sms[own + index(SM_SHARED)] + taken > sms[own + index(SM_CARVE_OUT)]:
        return False
    start = first_core(state, sm, grid)
    if start < 0:
        return False
    block = sm * parameters[BLOCK_PLACES]
    while state.blocks[index(block * BLOCK_COLUMNS + BLOCK_GRID)] >= 0:
        block += 1
    sms[own + index(SM_BLOCKS)] += 1
    sms[own + index(SM_SHARED)] += taken
    place_block(state, groups, sm, grid, block, start, cycle)
    return True


@jitted
def place_block(state, groups, sm, grid, block, start, cycle):
    """Begin a grid's next block in a place of an SM."""
    parameters, grids = state.parameters, state.grids
    at, own = index(grid * GRID_COLUMNS), index(block * BLOCK_COLUMNS)
    number = grids[at + index(GRID_NEXT_BLOCK)]
    grids[at + index(GRID_NEXT_BLOCK)] += 1
    threads, warps = grids[at + index(GRID_THREADS)], grids[at + index(GRID_WARPS)]
    state.scalars[BLOCKS_RUN] += 1
    state.blocks[own + index(BLOCK_GRID)] = grid
    state.blocks[own + index(BLOCK_INDEX)] = number
    state.blocks[own + index(BLOCK_THREADS)] = threads
    state.blocks[own + index(BLOCK_WARPS)] = warps
    state.blocks[own + index(BLOCK_BEGAN)] = cycle
    for k in range(parameters[BARRIERS] * BARRIER_COLUMNS):
        state.barriers[index(block * parameters[BARRIERS] * BARRIER_COLUMNS + k)] = 0
    first_byte = block * parameters[SHARED_STRIDE]
    for k in range(grids[at + index(GRID_SHARED)]):
        state.shared[index(first_byte + k)] = 0
    subcores = parameters[SUBCORES]
    for k in range(warps):
        core = sm * subcores + (start + k) % subcores
        place_warp(state, groups, core, grid, block, number, k, cycle)


@jitted
def place_warp(state, groups, core, grid, block, number, k, cycle):
    """Begin warp `k` of a block, block `number` of its grid, in a sub-core."""
    warps, grids, cores = state.warps, state.grids, state.cores
    width = state.parameters[WIDTH]
    at, own_core = index(grid * GRID_COLUMNS), index(core * CORE_COLUMNS)
    charge_idle(state, core, cycle)
    bit = first_bit(~cores[own_core + index(TAKEN)])
    warp = warp_of(state, core, bit)
    own = index(warp * WARP_COLUMNS)
    lanes = min(width, grids[at + index(GRID_THREADS)] - k * width)
    mask = int64(-1) if lanes == 64 else (int64(1) << lanes) - 1
    row = grids[at + index(GRID_FIRST_ROW)]
    state.core_registers[index(core)] += grids[at + index(GRID_REGISTERS)]
    cores[own_core + index(RESIDENT)] |= int64(1) << bit
    cores[own_core + index(TAKEN)] |= int64(1) << bit
    state.scalars[AGES] += 1
    state.scalars[WARPS_RUN] += 1
    warps[own + index(SINCE)] = cycle
    warps[own + index(STARTED)] = cycle
    warps[own + index(HELD_UNTIL)] = cycle
    warps[own + index(CHECK_UNTIL)] = cycle
    warps[own + index(HOLD_REASON)] = why.BARRIER
    warps[own + index(AGE)] = state.scalars[AGES]
    warps[own + index(BLOCK)] = block
    warps[own + index(GRID)] = grid
    warps[own + index(NUMBER)] = k
    warps[own + index(STORES_DONE)] = 0
    warps[own + index(CHARGED_ROW)] = row
    for counter in range(2 * COUNTERS):
        warps[own + index(COUNTER + counter)] = 0
    clear_registers(state, warp)
    clear_local(state, warp, grids[at + index(GRID_LOCAL)] * width)
    fill_specials(state, core, grid, number, warp, k, width)
    convergence.begin(groups, warp, row, mask)
    prepare(state, warp, row)
    announce(state, core, cycle)
    find_oldest(state, core)
    if k == 0:
        trace(state, told.BLOCK_BEGUN, cycle, warp, row, mask)


@jitted
def clear_registers(state, warp):
    """All registers of a warp are 0 and ready."""
    parameters = state.parameters
    stride = parameters[REGISTER_STRIDE]
    first = index(parameters[REGISTERS_AT] + warp * stride)
    for k in range(stride):
        state.words[first + index(k)] = 0
    stride = parameters[PREDICATE_STRIDE]
    first = index(FIXED_MASKS + warp * stride)
    for k in range(stride):
        state.masks[first + index(k)] = 0
    stride = parameters[SCOREBOARD_STRIDE]
    first = index(warp * stride)
    for k in range(stride):
        state.scoreboard[first + index(k)] = 0


@jitted
def clear_local(state, warp, size):
    """The local memory of a warp's lanes is 0: what a warp before has left there is not seen."""
    first = warp * state.parameters[LOCAL_STRIDE]
    for k in range(size):
        state.local[index(first + k)] = 0


@jitted
def fill_specials(state, core, grid, number, warp, k, width):
    """What a warp's threads read as special registers."""
    parameters, grids, specials = state.parameters, state.grids, state.specials
    at = index(grid * GRID_COLUMNS)
    own = index(warp * (TID + OF_LANES * width))
    rest = number
    for axis in range(3):
        blocks = grids[at + index(GRID_X + axis)]
        threads = grids[at + index(BLOCK_X + axis)]
        specials[own + index(CTAID + axis)] = rest % blocks
        rest //= blocks
        specials[own + index(NCTAID + axis)] = blocks
        specials[own + index(NTID + axis)] = threads
    specials[own + index(GRIDID)] = grids[at + index(GRID_NUMBER)]
    specials[own + index(WARPID)] = warp % parameters[SM_WARPS]
    specials[own + index(NWARPID)] = parameters[SM_WARPS]
    specials[own + index(SMID)] = core // parameters[SUBCORES]
    specials[own + index(NSMID)] = parameters[SMS]
    specials[own + index(DYNAMIC_SMEM)] = grids[at + index(GRID_DYNAMIC)]
    specials[own + index(TOTAL_SMEM)] = grids[at + index(GRID_SHARED)]
    specials[own + index(CLOCK_HERTZ)] = parameters[CLOCK_HZ]
    across, down = grids[at + index(BLOCK_X)], grids[at + index(BLOCK_X + 1)]
    first = k * width
    x, y, z = first % across, first // across % down, first // across // down
    for lane in range(width):
        specials[own + index(TID + lane)] = x
        specials[own + index(TID + width + lane)] = y
        specials[own + index(TID + 2 * width + lane)] = z
        x += 1
        if x == across:
            x = 0
            y += 1
            if y == down:
                y = 0
                z += 1


@jitted
def dispatch_to_sm(state, groups, sm, cycle):
    """Begin blocks on an SM while some grid's next one fits."""
    grid = state.scalars[FIRST_GRID]
    while grid < state.scalars[GRIDS]:
        at = index(grid * GRID_COLUMNS)
        left = state.grids[at + index(GRID_BLOCKS)] - state.grids[at + index(GRID_NEXT_BLOCK)]
        if left == 0 and grid == state.scalars[FIRST_GRID]:
            state.scalars[FIRST_GRID] += 1
        if left == 0 or not try_block(state, groups, sm, grid, cycle):
            grid += 1


@jitted
def dispatch_blocks(state, groups, cycle):
    """Begin blocks on all SMs in turn, one on each, while one fits anywhere."""
    sms = state.parameters[SMS]
    grid = state.scalars[FIRST_GRID]
    while grid < state.scalars[GRIDS]:
        at = index(grid * GRID_COLUMNS)
        refused = 0
        while refused < sms:
            if state.grids[at + index(GRID_NEXT_BLOCK)] == state.grids[at + index(GRID_BLOCKS)]:
                break
            sm = state.scalars[NEXT_SM]
            state.scalars[NEXT_SM] = (sm + 1) % sms
            if try_block(state, groups, sm, grid, cycle):
                refused = 0
            else:
                refused += 1
        grid += 1
    wake_sms(state)


@jitted
def wake_sms(state):
    """Note for every SM its next cycle."""
    subcores, leaves = state.parameters[SUBCORES], state.parameters[LEAVES]
    for sm in range(state.parameters[SMS]):
        state.times[index(leaves + sm)] = next_of(state, sm, subcores)
        move_up(state.times, leaves, sm)


@inlined
def move_up(times, leaves, sm):
    """An SM has another next cycle: note the earlier one of each pair above it."""
    node = (leaves + sm) >> 1
    while node > 0:
        times[index(node)] = min(times[index(2 * node)], times[index(2 * node + 1)])
        node >>= 1


@inlined
def next_of(state, sm, subcores):
    """The next cycle in which a sub-core of an SM could issue."""
    from_here = sm * subcores
    come = state.cores[index(from_here * CORE_COLUMNS + NEXT)]
    for core in range(from_here + 1, from_here + subcores):
        come = min(come, state.cores[index(core * CORE_COLUMNS + NEXT)])
    return come


@jitted
def leave_sm(state, groups, sm, core, bit, cycle):
    """A warp all lanes of which have finished leaves; behind the last one of a block the next come.

    The warp stays resident up to `cycle`.
    """
    warps, cores, scalars = state.warps, state.cores, state.scalars
    warp = warp_of(state, core, bit)
    own, own_core = index(warp * WARP_COLUMNS), index(core * CORE_COLUMNS)
    charge(state, warp, core, cycle)
    charge_idle(state, core, cycle)
    scalars[RESIDENT_CYCLES] += warps[own + index(SINCE)] - warps[own + index(STARTED)]
    cores[own_core + index(RESIDENT)] &= ~(int64(1) << bit)
    cores[own_core + index(READY)] &= ~(int64(1) << bit)
    find_oldest(state, core)
    grid = warps[own + index(GRID)]
    at = index(grid * GRID_COLUMNS)
    block = index(warps[own + index(BLOCK)] * BLOCK_COLUMNS)
    state.blocks[block + index(BLOCK_WARPS)] -= 1
    if state.blocks[block + index(BLOCK_WARPS)] > 0:
        return
    state.blocks[block + index(BLOCK_GRID)] = -1
    free_slots(state, sm, warps[own + index(BLOCK)], state.grids[at + index(GRID_REGISTERS)])
    sms = index(sm * SM_COLUMNS)
    state.sms[sms + index(SM_BLOCKS)] -= 1
    state.sms[sms + index(SM_SHARED)] -= state.grids[at + index(GRID_SHARED_TAKEN)]
    state.grids[at + index(GRID_LEFT)] -= 1
    if state.grids[at + index(GRID_LEFT)] == 0:
        state.grids[at + index(GRID_END)] = cycle
        scalars[GRIDS_LEFT] -= 1
        scalars[ENDED] = 1
        scalars[LATEST_END] = cycle
    dispatch_to_sm(state, groups, sm, cycle)


@jitted
def free_slots(state, sm, block, registers):
    """Give back what the warps of a block have taken in the sub-cores."""
    parameters, cores = state.parameters, state.cores
    for core in range(sm * parameters[SUBCORES], (sm + 1) * parameters[SUBCORES]):
        rest = cores[index(core * CORE_COLUMNS + TAKEN)]
        while rest != 0:
            bit = first_bit(rest)
            rest &= rest - 1
            warp = warp_of(state, core, bit)
            if state.warps[index(warp * WARP_COLUMNS + BLOCK)] == block:
                cores[index(core * CORE_COLUMNS + TAKEN)] &= ~(int64(1) << bit)
                state.core_registers[index(core)] -= registers
