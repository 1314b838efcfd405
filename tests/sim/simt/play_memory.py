"""Accesses played to the jitted memory system from Python, many in one call.

results, memory = play(machine, [Access(cycle=0, addresses=range(0, 128, 4))])
results[0]          # (done, taken)
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from machines.description.load import load_machine
from machines.kinds.simt.fields import Simt
from sim.cores.compiled_cache import load_written
from sim.cores.simt.memory import (
    coalescing,
    device_memory,
    global_memory,
    reservations,
    sectored_cache,
    shared_memory,
)
from sim.cores.simt.memory import (
    parameters as memory_parameters,
)
from sim.cores.simt.memory.parameters import LOAD, WarpMemory, build

GLOBAL, LOCAL, SHARED, CONSTANT = range(4)
SOURCE = '''
from sim.cores.jit import jitted_cached
from sim.cores.simt.memory.global_memory import global_access, local_access, set_carve_out
from sim.cores.simt.memory.shared_memory import constant_access, shared_access


@jitted_cached
def play(memory, script, addresses, results, carve_out, sms):
    if carve_out >= 0:
        for sm in range(sms):
            set_carve_out(memory, sm, carve_out)
    for k in range(len(script)):
        space, sm, cycle, kind, mask, size, slot, frame = script[k]
        if space == 0:
            answer = global_access(memory, sm, cycle, kind, addresses[k], mask, size)
        elif space == 1:
            answer = local_access(memory, sm, slot, frame, cycle, kind, addresses[k], mask, size)
        elif space == 2:
            answer = shared_access(memory, sm, cycle, kind, addresses[k], mask, size)
        else:
            answer = constant_access(memory, sm, cycle, addresses[k], mask, size)
        results[k, 0], results[k, 1] = answer


@jitted_cached
def chase(memory, sm, cycle, first, stride, footprint, loads, addresses):
    """One lane loads `loads` times, each when the one before is done; cycles a load."""
    begin = cycle
    for k in range(loads):
        addresses[0] = first + k * stride % footprint
        cycle, taken = global_access(memory, sm, cycle, 0, addresses, 1, 4)
    return cycle, cycle - begin


@jitted_cached
def stream(memory, kind, cycle, first, bytes_, size, sms, gap, addresses):
    """All SMs go through `bytes_` of memory, coalesced, an access of each every `gap` cycles but
    when its path is busy; the cycle of the last answer."""
    width = len(addresses)
    mask = (1 << width) - 1
    step = width * size
    last = cycle
    for number in range(bytes_ // step):
        sm = number % sms
        if sm == 0 and number:
            cycle += gap
        for lane in range(width):
            addresses[lane] = first + number * step + lane * size
        done, taken = global_access(memory, sm, cycle, kind, addresses, mask, size)
        last = max(last, done)
        cycle = max(cycle, taken - 4)
    return last


@jitted_cached
def repeat(memory, space, kind, count, step, sms, gap, cycle, addresses):
    """Accesses of 4 bytes by all SMs in turn, a round every `gap` cycles, each `step` bytes on."""
    mask = (1 << len(addresses)) - 1
    for number in range(count):
        sm = number % sms
        if sm == 0:
            cycle += gap
        if space == 2:
            shared_access(memory, sm, cycle, kind, addresses, mask, 4)
        else:
            global_access(memory, sm, cycle, kind, addresses, mask, 4)
        if step:
            for lane in range(len(addresses)):
                addresses[lane] += step
'''


@dataclass(frozen=True, slots=True)
class Access:
    """One access of a warp; `addresses` of the lanes 0 and on, in order."""

    cycle: int
    addresses: Sequence[int]
    space: int = GLOBAL
    kind: int = LOAD
    size: int = 4
    sm: int = 0
    mask: int | None = None
    slot: int = 0
    frame: int = 0

    @property
    def lanes(self) -> int:
        """The mask of the lanes that take part."""
        return (1 << len(self.addresses)) - 1 if self.mask is None else self.mask


@cache
def door():
    """The module of jitted functions above."""
    modules = (
        coalescing, device_memory, global_memory, reservations, sectored_cache, shared_memory,
        memory_parameters,
    )  # fmt: skip
    return load_written("simt_memory_door", SOURCE, [inspect.getsource(m) for m in modules])


def machine(name: str = "teaching_gpu", *overrides: str) -> Simt:
    """A described machine, with figures changed."""
    return load_machine(name, overrides).description


def play(
    described: Simt,
    accesses: Iterable[Access],
    memory: WarpMemory | None = None,
    carve_out: int = -1,
) -> tuple[list[tuple[int, int]], WarpMemory]:
    """((done, taken) of each access, memory afterwards); the memory is a new one unless given."""
    accesses = list(accesses)
    memory = memory or build(described)
    script = np.zeros((len(accesses), 8), dtype=np.int64)
    addresses = np.zeros((len(accesses), described.warp_width), dtype=np.int64)
    for k, access in enumerate(accesses):
        mask = access.lanes - (access.lanes >> 63 << 64)
        script[k] = (
            access.space, access.sm, access.cycle, access.kind, mask, access.size, access.slot,
            access.frame,
        )  # fmt: skip
        addresses[k, : len(access.addresses)] = list(access.addresses)
    results = np.zeros((len(accesses), 2), dtype=np.int64)
    door().play(memory, script, addresses, results, carve_out, described.sms)
    return [tuple(row) for row in results.tolist()], memory
