"""What each layer of a program costs (see `sim.results.layer`).

A layer is finished when the last of its commands has ended.  Which one that is turns out when a job
ends, so cycles are charged then, job by job in the order in which they began:

    layer 0   ├────────────┤                        0: up to here
    layer 1       ├───────────────┤                 1: from there up to here
    layer 2          ├──────┤                       2: nothing, it was finished before layer 1
                                  rest ├─┤          until the job ends

What engines do is charged to the layer of the oldest command that they have.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction

import numpy as np

from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.program import ClusterProgram, StreamInstruction
from sim.cores.cluster.costs import MATRIX, VECTOR, Cost
from sim.cores.cluster.transfers.sharing import Link
from sim.cores.cluster.work import work_of
from sim.cores.rest import Plain
from sim.results.layer import LAUNCH, REST, Layer


@dataclass
class JobLayers:
    """Of a job at work.

    first   number of the first layer of its kernel
    begins, ends  of each of its layers, and of what belongs to none, the cycles in which a command
            of it was given first and ended last
    pending the layers of commands that have not ended
    ended   None as long as it runs
    """

    first: int
    begin: int
    begins: list[int | None]
    ends: list[int]
    pending: Callable[[], Iterable[int | None]]
    ended: int | None = None

    def place(self, layer: int | None) -> int:
        return -1 if layer is None else layer - self.first

    def ends_by(self, now: int) -> list[int]:
        """The same as `ends`, if it ended now: of what it is at work on the oldest is not done."""
        left = [layer - self.first for layer in self.pending() if layer is not None]
        if self.ended is not None or not left:
            return self.ends
        return [now if k == min(left) else end for k, end in enumerate(self.ends)]


@dataclass
class Charged:
    """Cycles of layers, those of what belongs to none last.

    cycles  each of the run's once, up to cycle `until`; `launch`: when there was no job
    spans   cycles in which a layer had commands, from the first of a job to its last, up to the
            cycles `covered`
    """

    cycles: list[int]
    spans: list[int]
    covered: list[int]
    until: int = 0
    launch: int = 0

    @classmethod
    def of(cls, count: int) -> Charged:
        return cls([0] * count, [0] * count, [0] * count)

    def copy(self) -> Charged:
        return Charged([*self.cycles], [*self.spans], [*self.covered], self.until, self.launch)

    def take(self, job: JobLayers, now: int) -> None:
        """A job that has ended or ends now, of all that were not taken the one that began first."""
        ends, ended = job.ends_by(now), now if job.ended is None else job.ended
        self.launch += max(job.begin - self.until, 0)
        self.until = max(self.until, job.begin)
        places = [*range(job.first, job.first + len(ends) - 1), len(self.cycles) - 1]
        for place, end in zip(places, [*ends[:-1], ended], strict=True):
            if end > self.until:
                self.cycles[place] += end - self.until
                self.until = end
        for place, begin, end in zip(places, job.begins, ends, strict=True):
            if begin is not None:
                self.spans[place] += max(end - max(begin, self.covered[place]), 0)
                self.covered[place] = max(end, self.covered[place])


@dataclass
class Counted:
    """Of one layer, or of what belongs to none; `work` by unit and operations a cycle, `named` by
    type of operations, `least_bytes` of all times that its program began."""

    begin: int | None = None
    end: int | None = None
    commands: int = 0
    least_bytes: int = 0
    work: dict[tuple[str, Fraction], int] = field(default_factory=dict)
    named: dict[str, int] = field(default_factory=dict)
    spent: dict[tuple[str, str], int] = field(default_factory=dict)
    bytes: dict[str, int] = field(default_factory=dict)


class Layers:
    """Of a run of a program that has some."""

    def __init__(
        self,
        program: ClusterProgram,
        machine: Cluster,
        engines: Mapping[str, int],
        links: Mapping[str, Sequence[Link]],
    ):
        """`engines`: how many there are of a name; `links` by their sort."""
        self.program, self.machine = program, machine
        self.engines, self.widths = dict(sorted(engines.items())), _bytes_a_cycle(machine)
        self._sorts = {link: sort for sort in self.widths for link in links[sort]}
        self.counted = [Counted() for _ in (*program.layers, REST)]
        self.charged = Charged.of(len(self.counted))
        self._jobs: deque[JobLayers] = deque()
        numbers = [i.layer for code in program.codes for i in code.code]
        self._of_positions = np.array([-1 if n is None else n for n in numbers], np.int64)

    def of(self, layer: int | None) -> Counted:
        return self.counted[-1 if layer is None else layer]

    # What jobs, cores and engines tell

    def begins(
        self, kernel: str, now: int, pending: Callable[[], Iterable[int | None]]
    ) -> JobLayers:
        """A job of a kernel."""
        own = [k for k, layer in enumerate(self.program.layers) if layer.kernel == kernel]
        for k in own:
            self.counted[k].least_bytes += self.program.layers[k].least_bytes or 0
        count = len(own) + 1
        job = JobLayers(own[0], now, [None] * count, [now] * count, pending)
        self._jobs.append(job)
        return job

    def command_given(self, job: JobLayers, layer: int | None, now: int) -> None:
        """A core gave a command to a queue."""
        place = job.place(layer)
        if job.begins[place] is None:
            job.begins[place], counted = now, self.of(layer)
            counted.begin = now if counted.begin is None else counted.begin

    def command_ended(
        self, job: JobLayers, instruction: StreamInstruction, cost: Cost, now: int
    ) -> None:
        counted = self.of(instruction.layer)
        counted.commands += 1
        job.ends[job.place(instruction.layer)] = counted.end = now
        if cost.unit:
            work = cost.work or work_of(instruction.row, cost.known, self.machine)
            key = cost.unit, work.rate
            counted.work[key] = counted.work.get(key, 0) + work.operations
            counted.named[work.of] = counted.named.get(work.of, 0) + work.operations

    def job_ended(self, job: JobLayers, now: int) -> None:
        job.ended = now
        while self._jobs and self._jobs[0].ended is not None:
            self.charged.take(self._jobs.popleft(), now)

    def did(self, layer: int | None, engine: str, what: str, cycles: int) -> None:
        """An engine did this for a command of a layer."""
        if cycles:
            spent, key = self.of(layer).spent, (engine, what)
            spent[key] = spent.get(key, 0) + cycles

    def moved(self, layer: int | None, name: str, size: int) -> None:
        """An engine moved so many bytes."""
        moved = self.of(layer).bytes
        moved[name] = moved.get(name, 0) + size

    def carried(self, layer: int | None, links: Iterable[tuple[Link, int]]) -> None:
        """Links carry so many bytes."""
        for link, size in links:
            if link in self._sorts:
                self.moved(layer, self._sorts[link], size)

    # What it comes to

    def figures(self, now: int, stalls: np.ndarray, causes: Iterable[str]) -> tuple[Layer, ...]:
        """Of the run up to now, all of whose engines have said what they did: a row for each layer,
        one for what belongs to none, and one for the time without a job."""
        charged = self.charged.copy()
        for job in self._jobs:
            charged.take(job, now)
        waits = np.zeros((len(self.counted), stalls.shape[1]), np.int64)
        np.add.at(waits, self._of_positions, stalls)
        names = [(layer.name, k, layer.kernel) for k, layer in enumerate(self.program.layers)]
        are_known = [layer.least_bytes is not None for layer in self.program.layers]
        rows = [
            Layer(
                *named,
                charged.cycles[k],
                charged.spans[k],
                counted.begin,
                counted.end,
                counted.commands,
                *_by_unit(counted.work),
                {".".join(key): cycles for key, cycles in sorted(counted.spent.items())},
                dict(sorted(counted.bytes.items())),
                dict(zip(causes, waits[k].tolist(), strict=True)),
                self.engines,
                self.widths,
                counted.least_bytes if known else None,
                dict(counted.named),
            )
            for k, (counted, named, known) in enumerate(
                zip(self.counted, [*names, (REST, None, "")], [*are_known, False], strict=True)
            )
        ]
        launch = charged.launch + max(now - charged.until, 0)
        return (*rows, Layer(LAUNCH, cycles=launch))

    def at_rest(self) -> Plain:
        """What was counted, while no job is there."""
        return {
            "charged": asdict(self.charged),
            "layers": [
                [one.begin, one.end, one.commands, one.least_bytes,
                 [[*k, n] for k, n in one.spent.items()], dict(one.bytes),
                 [[unit, *rate.as_integer_ratio(), n] for (unit, rate), n in one.work.items()],
                 dict(one.named)]
                for one in self.counted
            ],
        }  # fmt: skip

    def restore(self, state: Plain) -> None:
        self.charged = Charged(**state["charged"])
        for one, kept in zip(self.counted, state["layers"], strict=True):
            *counts, spent, moved, work, named = kept
            one.begin, one.end, one.commands, one.least_bytes = counts
            one.spent = {(engine, what): cycles for engine, what, cycles in spent}
            one.bytes, one.named = dict(moved), dict(named)
            one.work = {(unit, Fraction(up, down)): n for unit, up, down, n in work}


def _bytes_a_cycle(chip: Cluster) -> dict[str, float]:
    """Of what carries bytes, all of a sort (see `sim.cores.cluster.transfers.links`)."""
    found = {
        "dram": float(chip.dram_bytes_per_cycle),
        "ports": float(chip.noc.width * chip.clusters),
    }
    for name, one in {"srams": chip.sram, "buses": chip.bus}.items():
        if one is not None:
            found[name] = float(one.width * chip.clusters)
    return found


def _by_unit(
    work: Mapping[tuple[str, Fraction], int],
) -> tuple[dict[str, int], dict[str, float]]:
    """Operations, and the cycles that they take at the full rate."""
    operations, least = {VECTOR: 0, MATRIX: 0}, {VECTOR: Fraction(0), MATRIX: Fraction(0)}
    for (unit, rate), count in work.items():
        operations[unit] += count
        least[unit] += count / rate
    return operations, {unit: float(cycles) for unit, cycles in least.items()}
