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

from machines.kinds.simt.reconvergence import MASK
from sim.cores.jit import inlined, jitted
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt import trace_events as told
from sim.cores.simt.cycle import convergence
from sim.cores.simt.cycle.barriers import threads_ended
from sim.cores.simt.cycle.cluster_members import enter_cluster, new_cluster, row_of
from sim.cores.simt.cycle.clusters import leave_cluster
from sim.cores.simt.cycle.copy_marks import begin_threads, forget_copies
from sim.cores.simt.cycle.mbarriers import forget_objects
from sim.cores.simt.cycle.slots import slot_of, warp_of
from sim.cores.simt.cycle.stalls import charge, charge_idle, find_oldest
from sim.cores.simt.cycle.trace import note_begin, note_event
from sim.cores.simt.cycle.trace_waits import note_wait
from sim.cores.simt.cycle.warp_scheduler import announce, prepare
from sim.cores.simt.host.deferred import nothing_waits
from sim.cores.simt.host.lane_words import bit_count, first_bit
from sim.cores.simt.memory.parameters import LAST_TICK, TICK_BITS
from sim.cores.simt.units.async_copies import WARP_COPIES
from sim.cores.simt.units.barriers import BARRIERS
from sim.cores.simt.units.block_dispatcher import (
    BLOCK,
    DISPATCH,
    DISPATCHED,
    GRID,
    RESIDENT,
    SLOTS,
    SM,
)
from sim.cores.simt.units.branch import BRANCHES
from sim.cores.simt.units.clusters import (
    BLOCK_CLUSTER,
    CLUSTER,
    CLUSTERED,
    CLUSTERS,
    GRID_CLUSTER,
    WARP_CLUSTER,
)
from sim.cores.simt.units.load_store import SPANS, STORES
from sim.cores.simt.units.mbarriers import HELD
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.scoreboard import BOARD
from sim.cores.simt.units.shortcuts import BLOCK_WAITING, WAITING
from sim.cores.simt.units.special_registers import SPECIAL
from sim.cores.simt.units.stalls import IDLE, WAIT
from sim.cores.simt.units.trace import TRACE


@jitted
def first_subcore(state, sm, grid):
    """The sub-core to begin with, -1 if the block's warps find no room."""
    parameters = state.parameters
    subcores = parameters[SIZE.SUBCORES]
    warps = state.grids[index(grid * at.GRID_COLUMNS) + GRID.WARPS]
    taken = state.grids[index(grid * at.GRID_COLUMNS) + GRID.REGISTERS]
    best, least = -1, 0
    for start in range(subcores):
        fits = True
        for k in range(min(subcores, warps)):
            subcore = sm * subcores + (start + k) % subcores
            more = (warps - k + subcores - 1) // subcores
            taken_slots = _bits(state.subcores[index(subcore * at.SUBCORE_COLUMNS) + SLOTS.TAKEN])
            if taken_slots + more > parameters[SIZE.SUBCORE_WARPS]:
                fits = False
            if (
                state.subcore_registers[index(subcore)] + more * taken
                > parameters[DISPATCH.SUBCORE_REGISTERS]
            ):
                fits = False
        here = _bits(
            state.subcores[index((sm * subcores + start) * at.SUBCORE_COLUMNS) + SLOTS.TAKEN]
        )
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
def room_for(state, sm, grid):
    """The sub-core to begin with, -1 if an SM has no room for a block of a grid."""
    base, own = index(grid * at.GRID_COLUMNS), index(sm * at.SM_COLUMNS)
    if state.sms[own + SM.BLOCKS] >= state.parameters[DISPATCH.SM_CTAS]:
        return -1
    taken = state.grids[base + GRID.SHARED_TAKEN]
    if state.sms[own + SM.SHARED] + taken > state.sms[own + SM.CARVE_OUT]:
        return -1
    return first_subcore(state, sm, grid)


