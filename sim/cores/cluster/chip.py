"""A chip at work: memories, links, engines and cores, put together as its machine says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import simpy

from machines.instructions.cluster_control import OF_ALL_CLUSTERS, OF_ALL_ROLES
from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.program import ClusterProgram, CoreCode
from machines.kinds.cluster.queues import DMAS, IPU, MEM, QUEUES
from machines.layout import Memory
from machines.operations.row import Operation
from machines.tensors.work import Number
from sim.cores.cluster.command import Command
from sim.cores.cluster.compute_queue import ComputeQueue
from sim.cores.cluster.core import CAUSES, ChipCore, Queue
from sim.cores.cluster.costs import Costs
from sim.cores.cluster.dma_engine import DmaEngine
from sim.cores.cluster.links import Links
from sim.cores.cluster.meeting import Meeting
from sim.cores.cluster.scalar import generated
from sim.cores.cluster.scratchpads import CoreNumber, Scratchpads
from sim.cores.cluster.staged_copies import StagedCopies, begin
from sim.cores.cluster.values import targets

COMPUTE = "compute"
MOVES = ("bits", "const", "copy", "select")
"""Scalar operations that are simple whatever they move."""


@dataclass
class Chip:
    """One chip, made for one run.

    begins, ends  called with commands that begin to move or to compute, and that have
    results       gives what a command that has ended gives back
    executed, stalls  by instruction of the program, of all cores
    """

    environment: simpy.Environment
    machine: Cluster
    program: ClusterProgram
    dram: Memory
    arguments: Mapping[str, Number]
    begins: Callable[[Command], None]
    ends: Callable[[Command], None]
    results: Callable[[Command], Number | None]
    cores: list[ChipCore] = field(init=False)
    engines: list[DmaEngine | ComputeQueue] = field(init=False)

    def __post_init__(self) -> None:
        machine, size = self.machine, len(self.program.locations)
        self.executed = np.zeros(size, np.int64)
        self.stalls = np.zeros((size, len(CAUSES)), np.int64)
        codes = {code.role: code for code in self.program.codes}
        self.numbers = [
            (cluster, core, role)
            for cluster in range(machine.clusters)
            for core, role in [*((k, IPU) for k in range(machine.cores)), (machine.cores, MEM)]
            if role in codes
        ]
        self.memory = Scratchpads(self.program, self.dram, [n[:2] for n in self.numbers])
        self.links = Links(self.environment, machine)
        self.costs = {
            role: Costs(code, machine, self.links, self.memory) for role, code in codes.items()
        }
        self._engines: dict[Any, DmaEngine | ComputeQueue] = {}
        self.meetings: dict[tuple, Meeting] = {}
        self.cores = [
            self._core(codes[role], (cluster, core)) for cluster, core, role in self.numbers
        ]
        self.engines = list(self._engines.values())

    def _core(self, code: CoreCode, number: CoreNumber) -> ChipCore:
        chip, role = self.machine, code.role
        cluster, core = number
        first = self.program.first[role]
        identities = {
            "cluster_id": cluster,
            "cluster_dim": chip.clusters,
            "core_id": core,
            "core_dim": chip.cores,
            "task_id": cluster * chip.cores + core,
            "task_dim": chip.core_count,
        }
        front, stretches = generated(code, scalar_cycles(chip), identities)
        given = {f"r{register}": self.arguments[name] for name, register in code.parameters}
        return ChipCore(
            self.environment,
            number,
            code,
            front(**given),
            stretches,
            {queue: Queue(self._taker(role, queue, number), chip.scalar.queue)
             for queue in QUEUES[role] if self._has(role, queue)},
            partial(self._meeting, cluster),
            chip.scalar.issue,
            self.costs[role],
            partial(targets, core=number, clusters=chip.clusters, cores=chip.cores),
            self.results,
            self.ends,
            self.executed[first : first + len(code.code)],
            self.stalls[first : first + len(code.code)],
        )  # fmt: skip

    def _has(self, role: str, queue: str) -> bool:
        return queue == COMPUTE or getattr(self.machine, DMAS[role, queue]) is not None

    def _taker(
        self, role: str, queue: str, number: CoreNumber
    ) -> DmaEngine | ComputeQueue | StagedCopies:
        """What a core gives the commands of a queue to."""
        engine = self._engine(role, queue, number)
        if (role, queue) != (IPU, "io") or not self.machine.stages_copies:
            return engine
        gdma = self._engine(MEM, "io", (number[0], self.machine.cores))
        engines = {"iodma": engine, "gdma": gdma, "mvdma": self._engine(IPU, "move", number)}
        return StagedCopies(self.machine, self.links, engines)

    def _engine(self, role: str, queue: str, number: CoreNumber) -> DmaEngine | ComputeQueue:
        """What takes the commands of a queue; several queues may have one engine."""
        name = DMAS.get((role, queue), COMPUTE)
        key = (name, *number) if name == COMPUTE else engine_of(name, number, self.machine)
        engine = self._engines.get(key)
        if engine is None:
            engine = self._engines[key] = self._new_engine(name, key, number)
        if name != COMPUTE and engine.place[:2] != number:
            engine.is_shared = True
        return engine

    def _new_engine(self, name: str, key: tuple, number: CoreNumber) -> DmaEngine | ComputeQueue:
        if name == COMPUTE:
            return ComputeQueue(self.environment, self.begins)
        dma = getattr(self.machine, name)
        return DmaEngine(
            self.environment,
            self.links.network,
            key[0],
            (*number, len(self._engines)),
            getattr(dma, "outstanding", 1),
            getattr(dma, "channels", 1),
            partial(begin, self.begins),
        )

    def _meeting(self, cluster: int, name: str, number: int) -> Meeting:
        """Where a core of this cluster meets others: each number is a meeting of its own."""
        chip, roles = self.machine, {role for *_, role in self.numbers}
        cores = chip.cores + (name in OF_ALL_ROLES and MEM in roles)
        is_far = name in OF_ALL_CLUSTERS
        key = name, None if is_far else cluster, number
        if key not in self.meetings:
            partners = cores * chip.clusters if is_far else cores
            delay = chip.barriers.chip if is_far else chip.barriers.cluster
            self.meetings[key] = Meeting(self.environment, partners, delay)
        return self.meetings[key]


def engine_of(name: str, number: CoreNumber, chip: Cluster) -> tuple:
    """The engine that does the work of a DMA: its name first, then whose it is."""
    cluster, _ = number
    joined = {
        "separate": {},
        "iodma+mvdma": {"iodma": "iodma+mvdma", "mvdma": "iodma+mvdma"},
        "gdma+iodma": {"iodma": "gdma+iodma", "gdma": "gdma+iodma"},
        "one": dict.fromkeys(("iodma", "mvdma", "gdma", "cdma"), "dma"),
    }[chip.dma_engines].get(name, name)
    of_cluster = joined in ("bus", "gdma", "cdma", "gdma+iodma", "dma")
    return (joined, cluster) if of_cluster else (joined, *number)


def scalar_cycles(chip: Cluster) -> Callable[[Operation], int]:
    """What scalar operations take."""
    unit = chip.scalar

    def cycles(row: Operation) -> int:
        name = row.name.split(".")[0]
        if row.control == "return":
            return 0
        if row.control is not None:
            return unit.branch
        is_float = name not in MOVES and any(operand.kind.is_float for operand in row.writes)
        if name.startswith(("div", "rem", "sqrt")):
            return unit.floating_divide if is_float else unit.divide
        if is_float:
            return unit.floating
        return unit.multiply if name == "mul" else unit.simple

    return cycles
