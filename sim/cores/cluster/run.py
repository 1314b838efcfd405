"""Runs programs on a chip of clusters under SimPy: counts, computes values, finds races."""

from __future__ import annotations

from collections.abc import Iterator

import simpy

from machines.diagnostics import Diagnostic, Location
from machines.kinds.cluster.program import ClusterProgram
from machines.layout import MemoryFault
from machines.operations.evaluate import OperationFault
from machines.tensors.work import Number
from sim.cores import Core, Failure, Outcome, Request
from sim.cores.cluster.chip import Chip
from sim.cores.cluster.command import Command
from sim.cores.cluster.core import CAUSES, SCALAR, ChipCore
from sim.cores.cluster.scalar import ScalarFault
from sim.cores.cluster.scratchpads import Owner
from sim.cores.cluster.statistics import gathered
from sim.cores.cluster.under_way import RaceFault, UnderWay
from sim.cores.cluster.values import Values
from sim.cores.tensor_loops import jitted_loops
from sim.engine import Engine
from sim.status import FAULT


class _Run:
    """What happens beside time."""

    def __init__(self, request: Request):
        self.request, self.clock = request, Engine(request)
        self.program: ClusterProgram = request.program
        self.failure: Failure | None = None
        self.under_way = UnderWay() if request.values else None
        self.chip = Chip(
            self.clock.environment,
            request.machine.description,
            self.program,
            request.memory,
            request.arguments,
            self.begins,
            self.ends,
            self.result,
        )
        self.values = Values(self.chip.memory, jitted_loops) if request.values else None

    # What cores and engines tell

    def begins(self, command: Command) -> None:
        if self.under_way is not None:
            try:
                self.under_way.begin(command)
            except RaceFault as race:
                self.race(race)

    def ends(self, command: Command) -> None:
        if self.values is not None and self.failure is None:
            self.under_way.end(command)
            self.values.perform(command)
        if self.request.on_trace is not None:
            self.request.on_trace([self.event(command)])

    def result(self, command: Command) -> Number | None:
        return self.values.results.pop(command)

    def event(self, command: Command) -> dict[str, object]:
        """Of the trace."""
        cluster, core = command.core
        location = self.location(command)
        return {
            "cycle": self.clock.now,
            "event": "command",
            "cluster": cluster,
            "core": core,
            "queue": command.instruction.queue,
            "begin": command.begun,
            "operation": command.instruction.row.name,
            "line": location.line if location else None,
        }

    # How a run ends early

    def process(self, core: ChipCore) -> Iterator[simpy.Event]:
        """A core until it ends or faults."""
        try:
            yield from core.run()
        except ScalarFault as fault:
            core.does(fault.position, SCALAR)
            yield core.environment.timeout(fault.cycles)
            self.fail(fault.kind, core, fault.position, None)
        except (MemoryFault, OperationFault) as fault:
            self.fail(fault.kind, core, core.doing[0], fault.address)

    def race(self, race: RaceFault) -> None:
        first, second = race.first, race.second
        location = self.location(first)
        line = f" in line {location.line}" if location else ""
        kind = (
            f"a race for bytes {race.begin} to {race.end - 1} of {memory_name(race.memory)} with "
            f"'{first.instruction.row}'{line} of {self.core(first).name}, which is under way"
        )
        self.fail(kind, self.core(second), second.position, None)

    def fail(self, kind: str, core: ChipCore, position: int, address: int | None) -> None:
        if self.failure is None:
            location = self.program.locations[self.program.first[core.code.role] + position]
            details = {"core": list(core.number)}
            self.failure = Failure(kind, self.clock.now, core.name, location, address, details)
            self.clock.stop(FAULT)

    def core(self, command: Command) -> ChipCore:
        return next(core for core in self.chip.cores if core.number == command.core)

    def location(self, command: Command) -> Location | None:
        first = self.program.first[self.core(command).code.role]
        return self.program.locations[first + command.position]

    def who_waits(self) -> str:
        """Who waits for whom, of cores for whom nothing comes."""
        found = []
        for core in self.chip.cores:
            if not core.ended:
                position, _ = core.doing
                location = self.program.locations[self.program.first[core.code.role] + position]
                at = f" at {location}" if location else ""
                found.append(f"{core.name} waits in '{core.code.code[position]}'{at}")
        ended = [core.name for core in self.chip.cores if core.ended]
        return "; ".join([*found, f"{', '.join(ended)} ended"] if ended else found)


def memory_name(memory: Owner) -> str:
    """'nram of core 0 of cluster 1'."""
    space, cluster, core = memory
    if space == "dram":
        return "DRAM"
    of_core = f"core {core} of " if space != "sram" else ""
    return f"{space} of {of_core}cluster {cluster}"


def run(request: Request) -> Outcome:
    """Run all cores of a program."""
    one = _Run(request)
    processes = [one.process(core) for core in one.chip.cores]
    one.clock.run(processes, one.who_waits)
    for core in one.chip.cores:
        core.does(*core.doing)
        core.stretches.add_to(core.executed)
    statistics = gathered(one.chip, one.clock.cycles)
    return Outcome(
        one.clock.status,
        statistics.cycles,
        statistics,
        statistics.spent,
        failure=one.failure,
        causes=CAUSES,
        executed=one.chip.executed,
        stalls=one.chip.stalls,
        waits_for=one.clock.waits_for,
        state=one.chip.memory,
    )


def needs_values(program: ClusterProgram) -> Iterator[Diagnostic]:
    """Commands that give a core a number to go on with."""
    for code in program.codes:
        for position, instruction in enumerate(code.code):
            if instruction.queue is not None and instruction.results:
                message = (
                    f"'{instruction.row}' gives the core a number, so what happens next depends on "
                    "values"
                )
                location = program.locations[program.first[code.role] + position]
                hint = "leave --timing-only out, or write the result to nram: tensor.reduce_…"
                yield Diagnostic(message, location, hint=hint)


CORE = Core(run, model=2, needs_values=needs_values)
