"""A job at work: the cores of tasks that run together, their memories, and where they meet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

import simpy

from machines.instructions.cluster_control import OF_ALL_CLUSTERS, OF_ALL_ROLES
from machines.kinds.cluster.program import CoreCode, Kernel
from machines.kinds.cluster.queues import IPU, MEM
from machines.kinds.cluster.tasks import Job
from machines.tensors.work import Loops, Number
from sim.cores.cluster.barrier import Barrier
from sim.cores.cluster.chip import Chip, Processor
from sim.cores.cluster.command import Command
from sim.cores.cluster.core import ChipCore, Queue
from sim.cores.cluster.races.order import Step
from sim.cores.cluster.scratchpads import CoreNumber, Scratchpads
from sim.cores.cluster.values import Values, targets


@dataclass(eq=False)
class RunningJob:
    """One job of a kernel on a chip.

    loops      run the loops of rows; None where no values are wanted
    step       of the host, with the order of its cores
    gives      called with every command that is given to a queue
    ends       called with every command that has ended, before it does what it does to memory
    processors those of the chip that it has, each with what it runs
    """

    chip: Chip
    kernel: Kernel
    job: Job
    arguments: Mapping[str, Number]
    loops: Loops | None
    step: Step
    gives: Callable[[Command], None]
    ends: Callable[[Command], None]
    processors: list[tuple[Processor, CoreCode]] = field(init=False)
    cores: list[ChipCore] = field(init=False)
    barriers: dict[tuple, Barrier] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.processors = [*self._processors()]
        self.values = None
        if self.loops is not None:
            numbers = [processor.number for processor, _ in self.processors]
            memory = Scratchpads(self.chip.places[self.kernel.name], numbers)
            self.values = Values(memory, self.loops)
        self.cores = [self._core(*one) for one in self.processors]
        self.layers = None
        if self.chip.layers is not None:
            now = int(self.chip.environment.now)
            self.layers = self.chip.layers.begins(self.kernel.name, now, self._pending)
        self.step.begins()

    def _processors(self) -> Iterator[tuple[Processor, CoreCode]]:
        """Those of a cluster in the order of their numbers, its MEM core last."""
        codes = {code.role: code for code in self.kernel.codes}
        of_roles = {IPU: self.job.cores, MEM: (self.chip.machine.cores,)}
        for cluster in self.job.clusters:
            for role, code in codes.items():
                for core in of_roles[role]:
                    yield self.chip.processors[cluster, core], code

    def _core(self, processor: Processor, code: CoreCode) -> ChipCore:
        chip, machine, number = self.chip, self.chip.machine, processor.number
        arguments = {f"r{register}": self.arguments[name] for name, register in code.parameters}
        front, stretches = chip.translated[code.first].begin(
            self._identities(processor, code.role), arguments
        )
        return ChipCore(
            chip.environment,
            number,
            code,
            front,
            stretches,
            {name: Queue(engine, machine.scalar.queue)
             for name, engine in processor.engines.items()},
            partial(self._barrier, number[0]),
            machine.scalar.issue,
            chip.costs[code.first],
            partial(targets, core=number, job=self.job),
            self._result,
            self.gives if self.chip.layers is None else self._given,
            self._ended,
            self.step.core(),
            chip.executed[code.first : code.first + len(code.code)],
            chip.stalls[code.first : code.first + len(code.code)],
            since=chip.environment.now,
        )  # fmt: skip

    def _identities(self, processor: Processor, role: str) -> dict[str, int]:
        """What a core is for its job, by the names of the rows that ask; a MEM core has the number
        behind the cores that compute."""
        job, (cluster, core) = self.job, processor.number
        near = job.clusters.index(cluster)
        number = job.cores.index(core) if role == IPU else len(job.cores)
        return {
            "cluster_id": near,
            "cluster_dim": len(job.clusters),
            "core_id": number,
            "core_dim": len(job.cores),
            "task_id": job.first + near * len(job.cores) + number,
            "task_dim": job.tasks,
        }

    def _given(self, command: Command) -> None:
        self.chip.layers.command_given(self.layers, command.layer, int(self.chip.environment.now))
        self.gives(command)

    def _pending(self) -> Iterator[int | None]:
        """The layers of commands that have not ended."""
        for core in self.cores:
            for queue in core.queues.values():
                yield from (command.layer for command in queue.pending if not command.has_ended)

    def _ended(self, command: Command) -> None:
        if self.layers is not None:
            now, instruction = int(self.chip.environment.now), command.instruction
            self.chip.layers.command_ended(self.layers, instruction, command.cost, now)
        self.ends(command)
        if self.values is not None:
            self.values.perform(command)

    def _result(self, command: Command) -> Number | None:
        """0 where no values are wanted: then nothing goes by it."""
        if self.values is None:
            return 0
        return self.values.results.pop(command)

    def _barrier(self, cluster: int, name: str, number: int) -> Barrier:
        """Where a core of this cluster meets others: each number is a barrier of its own."""
        job, barriers = self.job, self.chip.machine.barriers
        cores = len(job.cores) + (name in OF_ALL_ROLES and len(self.kernel.codes) > 1)
        is_far = name in OF_ALL_CLUSTERS
        key = name, None if is_far else cluster, number
        if key not in self.barriers:
            partners = cores * len(job.clusters) if is_far else cores
            delay = barriers.chip if is_far else barriers.cluster
            self.barriers[key] = Barrier(self.chip.environment, partners, delay)
        return self.barriers[key]

    def run(self, process: Callable[[ChipCore], Iterator[simpy.Event]]) -> simpy.Event:
        """Start all cores, each as this process; the event is the end of the last one."""
        environment = self.chip.environment
        return environment.all_of([environment.process(process(core)) for core in self.cores])

    def account(self) -> None:
        """Note what its cores have done, at its end or at that of the run."""
        for core, (processor, _) in zip(self.cores, self.processors, strict=True):
            core.does(*core.doing)
            core.stretches.add_to(core.executed)
            processor.note(core.spent)
        self.chip.barriers += self.met

    @property
    def met(self) -> int:
        """How often barriers of it were passed."""
        return sum(barrier.times for barrier in self.barriers.values())

    def so_far(self) -> dict[CoreNumber, dict[str, int]]:
        """What its cores have done until now, while it is at work."""
        found = {}
        for core in self.cores:
            _, what = core.doing
            since = int(self.chip.environment.now) - int(core.since)
            found[core.number] = {**core.spent, what: core.spent.get(what, 0) + since}
        return found

    def described(self) -> dict[str, object]:
        """What it is, for the trace."""
        job = self.job
        return {
            "kernel": self.kernel.name,
            "first_task": job.first,
            "tasks": job.tasks,
            "clusters": list(job.clusters),
            "cores": list(job.cores),
        }