@jitted
def try_block(state, groups, sm, grid, cycle, latency):
    """Give a grid's next block, or the cluster it belongs to, room on an SM, or on those of its
    GPC, in a cycle, to begin some cycles later or when its turn comes; whether it fitted."""
    base = index(grid * at.GRID_COLUMNS)
    if state.grids[base + GRID_CLUSTER.SIZE] > 1:
        gpc = sm * state.parameters[CLUSTERS.GPCS] // state.parameters[SIZE.SMS]
        return try_cluster(state, groups, gpc, grid, cycle, latency)
    start = room_for(state, sm, grid)
    if start < 0:
        return False
    cluster = new_cluster(state, int64(1), state.grids[base + GRID.THREADS])
    number = state.grids[base + GRID.NEXT_BLOCK]
    take_room(state, groups, sm, grid, number, cluster, int64(0), start, cycle, latency)
    return True


@jitted
def take_room(state, groups, sm, grid, number, cluster, rank, start, cycle, latency):
    """Give a block of a grid a block slot of an SM that has room."""
    base, own = index(grid * at.GRID_COLUMNS), index(sm * at.SM_COLUMNS)
    block = sm * state.parameters[DISPATCH.BLOCK_SLOTS]
    while state.blocks[index(block * at.BLOCK_COLUMNS) + BLOCK.GRID] >= 0:
        block += 1
    state.sms[own + SM.BLOCKS] += 1
    state.sms[own + SM.SHARED] += state.grids[base + GRID.SHARED_TAKEN]
    enter_cluster(state, cluster, rank, block)
    place_block(state, groups, sm, grid, block, number, start, cycle, latency)


