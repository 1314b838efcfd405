"""The roofline of a SIMT machine: types of operations, DRAM, L2, L1 and shared memory.

What a pipe can do of a type in a cycle is what its best instruction does, over the cycles that it
occupies the pipe; pipes work beside one another as far as a sub-core can issue.  Of memory:

    DRAM    bytes that channels move, read and written; `dram.bandwidth`
    L2      sectors that SMs and their L1s ask for, once each; what all slices give in a cycle.  A
            sector from another partition occupies a slice of both.
    L1      bytes that loads of global and local memory bring to registers; `lsu.results` an SM,
            or what its banks and tags give.  Stores pass by: they are the L2's.
    shared  what banks could have given in the cycles that accesses kept them, so that conflicts
            count; all banks of an SM a cycle
    SM to SM  what lanes ask shared memory of other blocks of their cluster for
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np

from machines.instructions import operations
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import FIRST_OPERAND, OPERATION
from machines.operations.row import Operation
from sim.cores.simt.memory import parameters as at
from sim.cores.simt.statistics import Statistics
from sim.kinds.simt.memory_counters import sector_bytes
from sim.kinds.simt.work import INTEGER, SENTENCES, SPECIAL, variants, work_of
from sim.results.roofline import BYTES, OPERATIONS, Roof, Roofs

DRAM, L2, L1, SHARED, NETWORK = "DRAM", "L2", "L1", "shared memory", "SM to SM"


def work(run: Statistics) -> dict[str, int]:
    """What a run did of everything that has a roof."""
    return {**_operations(run), **_bytes(run)}


def _operations(run: Statistics) -> dict[str, int]:
    return {name: int(of.sum()) for name, of in operations_of_instructions(run).items()}


def operations_of_instructions(run: Statistics) -> dict[str, np.ndarray]:
    """Operations by type, int64[instructions]."""
    found: dict[str, np.ndarray] = {}
    rows, code = run.core.decoded.rows, run.core.decoded.program.code
    for number, row in enumerate(rows):
        where = np.flatnonzero(code[:, OPERATION] == number)
        parts: list[tuple[int | None, np.ndarray]] = [(None, where)]
        if row.group is not None and row.group.does == "multiply":
            types = code[where, FIRST_OPERAND + row.position("types")]
            parts = [(int(one), where[types == one]) for one in np.unique(types)]
        for types_of_it, pcs in parts:
            done = work_of(row, types_of_it)
            if done is not None:
                of = found.setdefault(done.of, np.zeros(len(code), np.int64))
                times = run.executed if done.whole else run.active
                of[pcs] += times[pcs] * done.count
    return found


def _bytes(run: Statistics) -> dict[str, int]:
    counts, sector = run.memory.counts, sector_bytes(run.memory)
    machine = run.core.machine
    seen = sum(_of_kinds(counts, column) for column in (at.L2_HITS, at.L2_MERGED, at.L2_MISSES))
    read = _of_kinds(counts, at.DRAM_READ) + int(counts[at.L2_COMPLETED])
    found = {
        DRAM: sector * (read + int(counts[at.DRAM_WRITTEN])),
        L2: sector * seen,
        L1: int(counts[at.BYTES_WANTED + at.LOAD] + counts[at.BYTES_WANTED + at.LOCAL_LOAD]),
        SHARED: (int(counts[at.SHARED_PASSES]) >> at.TICK_BITS) * _bank_bytes(machine),
    }
    if machine.clusters is not None:
        found[NETWORK] = int(counts[at.NETWORK_BYTES])
    return found


def _of_kinds(counts: np.ndarray, column: int) -> int:
    return int(counts[column : column + len(at.KINDS)].sum())


def _bank_bytes(machine: Simt) -> int:
    """Of shared memory, that all banks of an SM give in a cycle."""
    return machine.memory.shared.banks * machine.memory.shared.bank_width


def peaks(machine: Simt) -> Iterator[Roof]:
    """The roofs of a machine."""
    subcores = machine.sms * machine.subcores
    for name, rates in _rates(machine).items():
        peak = subcores * _together(rates)
        yield Roof(name, OPERATIONS, peak, SENTENCES[name], aside=name in (INTEGER, SPECIAL))
    memory, sms = machine.memory, machine.sms
    yield Roof(DRAM, BYTES, Fraction(memory.dram.bandwidth) / Fraction(machine.clock),
               "Bytes read from DRAM and written to it.")  # fmt: skip
    yield Roof(L2, BYTES, Fraction(memory.l2.slices * memory.l2.bandwidth),
               "Bytes of the sectors that SMs ask the L2 for.")  # fmt: skip
    yield Roof(L1, BYTES, sms * _of_l1(machine),
               "Bytes that loads of global and local memory bring to registers.")  # fmt: skip
    yield Roof(SHARED, BYTES, Fraction(sms * _bank_bytes(machine)),
               "What the banks of shared memory could give while they were accessed.")  # fmt: skip
    if machine.clusters is not None:
        yield Roof(NETWORK, BYTES, Fraction(sms * machine.clusters.shared_bandwidth),
                   "Bytes of shared memory of other blocks of a cluster.")  # fmt: skip


def _of_l1(machine: Simt) -> Fraction:
    """Bytes that loads of an SM get in a cycle at most."""
    l1 = machine.memory.l1
    limits = [
        Fraction(machine.memory.lsu.results),
        Fraction(l1.tags * l1.line, l1.interval),
        Fraction(16 * machine.warp_width, machine.memory.lsu.interval),
    ]
    return min(limits)


class _Rate(NamedTuple):
    """Of an instruction of a pipe: operations and issue slots of a warp's instruction, and the
    cycles that it occupies the pipe."""

    operations: int
    slots: int
    cycles: int


def _rates(machine: Simt) -> dict[str, dict[str, _Rate]]:
    """By type and pipe, the instruction that does most in a cycle."""
    found: dict[str, dict[str, _Rate]] = {}
    for row in _rows(machine.instructions):
        name = row.scheduling_class
        if name not in machine.classes or not machine.issues(name):
            continue
        described = machine.classes[name]
        parts = row.group.columns // 8 if row.group is not None else 1
        for done in variants(row):
            count = done.count if done.whole else done.count * machine.warp_width
            rate = _Rate(count, described.slots, machine.occupancy(name) * parts)
            of_pipes = found.setdefault(done.of, {})
            best = of_pipes.get(described.pipe)
            if best is None or _per_cycle(rate) > _per_cycle(best):
                of_pipes[described.pipe] = rate
    return {name: found[name] for name in SENTENCES if name in found}


@cache
def _rows(instructions: str) -> tuple[Operation, ...]:
    return tuple(operations().family(instructions).values())


def _per_cycle(rate: _Rate) -> Fraction:
    return Fraction(rate.operations, rate.cycles)


def _together(rates: Mapping[str, _Rate]) -> Fraction:
    """Operations a cycle of a sub-core, which issues one instruction in each: pipes that do most
    with an issue slot come first."""
    total, issue = Fraction(0), Fraction(1)
    for rate in sorted(rates.values(), key=lambda one: Fraction(-one.operations, one.slots)):
        times = min(Fraction(1, rate.cycles), issue / rate.slots)
        total, issue = total + times * rate.operations, issue - times * rate.slots
    return total


ROOFLINE = Roofs(
    work,
    lambda machine: tuple(peaks(machine)),
    lambda: (*SENTENCES, DRAM, L2, L1, SHARED, NETWORK),
)
