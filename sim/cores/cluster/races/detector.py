"""Finds races of a run: commands that touch the same bytes, one of which writes them, and of which
nothing says which comes first.

What comes first in this run may come second on a machine with other times.  So a run without races
leaves what it leaves whatever the times are, and one with a race has no values that are worth
anything: it ends there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from machines.diagnostics import Location
from machines.instructions.cluster_control import WAITS
from machines.kinds.cluster.program import Kernel
from machines.kinds.cluster.queues import IPU
from sim.cores.cluster.arrays_of_host import ArraysOfHost
from sim.cores.cluster.command import Command
from sim.cores.cluster.costs import Cost
from sim.cores.cluster.races.accesses import Accesses, Spot, Unordered, Work
from sim.cores.cluster.races.bytes_touched import Bytes
from sim.cores.cluster.races.order import CoreOrder, Lane, Step
from sim.cores.cluster.races.own_accesses import OwnAccesses
from sim.cores.cluster.scratchpads import Owner, owner
from sim.cores.rest import Plain

DRAM = owner("dram", (0, 0))
Touches = list[tuple[Owner, Accesses | OwnAccesses, Spot]]
MOST_KEPT = 10_000
"""Commands of a job of which it is known what they touch."""
ROW_OF = {queue: row for row, (queue, _) in WAITS.items()}


@dataclass(frozen=True)
class Side:
    """One of the two.

    title     what it does: "'tensor.add.f32'"
    giver     who gave it, and `core`: cluster and core, None of the host
    does      'reads' or 'writes', and `interval`: what, as programs write it
    """

    title: str
    giver: str
    core: tuple[int, int] | None
    location: Location | None
    does: str
    interval: str

    @property
    def plain(self) -> dict[str, Any]:
        """As results have it."""
        cluster, core = self.core if self.core is not None else (None, None)
        return {
            "operation": self.title.strip("'"),
            "cluster": cluster,
            "core": core,
            "location": self.location,
            "does": self.does,
            "interval": self.interval,
        }


@dataclass(frozen=True)
class Race:
    """Two commands without an order.

    earlier, later  as they were given in this run
    memory, begin, end  bytes begin … end - 1 of a memory, which both touch
    hint            who would have to wait for whom
    """

    earlier: Side
    later: Side
    memory: str
    begin: int
    end: int
    hint: str

    def __str__(self) -> str:
        at = _place(self.earlier.location, self.later.location)
        return (
            f"a race for bytes {self.begin} to {self.end - 1} of {self.memory}: {self.later.title} "
            f"{self.later.does} {self.later.interval}, {self.earlier.title}{at} of "
            f"{self.earlier.giver} {self.earlier.does} {self.earlier.interval}, and nothing says "
            "which comes first"
        )

    @property
    def plain(self) -> dict[str, Any]:
        """As results have it."""
        return {
            "earlier": self.earlier.plain,
            "later": self.later.plain,
            "memory": self.memory,
            "begin": self.begin,
            "end": self.end,
        }


@dataclass(frozen=True)
class NotThere:
    """A command that reads an array of the host of which no copy has brought the bytes."""

    interval: str
    buffer: str

    def __str__(self) -> str:
        return f"it reads {self.interval}, and no copy has brought '{self.buffer}' to the device"

    @property
    def hint(self) -> str:
        return f"{{copy: {self.buffer}, to: device}} before the launch, in its stream"


class Races:
    """Of one run.

    race, not_there  are called with what was found, and with the command that was given then
    locations        of the program
    """

    def __init__(
        self,
        race: Callable[[Race, Work], None],
        not_there: Callable[[NotThere, Work], None],
        locations: Sequence[Location | None],
    ):
        self._race, self._not_there, self._locations = race, not_there, locations
        self._dram, self._of_host = Accesses(), ArraysOfHost()
        self._jobs: dict[Step, _Job] = {}

    def begins(
        self, step: Step, kernel: Kernel, of_host: Iterable[str], *, is_stream: bool, is_only: bool
    ) -> None:
        """A job.

        of_host    buffers in DRAM that hold what only the host has, until a copy brings it
        is_stream  whether nobody else comes to DRAM but what was launched with it, until `alone`
        is_only    whether that is nothing
        """
        self._dram.only = step if is_only else None
        self._jobs[step] = _Job(self._dram, kernel, step, frozenset(of_host), is_stream)

    def ends(self, step: Step) -> None:
        """A job, with its scratchpads."""
        del self._jobs[step]
        self._dram.only = None

    def alone(self) -> None:
        """All that was done has ended for whatever comes: there is one stream."""
        self._dram.forget()
        self._dram.only = None

    def gives(self, work: Work) -> None:
        """A command is given, or the host copies."""
        job = self._jobs.get(work.lane.core.step)
        touches = self._of_copy(work) if job is None else job.touches(work)
        for memory, accesses, spot in touches:
            for found in accesses.come(work, spot):
                self._race(self._said(found, memory), work)
        if job is None or job.of_host:
            self._look_for(work, job.of_host if job is not None else frozenset())

    def _of_copy(self, copy: Work) -> Touches:
        return [(memory, self._dram, Spot(one)) for memory, one in copy.touches()]

    def _look_for(self, work: Work, of_host: frozenset[str]) -> None:
        """What it reads must be in DRAM, and what it writes is from now on."""
        touched = [one for memory, one in work.touches() if memory == DRAM]
        for one in touched:
            if one.buffer in of_host and not one.stores and self._of_host.missing(one):
                self._not_there(NotThere(work.interval(one), one.buffer), work)
        for one in touched:
            if one.stores:
                self._of_host.written(one)

    def _said(self, found: Unordered, memory: Owner) -> Race:
        common = found.theirs.common(found.ours)
        assert common is not None, "places that meet have bytes in common"
        earlier = self._side(found.earlier, found.theirs)
        later = self._side(found.later, found.ours)
        hint = _hint(found.earlier, found.later, found.theirs.stores and found.ours.stores)
        return Race(earlier, later, memory_name(memory), *common, hint)

    def _side(self, work: Work, one: Bytes) -> Side:
        location = self._locations[work.location] if work.location is not None else None
        core = work.core if isinstance(work, Command) else None
        does = "writes" if one.stores else "reads"
        return Side(work.title, work.giver, core, location, does, work.interval(one))

    # At rest no job is there, and all that was done has ended

    def at_rest(self) -> Plain:
        """What it holds: of DRAM what each stream came to, of which one access answers for all."""
        self._restore(self._kept())
        there = [[name, *runs] for name, runs in sorted(self._of_host.there.items())]
        return {"accesses": self._kept(), "there": there}

    def restore(self, state: Plain) -> None:
        self._restore(state["accesses"])
        self._of_host.there = {name: runs for name, *runs in state["there"]}

    def _kept(self) -> list[list[Any]]:
        found: dict[tuple, list[Any]] = {}
        for one, work in self._dram.last:
            steps = [list(step) for step in one.steps]
            stream = work.lane.core.step.stream
            place = [one.buffer, one.stores, one.start, one.length, steps, stream]
            said = [work.title, work.giver, work.location, work.interval(one)]
            found.setdefault((one, stream), [*place, *said])
        return sorted(found.values(), key=repr)

    def _restore(self, kept: Iterable[Sequence[Any]]) -> None:
        self._dram.forget()
        for buffer, stores, start, length, steps, stream, *said in kept:
            one = Bytes(buffer, "dram", stores, start, length, tuple(map(tuple, steps)))
            lane = Step(stream, -1).core().lanes[0]
            self._dram.remember(Past(lane, 1, *said), one)


class _Job(dict[Owner, Accesses | OwnAccesses]):
    """The memories of a job; DRAM is that of all.

    of_host    buffers there that hold what only the host has
    is_stream  whether what its kernel does not write is written by nobody
    """

    def __init__(
        self, dram: Accesses, kernel: Kernel, step: Step, of_host: frozenset[str], is_stream: bool
    ):
        super().__init__({DRAM: dram})
        self.of_host = of_host
        self._kernel, self._step, self._is_stream = kernel, step, is_stream
        self._found: dict[tuple[CoreOrder, Cost], Touches] = {}

    def __missing__(self, memory: Owner) -> Accesses | OwnAccesses:
        made: Accesses | OwnAccesses
        if memory[0] in ("nram", "wram") and not self._kernel.sends:
            made = OwnAccesses(self._kernel.parts)
        else:
            made = Accesses()
            made.only = self._step
        self[memory] = made
        return made

    def touches(self, command: Command) -> Touches:
        """What it comes to that somebody may write; found once for what a core does again."""
        key = command.lane.core, command.cost
        found = self._found.get(key)
        if found is None:
            found = [(memory, self[memory], Spot(one)) for memory, one in command.touches()
                     if self._is_written(one)]  # fmt: skip
            if command.targets == (command.core,):
                if len(self._found) >= MOST_KEPT:
                    self._found.clear()
                self._found[key] = found
        return found

    def _is_written(self, one: Bytes) -> bool:
        return one.stores or not self._is_stream or one.buffer in self._kernel.written


@dataclass(frozen=True, slots=True, eq=False)
class Past:
    """What was done before a run was kept, as `sim.cores.cluster.races.accesses.Work`."""

    lane: Lane
    epoch: int
    title: str
    giver: str
    location: int | None
    written: str

    def interval(self, one: Bytes) -> str:
        return self.written


def memory_name(memory: Owner) -> str:
    """'nram of core 0 of cluster 1'."""
    space, cluster, core = memory
    if space == "dram":
        return "DRAM"
    of_core = f"core {core} of " if space != "sram" else ""
    return f"{space} of {of_core}cluster {cluster}"


def _place(one: Location | None, beside: Location | None) -> str:
    """' in line 3', with its file if that is another one."""
    if one is None:
        return ""
    if beside is None or one.file != beside.file:
        return f" in line {one.line} of {PurePath(one.file).name}"
    return f" in line {one.line}"


def _hint(earlier: Work, later: Work, both_write: bool) -> str:
    """Who would have to wait for whom."""
    first, second = earlier.lane.core, later.lane.core
    if not (isinstance(earlier, Command) and isinstance(later, Command)):
        return "steps of different streams run side by side: put both into one stream"
    queue = earlier.instruction.queue
    if first is second:
        return (
            f"{later.giver} would have to wait for its queue {queue} in between: "
            f"'{ROW_OF[queue]} 0'"
        )
    if first.step is second.step:
        apart = "write bytes of their own, or " if both_write else ""
        return (
            f"they would have to {apart}meet in between, '{_barrier(earlier, later)}' in both; "
            "where the program places its own waits, whoever comes first waits for its queue "
            f"before that ('{ROW_OF[queue]} 0')"
        )
    if first.step.stream == second.step.stream:
        return (
            "tasks of a launch run in any order: let each write bytes of its own, or launch twice"
        )
    return "tasks of different streams run side by side: launch both in one stream"


def _barrier(one: Command, other: Command) -> str:
    """The smallest one at which both are."""
    computes = one.code.role == other.code.role == IPU
    if one.core[0] == other.core[0]:
        return "sync_all_ipu_within_cluster 0" if computes else "sync_cluster 0"
    return "sync_all_ipu 0" if computes else "sync_all 0"
