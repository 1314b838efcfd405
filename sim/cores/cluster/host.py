"""The host of a chip at work: launches tasks, and copies between its memory and DRAM.

The steps of a stream follow each other, streams run side by side.  A copy goes over the link, of
which each direction is one, and over the memory controllers; those at once share both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import simpy

from machines.kinds.cluster.tasks import Job, tasks_of_a_job
from sim.cores.cluster.chip import Chip
from sim.cores.cluster.dispatcher import Dispatcher, Waiting
from sim.cores.cluster.host_steps import Copy, Launch
from sim.cores.cluster.races.bytes_touched import Bytes
from sim.cores.cluster.races.order import Lane, Step
from sim.cores.cluster.scratchpads import Owner, owner
from sim.cores.cluster.transfers.sharing import Transfer
from sim.cores.rest import Plain
from sim.engine import Engine


@dataclass(slots=True, eq=False)
class HostCopy:
    """A copy, as `sim.cores.cluster.races.accesses.Work`; alone in its lane."""

    copy: Copy
    lane: Lane
    bytes: Bytes
    epoch: int = 1
    location: None = None

    @property
    def title(self) -> str:
        return f"the copy of '{self.copy.buffer}'"

    @property
    def giver(self) -> str:
        return "the host"

    def touches(self) -> Iterator[tuple[Owner, Bytes]]:
        yield owner("dram", (0, 0)), self.bytes

    def interval(self, one: Bytes) -> str:
        return one.buffer


@dataclass
class Host:
    """What does the steps of all streams.

    start    start(launch, job, step) -> the end of a job, which is (a part of) a step of a stream
    begins   called when a step of a stream begins
    copies   called with copies that begin
    begun    how many steps of each stream have begun
    """

    engine: Engine
    chip: Chip
    start: Callable[[Launch, Job, Step], simpy.Event]
    begins: Callable[[], None]
    copies: Callable[[HostCopy], None]
    begun: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.dispatcher = Dispatcher(self.engine.environment, self.chip.machine)

    def at_rest(self) -> Plain:
        """What it holds between steps."""
        return {"ready_at": self.dispatcher.ready_at, "begun": [*map(list, self.begun.items())]}

    def restore(self, state: Plain) -> None:
        self.dispatcher.ready_at = state["ready_at"]
        self.begun = dict(map(tuple, state["begun"]))

    def step(self, stream: int, step: Launch | Copy) -> Iterator[simpy.Event]:
        """Do one step of a stream, whose arrival has come."""
        self.begun[stream] = self.begun.get(stream, 0) + 1
        self.begins()
        yield from (self._copy if isinstance(step, Copy) else self._launch)(stream, step)

    def _launch(self, stream: int, launch: Launch) -> Iterator[simpy.Event]:
        engine, machine = self.engine, self.chip.machine
        yield engine.environment.timeout(machine.cycles(machine.host.launch_latency))
        begin, together = engine.now, tasks_of_a_job(launch.type, machine)
        number = self.begun[stream]

        def start(job: Job) -> simpy.Event:
            return self.start(launch, job, Step(stream, number))

        jobs = [
            Waiting(stream, launch.type, first, launch.tasks, start, engine.environment.event())
            for first in range(0, launch.tasks, together)
        ]
        self.dispatcher.give(jobs)
        yield engine.environment.all_of([job.ended for job in jobs])
        what = {"kernel": launch.kernel, "type": launch.type, "tasks": launch.tasks}
        engine.note(stream, begin, **what)

    def _copy(self, stream: int, copy: Copy) -> Iterator[simpy.Event]:
        engine, chip = self.engine, self.chip
        begin, placement = engine.now, chip.dram.placements[copy.buffer]
        address, stores = chip.dram.address(copy.buffer), copy.to == "device"
        touched = Bytes(copy.buffer, "dram", stores, address, placement.size, ())
        yield engine.environment.timeout(chip.machine.cycles(chip.machine.host.link_latency))
        lane, arrived = Step(stream, self.begun[stream]).core().lanes[0], engine.environment.event()
        self.copies(HostCopy(copy, lane, touched))
        place = (chip.machine.clusters, 0, stream)  # behind all that is on the chip
        way = chip.links.host_way(touched)
        chip.links.network.start(
            Transfer(place, touched.size, way.links, arrived.succeed, way.visit)
        )
        yield arrived
        engine.note(stream, begin, copy=copy.buffer, to=copy.to, bytes=touched.size)
