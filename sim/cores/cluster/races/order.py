"""What happens before what, whatever the times are, of the commands of a run (happens-before).

    core 0   command 1 of io writes a      core 0   command 1 of compute reads a      no order
    core 0   command 1 of io writes a, sync_io 0, command 1 of compute reads a        1 before 2

A command comes behind those before it in its lane, which is a queue of a core, and behind all that
its core knew to have ended when it gave the command: what it waited for, what others knew when they
met, and the steps of the host's stream before the one that launched its task.  Tasks of a launch
have no order among themselves, nor have streams.  When something arrives, and which core is free
for a task, are times, and say nothing.

What a core knows of the others is a vector of epochs (vector clocks: Fidge, 1988; Mattern, 1989):
of each lane how many of its commands have ended.  It grows where cores meet, and is shared by all
who met there.  Of its own lanes a core knows what it waited for, and nobody knows more of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from machines.kinds.cluster.queues import IPU, QUEUES

LANES = {queue: number for number, queue in enumerate(QUEUES[IPU])}
"""Queues of a core, each with its place among the epochs of that core."""
Epochs = tuple[int, ...]
"""Of each lane of a core how many of its commands have ended."""
NONE_ENDED: Epochs = (0,) * len(LANES)


@dataclass(slots=True, eq=False)
class Step:
    """What is done between two points of a stream of the host: a launch's job, or a copy.

    stream, number  which step of which stream
    cores           of a job
    """

    stream: int
    number: int
    cores: list[CoreOrder] = field(default_factory=list)

    def core(self) -> CoreOrder:
        """One more that takes part, which knows nothing of the others yet."""
        made = CoreOrder(self, len(self.cores), [])
        self.cores.append(made)
        return made

    def begins(self) -> None:
        """All its cores are known."""
        nothing = [NONE_ENDED] * len(self.cores)
        for core in self.cores:
            core.others = nothing

    def known_to_all(self, lane: Lane) -> int:
        """How many commands of a lane have ended for all cores, that of the lane included."""
        number, core = lane.number, lane.core
        if core.step is not self:
            return 0
        known = {id(one.others): one.others[core.number][number] for one in self.cores
                 if one is not core}  # fmt: skip
        return min(known.values(), default=lane.ended)


@dataclass(slots=True, eq=False)
class Lane:
    """A queue of a core, whose commands follow one another.

    given  how many it has been given
    ended  how many of them have ended, as far as the core has waited for them
    """

    core: CoreOrder
    number: int
    given: int = 0
    ended: int = 0


@dataclass(slots=True, eq=False)
class CoreOrder:
    """What a core of a step knows.

    number  among the cores of its step
    others  of each of these the epochs that it knows; shared, and never changed
    """

    step: Step
    number: int
    others: Sequence[Epochs]
    lanes: list[Lane] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lanes = [Lane(self, number) for number in range(len(LANES))]

    @property
    def epochs(self) -> Epochs:
        """What it knows of itself."""
        return tuple(lane.ended for lane in self.lanes)

    def give(self, lane: Lane) -> int:
        """The number that the next command of a lane gets, from 1."""
        lane.given += 1
        return lane.given

    def waited(self, queue: str, left: int) -> None:
        """It has waited until no more than so many of a queue's youngest are in flight."""
        lane = self.lanes[LANES[queue]]
        lane.ended = max(lane.ended, lane.given - left)

    def knows(self, lane: Lane, number: int) -> bool:
        """Whether a command of another lane has ended, for certain, before what it does next."""
        other = lane.core
        if other is self:
            return number <= lane.ended
        if other.step is self.step:
            return number <= self.others[other.number][lane.number]
        return other.step.stream == self.step.stream and other.step.number < self.step.number


def meet(cores: Iterable[CoreOrder]) -> None:
    """Cores of a step meet: all know from now on what each of them knew."""
    come = list(cores)
    first, *more = {id(core.others): core.others for core in come}.values()
    joined = list(first)
    for others in more:
        for number, epochs in enumerate(others):
            if epochs is not joined[number]:
                joined[number] = tuple(map(max, joined[number], epochs))
    for core in come:
        joined[core.number] = core.epochs
    for core in come:
        core.others = joined
