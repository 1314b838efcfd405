"""Runs programs on a chip of clusters under SimPy: counts, computes values, looks for races."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

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
from sim.cores.cluster.races.accesses import Work
from sim.cores.cluster.races.detector import NotThere, Race, Races
from sim.cores.cluster.races.order import Step
from sim.cores.cluster.scalar import ScalarFault
from sim.cores.cluster.statistics import Statistics, gathered
from sim.cores.cluster.timeline import Timeline
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
        self.races: Races | None = None
        if request.values and request.races:
            self.races = Races(self.race, self.not_there, self.program.locations)
        self.chip = Chip(
            self.clock.environment, request.machine.description, self.program, request.memory
        )
        self.jobs: dict[RunningJob, int] = {}
        self.timeline: Timeline | None = None
        if request.on_trace is not None:
            self.timeline = Timeline(self.chip, self.program.locations, request.on_trace)
        self.host = Host(self.clock, self.chip, self.launched, self.step_begins, self.gives)
        self.clock.rests(self.so_far, self)

    def at_rest(self) -> Plain:
        races = self.races.at_rest() if self.races is not None else None
        return {"chip": self.chip.at_rest(), "host": self.host.at_rest(), "races": races}

    def restore(self, state: Plain) -> None:
        self.chip.restore(state["chip"])
        self.host.restore(state["host"])
        if self.races is not None:
            self.races.restore(state["races"])

    def processes(self) -> list[Process]:
        """What the host does; without one a job that has the chip to itself."""
        if self.request.host:
            return self.clock.streams(self.host.step, lambda step: step.arrival)
        kernel = self.program.kernel(self.program.entry)
        return [self.alone(kernel, whole_chip(self.chip.machine))]

    def alone(self, kernel: Kernel, job: Job) -> Process:
        yield self.start(kernel, job, self.request.arguments, Step(0, 1), ())

    def launched(self, launch: Launch, job: Job, step: Step) -> simpy.Event:
        kernel = self.program.kernel(launch.kernel)
        return self.start(kernel, job, launch.arguments, step, launch.of_host)

    def start(
        self,
        kernel: Kernel,
        job: Job,
        arguments: Mapping[str, Number],
        step: Step,
        of_host: Sequence[str],
    ) -> simpy.Event:
        """Let a job begin; the event is its end."""
        loops = jitted_loops if self.request.values else None
        running = RunningJob(self.chip, kernel, job, arguments, loops, step, self.gives, self.ends)
        if self.races is not None:
            is_stream = len(self.request.host) <= 1
            is_only = is_stream and job.tasks <= len(job.clusters) * len(job.cores)
            self.races.begins(step, kernel, of_host, is_stream=is_stream, is_only=is_only)
        if self.timeline is not None:
            for core in running.cores:
                core.tells = self.timeline.core_did
        self.jobs[running] = self.clock.now
        ended = running.run(self.process)
        ended.callbacks.append(lambda event: self.ended(running))
        return ended

    def ended(self, running: RunningJob) -> None:
        running.account()
        begin = self.jobs.pop(running)
        if running.layers is not None:
            self.chip.layers.job_ended(running.layers, self.clock.now)
        if self.races is not None:
            self.races.ends(running.step)
        if self.timeline is not None:
            self.timeline.job_ended(running, begin)

    def outcome(self) -> Outcome:
        """What it came to, all of whose jobs are accounted for."""
        return self._outcome(gathered(self.chip, self.clock.cycles))

    def so_far(self) -> Outcome:
        """What it would come to if it ended now."""
        return self._outcome(gathered(self.chip, self.clock.cycles, self.jobs))

    def _outcome(self, statistics: Statistics) -> Outcome:
        clock = self.clock
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

    def step_begins(self) -> None:
        """A step of a stream of the host."""
        if self.races is not None and len(self.request.host) == 1:
            self.races.alone()

    def gives(self, work: Work) -> None:
        if self.races is not None and self.failure is None:
            self.races.gives(work)

    def ends(self, command: Command) -> None:
        if self.timeline is not None:
            self.timeline.command_ended(command)

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

    def race(self, race: Race, work: Work) -> None:
        """Two commands have no order: whoever looks for all of them is told, else the run ends."""
        if self.request.on_race is not None:
            self.request.on_race(race)
        else:
            self.fail_before(work, race, {"race": race.plain})

    def not_there(self, found: NotThere, work: Work) -> None:
        """A command reads what nobody has brought."""
        self.fail_before(work, found, {})

    def fail_before(self, work: Work, found: Race | NotThere, details: dict) -> None:
        """A command is not carried out."""
        core = {"core": list(work.core)} if isinstance(work, Command) else {}
        details = {**core, **details}
        self.fail(str(found), work.giver, work.location, None, details, hint=found.hint)

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
        hint: str | None = None,
    ) -> None:
        """`position` is among the locations of the program."""
        if self.failure is None:
            location = self.program.locations[position] if position is not None else None
            self.failure = Failure(
                kind, self.clock.now, where, location, address, details, about, hint
            )
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


def run(request: Request) -> Running:
    """Run what the host does, or all cores of a program."""
    one = ChipRun(request)
    yield from one.clock.run(one.processes(), one, one.who_waits)
    for job in one.jobs:
        job.account()
    outcome = one.outcome()
    if one.timeline is not None:
        one.timeline.end(one.jobs)
    return outcome


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


CORE = Core(run, model=3, needs_values=needs_values, finds_races=True)
