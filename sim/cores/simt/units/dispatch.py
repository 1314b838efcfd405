"""Blocks of threads go to SMs, in order, round robin, as long as everything they need is free.

    grid 0: 8 blocks, 2 fit an SM, 2 SMs      SM 0: blocks 0 2, SM 1: blocks 1 3; the next free
                                              slot of any SM gets block 4

A block takes a block slot, shared memory, and for each warp a warp slot and registers in a
sub-core.  Its warps go to neighbouring sub-cores in turn, beginning with the emptiest in which
that works out. What a block has taken is free again when its last warp has left.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt import trace_events as told
from sim.cores.simt.host.deferred import nothing_waits
from sim.cores.simt.host.lane_words import first_bit
from sim.cores.simt.memory.parameters import LAST_TICK, TICK_BITS
from sim.cores.simt.units import convergence
from sim.cores.simt.units.account import charge, charge_idle, find_oldest, slot_of, warp_of
from sim.cores.simt.units.noting import note_begin, note_event, note_wait
from sim.cores.simt.units.schedule import announce, prepare


@jitted
def first_core(state, sm, grid):
    """The sub-core to begin with, -1 if the block's warps find no room."""
    parameters = state.parameters
    subcores = parameters[at.SUBCORES]
    warps = state.grids[index(grid * at.GRID_COLUMNS + at.GRID_WARPS)]
    taken = state.grids[index(grid * at.GRID_COLUMNS + at.GRID_REGISTERS)]
    best, least = -1, 0
    for start in range(subcores):
        fits = True
        for k in range(min(subcores, warps)):
            core = sm * subcores + (start + k) % subcores
            more = (warps - k + subcores - 1) // subcores
            taken_slots = _bits(state.cores[index(core * at.CORE_COLUMNS + at.TAKEN)])
            if taken_slots + more > parameters[at.CORE_WARPS]:
                fits = False
            if state.core_registers[index(core)] + more * taken > parameters[at.CORE_REGISTERS]:
                fits = False
        here = _bits(state.cores[index((sm * subcores + start) * at.CORE_COLUMNS + at.TAKEN)])
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
def try_block(state, groups, sm, grid, cycle, latency):
    """Give a grid's next block room on an SM in a cycle, to begin some cycles later or when its
    turn comes; whether it fitted."""
    parameters, sms, base = state.parameters, state.sms, index(grid * at.GRID_COLUMNS)
    own = index(sm * at.SM_COLUMNS)
    if sms[own + index(at.SM_BLOCKS)] >= parameters[at.SM_CTAS]:
        return False
    taken = state.grids[base + index(at.GRID_SHARED_TAKEN)]
    if sms[own + index(at.SM_SHARED)] + taken > sms[own + index(at.SM_CARVE_OUT)]:
        return False
    start = first_core(state, sm, grid)
    if start < 0:
        return False
    block = sm * parameters[at.BLOCK_SLOTS]
    while state.blocks[index(block * at.BLOCK_COLUMNS + at.BLOCK_GRID)] >= 0:
        block += 1
    sms[own + index(at.SM_BLOCKS)] += 1
    sms[own + index(at.SM_SHARED)] += taken
    place_block(state, groups, sm, grid, block, start, cycle, latency)
    return True


@inlined
def next_begin(state, cycle):
    """The cycle in which a block begins that may from a cycle on: one after the other."""
    scalars, interval = state.scalars, state.parameters[at.BLOCK_INTERVAL]
    begin = max(cycle << TICK_BITS, scalars[at.NEXT_BEGIN])
    scalars[at.NEXT_BEGIN] = begin + interval
    return begin + LAST_TICK >> TICK_BITS


