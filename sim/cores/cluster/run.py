"""Runs programs on a chip of clusters under SimPy: counts, computes values, finds races."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import simpy

from machines.diagnostics import Diagnostic
from machines.kinds.cluster.program import ClusterProgram, Kernel
from machines.kinds.cluster.tasks import Job, whole_chip
from machines.tensors.work import Number
from sim.cores import Core, Failure, Outcome, Request, Running
from sim.cores.cluster.chip import Chip
from sim.cores.cluster.command import Command
from sim.cores.cluster.command_faults import CommandFault
from sim.cores.cluster.core import CAUSES, SCALAR, ChipCore
from sim.cores.cluster.host import Host
from sim.cores.cluster.host_steps import Launch
from sim.cores.cluster.job import RunningJob
from sim.cores.cluster.numbers_that_count import numbers_that_count
from sim.cores.cluster.scalar import ScalarFault
from sim.cores.cluster.scratchpads import Owner
from sim.cores.cluster.statistics import gathered
from sim.cores.cluster.under_way import RaceFault, UnderWay, Work
from sim.cores.rest import Plain
from sim.cores.tensor_loops import jitted_loops
from sim.engine import Engine, Process
from sim.status import FAULT


class ChipRun:
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
            self.begins,
        )
        self.jobs: dict[RunningJob, None] = {}
        self.host = Host(self.clock, self.chip, self.launched, self.begins, self.ends)
        self.clock.rests(self.outcome, self)

    def at_rest(self) -> Plain:
        return {"chip": self.chip.at_rest(), "ready_at": self.host.dispatcher.ready_at}

    def take_up(self, state: Plain) -> None:
        self.chip.take_up(state["chip"])
        self.host.dispatcher.ready_at = state["ready_at"]

    def processes(self) -> list[Process]:
        """What the host does; without one a job that has the chip to itself."""
        if self.request.host:
            return self.clock.streams(self.host.step, lambda step: step.arrival)
        kernel = self.program.kernel(self.program.entry)
        return [self.alone(kernel, whole_chip(self.chip.machine))]

    def alone(self, kernel: Kernel, job: Job) -> Process:
        yield self.start(kernel, job, self.request.arguments)

    def launched(self, launch: Launch, job: Job) -> simpy.Event:
        return self.start(self.program.kernel(launch.kernel), job, launch.arguments)

    def start(self, kernel: Kernel, job: Job, arguments: Mapping[str, Number]) -> simpy.Event:
        """Let a job begin; the event is its end."""
        begin, loops = self.clock.now, jitted_loops if self.request.values else None
        running = RunningJob(self.chip, kernel, job, arguments, loops, self.ends)
        self.jobs[running] = None
        ended = running.run(self.process)
        ended.callbacks.append(lambda event: self.ended(running, begin))
        return ended

    def ended(self, running: RunningJob, begin: int) -> None:
        running.account()
        del self.jobs[running]
        if self.request.on_trace is not None:
            event = {"cycle": self.clock.now, "event": "job", "begin": begin}
            self.request.on_trace([{**event, **running.described()}])

    def outcome(self) -> Outcome:
        """What it came to, or would if it ended now, all of whose jobs are accounted for."""
        clock, statistics = self.clock, gathered(self.chip, self.clock.cycles)
        return Outcome(
            clock.status,
            statistics.cycles,
            statistics,
            statistics.spent,
            failure=self.failure,
            causes=CAUSES,
            executed=self.chip.executed,
            stalls=self.chip.stalls,
            waits_for=clock.waits_for,
            steps=clock.steps,
        )

    # What cores and engines tell

    def begins(self, work: Work) -> None:
        if self.under_way is not None:
            try:
                self.under_way.begin(work)
            except RaceFault as race:
                self.race(race)

    def ends(self, work: Work) -> None:
        if self.under_way is not None and self.failure is None:
            self.under_way.end(work)
        if self.request.on_trace is not None and isinstance(work, Command):
            self.request.on_trace([self.event(work)])

    def event(self, command: Command) -> dict[str, object]:
        """Of the trace."""
        cluster, core = command.core
        location = self.program.locations[command.location]
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

    def process(self, core: ChipCore) -> Process:
        """A core until it ends or faults."""
        try:
            yield from core.run()
        except ScalarFault as fault:
            core.does(fault.position, SCALAR)
            yield core.environment.timeout(fault.cycles)
            self.fail_at(core, fault.position, fault.kind)
        except CommandFault as fault:
            self.fail_at(core, core.doing[0], fault.kind, fault.address, fault.about)

    def race(self, race: RaceFault) -> None:
        first, second = race.first, race.second
        location = self.program.locations[first.location] if first.location is not None else None
        line = f" in line {location.line}" if location else ""
        kind = (
            f"a race for bytes {race.begin} to {race.end - 1} of {memory_name(race.memory)} with "
            f"{first.title}{line} of {first.giver}, which is under way"
        )
        details = {"core": list(second.core)} if isinstance(second, Command) else {}
        self.fail(kind, second.giver, second.location, None, details)

    def fail_at(
        self, core: ChipCore, position: int, kind: str, address: int | None = None, about: str = ""
    ) -> None:
        details = {"core": list(core.number)}
        self.fail(kind, core.name, core.code.first + position, address, details, about)

    def fail(
        self,
        kind: str,
        where: str,
        position: int | None,
        address: int | None,
        details: dict,
        about: str = "",
    ) -> None:
        """`position` is among the locations of the program."""
        if self.failure is None:
            location = self.program.locations[position] if position is not None else None
            self.failure = Failure(kind, self.clock.now, where, location, address, details, about)
            self.clock.stop(FAULT)

    def who_waits(self) -> str:
        """Who waits for whom, of cores for whom nothing comes."""
        found, cores = [], [core for job in self.jobs for core in job.cores]
        for core in cores:
            if not core.ended:
                position, _ = core.doing
                location = self.program.locations[core.code.first + position]
                at = f" at {location}" if location else ""
                found.append(f"{core.name} waits in '{core.code.code[position]}'{at}")
        ended = [core.name for core in cores if core.ended]
        return "; ".join([*found, f"{', '.join(ended)} ended"] if ended else found)


def memory_name(memory: Owner) -> str:
    """'nram of core 0 of cluster 1'."""
    space, cluster, core = memory
    if space == "dram":
        return "DRAM"
    of_core = f"core {core} of " if space != "sram" else ""
    return f"{space} of {of_core}cluster {cluster}"


def run(request: Request) -> Running:
    """Run what the host does, or all cores of a program."""
    one = ChipRun(request)
    yield from one.clock.run(one.processes(), one, one.who_waits)
    for job in one.jobs:
        job.account()
    return one.outcome()


def needs_values(program: ClusterProgram) -> Iterator[Diagnostic]:
    """Commands that give a core a number by which it goes on."""
    for code in program.codes:
        for position, decided in sorted(numbers_that_count(code).items()):
            by, location = code.code[decided], program.locations[code.first + decided]
            line = f" in line {location.line}" if location else ""
            message = (
                f"'{code.code[position].row}' gives the core a number by which '{by.row}'{line} "
                "goes: what happens next depends on values"
            )
            location = program.locations[code.first + position]
            yield Diagnostic(message, location, hint="leave --timing-only out")


CORE = Core(run, model=3, needs_values=needs_values)
