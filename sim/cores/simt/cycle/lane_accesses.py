"""Loads, stores and atomics of a warp: what they do, whether they may, and when their data comes.

    find_targets    where each lane's bytes are in the host's memory; the first lane that may not
    load_lanes      bytes -> registers           store_lanes      registers -> bytes
    time_access     asks the memory system
    load_parameter  from a place that is the same for all lanes

An access to generic space is done space by space, for the lanes whose addresses lie there.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from machines.layout import BASE
from machines.threads.spaces import (
    GLOBAL,
    LOCAL,
    LOCAL_BASE,
    RANK_BITS,
    SHARED,
    SHARED_BASE,
    WINDOW,
)
from sim.cores.bounds import owner_of
from sim.cores.jit import inlined, jitted
from sim.cores.simt import state as at
from sim.cores.simt.cycle.cluster_members import member, size_of
from sim.cores.simt.cycle.operands import operand_of, operands_of, own_bytes
from sim.cores.simt.cycle.slots import slot_of
from sim.cores.simt.host.lane_merges import all_lanes, spread_b32
from sim.cores.simt.host.lane_vectors import AT_ONCE, gather_words_at, scatter_words_at
from sim.cores.simt.host.lane_words import (
    address_of,
    first_bit,
    operand_address,
    peek_s8,
    peek_s16,
    peek_u8,
    peek_u16,
    poke_8,
    poke_16,
    read_b64,
    read_pair,
    read_u32,
    write_b32,
    write_b64,
    write_pair,
)
from sim.cores.simt.memory import parameters as memory_parameters
from sim.cores.simt.memory.cluster_network import cluster_access
from sim.cores.simt.memory.global_memory import global_access, local_access
from sim.cores.simt.memory.shared_memory import constant_access, shared_access
from sim.cores.simt.units.block_dispatcher import DISPATCH, GRID, RESIDENT
from sim.cores.simt.units.clusters import BLOCK_CLUSTER, CLUSTERS
from sim.cores.simt.units.faults import FAULT
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import ACCESS, CONSTANT, GENERIC, PARAMETER, SPANS
from sim.cores.simt.units.load_store import KINDS as ACCESSES
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.scoreboard import DEPENDENCE

HUGE = 1 << 62


@inlined
def bytes_of(code, base):
    """What a lane accesses."""
    return code[base + ACCESS.BYTES] * code[base + ACCESS.ELEMENTS]


@jitted
def find_addresses(state, warp, pc, width, mask, space):
    """The address of each lane into `addresses`, as the instruction says it.

    Returns the lanes of `mask` whose addresses are in a space; all if the instruction names it.
    """
    code, addresses = state.code, state.addresses
    base = index(pc * at.CODE_COLUMNS)
    offset = code[base + ACCESS.OFFSET]
    named = code[base + ACCESS.SPACE]
    into = address_of(addresses)
    if named == PARAMETER:  # who has met a fault asks
        for lane in range(width):
            write_b64(into, lane, offset)
        return mask
    source = operand_of(state, warp, base, code[base + ACCESS.ADDRESS])
    if code[base + ACCESS.NARROW_ADDRESS]:
        for lane in range(width):
            write_b64(into, lane, (read_u32(source, lane) + offset) & 0xFFFFFFFF)
    else:
        for lane in range(width):
            write_b64(into, lane, read_pair(source, lane, width) + offset)
    if named == GENERIC and space != GENERIC:
        return lanes_of_space(addresses, width, mask, space)
    return mask


@jitted
def lanes_of_space(addresses, width, mask, space):
    """Lanes whose generic addresses lie in a space."""
    found = mask & ~mask
    for lane in range(width):
        address = addresses[index(lane)]
        here = GLOBAL
        if address >= SHARED_BASE and address < LOCAL_BASE:
            here = SHARED
        elif address >= LOCAL_BASE and address < LOCAL_BASE + WINDOW:
            here = LOCAL
        if here == space:
            found |= int64(1) << lane
    return found & mask


@jitted
def find_global_targets(addresses, buffers, starts, ends, width, mask, size, base):
    """(fault, lane) of an access to global memory; offsets from `base` of host addresses."""
    low, high, bits = HUGE, -HUGE, 0
    for lane in range(width):
        address = addresses[index(lane)]
        is_in = (mask >> lane) & 1
        low = min(low, address if is_in else HUGE)
        high = max(high, address if is_in else -HUGE)
        bits |= address if is_in else 0
        addresses[index(width + lane)] = base + address - BASE
    if low >= BASE:
        end = ends[index(owner_of(starts, buffers, low))]
        if size <= end - high and bits & (size - 1) == 0:
            return FAULT.NO_FAULT, int64(0)
    for lane in range(width):
        if (mask >> lane) & 1:
            address = addresses[index(lane)]
            end = ends[index(owner_of(starts, buffers, address))]
            if address < BASE or size > end - address:
                return FAULT.OUT_OF_BOUNDS, lane
            if address & (size - 1):
                return FAULT.MISALIGNED, lane
    return FAULT.NO_FAULT, int64(0)


@jitted
def find_window_targets(addresses, width, mask, size, base, step, limit, fault):
    """(fault, lane) where `limit` bytes from `base` on, and a lane's `step` behind, may be used."""
    for lane in range(width):
        if (mask >> lane) & 1:
            address = addresses[index(lane)]
            if address < 0 or address + size > limit:
                return fault, lane
            if address & (size - 1):
                return FAULT.MISALIGNED, lane
            addresses[index(width + lane)] = base + lane * step + address
    return FAULT.NO_FAULT, int64(0)


