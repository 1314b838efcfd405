"""A DMA engine: takes copies in order, sets them up one after the other, and moves their bytes.

    copy 1   ├ setup ┤ latency ├ bytes ┤
    copy 2           ├ setup ┤ latency ┄┄├ bytes ┤         while copy 1 is under way
    copy 3                                        ├ setup ┤ …      if two may be under way at once

The bytes of a copy follow those of the one before, so what comes later in the queue finds what came
earlier.  How fast they move is the business of the links on the way (`sim.cores.cluster.sharing`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import simpy

from sim.cores.cluster.command import Command
from sim.cores.cluster.sharing import Link, Network, Place, Transfer

SETUP, TRANSFER, IDLE = "setup", "transfer", "idle"


@dataclass
class DmaEngine:
    """One engine.

    name         of its kind: 'iodma', 'mvdma', …
    outstanding  copies that may be under way, their setup included
    begins       called with a command when its bytes begin to move, ends when they have
    spent        cycles by what it did
    """

    environment: simpy.Environment
    network: Network
    name: str
    place: Place
    setup: int
    outstanding: int
    link: Link
    begins: Callable[[Command], None]
    waiting: deque[Command] = field(default_factory=deque)
    under_way: deque[Command] = field(default_factory=deque)
    spent: dict[str, int] = field(default_factory=lambda: {SETUP: 0, TRANSFER: 0, IDLE: 0})
    commands: int = 0
    bytes: int = 0
    _ready: int = 0
    _moving: bool = False
    _free_at: int = 0
    _since: int = 0

    def give(self, command: Command) -> None:
        """A copy for the end of the queue."""
        self.waiting.append(command)
        self._take()

    def _take(self) -> None:
        """Set up what may be under way."""
        while self.waiting and len(self.under_way) < self.outstanding:
            self.account()
            command = self.waiting.popleft()
            self.under_way.append(command)
            now = int(self.environment.now)
            self._free_at = max(now, self._free_at) + self.setup + command.cost.setup
            ready = self.environment.timeout(self._free_at + command.cost.latency - now)
            ready.callbacks.append(self._set_up)

    def _set_up(self, event: simpy.Event) -> None:
        self._ready += 1
        self._move()

    def _move(self) -> None:
        """Let the bytes of the oldest copy set out, if it is ready and none is moving."""
        if self._moving or not self._ready:
            return
        self.account()
        self._moving, self._ready = True, self._ready - 1
        command = self.under_way[0]
        command.begun = int(self.environment.now)
        self.begins(command)
        way = ((self.link, command.cost.bytes), *command.cost.way(command.core))
        self.network.start(Transfer(self.place, command.cost.bytes, way, self._moved))

    def _moved(self) -> None:
        self.account()
        command = self.under_way.popleft()
        self._moving = False
        self.commands += 1
        self.bytes += command.cost.bytes
        command.done(command)
        self._take()
        self._move()

    def account(self) -> None:
        """Note what it has been doing until now."""
        now = int(self.environment.now)
        what = TRANSFER if self._moving else SETUP if self.under_way else IDLE
        self.spent[what] += now - self._since
        self._since = now
