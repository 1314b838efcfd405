"""The arrays of a core before time starts, and what a launch makes larger."""

from __future__ import annotations

import math

import numpy as np

from machines.diagnostics import input_error
from machines.kinds.simt.copy_faults import MOST_OBJECTS
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.reconvergence import POLICIES, SELECTIONS, make_groups
from machines.layout import Memory
from machines.vocabulary.tensor_maps import MOST_RANK, WORDS
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.decode import Decoded
from sim.cores.simt.memory import parameters as memory_parameters
from sim.cores.simt.state import CoreState
from sim.cores.simt.units import UNITS
from sim.cores.simt.units.async_copies import COPYING, MARKING
from sim.cores.simt.units.barriers import BARRIERS
from sim.cores.simt.units.block_dispatcher import BLOCK, DISPATCHED
from sim.cores.simt.units.convergence import CONVERGENCE
from sim.cores.simt.units.load_store import SPANS
from sim.cores.simt.units.mbarriers import MOST_DUE
from sim.cores.simt.units.multiprocessor import SIZE
from sim.cores.simt.units.pipes import PIPES, THROTTLES
from sim.cores.simt.units.scoreboard import BOARD
from sim.cores.simt.units.shortcuts import PATTERNS
from sim.cores.simt.units.stalls import IDLE
from sim.cores.simt.units.warp_scheduler import SCHEDULE

MOST_SUBCORE_WARPS = 64
"""Warps of a sub-core, as bits of a number."""