@jitted
def find_targets(state, warp, pc, width, mask, space):
    """Host addresses of the lanes' bytes, behind their addresses in `addresses`.

    Addresses of windows become offsets in their space.
    Returns (fault, lane): the first lane that may not access its bytes.
    """
    code, parameters, warps = state.code, state.parameters, state.warps
    instruction = index(pc * at.CODE_COLUMNS)
    size = bytes_of(code, instruction)
    if space in (GLOBAL, CONSTANT):
        base = address_of(state.bytes)
        return find_global_targets(
            state.addresses,
            parameters[SPANS.BUFFERS],
            state.starts,
            state.ends,
            width,
            mask,
            size,
            base,
        )
    own = index(warp * at.WARP_COLUMNS)
    grid = index(warps[own + RESIDENT.GRID] * at.GRID_COLUMNS)
    if code[instruction + ACCESS.SPACE] == GENERIC:
        window = SHARED_BASE if space == SHARED else LOCAL_BASE
        for lane in range(width):
            if (mask >> lane) & 1:
                state.addresses[index(lane)] -= window
    if space == SHARED and code[instruction + ACCESS.SPACE] == GENERIC:
        fault, lane = find_ranks(state, warp, width, mask, size)
        if lane >= 0:
            return fault, lane
    if space == SHARED:
        base = (
            address_of(state.shared) + warps[own + RESIDENT.BLOCK] * parameters[SPANS.SHARED_STRIDE]
        )
        limit = state.grids[grid + GRID.SHARED]
        far = int64(0)
        if code[instruction + ACCESS.SPACE] == GENERIC:
            far = far_lanes(state, width, mask)
        return find_window_targets(
            state.addresses, width, mask & ~far, size, base, 0, limit, FAULT.BAD_SHARED
        )
    base = address_of(state.local) + warp * parameters[SPANS.LOCAL_STRIDE]
    step, limit = (
        state.grids[grid + GRID.LOCAL],
        state.grids[grid + GRID.LOCAL_BYTES],
    )
    return find_window_targets(
        state.addresses, width, mask, size, base, step, limit, FAULT.BAD_LOCAL
    )


@inlined
def far_lanes(state, width, mask):
    """Lanes whose offsets in the shared window are of other blocks of the cluster."""
    found = mask & ~mask
    if state.parameters[CLUSTERS.USED]:
        for lane in range(width):
            found |= int64(state.addresses[index(lane)] >> RANK_BITS > 0) << lane
    return found & mask


