"""Runs a program on a chip under SimPy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import simpy

from machines.diagnostics import Location
from machines.kinds.cluster.program import ClusterProgram
from machines.kinds.cluster.queues import IPU
from machines.layout import MemoryFault
from machines.operations.evaluate import OperationFault
from machines.tensors.loops import python_loops
from sim.cores import Core, Failure, Outcome, Request
from sim.cores.cluster.chip import Chip
from sim.cores.cluster.command import Command
from sim.cores.cluster.core import ChipCore
from sim.cores.cluster.scalar import ScalarFault
from sim.cores.cluster.scratchpads import CoreNumber, Owner
from sim.cores.cluster.statistics import CAUSES, Statistics, gathered
from sim.cores.cluster.under_way import RaceFault, UnderWay
from sim.cores.cluster.values import Values
from sim.engine import Engine
from sim.status import FAULT


class _Run:
    def __init__(self, request: Request):
        self.request, self.clock = request, Engine(request)
        self.program: ClusterProgram = request.program
        size = len(self.program.locations)
        self.executed = np.zeros(size, np.int64)
        self.stalls = np.zeros((size, len(CAUSES)), np.int64)
        self.columns = {name: column for column, name in enumerate(CAUSES)}
        self.failure: Failure | None = None
        self.under_way = UnderWay()
        self.chip = Chip(
            self.clock.environment,
            request.machine.description,
            self.program,
            request.memory,
            request.arguments,
            self.begins,
            self.ends,
            self.count,
            self.charge,
            self.result,
        )
        self.values = Values(self.chip.memory, python_loops)

    def count(self, role: str, position: int) -> None:
        self.executed[self.program.first[role] + position] += 1

    def charge(self, role: str, position: int, reason: str, cycles: int) -> None:
        self.stalls[self.program.first[role] + position, self.columns[reason]] += cycles

    def begins(self, command: Command) -> None:
        try:
            self.under_way.begin(command)
        except RaceFault as race:
            self.race(race)

    def ends(self, command: Command) -> None:
        if self.failure is None:
            self.under_way.end(command)
            self.values.perform(command)
            self.tell(command)

    def result(self, command: Command) -> Any:
        return self.values.results.pop(command)

    def tell(self, command: Command) -> None:
        """An event of the trace."""
        if self.request.on_trace is not None:
            cluster, core = command.core
            self.request.on_trace([{
                "cycle": self.clock.now,
                "event": "command",
                "cluster": cluster,
                "core": core,
                "queue": command.instruction.queue,
                "begin": command.begun,
                "operation": command.instruction.row.name,
                "line": self.line(command.core, command.position),
            }])  # fmt: skip

    def line(self, core: CoreNumber, position: int) -> int | None:
        location = self.location(core, position)
        return location.line if location else None

    def location(self, core: CoreNumber, position: int) -> Location | None:
        return self.program.locations[self.program.first[self.role(core)] + position]

    def role(self, core: CoreNumber) -> str:
        return next(one.code.role for one in self.chip.cores if one.number == core)

    def process(self, core: ChipCore) -> Iterator[simpy.Event]:
        """A core until it ends or faults."""
        try:
            yield from core.run()
        except ScalarFault as fault:
            yield from core.spend(fault.position, "scalar", core.environment.timeout(fault.cycles))
            self.fail(fault.kind, core.number, fault.position, None)
        except (MemoryFault, OperationFault) as fault:
            self.fail(fault.kind, core.number, core.doing[0], fault.address)

    def fail(self, kind: str, core: CoreNumber, position: int, address: int | None, **more) -> None:
        where = self.name(core)
        location = self.location(core, position)
        self.failure = self.failure or Failure(
            kind, self.clock.now, where, location, address, {"core": list(core), **more}
        )
        self.clock.stop(FAULT)

    def race(self, race: RaceFault) -> None:
        first, second = race.first, race.second
        kind = (
            f"race: '{first.instruction.row}' of {self.name(first.core)}"
            f"{self.at_line(first)} is under way and touches bytes {race.begin} to "
            f"{race.end - 1} of {memory_name(race.memory)}, too"
        )
        self.fail(kind, second.core, second.position, race.begin)

    def at_line(self, command: Command) -> str:
        line = self.line(command.core, command.position)
        return "" if line is None else f" in line {line}"

    def name(self, core: CoreNumber) -> str:
        cluster, number = core
        if self.role(core) == IPU:
            return f"core {number} of cluster {cluster}"
        return f"the MEM core of cluster {cluster}"

    def who_waits(self) -> str:
        """Who waits for whom, of cores for whom nothing comes."""
        found = []
        for core in self.chip.cores:
            if not core.ended:
                position, what = core.doing
                location = self.location(core.number, position)
                at = f" at {location}" if location else ""
                row = core.code.code[position].row
                found.append(f"{self.name(core.number)} waits in '{row}'{at}")
        ended = [self.name(core.number) for core in self.chip.cores if core.ended]
        if ended:
            found.append(f"{', '.join(ended)} ended")
        return "; ".join(found)


def memory_name(memory: Owner) -> str:
    """'nram of core 0 of cluster 1'."""
    space, cluster, core = memory
    if space == "dram":
        return "dram"
    return f"sram of cluster {cluster}" if space == "sram" else (
        f"{space} of core {core} of cluster {cluster}"
    )


def run(request: Request) -> Outcome:
    """Run all cores of a program."""
    one = _Run(request)
    processes = [one.process(core) for core in one.chip.cores]
    one.clock.run(processes, one.who_waits)
    for process in processes:
        process.close()
    statistics: Statistics = gathered(one.chip, one.clock.cycles)
    return Outcome(
        one.clock.status,
        statistics.cycles,
        statistics,
        statistics.spent,
        failure=one.failure,
        causes=CAUSES,
        executed=one.executed,
        stalls=one.stalls,
        waits_for=one.clock.waits_for,
        state=one.chip.memory,
    )


CORE = Core(run, model=1)
