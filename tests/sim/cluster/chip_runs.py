"""Runs of programs of commands on chips of clusters: as they are written, no pass but those that
give buffers their addresses and commands their queues."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from compiler import compile
from machines.description.load import load_machine
from machines.layout import Memory
from sim.cores import Outcome, Request
from sim.cores.cluster.host_steps import Copy, Launch
from sim.results.laws import check_sums
from sim.results.vocabulary import vocabulary_of
from sim.simulate import simulate
from sim.timeline.recording import Recording
from sim.timeline.span import Happening

AS_WRITTEN = ["allocate_scratchpads", {"place_waits": {"none": True}}]
LIMIT = 10**9


@dataclass(frozen=True)
class Ended:
    """A command of the trace."""

    cluster: int
    core: int
    queue: str
    begin: int
    cycle: int
    line: int


@dataclass(frozen=True)
class EndedJob:
    """A job of the trace."""

    kernel: str
    first_task: int
    clusters: list[int]
    cores: list[int]
    begin: int
    cycle: int


@dataclass(frozen=True)
class ChipRun:
    outcome: Outcome
    commands: list[Ended]
    memory: Memory
    jobs: list[EndedJob]
    happened: list[Happening]

    @property
    def cycles(self) -> int:
        return self.outcome.cycles

    @property
    def spent(self) -> Mapping[str, int]:
        return self.outcome.breakdown


def run(
    text: str,
    machine: str = "teaching_chip",
    overrides: Iterable[str] = (),
    arguments: Mapping[str, Any] | None = None,
    entry: str = "main",
    values: bool = True,
    host: Mapping[int, Sequence[Launch | Copy]] | None = None,
    status: str = "done",
    limit: int = LIMIT,
) -> ChipRun:
    """A program that ends well; laws are checked by `simulate`, its timeline here.

    values  whether what is computed is wanted, or only time
    host    what the host does in each stream; kernels that it launches are compiled
    status  how the run ends, where it does not end well
    """
    chip = load_machine(machine, list(overrides))
    steps = [step for _, stream in sorted((host or {}).items()) for step in stream]
    kernels = list(dict.fromkeys(step.kernel for step in steps if isinstance(step, Launch)))
    program = compile(
        "test.sir",
        source=text,
        machine=chip,
        entry=None if kernels else entry,
        kernels=kernels,
        passes=AS_WRITTEN,
    ).program
    memory = Memory(buffer.extent for buffer in program.buffers)
    commands: list[Ended] = []
    jobs: list[EndedJob] = []
    happened: list[Happening] = []

    def take(one: Happening) -> None:
        happened.append(one)
        said = one.arguments
        if one.name == "command":
            place = (said["cluster"], said["core"], said["queue"])
            commands.append(Ended(*place, one.begin, one.end, said["location"].line))
        elif one.name == "job":
            told = said["kernel"], said["first_task"], said["clusters"], said["cores"]
            jobs.append(EndedJob(*told, one.begin, one.end))

    recording = Recording(vocabulary_of(chip.kind), take)

    asked = Request(
        program,
        chip,
        memory,
        arguments or {},
        host or {},
        cycle_limit=limit,
        values=values,
        on_trace=recording.take,
    )
    outcome = simulate(asked)
    check_sums(vocabulary_of(chip.kind), recording.summary, outcome.statistics)
    assert outcome.status == status, outcome.failure or outcome.waits_for
    return ChipRun(outcome, commands, memory, jobs, happened)
