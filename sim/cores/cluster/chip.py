"""The hardware of a chip: links, engines, and the processors that jobs get."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import simpy

from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.program import ClusterProgram
from machines.kinds.cluster.queues import DMAS, IPU, MEM, QUEUES
from machines.layout import Memory
from machines.operations.row import Operation
from sim.cores.cluster.compute_queue import ComputeQueue
from sim.cores.cluster.core import CAUSES, DOES
from sim.cores.cluster.costs import Costs
from sim.cores.cluster.layers import Layers
from sim.cores.cluster.scalar import Translated
from sim.cores.cluster.scratchpads import CoreNumber, Places
from sim.cores.cluster.transfers.dma_engine import DmaEngine
from sim.cores.cluster.transfers.links import Links
from sim.cores.cluster.transfers.staged_copies import StagedCopies
from sim.cores.rest import Plain

COMPUTE = "compute"
MOVES = ("bits", "const", "copy", "select")
"""Scalar operations that are simple whatever they move."""


@dataclass
class Processor:
    """What runs the code of a core.

    number   cluster and core; the MEM core comes behind the others
    engines  by the queue whose commands they take
    spent    cycles by what it did, of the jobs that it had
    """

    number: CoreNumber
    role: str
    engines: Mapping[str, DmaEngine | ComputeQueue | StagedCopies]
    spent: dict[str, int] = field(default_factory=lambda: dict.fromkeys(DOES, 0))

    def note(self, spent: Mapping[str, int]) -> None:
        """Add what it did for a job."""
        for what, cycles in spent.items():
            self.spent[what] += cycles


@dataclass
class Chip:
    """One chip, made for one run of a program.

    processors  by number: all that compute, and the MEM cores if anything runs there
    places, translated, costs  of kernels by name where buffers stand; of codes by where they begin
                their Python, and what their commands cost
    executed, stalls  by instruction of the program, of all cores
    barriers    how often a barrier was passed
    layers      what each layer of the program costs; None of one that has none
    """

    environment: simpy.Environment
    machine: Cluster
    program: ClusterProgram
    dram: Memory
    processors: dict[CoreNumber, Processor] = field(init=False)
    engines: list[DmaEngine | ComputeQueue] = field(init=False)
    barriers: int = 0

    def __post_init__(self) -> None:
        machine, program, size = self.machine, self.program, len(self.program.locations)
        self.executed = np.zeros(size, np.int64)
        self.stalls = np.zeros((size, len(CAUSES)), np.int64)
        self.links = Links(self.environment, machine)
        self.places = {kernel.name: Places(kernel, self.dram) for kernel in program.kernels}
        cycles = scalar_cycles(machine)
        self.translated = {code.first: Translated(code, cycles) for code in program.codes}
        self.costs = {
            code.first: Costs(code, machine, self.links, self.places[kernel.name])
            for kernel in program.kernels
            for code in kernel.codes
        }
        roles = {code.role for code in program.codes}
        self._engines: dict[Any, DmaEngine | ComputeQueue] = {}
        self.processors = {
            (cluster, core): self._processor(role, (cluster, core))
            for cluster in range(machine.clusters)
            for core, role in [*((k, IPU) for k in range(machine.cores)), (machine.cores, MEM)]
            if role in roles
        }
        self.engines = list(self._engines.values())
        self.layers: Layers | None = None
        if program.layers:
            counts = Counter(engine.name for engine in self.engines)
            self.layers = Layers(program, machine, counts, self.links.sorts())
            for engine in self.engines:
                engine.layers = self.layers

    def at_rest(self) -> Plain:
        """What it holds while no job is there: what was done, and what is open in DRAM."""
        return {
            "processors": [dict(processor.spent) for processor in self.processors.values()],
            "engines": [engine.at_rest() for engine in self.engines],
            "links": self.links.at_rest(),
            "executed": self.executed,
            "stalls": self.stalls,
            "barriers": self.barriers,
            "layers": self.layers.at_rest() if self.layers is not None else None,
        }

    def restore(self, state: Plain) -> None:
        for processor, spent in zip(self.processors.values(), state["processors"], strict=True):
            processor.spent = dict(spent)
        for engine, own in zip(self.engines, state["engines"], strict=True):
            engine.restore(own)
        self.links.restore(state["links"])
        self.executed[...], self.stalls[...] = state["executed"], state["stalls"]
        self.barriers = state["barriers"]
        if self.layers is not None:
            self.layers.restore(state["layers"])

    def _processor(self, role: str, number: CoreNumber) -> Processor:
        queues = [queue for queue in QUEUES[role] if self._has(role, queue)]
        engines = {queue: self._taker(role, queue, number) for queue in queues}
        return Processor(number, role, engines)

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
            return ComputeQueue(self.environment, self.machine, number)
        dma = getattr(self.machine, name)
        return DmaEngine(
            self.environment,
            self.links.network,
            key[0],
            (*number, len(self._engines)),
            getattr(dma, "outstanding", 1),
            getattr(dma, "channels", 1),
            (key[1], key[2] if len(key) > 2 else None),
        )


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