@jitted
def find_ranks(state, warp, width, mask, size):
    """(fault, lane) of the lanes that access shared memory of other blocks of the cluster, whose
    host addresses are behind their offsets then; -1: no lane may not.  An offset that names the
    block's own rank becomes one without."""
    if not state.parameters[CLUSTERS.USED]:
        return FAULT.NO_FAULT, int64(-1)
    own = index(state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK] * at.BLOCK_COLUMNS)
    cluster = state.blocks[own + BLOCK_CLUSTER.CLUSTER]
    grid = index(state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.GRID] * at.GRID_COLUMNS)
    limit, stride = state.grids[grid + GRID.SHARED], state.parameters[SPANS.SHARED_STRIDE]
    for lane in range(width):
        rank = (state.addresses[index(lane)] >> RANK_BITS) - 1
        if (mask >> lane) & 1 and rank >= 0:
            offset = state.addresses[index(lane)] & (1 << RANK_BITS) - 1
            if rank == state.blocks[own + BLOCK_CLUSTER.RANK]:
                state.addresses[index(lane)] = offset
                continue
            block = member(state, cluster, rank)
            if rank >= size_of(state, cluster):
                return FAULT.BAD_SHARED, lane
            if block < 0:
                return FAULT.ENDED, lane
            if offset + size > limit:
                return FAULT.BAD_SHARED, lane
            if offset & (size - 1):
                return FAULT.MISALIGNED, lane
            host = address_of(state.shared) + block * stride + offset
            state.addresses[index(width + lane)] = host
    return FAULT.NO_FAULT, int64(-1)


@jitted
def time_far(state, memory, sm, warp, pc, far, cycle):
    """As `time_access`, of lanes that access shared memory of other blocks of the cluster."""
    parameters, code = state.parameters, state.code
    base, width = index(pc * at.CODE_COLUMNS), parameters[SIZE.WIDTH]
    own = index(state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.BLOCK] * at.BLOCK_COLUMNS)
    cluster = state.blocks[own + BLOCK_CLUSTER.CLUSTER]
    is_atomic = code[base + INSTRUCTION.KIND] == ACCESSES.ATOMIC
    done, taken = cycle, cycle
    for rank in range(size_of(state, cluster)):
        here = int64(0)
        for lane in range(width):
            is_here = state.addresses[index(lane)] >> RANK_BITS == rank + 1
            here |= int64(is_here) << lane
        here &= far
        if here != 0:
            home = member(state, cluster, rank) // parameters[DISPATCH.BLOCK_SLOTS]
            come, taken = cluster_access(
                memory, sm, home, taken, is_atomic, state.addresses, here, bytes_of(code, base)
            )
            done = max(done, come)
    return done, taken


@jitted
def check_generic(state, warp, pc, width, mask):
    """(fault, lane) of a generic access as a whole: nothing happens if one lane may not."""
    for space in range(GLOBAL, LOCAL + 1):
        here = find_addresses(state, warp, pc, width, mask, space)
        if here != 0:
            fault, lane = find_targets(state, warp, pc, width, here, space)
            if fault != FAULT.NO_FAULT:
                return fault, lane
    return FAULT.NO_FAULT, int64(0)


@inlined
def time_access(state, memory, sm, warp, pc, mask, space, cycle):
    """(done, taken) of an access that its pipe takes in a cycle; see
    `sim.cores.simt.memory.global_memory`."""
    code, addresses = state.code, state.addresses
    base = index(pc * at.CODE_COLUMNS)
    size = bytes_of(code, base)
    kind = memory_parameters.LOAD
    if code[base + INSTRUCTION.KIND] == ACCESSES.ATOMIC:
        is_atomic = code[base + DEPENDENCE.DESTINATIONS] > 0
        kind = memory_parameters.ATOMIC if is_atomic else memory_parameters.REDUCTION
        kind |= code[base + ACCESS.HOW] << memory_parameters.KIND_BITS
    elif code[base + INSTRUCTION.KIND] != ACCESSES.LOAD:
        kind = memory_parameters.STORE
    if space == CONSTANT:
        return constant_access(memory, sm, cycle, addresses, mask, size)
    if space == SHARED:
        if code[base + ACCESS.COUNTS]:
            kind = int64(memory_parameters.STORE)
        return shared_access(memory, sm, cycle, kind, addresses, mask, size)
    if space == LOCAL:
        slot = slot_of(state.parameters, warp)
        grid = state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.GRID]
        frame = state.grids[index(grid * at.GRID_COLUMNS) + GRID.LOCAL]
        return local_access(memory, sm, slot, frame, cycle, kind, addresses, mask, size)
    return global_access(memory, sm, cycle, kind, addresses, mask, size)


@inlined
def value_at(target, size, is_signed):
    """What stands at a host address."""
    if size == 8:
        return read_b64(target, 0)
    if size == 4:
        return read_u32(target, 0)
    if size == 2:
        return peek_s16(target, 0) if is_signed else peek_u16(target, 0)
    return peek_s8(target, 0) if is_signed else peek_u8(target, 0)