@jitted
def place_block(state, groups, sm, grid, block, start, cycle, latency):
    """Give a grid's next block a block slot of an SM."""
    parameters, grids = state.parameters, state.grids
    begin = next_begin(state, cycle + latency)
    base, own = index(grid * at.GRID_COLUMNS), index(block * at.BLOCK_COLUMNS)
    number = grids[base + index(at.GRID_NEXT_BLOCK)]
    grids[base + index(at.GRID_NEXT_BLOCK)] += 1
    threads, warps = grids[base + index(at.GRID_THREADS)], grids[base + index(at.GRID_WARPS)]
    state.scalars[at.BLOCKS_RUN] += 1
    state.blocks[own + index(at.BLOCK_GRID)] = grid
    state.blocks[own + index(at.BLOCK_INDEX)] = number
    state.blocks[own + index(at.BLOCK_THREADS)] = threads
    state.blocks[own + index(at.BLOCK_WARPS)] = warps
    state.blocks[own + index(at.BLOCK_BEGAN)] = begin
    state.blocks[own + index(at.BLOCK_PENDING)] = 0
    for k in range(parameters[at.BARRIERS] * at.BARRIER_COLUMNS):
        state.barriers[index(block * parameters[at.BARRIERS] * at.BARRIER_COLUMNS + k)] = 0
    first_byte = block * parameters[at.SHARED_STRIDE]
    for k in range(grids[base + index(at.GRID_SHARED)]):
        state.shared[index(first_byte + k)] = 0
    subcores = parameters[at.SUBCORES]
    for k in range(warps):
        core = sm * subcores + (start + k) % subcores
        charge_idle(state, core, cycle)
        place_warp(state, groups, core, grid, block, number, k, begin)


@jitted
def place_warp(state, groups, core, grid, block, number, k, cycle):
    """Give warp `k` of a block, block `number` of its grid, a place in a sub-core: it begins in a
    cycle, now or later."""
    warps, grids, cores = state.warps, state.grids, state.cores
    width = state.parameters[at.WIDTH]
    base, own_core = index(grid * at.GRID_COLUMNS), index(core * at.CORE_COLUMNS)
    bit = first_bit(~cores[own_core + index(at.TAKEN)])
    warp = warp_of(state, core, bit)
    own = index(warp * at.WARP_COLUMNS)
    lanes = min(width, grids[base + index(at.GRID_THREADS)] - k * width)
    mask = int64(-1) if lanes == 64 else (int64(1) << lanes) - 1
    pc = grids[base + index(at.GRID_FIRST_PC)]
    state.core_registers[index(core)] += grids[base + index(at.GRID_REGISTERS)]
    cores[own_core + index(at.RESIDENT)] |= int64(1) << bit
    cores[own_core + index(at.TAKEN)] |= int64(1) << bit
    state.scalars[at.AGES] += 1
    state.scalars[at.WARPS_RUN] += 1
    warps[own + index(at.SINCE)] = cycle
    warps[own + index(at.STARTED)] = cycle
    warps[own + index(at.HELD_UNTIL)] = cycle
    warps[own + index(at.CHECK_UNTIL)] = cycle
    warps[own + index(at.HOLD_REASON)] = why.BARRIER
    state.ages[index(warp)] = state.scalars[at.AGES]
    warps[own + index(at.BLOCK)] = block
    warps[own + index(at.GRID)] = grid
    warps[own + index(at.NUMBER)] = k
    warps[own + index(at.STORES_DONE)] = 0
    for counter in range(2 * at.COUNTERS):
        warps[own + index(at.COUNTER + counter)] = 0
    nothing_waits(state, warp)
    warps[own + index(at.KNOWN)] = 0
    clear_registers(state, warp)
    clear_local(state, warp, grids[base + index(at.GRID_LOCAL)] * width)
    fill_specials(state, core, grid, number, warp, k, width)
    convergence.begin(groups, warp, pc, mask)
    prepare(state, core, warp, pc)
    announce(state, core, cycle)
    if cores[own_core + index(at.OLDEST)] < 0:
        cores[own_core + index(at.OLDEST)] = bit
    if state.parameters[at.TRACES]:
        note_begin(state, cycle, warp, block, pc, mask)
        if k == 0:
            note_event(state, told.BLOCK_BEGUN, cycle, warp, pc, mask)