@jitted
def try_cluster(state, groups, gpc, grid, cycle, latency):
    """Give a grid's next cluster room in a GPC, each block on an SM of its own: those with the
    fewest blocks; whether it fitted."""
    sms, gpcs = state.parameters[SIZE.SMS], state.parameters[CLUSTERS.GPCS]
    first, end = -(-gpc * sms // gpcs), -(-(gpc + 1) * sms // gpcs)
    base = index(grid * at.GRID_COLUMNS)
    size = state.grids[base + GRID_CLUSTER.SIZE]
    room = 0
    for sm in range(first, end):
        room += int64(room_for(state, sm, grid) >= 0)
    if room < size:
        return False
    cluster = new_cluster(state, size, state.grids[base + GRID.THREADS])
    which = state.grids[base + GRID.NEXT_BLOCK] // size
    for rank in range(size):
        best = int64(-1)
        for sm in range(first, end):
            if room_for(state, sm, grid) >= 0 and not has_one(state, cluster, rank, sm):
                blocks = state.sms[index(sm * at.SM_COLUMNS) + SM.BLOCKS]
                if best < 0 or blocks < state.sms[index(best * at.SM_COLUMNS) + SM.BLOCKS]:
                    best = sm
        start = room_for(state, best, grid)
        number = block_of_cluster(state, grid, which, rank)
        take_room(state, groups, best, grid, number, cluster, rank, start, cycle, latency)
    state.scalars[CLUSTERED.WOKEN] = 1
    return True


@jitted
def has_one(state, cluster, count, sm):
    """Whether one of the first blocks of a cluster is on an SM."""
    for rank in range(count):
        block = state.clusters[row_of(cluster) + CLUSTER.SLOTS + index(rank)]
        if block // state.parameters[DISPATCH.BLOCK_SLOTS] == sm:
            return True
    return False


@jitted
def block_of_cluster(state, grid, which, rank):
    """The number of the block that has a rank in a cluster of a grid, as `Grid` says it."""
    base, number, stride = index(grid * at.GRID_COLUMNS), 0, 1
    for axis in range(3):
        blocks = state.grids[base + GRID.GRID_EXTENT + index(axis)]
        extent = state.grids[base + GRID_CLUSTER.EXTENT + index(axis)]
        clusters = blocks // extent
        number += stride * (which % clusters * extent + rank % extent)
        which //= clusters
        rank //= extent
        stride *= blocks
    return number


@inlined
def next_begin(state, cycle):
    """The cycle in which a block begins that may from a cycle on: one after the other."""
    scalars, interval = state.scalars, state.parameters[DISPATCH.BLOCK_INTERVAL]
    begin = max(cycle << TICK_BITS, scalars[DISPATCHED.NEXT_BEGIN])
    scalars[DISPATCHED.NEXT_BEGIN] = begin + interval
    return begin + LAST_TICK >> TICK_BITS


@jitted
def place_block(state, groups, sm, grid, block, number, start, cycle, latency):
    """Let the block of a number of a grid begin in a block slot of an SM."""
    parameters, grids = state.parameters, state.grids
    begin = next_begin(state, cycle + latency)
    base, own = index(grid * at.GRID_COLUMNS), index(block * at.BLOCK_COLUMNS)
    grids[base + GRID.NEXT_BLOCK] += 1
    threads, warps = grids[base + GRID.THREADS], grids[base + GRID.WARPS]
    state.scalars[DISPATCHED.BLOCKS_RUN] += 1
    state.blocks[own + BLOCK.GRID] = grid
    state.blocks[own + BLOCK.INDEX] = number
    state.blocks[own + BLOCK.THREADS] = threads
    state.blocks[own + BLOCK.WARPS] = warps
    state.blocks[own + BLOCK.BEGAN] = begin
    state.blocks[own + BLOCK_WAITING.COUNT] = 0
    for k in range(parameters[BARRIERS.COUNT] * at.BARRIER_COLUMNS):
        state.barriers[index(block * parameters[BARRIERS.COUNT] * at.BARRIER_COLUMNS + k)] = 0
    first_byte = block * parameters[SPANS.SHARED_STRIDE]
    for k in range(grids[base + GRID.SHARED]):
        state.shared[index(first_byte + k)] = 0
    forget_copies(state, block, grids[base + GRID.SHARED])
    forget_objects(state, sm, block)
    subcores = parameters[SIZE.SUBCORES]
    for k in range(warps):
        subcore = sm * subcores + (start + k) % subcores
        charge_idle(state, subcore, cycle)
        place_warp(state, groups, subcore, grid, block, number, k, begin)


@jitted
def place_warp(state, groups, subcore, grid, block, number, k, cycle):
    """Give warp `k` of a block, block `number` of its grid, a place in a sub-core: it begins in a
    cycle, now or later."""
    warps, grids, subcores = state.warps, state.grids, state.subcores
    width = state.parameters[SIZE.WIDTH]
    base, own_subcore = index(grid * at.GRID_COLUMNS), index(subcore * at.SUBCORE_COLUMNS)
    bit = first_bit(~subcores[own_subcore + SLOTS.TAKEN])
    warp = warp_of(state, subcore, bit)
    own = index(warp * at.WARP_COLUMNS)
    lanes = min(width, grids[base + GRID.THREADS] - k * width)
    mask = int64(-1) if lanes == 64 else (int64(1) << lanes) - 1
    pc = grids[base + GRID.FIRST_PC]
    state.subcore_registers[index(subcore)] += grids[base + GRID.REGISTERS]
    subcores[own_subcore + SLOTS.RESIDENT] |= int64(1) << bit
    subcores[own_subcore + SLOTS.TAKEN] |= int64(1) << bit
    state.scalars[DISPATCHED.AGES] += 1
    state.scalars[DISPATCHED.WARPS_RUN] += 1
    warps[own + WAIT.SINCE] = cycle
    warps[own + RESIDENT.STARTED] = cycle
    warps[own + WAIT.HELD_UNTIL] = cycle
    warps[own + WAIT.CHECK_UNTIL] = cycle
    warps[own + WAIT.HOLD_REASON] = why.BARRIER
    state.ages[index(warp)] = state.scalars[DISPATCHED.AGES]
    warps[own + RESIDENT.BLOCK] = block
    warps[own + RESIDENT.GRID] = grid
    warps[own + RESIDENT.NUMBER] = k
    warps[own + STORES.DONE] = 0
    warps[own + STORES.SENT] = 0
    warps[own + WARP_CLUSTER.CAME] = 0
    warps[own + WARP_CLUSTER.PENDING] = 0
    warps[own + WARP_COPIES.DONE] = 0
    warps[own + HELD.OFFSET] = 0
    begin_threads(state, warp)
    for counter in range(at.COUNTER_COLUMNS):
        state.counters[index(warp * at.COUNTER_COLUMNS + counter)] = 0
    nothing_waits(state, warp)
    warps[own + WAITING.KNOWN] = 0
    clear_registers(state, warp)
    clear_local(state, warp, grids[base + GRID.LOCAL] * width)
    fill_specials(state, subcore, grid, number, warp, k, width)
    convergence.begin(groups, warp, pc, mask)
    prepare(state, subcore, warp, pc)
    announce(state, subcore, cycle)
    if subcores[own_subcore + IDLE.OLDEST] < 0:
        subcores[own_subcore + IDLE.OLDEST] = bit
    if state.parameters[TRACE.TRACES]:
        note_begin(state, cycle, warp, block, pc, mask)
        if k == 0:
            note_event(state, told.BLOCK_BEGUN, cycle, warp, pc, mask)


@jitted
def clear_registers(state, warp):
    """All registers of a warp are 0 and ready."""
    parameters = state.parameters
    stride = parameters[SIZE.REGISTER_STRIDE]
    first = index(parameters[SIZE.REGISTERS_AT] + warp * stride)
    for k in range(stride):
        state.words[first + index(k)] = 0
    stride = parameters[SIZE.PREDICATE_STRIDE]
    first = index(at.FIXED_MASKS + warp * stride)
    for k in range(stride):
        state.masks[first + index(k)] = 0
    stride = parameters[BOARD.STRIDE]
    first = index(warp * stride)
    for k in range(stride):
        state.scoreboard[first + index(k)] = 0


@jitted
def clear_local(state, warp, size):
    """The local memory of a warp's lanes is 0: what a warp before has left there is not seen."""
    first = warp * state.parameters[SPANS.LOCAL_STRIDE]
    for k in range(size):
        state.local[index(first + k)] = 0


@jitted
def fill_specials(state, subcore, grid, number, warp, k, width):
    """What a warp's threads read as special registers.  Most warps follow one of the same place in
    a block of the same shape, and find their threads' indices there."""
    parameters, grids, specials = state.parameters, state.grids, state.specials
    base = index(grid * at.GRID_COLUMNS)
    own = index(warp * (at.TID + at.OF_LANES * width))
    fill_cluster(state, grid, own, number)
    rest, is_same_block = number, True
    for axis in range(3):
        blocks = grids[base + GRID.GRID_EXTENT + index(axis)]
        threads = grids[base + GRID.BLOCK_EXTENT + index(axis)]
        is_same_block &= specials[own + SPECIAL.NTID + index(axis)] == threads
        specials[own + SPECIAL.CTAID + index(axis)] = rest % blocks
        rest //= blocks
        specials[own + SPECIAL.NCTAID + index(axis)] = blocks
        specials[own + SPECIAL.NTID + index(axis)] = threads
    specials[own + SPECIAL.GRIDID] = grids[base + GRID.NUMBER]
    specials[own + SPECIAL.WARPID] = slot_of(parameters, warp)
    specials[own + SPECIAL.NWARPID] = parameters[SIZE.SM_WARPS]
    specials[own + SPECIAL.SMID] = subcore // parameters[SIZE.SUBCORES]
    specials[own + SPECIAL.NSMID] = parameters[SIZE.SMS]
    specials[own + SPECIAL.DYNAMIC_SMEM] = grids[base + GRID.DYNAMIC]
    specials[own + SPECIAL.TOTAL_SMEM] = grids[base + GRID.SHARED]
    specials[own + SPECIAL.CLOCK_HERTZ] = parameters[SIZE.CLOCK_HZ]
    across, down = grids[base + GRID.BLOCK_EXTENT], grids[base + GRID.BLOCK_EXTENT + index(1)]
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


@inlined
def fill_cluster(state, grid, own, number):
    """What the threads of a block read of its cluster, `own` columns on in `specials`."""
    grids, specials, base = state.grids, state.specials, index(grid * at.GRID_COLUMNS)
    rank, stride = 0, 1
    for axis in range(3):
        blocks = grids[base + GRID.GRID_EXTENT + index(axis)]
        extent = grids[base + GRID_CLUSTER.EXTENT + index(axis)]
        block = number % blocks
        number //= blocks
        specials[own + SPECIAL.CLUSTERID + index(axis)] = block // extent
        specials[own + SPECIAL.NCLUSTERID + index(axis)] = blocks // extent
        specials[own + SPECIAL.CLUSTER_CTAID + index(axis)] = block % extent
        specials[own + SPECIAL.CLUSTER_NCTAID + index(axis)] = extent
        rank += stride * (block % extent)
        stride *= extent
    specials[own + SPECIAL.CLUSTER_RANK] = rank
    specials[own + SPECIAL.CLUSTER_RANKS] = stride
    specials[own + SPECIAL.IS_EXPLICIT] = grids[base + GRID_CLUSTER.IS_SAID]


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
    grid = state.scalars[DISPATCHED.FIRST_GRID]
    while grid < state.scalars[DISPATCHED.GRIDS]:
        base = index(grid * at.GRID_COLUMNS)
        left = state.grids[base + GRID.BLOCKS] - state.grids[base + GRID.NEXT_BLOCK]
        if left == 0 and grid == state.scalars[DISPATCHED.FIRST_GRID]:
            state.scalars[DISPATCHED.FIRST_GRID] += 1
        latency = state.parameters[DISPATCH.BLOCK_LATENCY]
        if left == 0 or not try_block(state, groups, sm, grid, cycle, latency):
            grid += 1


@jitted
def dispatch_blocks(state, groups, cycle):
    """Begin blocks on all SMs in turn, one on each, while one fits anywhere."""
    sms = state.parameters[SIZE.SMS]
    grid = state.scalars[DISPATCHED.FIRST_GRID]
    while grid < state.scalars[DISPATCHED.GRIDS]:
        base = index(grid * at.GRID_COLUMNS)
        refused = 0
        if state.grids[base + GRID_CLUSTER.SIZE] > 1:
            dispatch_clusters(state, groups, grid, cycle)
            refused = sms
        while refused < sms:
            if state.grids[base + GRID.NEXT_BLOCK] == state.grids[base + GRID.BLOCKS]:
                break
            sm = state.scalars[DISPATCHED.NEXT_SM]
            state.scalars[DISPATCHED.NEXT_SM] = (sm + 1) % sms
            if try_block(state, groups, sm, grid, cycle, int64(0)):
                refused = 0
            else:
                refused += 1
        grid += 1
    state.scalars[CLUSTERED.WOKEN] = 0
    wake_sms(state)


@jitted
def dispatch_clusters(state, groups, grid, cycle):
    """Begin a grid's clusters in all GPCs in turn while one fits anywhere."""
    gpcs, base = state.parameters[CLUSTERS.GPCS], index(grid * at.GRID_COLUMNS)
    refused = 0
    while refused < gpcs:
        if state.grids[base + GRID.NEXT_BLOCK] == state.grids[base + GRID.BLOCKS]:
            break
        gpc = state.scalars[CLUSTERED.NEXT_GPC]
        state.scalars[CLUSTERED.NEXT_GPC] = (gpc + 1) % gpcs
        refused = 0 if try_cluster(state, groups, gpc, grid, cycle, int64(0)) else refused + 1


@jitted
def wake_sms(state):
    """Note for every SM its next cycle."""
    for sm in range(state.parameters[SIZE.SMS]):
        state.times[index(sm)] = next_of(state, sm, state.parameters[SIZE.SUBCORES])


@inlined
def next_of(state, sm, subcores):
    """The next cycle in which a sub-core of an SM could issue."""
    first = sm * subcores
    come = state.turns[index(first)]
    for subcore in range(first + 1, first + subcores):
        come = min(come, state.turns[index(subcore)])
    return come


@jitted
def leave_sm(state, groups, sm, subcore, bit, cycle):
    """A warp all lanes of which have finished leaves; behind the last one of a block the next come.

    The warp stays resident up to `cycle`; the last one of a launch until all stores have arrived.
    """
    warps, subcores, scalars = state.warps, state.subcores, state.scalars
    warp = warp_of(state, subcore, bit)
    own, own_subcore = index(warp * at.WARP_COLUMNS), index(subcore * at.SUBCORE_COLUMNS)
    grid = warps[own + RESIDENT.GRID]
    base = index(grid * at.GRID_COLUMNS)
    block = index(warps[own + RESIDENT.BLOCK] * at.BLOCK_COLUMNS)
    stored = state.grids[base + GRID.STORED]
    is_last = state.blocks[block + BLOCK.WARPS] == 1 and state.grids[base + GRID.LEFT] == 1
    if is_last and stored > cycle:
        warps[own + WAIT.HELD_UNTIL] = stored
        warps[own + WAIT.CHECK_UNTIL] = stored
        state.ready_at[index(warp)] = stored
        announce(state, subcore, stored)
        return
    if state.parameters[TRACE.TRACES]:
        pc = state.next_pcs[index(warp)]
        note_wait(state, told.WARP_LEFT, subcore, warp, pc, cycle, int64(0))
    charge(state, warp, subcore, cycle)
    charge_idle(state, subcore, cycle)
    scalars[DISPATCHED.RESIDENT_CYCLES] += warps[own + WAIT.SINCE] - warps[own + RESIDENT.STARTED]
    subcores[own_subcore + SLOTS.RESIDENT] &= ~(int64(1) << bit)
    subcores[own_subcore + SLOTS.LEAVING] &= ~(int64(1) << bit)
    state.ready_at[index(warp)] = at.NEVER
    if subcores[own_subcore + IDLE.OLDEST] == bit:
        find_oldest(state, subcore)
    state.blocks[block + BLOCK.WARPS] -= 1
    if state.blocks[block + BLOCK.WARPS] > 0:
        return
    state.blocks[block + BLOCK.GRID] = -1
    cluster = row_of(state.blocks[block + BLOCK_CLUSTER.CLUSTER])
    state.clusters[cluster + CLUSTER.LEFT] -= 1
    free_slots(state, sm, warps[own + RESIDENT.BLOCK], state.grids[base + GRID.REGISTERS])
    sms = index(sm * at.SM_COLUMNS)
    state.sms[sms + SM.BLOCKS] -= 1
    state.sms[sms + SM.SHARED] -= state.grids[base + GRID.SHARED_TAKEN]
    state.grids[base + GRID.LEFT] -= 1
    if state.grids[base + GRID.LEFT] == 0:
        state.grids[base + GRID.END] = cycle
        scalars[DISPATCHED.GRIDS_LEFT] -= 1
        scalars[DISPATCHED.ENDED] = 1
        scalars[DISPATCHED.LATEST_END] = cycle
    dispatch_to_sm(state, groups, sm, cycle)


@jitted
def free_slots(state, sm, block, registers):
    """Give back what the warps of a block have taken in the sub-cores."""
    parameters, subcores = state.parameters, state.subcores
    for subcore in range(sm * parameters[SIZE.SUBCORES], (sm + 1) * parameters[SIZE.SUBCORES]):
        rest = subcores[index(subcore * at.SUBCORE_COLUMNS) + SLOTS.TAKEN]
        while rest != 0:
            bit = first_bit(rest)
            rest &= rest - 1
            warp = warp_of(state, subcore, bit)
            if state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK] == block:
                subcores[index(subcore * at.SUBCORE_COLUMNS) + SLOTS.TAKEN] &= ~(int64(1) << bit)
                state.subcore_registers[index(subcore)] -= registers


@inlined
def control(state, groups, memory, sm, warp, pc, executing, cycle, kind, until):
    """Threads end, those of a guarded exit for which its guard is true: see `choose`."""
    block = state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK]
    goes_on = executing != groups.running[index(warp), MASK]
    events = convergence.leave(groups, warp, state.rules, executing)
    leave_cluster(state, groups, sm, warp, executing, cycle)
    threads_ended(state, groups, sm, block, bit_count(executing), cycle)
    if goes_on:
        until = cycle + state.parameters[BRANCHES.NOT_TAKEN]
    return events, until, int64(why.BRANCH_RESOLVING), goes_on