@inlined
def put_at(target, size, value):
    """Let a number stand at a host address."""
    if size == 8:
        write_b64(target, 0, value)
    elif size == 4:
        write_b32(target, 0, value)
    elif size == 2:
        poke_16(target, 0, value)
    else:
        poke_8(target, 0, value)


@jitted
def load_lanes(state, warp, pc, width, mask):
    """Bring the bytes at the lanes' host addresses into registers."""
    code = state.code
    base = index(pc * at.CODE_COLUMNS)
    size, is_signed = code[base + ACCESS.BYTES], code[base + ACCESS.IS_SIGNED]
    operands = operands_of(state, base)
    words, own = address_of(state.words), own_bytes(state.parameters, warp)
    targets = address_of(state.addresses) + 8 * width
    whole = mask == all_lanes(width) and width % AT_ONCE == 0
    for element in range(code[base + ACCESS.ELEMENTS]):
        register = operand_address(operands, element, words, own)
        skipped = element * size
        if whole and size == 4:
            for first in range(0, width, AT_ONCE):
                gather_words_at(skipped, targets, register, first)
        elif whole and size == 8:
            for first in range(0, width, AT_ONCE):
                gather_words_at(skipped, targets, register, first)
                gather_words_at(skipped + 4, targets, register + 4 * width, first)
        else:
            for lane in range(width):
                if (mask >> lane) & 1:
                    value = value_at(read_b64(targets, lane) + skipped, size, is_signed)
                    if size == 8:
                        write_pair(register, lane, width, value)
                    else:
                        write_b32(register, lane, value)


@jitted
def store_lanes(state, warp, pc, width, mask):
    """Write registers to the lanes' host addresses; of lanes that meet the last one stays."""
    code = state.code
    base = index(pc * at.CODE_COLUMNS)
    size, first = code[base + ACCESS.BYTES], code[base + ACCESS.ADDRESS] + 2
    operands = operands_of(state, base)
    words, own = address_of(state.words), own_bytes(state.parameters, warp)
    targets = address_of(state.addresses) + 8 * width
    is_wide = code[base + ACCESS.RESULTS_WIDE]
    for element in range(code[base + ACCESS.ELEMENTS]):
        register = operand_address(operands, first + element, words, own)
        skipped = element * size
        if size == 4 and mask == all_lanes(width) and width % AT_ONCE == 0:
            for lane in range(0, width, AT_ONCE):
                scatter_words_at(skipped, targets, register, lane)
        else:
            for lane in range(width):
                if (mask >> lane) & 1:
                    value = read_u32(register, lane)
                    if is_wide:
                        value = read_pair(register, lane, width)
                    put_at(read_b64(targets, lane) + skipped, size, value)


@inlined
def check_parameter(state, warp, pc, mask):
    """(fault, lane) of a load of a parameter: where the instruction says, for all lanes."""
    code, grid = state.code, state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.GRID]
    base = index(pc * at.CODE_COLUMNS)
    offset, size = code[base + ACCESS.OFFSET], bytes_of(code, base)
    fault = int64(FAULT.NO_FAULT)
    if (
        offset < 0
        or offset + size > state.grids[index(grid * at.GRID_COLUMNS) + GRID.PARAMETER_BYTES]
    ):
        fault = int64(FAULT.BAD_PARAMETER)
    elif offset & (size - 1):
        fault = int64(FAULT.MISALIGNED)
    return fault, first_bit(mask)


@jitted
def load_parameter(state, warp, pc, mask):
    """Bring a parameter into registers."""
    code, width = state.code, state.parameters[SIZE.WIDTH]
    base, grid = (
        index(pc * at.CODE_COLUMNS),
        state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.GRID],
    )
    size, is_signed = code[base + ACCESS.BYTES], code[base + ACCESS.IS_SIGNED]
    operands = operands_of(state, base)
    words, own = address_of(state.words), own_bytes(state.parameters, warp)
    source = address_of(state.param) + code[base + ACCESS.OFFSET]
    source += state.grids[index(grid * at.GRID_COLUMNS) + GRID.PARAMETERS]
    for element in range(code[base + ACCESS.ELEMENTS]):
        register = operand_address(operands, element, words, own)
        value = value_at(source + element * size, size, is_signed)
        spread_b32(register, value, mask, width)
        if size == 8:
            spread_b32(register + 4 * width, value >> 32, mask, width)