@jitted
def clear_registers(state, warp):
    """All registers of a warp are 0 and ready."""
    parameters = state.parameters
    stride = parameters[at.REGISTER_STRIDE]
    first = index(parameters[at.REGISTERS_AT] + warp * stride)
    for k in range(stride):
        state.words[first + index(k)] = 0
    stride = parameters[at.PREDICATE_STRIDE]
    first = index(at.FIXED_MASKS + warp * stride)
    for k in range(stride):
        state.masks[first + index(k)] = 0
    stride = parameters[at.SCOREBOARD_STRIDE]
    first = index(warp * stride)
    for k in range(stride):
        state.scoreboard[first + index(k)] = 0


@jitted
def clear_local(state, warp, size):
    """The local memory of a warp's lanes is 0: what a warp before has left there is not seen."""
    first = warp * state.parameters[at.LOCAL_STRIDE]
    for k in range(size):
        state.local[index(first + k)] = 0


@jitted
def fill_specials(state, core, grid, number, warp, k, width):
    """What a warp's threads read as special registers.  Most warps follow one of the same place in
    a block of the same shape, and find their threads' indices there."""
    parameters, grids, specials = state.parameters, state.grids, state.specials
    base = index(grid * at.GRID_COLUMNS)
    own = index(warp * (at.TID + at.OF_LANES * width))
    rest, is_same_block = number, True
    for axis in range(3):
        blocks = grids[base + index(at.GRID_X + axis)]
        threads = grids[base + index(at.BLOCK_X + axis)]
        is_same_block &= specials[own + index(at.NTID + axis)] == threads
        specials[own + index(at.CTAID + axis)] = rest % blocks
        rest //= blocks
        specials[own + index(at.NCTAID + axis)] = blocks
        specials[own + index(at.NTID + axis)] = threads
    specials[own + index(at.GRIDID)] = grids[base + index(at.GRID_NUMBER)]
    specials[own + index(at.WARPID)] = slot_of(parameters, warp)
    specials[own + index(at.NWARPID)] = parameters[at.SM_WARPS]
    specials[own + index(at.SMID)] = core // parameters[at.SUBCORES]
    specials[own + index(at.NSMID)] = parameters[at.SMS]
    specials[own + index(at.DYNAMIC_SMEM)] = grids[base + index(at.GRID_DYNAMIC)]
    specials[own + index(at.TOTAL_SMEM)] = grids[base + index(at.GRID_SHARED)]
    specials[own + index(at.CLOCK_HERTZ)] = parameters[at.CLOCK_HZ]
    across, down = grids[base + index(at.BLOCK_X)], grids[base + index(at.BLOCK_X + 1)]
    first = k * width
    x, y, z = first % across, first // across % down, first // across // down
    tids = own + index(at.TID)
    if not (
        is_same_block
        and specials[tids] == x
        and specials[tids + index(width)] == y
        and specials[tids + index(2 * width)] == z
    ):
        fill_tids(specials, tids, width, across, down, x, y, z)


@jitted
def fill_tids(specials, tids, width, across, down, x, y, z):
    """The indices of a warp's threads in their block, from those of its first lane on."""
    for lane in range(width):
        specials[tids + index(lane)] = x
        specials[tids + index(width + lane)] = y
        specials[tids + index(2 * width + lane)] = z
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
    grid = state.scalars[at.FIRST_GRID]
    while grid < state.scalars[at.GRIDS]:
        base = index(grid * at.GRID_COLUMNS)
        left = (
            state.grids[base + index(at.GRID_BLOCKS)]
            - state.grids[base + index(at.GRID_NEXT_BLOCK)]
        )
        if left == 0 and grid == state.scalars[at.FIRST_GRID]:
            state.scalars[at.FIRST_GRID] += 1
        latency = state.parameters[at.BLOCK_LATENCY]
        if left == 0 or not try_block(state, groups, sm, grid, cycle, latency):
            grid += 1