def longs(count: int, value: int = 0) -> np.ndarray:
    """Numbers, all the same, that begin with a cache line of the host."""
    room = np.zeros(max(1, count) + at.HOST_LINE - 1, dtype=np.int64)
    skipped = -(room.ctypes.data // 8) % at.HOST_LINE
    numbers = room[skipped : skipped + max(1, count)]
    if value:
        numbers.fill(value)
    return numbers


def on_lines(numbers: np.ndarray) -> np.ndarray:
    """The same numbers, likewise."""
    placed = longs(numbers.size)
    placed[: numbers.size] = numbers.reshape(-1)
    return placed


def zeros(shape: tuple[int, ...]) -> np.ndarray:
    """The same of several axes."""
    return longs(math.prod(shape)).reshape(shape)


def build_state(decoded: Decoded, memory: Memory) -> CoreState:
    """The core of a program on a machine, with nothing in it."""
    machine = decoded.machine
    warps = machine.sms * machine.limits.warps
    subcore_warps = -(-machine.limits.warps // machine.subcores)
    if subcore_warps > MOST_SUBCORE_WARPS:
        message = f"{subcore_warps} warps in a sub-core are more than {MOST_SUBCORE_WARPS}"
        raise input_error(message, hint="give the machine more sub-cores or fewer warps")
    subcores = machine.sms * machine.subcores
    block_slots = machine.sms * machine.limits.ctas
    width, pipes = machine.warp_width, len(machine.pipes)
    parameters = _parameters(decoded)
    pcs = len(decoded.program.code) + 1
    has_objects = any(row.barrier_object for row in decoded.rows)

    registers = warps * int(parameters[SIZE.REGISTER_STRIDE])
    words = longs(-(-(len(decoded.constants) + registers) // 2)).view(np.uint32)
    words[: len(decoded.constants)] = decoded.constants
    masks = longs(at.FIXED_MASKS + warps * int(parameters[SIZE.PREDICATE_STRIDE]))
    masks[1] = -1
    markers = np.zeros(pcs + 1, dtype=np.uint8)
    markers[: len(decoded.program.markers)] = decoded.program.markers
    state = CoreState(
        code=on_lines(decoded.code),
        lists=on_lines(decoded.lists),
        markers=markers,
        producers=decoded.producers.reshape(-1),
        throttles=np.array([THROTTLES[p.throttle] for p in machine.pipes.values()], np.int64),
        queues=np.array([p.queue for p in machine.pipes.values()], dtype=np.int64),
        parameters=parameters,
        rules=np.array(
            [
                POLICIES.index(machine.reconvergence.policy),
                SELECTIONS.index(machine.reconvergence.selection),
                machine.reconvergence.yield_after,
            ],
            dtype=np.int64,
        ),
        starts=memory.starts,
        ends=memory.ends,
        bytes=memory.bytes,
        words=words,
        masks=masks,
        specials=longs(warps * (at.TID + at.OF_LANES * width)),
        scoreboard=longs(warps * int(parameters[BOARD.STRIDE])),
        patterns=longs(warps * PATTERNS * at.PATTERN_COLUMNS),
        warps=longs(warps * at.WARP_COLUMNS),
        counters=longs(warps * at.COUNTER_COLUMNS),
        ready_at=longs(warps, at.NEVER),
        next_pcs=longs(warps),
        ages=longs(warps),
        subcores=longs(subcores * at.SUBCORE_COLUMNS),
        turns=longs(subcores, at.NEVER),
        pipes=longs(subcores * pipes * at.PIPE_COLUMNS),
        free_at=longs(subcores * int(parameters[PIPES.STRIDE])),
        waiting=longs(subcores * int(parameters[PIPES.STRIDE])),
        blocks=longs(block_slots * at.BLOCK_COLUMNS),
        barriers=longs(block_slots * int(parameters[BARRIERS.COUNT]) * at.BARRIER_COLUMNS),
        clusters=longs(block_slots * at.CLUSTER_COLUMNS),
        grids=longs(0),
        sms=longs(machine.sms * at.SM_COLUMNS),
        scalars=longs(at.SCALARS),
        rings=longs(subcores * pipes * int(parameters[PIPES.MOST_QUEUE])),
        times=longs(machine.sms, at.NEVER),
        runs=longs(2 * int(parameters[SIZE.LEAVES])),
        acts=longs(2 * int(parameters[SIZE.LEAVES])),
        acting=longs(machine.sms * at.ACTING_COLUMNS),
        progress=longs(2 * at.HOST_LINE),
        copies=longs(warps * width * int(parameters[COPYING.STRIDE] * parameters[COPYING.USED])),
        marks=longs(machine.sms * int(parameters[MARKING.AREA]) * at.MARK_COLUMNS),
        known=longs(block_slots * int(parameters[MARKING.ROWS]) * at.KNOWN_COLUMNS),
        objects=longs(block_slots * MOST_OBJECTS * at.OBJECT_COLUMNS * has_objects),
        due=longs(machine.sms * MOST_DUE * at.DUE_COLUMNS * has_objects),
        shared=np.zeros(1, dtype=np.uint8),
        local=np.zeros(1, dtype=np.uint8),
        param=np.zeros(0, dtype=np.uint8),
        stalls=longs(pcs * why.COUNT),
        executed=longs(pcs),
        active=longs(pcs),
        diverged=longs(pcs),
        lost=longs(subcores * why.LOST_COLUMNS),
        addresses=longs(2 * width + WORDS + MOST_RANK),
        events=longs(decoded.trace_events * at.EVENT_COLUMNS),
        subcore_registers=longs(subcores),
        groups=make_groups(warps, width, decoded.most(CONVERGENCE.BARRIER) + 1, zeros),
        memory=memory_parameters.build(machine),
    )
    table = state.subcores.reshape(-1, at.SUBCORE_COLUMNS)
    table[:, SCHEDULE.NEXT_READY] = at.NEVER
    table[:, IDLE.OLDEST] = -1
    state.blocks.reshape(-1, at.BLOCK_COLUMNS)[:, BLOCK.GRID] = -1
    return state


def _parameters(decoded: Decoded) -> np.ndarray:
    """What each unit says of the program and the machine."""
    parameters = np.zeros(at.PARAMETERS, dtype=np.int64)
    for unit in UNITS:
        for entry, value in unit.parameters(decoded):
            parameters[entry] = value
    return parameters


def grow_for(state: CoreState, machine: Simt, shared: int, local: int, param: bytes) -> CoreState:
    """The state with room for another grid: bytes of shared memory of a block, of local memory of
    a thread, the kernel's parameters at the end of `param`."""
    parameters = state.parameters
    block_slots = machine.sms * machine.limits.ctas
    warps = machine.sms * machine.limits.warps
    wanted_shared = max(-(-shared // 16) * 16, int(parameters[SPANS.SHARED_STRIDE]))
    wanted_local = max(local * machine.warp_width, int(parameters[SPANS.LOCAL_STRIDE]))
    padding = -(-max(len(param), 1) // 8) * 8 - len(param)
    space = np.frombuffer(param + bytes(padding), dtype=np.uint8)
    grown = state._replace(
        shared=_restride(
            state.shared, block_slots, int(parameters[SPANS.SHARED_STRIDE]), wanted_shared
        ),
        local=_restride(state.local, warps, int(parameters[SPANS.LOCAL_STRIDE]), wanted_local),
        param=np.concatenate([state.param, space]),
        grids=_with_room(state.grids, int(state.scalars[DISPATCHED.GRIDS]) + 1),
    )
    parameters[SPANS.SHARED_STRIDE], parameters[SPANS.LOCAL_STRIDE] = wanted_shared, wanted_local
    return grown


def _with_room(grids: np.ndarray, count: int) -> np.ndarray:
    """`grids` with room for `count`; it doubles, so that many launches cost little each."""
    room = len(grids) // at.GRID_COLUMNS
    if room >= count:
        return grids
    larger = np.zeros(max(8, 2 * room) * at.GRID_COLUMNS, dtype=np.int64)
    larger[: len(grids)] = grids
    return larger


def _restride(old: np.ndarray, count: int, before: int, after: int) -> np.ndarray:
    """`count` pieces of `before` elements, each grown to `after`."""
    if after == before:
        return old
    grown = np.zeros(count * after, dtype=old.dtype)
    if before:
        grown.reshape(count, after)[:, :before] = old.reshape(count, before)
    return grown
