"""The peripheral module at work: gives jobs that wait to cores that are free.

    launch a: 6 tasks of type block      job 0: cluster 0, core 0     job 1: cluster 1, core 0  …
    launch b: 4 tasks of type union1     waits until all cores of a cluster are free

Jobs wait in the order in which they came, of launches that come in one cycle that of the lower
stream first.  A job of type block gets a core of the cluster in which fewest are taken, one of
whole clusters those with the lowest numbers.  Its cores are taken when it is chosen; starting them
takes `peripheral.start` cycles, one job after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import simpy

from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.tasks import BLOCK, UNIONS, Job
from sim.engine import Turn

Start = Callable[[Job], simpy.Event]
"""Starts a job; the event is its end."""


@dataclass(frozen=True)
class Waiting:
    """A job for which there are no cores yet.

    first, tasks  number of its first task, and tasks of its launch
    ended         succeeds when it has ended
    """

    stream: int
    type: str
    first: int
    tasks: int
    start: Start
    ended: simpy.Event


@dataclass
class Dispatcher:
    """Of one chip.

    free      of each cluster the cores that have no job
    ready_at  when all jobs that were chosen will have been started
    """

    environment: simpy.Environment
    chip: Cluster
    free: list[list[int]] = field(init=False)
    _new: list[Waiting] = field(default_factory=list)
    _waiting: list[Waiting] = field(default_factory=list)
    _looks: bool = False
    ready_at: int = 0

    def __post_init__(self) -> None:
        self.free = [list(range(self.chip.cores)) for _ in range(self.chip.clusters)]

    def give(self, jobs: Sequence[Waiting]) -> None:
        """Jobs of a launch, in their order."""
        self._new += jobs
        self._look_later()

    def _look_later(self) -> None:
        """At the end of this cycle, when all that come and end in it are known."""
        if not self._looks:
            self._looks = True
            Turn(self.environment).callbacks.append(self._look)

    def _look(self, event: simpy.Event) -> None:
        """Start what can be started."""
        self._looks = False
        self._waiting += sorted(self._new, key=lambda job: job.stream)
        self._new, left = [], []
        for position, waiting in enumerate(self._waiting):
            job = self._placed(waiting)
            if job is not None:
                self._start(waiting, job)
            elif self.chip.peripheral.order == "in_order":
                left += self._waiting[position:]
                break
            else:
                left.append(waiting)
        self._waiting = left

    def _placed(self, waiting: Waiting) -> Job | None:
        """Where a job can run now."""
        if waiting.type == BLOCK:
            cluster = max(range(self.chip.clusters), key=lambda c: (len(self.free[c]), -c))
            cores = self.free[cluster][:1]
            return Job((cluster,), (*cores,), waiting.first, waiting.tasks) if cores else None
        wanted = UNIONS[waiting.type]
        whole = [c for c, cores in enumerate(self.free) if len(cores) == self.chip.cores][:wanted]
        if len(whole) < wanted:
            return None
        return Job((*whole,), (*range(self.chip.cores),), waiting.first, waiting.tasks)

    def _start(self, waiting: Waiting, job: Job) -> None:
        """Take its cores at once, and start them when those before have been started."""
        for cluster in job.clusters:
            self.free[cluster] = [k for k in self.free[cluster] if k not in job.cores]
        now = self.environment.now
        self.ready_at = max(now, self.ready_at) + self.chip.peripheral.start
        self.environment.process(self._run(waiting, job, self.ready_at - now))

    def _run(self, waiting: Waiting, job: Job, delay: int) -> Iterator[simpy.Event]:
        """A job from its start until its cores are free again."""
        yield self.environment.timeout(delay)
        yield waiting.start(job)
        for cluster in job.clusters:
            self.free[cluster] = sorted((*self.free[cluster], *job.cores))
        self._look_later()
        waiting.ended.succeed()
