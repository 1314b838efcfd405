"""The timeline of a chip: what its parts tell of themselves, on a track each.

cluster 0   core 0          scalar ├ wait_io ┤ scalar …        what the core did
            core 0/io            ├ load ┤├ load ┤              its commands, by queue
            iodma of core 0   ├ setup ┤ transfer ┤             what the engine did
chip        port of cluster 0    ├ 4096 bytes ┤                what went over a link
            tasks           ├ kernel … ┤                       jobs
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from machines.diagnostics import Location
from machines.kinds.cluster.queues import IPU
from sim.cores.cluster.chip import Chip
from sim.cores.cluster.command import Command
from sim.cores.cluster.compute_queue import ComputeQueue
from sim.cores.cluster.core import IDLE, SCALAR, ChipCore
from sim.cores.cluster.job import RunningJob
from sim.cores.cluster.scalar import NOWHERE
from sim.cores.cluster.scratchpads import CoreNumber
from sim.cores.cluster.transfers.dma_engine import DmaEngine
from sim.cores.cluster.transfers.sharing import Transfer
from sim.timeline.activity import Activity
from sim.timeline.declared import CYCLES, Event, Sum, TrackFamily
from sim.timeline.span import Happening, Span, Track

TRACKS = (
    TrackFamily("chip", "The whole chip."),
    TrackFamily("tasks", "Jobs that run on it.", "chip", overlaps=True),
    TrackFamily("link", "What carries bytes: a port, a bus, a memory controller.", "chip",
                overlaps=True),
    TrackFamily("cluster", "A cluster."),
    TrackFamily("core", "A core of it, or its MEM core.", "cluster"),
    TrackFamily("queue", "Commands that a core gave to one of its queues.", "core", overlaps=True),
    TrackFamily("engine", "A DMA engine, or what computes for a core.", "cluster"),
)  # fmt: skip
EVENTS = (
    Event("core", ("reason", "location"), "What a core did, and where it waited.", "core",
          lasts=True, label="reason"),
    Event("command", ("cluster", "core", "queue", "operation", "location"),
          "A command, from when it begins to move or to compute.", "queue",
          lasts=True, label="operation"),
    Event("engine", ("reason",), "What an engine did.", "engine", lasts=True, label="reason"),
    Event("transfer", ("sort", "bytes"), "Bytes that go over a link.", "link",
          lasts=True, label="bytes"),
    Event("job", ("kernel", "first_task", "tasks", "clusters", "cores"),
          "Tasks of a kernel that have these clusters, and of each these cores; 'tasks' are those "
          "of the whole launch.", "tasks", lasts=True, label="kernel"),
)  # fmt: skip
SUMS = (
    Sum("what cores do = cycles by reason", "core", CYCLES,
        lambda run: run.busy(of_engines=False), by="reason"),
    Sum("what engines do = cycles by reason", "engine", CYCLES,
        lambda run: run.busy(of_engines=True), by="reason"),
    Sum("bytes of transfers = bytes that links carried", "transfer", "bytes",
        lambda run: run.links, by="sort"),
)  # fmt: skip


class Timeline:
    """Of one run.

    tell  takes what has happened
    """

    def __init__(
        self,
        chip: Chip,
        locations: Sequence[Location | None],
        tell: Callable[[Iterable[Happening]], None],
    ):
        self._chip, self._locations, self._tell = chip, locations, tell
        root = Track("chip", "chip")
        self._tasks = Track("tasks", "tasks", root)
        self._clusters = [Track(f"cluster {k}", "cluster") for k in range(chip.machine.clusters)]
        self._cores = {
            number: Activity(self._core(number, processor.role), tell)
            for number, processor in chip.processors.items()
        }
        self._queues = {
            (number, queue): Track(queue, "queue", self._cores[number].track)
            for number, processor in chip.processors.items()
            for queue in processor.engines
        }
        self._engines = [Activity(self._engine(engine), tell) for engine in chip.engines]
        for engine, activity in zip(chip.engines, self._engines, strict=True):
            engine.tells = self._of_engine(activity, engine.name)
        self._links = {
            link: (sort, Track(link.name, "link", root))
            for sort, links in chip.links.sorts().items()
            for link in links
        }
        chip.links.network.tells = self._transferred

    def _core(self, number: CoreNumber, role: str) -> Track:
        cluster, core = number
        return Track(f"core {core}" if role == IPU else "MEM core", "core", self._clusters[cluster])

    def _engine(self, engine: DmaEngine | ComputeQueue) -> Track:
        cluster, core = engine.of
        of_core = "" if core is None else f" of core {core}"
        return Track(f"{engine.name}{of_core}", "engine", self._clusters[cluster])

    def _of_engine(self, activity: Activity, name: str) -> Callable[[str, int, int], None]:
        def did(what: str, begin: int, end: int) -> None:
            is_idle = what == IDLE
            activity.did("engine", begin, end, None if is_idle else {"reason": f"{name}.{what}"})

        return did

    def core_did(self, core: ChipCore, position: int, what: str, begin: int, end: int) -> None:
        """A core did this from one cycle to another, at an instruction of its code."""
        arguments: dict[str, Any] | None = None
        if what != IDLE:
            waits = what != SCALAR and position != NOWHERE
            location = self._locations[core.code.first + position] if waits else None
            arguments = {"reason": f"{core.code.role}.{what}", "location": location}
        self._cores[core.number].did("core", begin, end, arguments)

    def command_ended(self, command: Command) -> None:
        """Now, or it is cut off by the end of the run."""
        cluster, core = command.core
        queue, begin, now = command.instruction.queue, command.begun, self._chip.environment.now
        assert begin is not None
        arguments = {
            "cluster": cluster,
            "core": core,
            "queue": queue,
            "operation": command.instruction.row.name,
            "location": self._locations[command.location],
        }
        track = self._queues[command.core, queue]
        self._tell([Span(track, begin, now, "command", arguments)])

    def job_ended(self, job: RunningJob, begin: int) -> None:
        """Now, as `command_ended`."""
        now = self._chip.environment.now
        self._tell([Span(self._tasks, begin, now, "job", job.described())])

    def _transferred(self, transfer: Transfer, end: int) -> None:
        for link, size in transfer.way:
            found = self._links.get(link)
            if found is not None and size:
                sort, track = found
                arguments = {"sort": sort, "bytes": size}
                self._tell([Span(track, transfer.begun, end, "transfer", arguments)])

    def end(self, jobs: Mapping[RunningJob, int]) -> None:
        """The run ends now, all of whose parts have said what they did; `jobs` are still at work,
        since when."""
        now = self._chip.environment.now
        for job, begin in jobs.items():
            for core in job.cores:
                for command in (c for queue in core.queues.values() for c in queue.pending):
                    if command.begun is not None and not command.has_ended:
                        self.command_ended(command)
            self.job_ended(job, begin)
        for transfer in dict.fromkeys(user for link in self._links for user in link.users):
            self._transferred(transfer, now)
        for activity in (*self._cores.values(), *self._engines):
            activity.flush()
