"""Products of matrices by groups of warps, and who waits for them."""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.cycle.control_bits import note_counters
from sim.cores.simt.cycle.copy_marks import BY_PRODUCTS, TO_MULTIPLY, mark_at, note_reads, race_in
from sim.cores.simt.cycle.meetings import block_of, note_wait, now_of, own_row, pass_time
from sim.cores.simt.cycle.operands import operand_of
from sim.cores.simt.cycle.pipes import occupy, serve
from sim.cores.simt.cycle.scoreboard import mark_results
from sim.cores.simt.cycle.trace import note_done
from sim.cores.simt.host.deferred import run_meaning
from sim.cores.simt.host.lane_words import address_of, read_pair
from sim.cores.simt.memory.parameters import LAST_TICK, SHARED_PASSES, TICK_BITS
from sim.cores.simt.memory.shared_memory import occupy_path
from sim.cores.simt.tensor_cores import chunk_address
from sim.cores.simt.units.async_copies import COPYING, KNOWN
from sim.cores.simt.units.block_dispatcher import GRID, RESIDENT
from sim.cores.simt.units.faults import FAULT
from sim.cores.simt.units.load_store import SPANS
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.pipes import USE
from sim.cores.simt.units.trace import TRACE
from sim.cores.simt.units.warp_groups import KEPT, KINDS, OF_WARP, PRODUCT


@inlined
def access(state, memory, sm, subcore, warp, pc, mask, cycle, kind):
    """Multiply: see `choose`.  Behind the addresses of lanes stand those of the block's shared
    memory, its bytes, and the warp's number in the block."""
    code, width = state.code, state.parameters[SIZE.WIDTH]
    base, own = index(pc * at.CODE_COLUMNS), index(warp * at.WARP_COLUMNS)
    grid = index(state.warps[own + RESIDENT.GRID] * at.GRID_COLUMNS)
    block = state.warps[own + RESIDENT.BLOCK]
    first = address_of(state.shared) + block * state.parameters[SPANS.SHARED_STRIDE]
    state.addresses[index(width)] = first
    state.addresses[index(width + 1)] = state.grids[grid + GRID.SHARED]
    state.addresses[index(width + 2)] = state.warps[own + RESIDENT.NUMBER]
    if state.parameters[COPYING.USED]:
        racing = use_matrices(state, warp, pc)
        if racing >= 0:
            state.addresses[index(0)] = racing
            return int64(FAULT.RACE), int64(0)
        pass_time(state, block)
    wrong = run_meaning(state, warp, pc, mask)
    if wrong != 0:
        return int64(FAULT.BAD_MATRIX if wrong == 1 else FAULT.OUT_OF_STEP), int64(0)
    pipe = code[base + USE.PIPE]
    begin = serve(state, subcore, pipe, cycle)
    tick = occupy_path(memory, sm, begin, code[base + PRODUCT.PATH] << TICK_BITS)
    memory.counts[SHARED_PASSES] += code[base + PRODUCT.PATH] << TICK_BITS
    begin = max(begin, tick + LAST_TICK >> TICK_BITS)
    done = begin + code[base + USE.LATENCY]
    occupy(state, subcore, pipe, cycle, begin, code[base + USE.INTERVAL])
    if state.parameters[TRACE.TRACES]:
        note_done(state, done)
    mark_results(state, warp, pc, done)
    note_counters(state, warp, pc, begin, done)
    state.warps[own + OF_WARP.DONE] = max(state.warps[own + OF_WARP.DONE], done)
    return int64(FAULT.NO_FAULT), int64(0)


@jitted
def use_matrices(state, warp, pc):
    """Mark what a product reads; where it may not do so yet, -1: nowhere."""
    code, own = state.code, index(warp * at.WARP_COLUMNS)
    base = index(pc * at.CODE_COLUMNS)
    first = 16 * (state.warps[own + RESIDENT.NUMBER] & 3)
    left, right = code[base + PRODUCT.LEFT], code[base + PRODUCT.RIGHT]
    found = int64(-1)
    if left >= 0:
        turned = code[base + PRODUCT.LEFT_TURNED]
        found = use_rows(state, warp, pc, left, first, int64(16), turned)
    if found < 0:
        turned, columns = code[base + PRODUCT.RIGHT_TURNED], code[base + PRODUCT.COLUMNS]
        found = use_rows(state, warp, pc, right, int64(0), columns, turned)
    return found


@jitted
def use_rows(state, warp, pc, operand, first, rows, turned):
    """The same of some rows of one matrix, which an operand describes."""
    base, block = index(pc * at.CODE_COLUMNS), block_of(state, warp)
    time, width = now_of(state, block), state.parameters[SIZE.WIDTH]
    described = read_pair(operand_of(state, warp, base, operand), 0, width)
    grid = index(state.warps[index(warp * at.WARP_COLUMNS) + RESIDENT.GRID] * at.GRID_COLUMNS)
    size = state.grids[grid + GRID.SHARED]
    chunks = int64(16 if turned else 2)
    first, rows = (first >> 3, rows >> 3) if turned else (first, rows)
    for row in range(first, first + rows):
        for chunk in range(chunks):
            address = chunk_address(described, row, chunk, turned)
            if address + 16 > size:
                continue
            if race_in(state, warp, address, int64(16), int64(TO_MULTIPLY)) != 0:
                return address
            place = mark_at(state, block, address)
            note_reads(state, warp, place, 4, pc, time, int64(BY_PRODUCTS))
    return int64(-1)


@inlined
def control(state, groups, memory, sm, warp, pc, executing, cycle, kind, until):
    """A fence, the end of a group, or a wait: see `choose`."""
    own = index(warp * at.WARP_COLUMNS)
    so_far, now = state.warps[own + OF_WARP.GROUPS], now_of(state, block_of(state, warp))
    if kind == KINDS.COMMIT:
        place = own + OF_WARP.DONE_0 + index(so_far & KEPT - 1)
        state.warps[place] = state.warps[own + OF_WARP.DONE]
        state.warps[own + OF_WARP.GROUPS] = so_far + 1
        state.warps[own + OF_WARP.TIME_0 + index(so_far & KEPT - 1)] = now
    elif kind == KINDS.WAIT:
        last = so_far - 1 - state.code[index(pc * at.CODE_COLUMNS) + PRODUCT.COUNT]
        if last >= 0 and so_far - last <= KEPT:
            until = max(until, state.warps[own + OF_WARP.DONE_0 + index(last & KEPT - 1)])
            landed = state.warps[own + OF_WARP.TIME_0 + index(last & KEPT - 1)]
            ring = own_row(state, warp) + KNOWN.PRODUCTS
            if landed > state.known[ring]:
                note_wait(state.known, ring, landed, now)
    return int64(0), until, int64(why.WAIT), True
