"""Accesses played to the jitted memory system from Python, many in one call.

results, memory = play(machine, [Access(cycle=0, addresses=range(0, 128, 4))])
results[0]          # (done, taken)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from machines.array_fields import I64Rows
from machines.description.load import load_machine
from machines.kinds.simt.fields import Simt
from sim.cores.addresses import table_of
from sim.cores.machine_code import Text, load_code
from sim.cores.simt.memory.parameters import ANYHOW, KIND_BITS, LOAD, WIDTH, WarpMemory, build
from sim.cores.simt.write_core import CORE

GLOBAL, LOCAL, SHARED, CONSTANT, FENCE = range(5)
"""Spaces of accesses; a fence of the device is none, but changes what the L1 has."""
SOURCE = """
from sim.cores.jit import entry_point
from sim.cores.simt.memory.global_memory import (
    forget, global_access, local_access, set_carve_out,
)
from sim.cores.simt.memory.shared_memory import constant_access, shared_access
from sim.cores.tables import view_of
from tests.sim.simt.play_memory import Played

view = view_of(Played)


@entry_point
def play(table, accesses, carve_out, sms):
    played = view(table)
    memory, script = played.memory, played.script
    if carve_out >= 0:
        for sm in range(sms):
            set_carve_out(memory, sm, carve_out)
    for k in range(accesses):
        space, sm, cycle, kind = script[k, 0], script[k, 1], script[k, 2], script[k, 3]
        mask, size, slot, frame = script[k, 4], script[k, 5], script[k, 6], script[k, 7]
        addresses = played.addresses[k]
        if space == 0:
            answer = global_access(memory, sm, cycle, kind, addresses, mask, size)
        elif space == 1:
            answer = local_access(memory, sm, slot, frame, cycle, kind, addresses, mask, size)
        elif space == 2:
            answer = shared_access(memory, sm, cycle, kind, addresses, mask, size)
        elif space == 3:
            answer = constant_access(memory, sm, cycle, addresses, mask, size)
        else:
            forget(memory, sm)
            answer = cycle, cycle
        played.results[k, 0], played.results[k, 1] = answer
    return 0


@entry_point
def chase(table, sm, cycle, first, stride, footprint, loads):
    played = view(table)
    memory, addresses = played.memory, played.addresses[0]
    for k in range(loads):
        addresses[0] = first + k * stride % footprint
        cycle, taken = global_access(memory, sm, cycle, 0, addresses, 1, 4)
    return cycle


@entry_point
def stream(table, kind, cycle, first, bytes_, size, sms, gap):
    played = view(table)
    memory, addresses, width = played.memory, played.addresses[0], played.addresses.shape[1]
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


@entry_point
def repeat(table, space, kind, count, step, sms, gap, cycle):
    played = view(table)
    memory, addresses, width = played.memory, played.addresses[0], played.addresses.shape[1]
    mask = (1 << width) - 1
    for number in range(count):
        sm = number % sms
        if sm == 0:
            cycle += gap
        if space == 2:
            shared_access(memory, sm, cycle, kind, addresses, mask, 4)
        else:
            global_access(memory, sm, cycle, kind, addresses, mask, 4)
        if step:
            for lane in range(width):
                addresses[lane] += step
    return 0
"""


class Played(NamedTuple):
    """A memory, and accesses that are played to it.

    script     int64[accesses, 8]  space, sm, cycle, kind, mask, bytes, slot, frame
    addresses  int64[accesses, lanes]
    results    int64[accesses, 2]  done, taken
    """

    memory: WarpMemory
    script: I64Rows
    addresses: I64Rows
    results: I64Rows


@dataclass(frozen=True, slots=True)
class Access:
    """One access of a warp; `addresses` of the lanes 0 and on, in order."""

    cycle: int
    addresses: Sequence[int]
    space: int = GLOBAL
    kind: int = LOAD
    how: int = ANYHOW
    size: int = 4
    sm: int = 0
    mask: int | None = None
    slot: int = 0
    frame: int = 0

    @property
    def lanes(self) -> int:
        """The mask of the lanes that take part."""
        return (1 << len(self.addresses)) - 1 if self.mask is None else self.mask


def _call(name: str, played: Played, *numbers: int) -> int:
    """Call a function of `SOURCE`."""
    modules = (*CORE, "tests.sim.simt.play_memory")
    code = load_code(
        "memory", "the memory of the simt core", "memory", lambda: Text(SOURCE, modules)
    )
    return code[name](table_of(played), *numbers)


def _rows(count: int, columns: int) -> I64Rows:
    return np.zeros((count, columns), dtype=np.int64)


def _one(memory: WarpMemory, addresses: np.ndarray) -> Played:
    return Played(memory, _rows(0, 8), addresses.reshape(1, -1), _rows(0, 2))


def chase(
    memory: WarpMemory, cycle: int, first: int, stride: int, footprint: int, loads: int
) -> int:
    """Cycles that `loads` loads of a lane of SM 0 take, each made when the one before is done."""
    addresses = np.zeros(int(memory.parameters[WIDTH]), dtype=np.int64)
    played = _one(memory, addresses)
    return _call("chase", played, 0, cycle, first, stride, footprint, loads) - cycle


def stream(
    memory: WarpMemory,
    kind: int,
    cycle: int,
    first: int,
    bytes_: int,
    size: int,
    sms: int,
    gap: int,
) -> int:
    """All SMs go through `bytes_` of memory, coalesced, an access of each every `gap` cycles but
    when its path is busy; the cycle of the last answer."""
    addresses = np.zeros(int(memory.parameters[WIDTH]), dtype=np.int64)
    return _call("stream", _one(memory, addresses), kind, cycle, first, bytes_, size, sms, gap)


def repeat(
    memory: WarpMemory, space: int, kind: int, count: int, step: int, sms: int, gap: int,
    cycle: int, addresses: np.ndarray,
) -> None:  # fmt: skip
    """Accesses of 4 bytes by all SMs in turn, a round every `gap` cycles, each `step` bytes on."""
    _call("repeat", _one(memory, addresses), space, kind, count, step, sms, gap, cycle)


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
            access.space, access.sm, access.cycle, access.kind | access.how << KIND_BITS, mask,
            access.size, access.slot, access.frame,
        )  # fmt: skip
        addresses[k, : len(access.addresses)] = list(access.addresses)
    played = Played(memory, script, addresses, _rows(len(accesses), 2))
    _call("play", played, len(accesses), carve_out, described.sms)
    return [tuple(row) for row in played.results.tolist()], memory
