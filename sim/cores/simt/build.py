"""The arrays of a core before time starts, and what a launch makes larger."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from machines.diagnostics import input_error
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.reconvergence import POLICIES, SELECTIONS, make_groups
from machines.layout import Memory
from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.decode import THROTTLES, Decoded
from sim.cores.simt.memory import parameters as memory_parameters
from sim.cores.simt.state import CoreState

MOST_CORE_WARPS = 64
"""Warps of a sub-core, as bits of a number."""
MOST_WINDOW = 512
"""Cycles that SMs may run ahead of each other."""
SCHEDULERS = {"lrr": at.LRR, "gto": at.GTO, "gty": at.GTY}


CONVERGENCE_KINDS = (at.BSSY, at.BSYNC, at.BREAK)
BLOCK_KINDS = (at.BAR_SYNC, at.BAR_ARRIVE)


def longs(count: int, value: int = 0) -> np.ndarray:
    """Numbers, all the same, that begin with a cache line of the host."""
    room = np.zeros(max(1, count) + at.HOST_LINE - 1, dtype=np.int64)
    skipped = -(room.ctypes.data // 8) % at.HOST_LINE
    numbers = room[skipped : skipped + max(1, count)]
    if value:
        numbers.fill(value)
    return numbers


def zeros(shape: tuple[int, ...]) -> np.ndarray:
    """The same of several axes."""
    return longs(math.prod(shape)).reshape(shape)


def build_state(decoded: Decoded, memory: Memory, trace_events: int) -> CoreState:
    """The core of a program on a machine, with nothing in it."""
    machine = decoded.machine
    warps = machine.sms * machine.limits.warps
    core_warps = -(-machine.limits.warps // machine.subcores)
    if core_warps > MOST_CORE_WARPS:
        message = f"{core_warps} warps in a sub-core are more than {MOST_CORE_WARPS}"
        raise input_error(message, hint="give the machine more sub-cores or fewer warps")
    cores = machine.sms * machine.subcores
    block_slots = machine.sms * machine.limits.ctas
    width, pipes = machine.warp_width, len(machine.pipes)
    parameters = _parameters(decoded, core_warps, trace_events, len(memory.starts))
    pcs = len(decoded.program.code) + 1

    registers = warps * int(parameters[at.REGISTER_STRIDE])
    words = longs(-(-(len(decoded.constants) + registers) // 2)).view(np.uint32)
    words[: len(decoded.constants)] = decoded.constants
    masks = longs(at.FIXED_MASKS + warps * int(parameters[at.PREDICATE_STRIDE]))
    masks[1] = -1
    markers = np.zeros(pcs + 1, dtype=np.uint8)
    markers[: len(decoded.program.markers)] = decoded.program.markers
    state = CoreState(
        code=decoded.code,
        markers=markers,
        producers=decoded.producers,
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
        scoreboard=longs(warps * int(parameters[at.SCOREBOARD_STRIDE])),
        patterns=longs(warps * at.PATTERNS * at.PATTERN_COLUMNS),
        warps=longs(warps * at.WARP_COLUMNS),
        ready_at=longs(warps, at.NEVER),
        next_pcs=longs(warps),
        ages=longs(warps),
        cores=longs(cores * at.CORE_COLUMNS),
        turns=longs(cores, at.NEVER),
        pipes=longs(cores * pipes * at.PIPE_COLUMNS),
        free_at=longs(cores * int(parameters[at.PIPE_STRIDE])),
        waiting=longs(cores * int(parameters[at.PIPE_STRIDE])),
        blocks=longs(block_slots * at.BLOCK_COLUMNS),
        barriers=longs(block_slots * int(parameters[at.BARRIERS]) * at.BARRIER_COLUMNS),
        grids=longs(0),
        sms=longs(machine.sms * at.SM_COLUMNS),
        scalars=longs(at.SCALARS),
        rings=longs(cores * pipes * int(parameters[at.MOST_QUEUE])),
        times=longs(machine.sms, at.NEVER),
        runs=longs(2 * int(parameters[at.LEAVES])),
        acts=longs(2 * int(parameters[at.LEAVES])),
        acting=longs(machine.sms * at.ACTING_COLUMNS),
        progress=longs(2 * at.HOST_LINE),
        shared=np.zeros(1, dtype=np.uint8),
        local=np.zeros(1, dtype=np.uint8),
        param=np.zeros(0, dtype=np.uint8),
        stalls=longs(pcs * why.COUNT),
        executed=longs(pcs),
        active=longs(pcs),
        diverged=longs(pcs),
        lost=longs(cores * why.LOST_COLUMNS),
        addresses=longs(2 * width),
        events=longs(trace_events * at.EVENT_COLUMNS),
        core_registers=longs(cores),
        groups=make_groups(warps, width, _barriers(decoded, CONVERGENCE_KINDS), zeros),
        memory=memory_parameters.build(machine),
    )
    table = state.cores.reshape(-1, at.CORE_COLUMNS)
    table[:, at.NEXT_READY] = at.NEVER
    table[:, at.OLDEST] = -1
    state.blocks.reshape(-1, at.BLOCK_COLUMNS)[:, at.BLOCK_GRID] = -1
    return state


def _barriers(decoded: Decoded, kinds: Sequence[int]) -> int:
    """How many barriers instructions of these kinds name, at least 1: the core looks through all
    of them when threads begin and end."""
    code = decoded.code.reshape(-1, at.CODE_COLUMNS)
    named = code[np.isin(code[:, at.KIND], kinds), at.TARGET]
    return int(named.max(initial=0)) + 1


def _parameters(decoded: Decoded, core_warps: int, trace_events: int, buffers: int) -> np.ndarray:
    machine = decoded.machine
    parameters = np.zeros(at.PARAMETERS, dtype=np.int64)
    launch = int(machine.host.launch_latency * 1e-9 * machine.clock)
    lockstep = trace_events > 0
    for entry, value in (
        (at.SMS, machine.sms),
        (at.SUBCORES, machine.subcores),
        (at.SM_WARPS, machine.limits.warps),
        (at.CORE_WARPS, core_warps),
        (at.CORE_REGISTERS, machine.limits.registers // machine.subcores),
        (at.SM_CTAS, machine.limits.ctas),
        (at.BLOCK_SLOTS, machine.limits.ctas),
        (at.BARRIERS, _barriers(decoded, BLOCK_KINDS)),
        (at.PIPES, len(machine.pipes)),
        (at.PIPE_STRIDE, -(-len(machine.pipes) // at.HOST_LINE) * at.HOST_LINE),
        (at.CLASSES, len(machine.classes)),
        (at.BRANCH_LATENCY, machine.branches.latency),
        (at.CHECK_COST, machine.reconvergence.check_cost),
        (at.BARRIER_LATENCY, machine.barriers.latency),
        (at.ARRIVALS, machine.barriers.arrivals),
        (at.BLOCK_LATENCY, machine.dispatch.latency),
        (at.BLOCK_INTERVAL, memory_parameters.ticks(machine.dispatch.interval)),
        (at.SCHEDULER, SCHEDULERS[machine.scheduler.policy]),
        (at.BY_CONTROL_BITS, machine.dependences.kind == "control_bits"),
        (at.WINDOW, 1 if lockstep else max(1, min(MOST_WINDOW, launch))),
        (at.REGISTER_STRIDE, max(2, decoded.registers) * machine.warp_width),
        (at.PREDICATE_STRIDE, max(1, decoded.predicates)),
        (at.SCOREBOARD_STRIDE, max(1, decoded.registers + decoded.predicates)),
        (at.REGISTERS_AT, len(decoded.constants)),
        (at.FIRST_PREDICATE, decoded.registers),
        (at.MOST_QUEUE, max(1, *(pipe.queue for pipe in machine.pipes.values()))),
        (at.TRACES, trace_events),
        (at.CLOCK_HZ, int(machine.clock)),
        (at.WIDTH, machine.warp_width),
        (at.LEAVES, 1 << (machine.sms - 1).bit_length()),
        (at.BUFFERS, buffers),
    ):
        parameters[entry] = value
    return parameters


def grow_for(state: CoreState, machine: Simt, shared: int, local: int, param: bytes) -> CoreState:
    """The state with room for another grid: bytes of shared memory of a block, of local memory of
    a thread, the kernel's parameters at the end of `param`."""
    parameters = state.parameters
    block_slots = machine.sms * machine.limits.ctas
    warps = machine.sms * machine.limits.warps
    wanted_shared = max(-(-shared // 16) * 16, int(parameters[at.SHARED_STRIDE]))
    wanted_local = max(local * machine.warp_width, int(parameters[at.LOCAL_STRIDE]))
    padding = -(-max(len(param), 1) // 8) * 8 - len(param)
    space = np.frombuffer(param + bytes(padding), dtype=np.uint8)
    grown = state._replace(
        shared=_restride(
            state.shared, block_slots, int(parameters[at.SHARED_STRIDE]), wanted_shared
        ),
        local=_restride(state.local, warps, int(parameters[at.LOCAL_STRIDE]), wanted_local),
        param=np.concatenate([state.param, space]),
        grids=_with_room(state.grids, int(state.scalars[at.GRIDS]) + 1),
    )
    parameters[at.SHARED_STRIDE], parameters[at.LOCAL_STRIDE] = wanted_shared, wanted_local
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
    """`count` pieces of `before` bytes, each grown to `after`."""
    if after == before:
        return old
    grown = np.zeros(count * after, dtype=np.uint8)
    if before:
        grown.reshape(count, after)[:, :before] = old.reshape(count, before)
    return grown
