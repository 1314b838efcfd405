"""A core of the chip: its scalar code, and the queues that it gives commands to.

What it does in every cycle is one of: its own code (`scalar`), waiting for room in a queue
(`queue`), for a queue to run empty (`wait_io`, …), for a result (`result`), for others (`barrier`);
after its last instruction and the last command of its queues it is `idle`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import simpy

from machines.instructions.cluster_control import BARRIERS, WAITS
from machines.kinds.cluster.program import CoreCode, StreamInstruction
from machines.tensors.work import Number
from sim.cores.cluster.barrier import Barrier
from sim.cores.cluster.command import Command, core_name
from sim.cores.cluster.costs import Cost
from sim.cores.cluster.races.order import LANES, CoreOrder
from sim.cores.cluster.scalar import NOWHERE, Front, Stretches
from sim.cores.cluster.scratchpads import CoreNumber

SCALAR, QUEUE, RESULT, BARRIER, IDLE = "scalar", "queue", "result", "barrier", "idle"
WAIT = {queue: f"wait_{queue}" for queue, _ in WAITS.values()}
CAUSES = (QUEUE, *WAIT.values(), RESULT, BARRIER)
"""What holds a core up."""
COLUMNS = {name: column for column, name in enumerate(CAUSES)}
DOES = (SCALAR, *CAUSES, IDLE)


class Engine(Protocol):
    """What takes commands in order."""

    def give(self, command: Command) -> None: ...


@dataclass
class Queue:
    """One of a core's.

    pending  its commands from the oldest that has not ended on: of an engine of several channels a
             younger one may have ended before
    changed  what the core waits for, until no more than `wanted` commands are pending
    """

    engine: Engine
    room: int
    pending: deque[Command] = field(default_factory=deque)
    changed: simpy.Event | None = None
    wanted: int = 0


@dataclass
class ChipCore:
    """
    number    cluster and core
    front     its scalar code, in flight, and `stretches` of it: how often each was carried out
    cost_of   (position, scalars) -> what a command costs
    targets_of  (instruction, scalars) -> the cores into whose memories it writes
    result_of what a command that has ended gives back
    gives     called with every command that it gives to a queue, before it does
    ends      called with every command that has ended
    order     what it knows to have ended
    issue     cycles to hand a command on
    barrier   (row, number) -> where it meets others
    executed  how often each of its instructions was, and `stalls`: what held it up there, by column
    spent     cycles by what it did
    doing     where it is, and what it does since cycle `since`
    tells     of a run that is traced: called with itself, where it was, what it did, from when and
              until when
    """

    environment: simpy.Environment
    number: CoreNumber
    code: CoreCode
    front: Front
    stretches: Stretches
    queues: dict[str, Queue]
    barrier: Callable[[str, int], Barrier]
    issue: int
    cost_of: Callable[[int, tuple], Cost]
    targets_of: Callable[[StreamInstruction, tuple], tuple[CoreNumber, ...]]
    result_of: Callable[[Command], Number | None]
    gives: Callable[[Command], None]
    ends: Callable[[Command], None]
    order: CoreOrder
    executed: np.ndarray
    stalls: np.ndarray
    doing: tuple[int, str] = (NOWHERE, SCALAR)
    since: int = 0
    spent: dict[str, int] = field(default_factory=lambda: dict.fromkeys(DOES, 0))
    ended: bool = False
    tells: Callable[[ChipCore, int, str, int, int], None] | None = None

    @property
    def name(self) -> str:
        """'core 0 of cluster 1'."""
        return core_name(self.number, self.code.role)

    def run(self) -> Iterator[simpy.Event]:
        """The process that it is."""
        code, timeout, send = self.code.code, self.environment.timeout, self.front.send
        answer: Number | None = None
        while True:
            try:
                position, cycles, scalars = send(answer)
            except StopIteration as end:
                last = end.value
                break
            self.does(position, SCALAR)
            answer = None
            if position == NOWHERE:
                yield timeout(cycles)
                continue
            yield timeout(cycles + self.issue)
            self.executed[position] += 1
            instruction = code[position]
            row = instruction.row
            if row.walk is not None:
                name = instruction.queue
                queue = self.queues[name]
                if len(queue.pending) >= queue.room:
                    yield self._shrinks(position, QUEUE, queue, queue.room - 1)
                command = self._give(position, scalars, queue)
                if instruction.results:
                    if queue.pending:
                        yield self._shrinks(position, RESULT, queue, 0)
                    self.order.waited(name, 0)
                    answer = self.result_of(command)
            elif row.name in WAITS:
                (name, _), left = WAITS[row.name], scalars[0]
                queue = self.queues.get(name)
                if queue is not None and len(queue.pending) > left:
                    yield self._shrinks(position, WAIT[name], queue, left)
                self.order.waited(name, left)
            elif row.name in BARRIERS:
                self.does(position, BARRIER)
                yield self.barrier(row.name, scalars[0]).arrive(self.order)
        for name, queue in self.queues.items():
            if queue.pending:
                yield self._shrinks(last, WAIT[name], queue, 0)
            self.order.waited(name, 0)
        self.does(NOWHERE, IDLE)
        self.ended = True

    def _give(self, position: int, scalars: tuple, queue: Queue) -> Command:
        """A command for its queue, which has room."""
        instruction = self.code.code[position]
        cost, where = self.cost_of(position, scalars), self.targets_of(instruction, scalars)
        lane, done = self.order.lanes[LANES[instruction.queue]], self._done
        command = Command(self.number, self.code, position, scalars, cost, done, where, lane,
                          self.order.give(lane))  # fmt: skip
        self.gives(command)
        queue.pending.append(command)
        queue.engine.give(command)
        return command

    def _shrinks(self, position: int, what: str, queue: Queue, wanted: int) -> simpy.Event:
        """Comes when a queue, which has more now, has no more than so many commands; `what` the
        core does meanwhile."""
        self.does(position, what)
        queue.changed, queue.wanted = self.environment.event(), wanted
        return queue.changed

    def _done(self, command: Command) -> None:
        """A command has ended."""
        self.ends(command)
        queue = self.queues[command.instruction.queue]
        command.has_ended = True
        while queue.pending and queue.pending[0].has_ended:
            queue.pending.popleft()
        if queue.changed is not None and len(queue.pending) <= queue.wanted:
            changed, queue.changed = queue.changed, None
            changed.succeed()

    def does(self, position: int, what: str) -> None:
        """From now on; what it did until now is noted, and what held it up charged to the
        instruction."""
        now = self.environment.now
        before, did = self.doing
        cycles, self.since = now - self.since, now
        if cycles:
            if self.tells is not None:
                self.tells(self, before, did, now - cycles, now)
            self.spent[did] += cycles
            if did in COLUMNS:
                self.stalls[before, COLUMNS[did]] += cycles
        self.doing = position, what