@jitted
def dispatch_blocks(state, groups, cycle):
    """Begin blocks on all SMs in turn, one on each, while one fits anywhere."""
    sms = state.parameters[at.SMS]
    grid = state.scalars[at.FIRST_GRID]
    while grid < state.scalars[at.GRIDS]:
        base = index(grid * at.GRID_COLUMNS)
        refused = 0
        while refused < sms:
            if (
                state.grids[base + index(at.GRID_NEXT_BLOCK)]
                == state.grids[base + index(at.GRID_BLOCKS)]
            ):
                break
            sm = state.scalars[at.NEXT_SM]
            state.scalars[at.NEXT_SM] = (sm + 1) % sms
            if try_block(state, groups, sm, grid, cycle, int64(0)):
                refused = 0
            else:
                refused += 1
        grid += 1
    wake_sms(state)


@jitted
def wake_sms(state):
    """Note for every SM its next cycle."""
    for sm in range(state.parameters[at.SMS]):
        state.times[index(sm)] = next_of(state, sm, state.parameters[at.SUBCORES])


@inlined
def next_of(state, sm, subcores):
    """The next cycle in which a sub-core of an SM could issue."""
    first = sm * subcores
    come = state.turns[index(first)]
    for core in range(first + 1, first + subcores):
        come = min(come, state.turns[index(core)])
    return come


@jitted
def leave_sm(state, groups, sm, core, bit, cycle):
    """A warp all lanes of which have finished leaves; behind the last one of a block the next come.

    The warp stays resident up to `cycle`.
    """
    warps, cores, scalars = state.warps, state.cores, state.scalars
    warp = warp_of(state, core, bit)
    own, own_core = index(warp * at.WARP_COLUMNS), index(core * at.CORE_COLUMNS)
    if state.parameters[at.TRACES]:
        pc = state.next_pcs[index(warp)]
        note_wait(state, told.WARP_LEFT, core, warp, pc, cycle, int64(0))
    charge(state, warp, core, cycle)
    charge_idle(state, core, cycle)
    scalars[at.RESIDENT_CYCLES] += warps[own + index(at.SINCE)] - warps[own + index(at.STARTED)]
    cores[own_core + index(at.RESIDENT)] &= ~(int64(1) << bit)
    cores[own_core + index(at.LEAVING)] &= ~(int64(1) << bit)
    state.ready_at[index(warp)] = at.NEVER
    if cores[own_core + index(at.OLDEST)] == bit:
        find_oldest(state, core)
    grid = warps[own + index(at.GRID)]
    base = index(grid * at.GRID_COLUMNS)
    block = index(warps[own + index(at.BLOCK)] * at.BLOCK_COLUMNS)
    state.blocks[block + index(at.BLOCK_WARPS)] -= 1
    if state.blocks[block + index(at.BLOCK_WARPS)] > 0:
        return
    state.blocks[block + index(at.BLOCK_GRID)] = -1
    free_slots(
        state, sm, warps[own + index(at.BLOCK)], state.grids[base + index(at.GRID_REGISTERS)]
    )
    sms = index(sm * at.SM_COLUMNS)
    state.sms[sms + index(at.SM_BLOCKS)] -= 1
    state.sms[sms + index(at.SM_SHARED)] -= state.grids[base + index(at.GRID_SHARED_TAKEN)]
    state.grids[base + index(at.GRID_LEFT)] -= 1
    if state.grids[base + index(at.GRID_LEFT)] == 0:
        state.grids[base + index(at.GRID_END)] = cycle
        scalars[at.GRIDS_LEFT] -= 1
        scalars[at.ENDED] = 1
        scalars[at.LATEST_END] = cycle
    dispatch_to_sm(state, groups, sm, cycle)


@jitted
def free_slots(state, sm, block, registers):
    """Give back what the warps of a block have taken in the sub-cores."""
    parameters, cores = state.parameters, state.cores
    for core in range(sm * parameters[at.SUBCORES], (sm + 1) * parameters[at.SUBCORES]):
        rest = cores[index(core * at.CORE_COLUMNS + at.TAKEN)]
        while rest != 0:
            bit = first_bit(rest)
            rest &= rest - 1
            warp = warp_of(state, core, bit)
            if state.warps[index(warp * at.WARP_COLUMNS + at.BLOCK)] == block:
                cores[index(core * at.CORE_COLUMNS + at.TAKEN)] &= ~(int64(1) << bit)
                state.core_registers[index(core)] -= registers
