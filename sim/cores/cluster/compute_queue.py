"""The queue of what a core computes: vector and matrix unit, one command after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import simpy

from machines.kinds.cluster.fields import Cluster
from sim.cores.cluster.command import Command
from sim.cores.cluster.costs import MATRIX, VECTOR
from sim.cores.cluster.scratchpads import CoreNumber
from sim.cores.cluster.work import work_of
from sim.cores.rest import Plain

if TYPE_CHECKING:
    from sim.cores.cluster.layers import Layers

IDLE = "idle"


@dataclass
class ComputeQueue:
    """One core's.

    of      its cluster and core
    spent   cycles by what was at work
    tells   of a run that is traced: called with what was at work, from when and until when
    layers  of a program that has some: what each costs
    work    operations of commands that ended, by type
    """

    environment: simpy.Environment
    machine: Cluster
    of: CoreNumber
    waiting: deque[Command] = field(default_factory=deque)
    running: Command | None = None
    spent: dict[str, int] = field(default_factory=lambda: {VECTOR: 0, MATRIX: 0, IDLE: 0})
    commands: int = 0
    tells: Callable[[str, int, int], None] | None = None
    layers: Layers | None = None
    work: dict[str, int] = field(default_factory=dict)
    _since: int = 0

    name = "compute"

    def give(self, command: Command) -> None:
        """A command for the end of the queue."""
        self.waiting.append(command)
        if self.running is None:
            self._take()

    def _take(self) -> None:
        if self.waiting:
            self.account()
            command = self.running = self.waiting.popleft()
            command.begun = self.environment.now
            self.environment.timeout(command.cost.cycles).callbacks.append(self._end)

    def _end(self, event: simpy.Event) -> None:
        self.account()
        command, self.running = self.running, None
        self.commands += 1
        self._note(command)
        command.ended(command)
        self._take()

    def _note(self, command: Command) -> None:
        """What a command that ended has computed."""
        cost = command.cost
        work = cost.work
        if work is None:
            work = cost.work = work_of(command.instruction.row, cost.known, self.machine)
        self.work[work.of] = self.work.get(work.of, 0) + work.operations

    def account(self) -> None:
        """Note what it has been doing until now."""
        now = self.environment.now
        what = self.running.cost.unit if self.running is not None else IDLE
        self.spent[what] += now - self._since
        if self.layers is not None and self.running is not None:
            self.layers.did(self.running.layer, self.name, what, now - self._since)
        if self.tells is not None:
            self.tells(what, self._since, now)
        self._since = now

    def at_rest(self) -> Plain:
        """What it has done."""
        return {
            "spent": dict(self.spent),
            "commands": self.commands,
            "work": dict(self.work),
            "since": self._since,
        }

    def restore(self, state: Plain) -> None:
        self.spent, self.work = dict(state["spent"]), dict(state["work"])
        self.commands, self._since = state["commands"], state["since"]
