"""A DMA engine: takes copies in order, sets them up one after the other, and moves their bytes.

    copy 1   ├ setup ┤ latency ├ bytes ┤
    copy 2           ├ setup ┤ latency ┄┄├ bytes ┤         while copy 1 is under way
    copy 3                                        ├ setup ┤ …      if two may be under way at once

The bytes of a copy follow those of the one before, so what comes later in the queue finds what came
earlier; of an engine of several channels, so many move at once, if they touch nothing in common.
How fast they move is the business of the links on the way (`sim.cores.cluster.sharing`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import simpy

from sim.cores.cluster.command import Command
from sim.cores.cluster.sharing import Network, Place, Transfer

SETUP, TRANSFER, IDLE = "setup", "transfer", "idle"


@dataclass
class DmaEngine:
    """One engine.

    name         of its kind: 'iodma', 'mvdma', …
    outstanding  copies that may be under way, their setup included
    channels     copies whose bytes may move at once
    begins       called with a command when its bytes begin to move
    spent        cycles by what it did
    """

    environment: simpy.Environment
    network: Network
    name: str
    place: Place
    outstanding: int
    channels: int
    begins: Callable[[Command], None]
    waiting: deque[Command] = field(default_factory=deque)
    under_way: deque[Command] = field(default_factory=deque)
    spent: dict[str, int] = field(default_factory=lambda: {SETUP: 0, TRANSFER: 0, IDLE: 0})
    commands: int = 0
    bytes: int = 0
    _ready: int = 0
    _moving: list[Command] = field(default_factory=list)
    _free_at: int = 0
    _since: int = 0

    def give(self, command: Command) -> None:
        """A copy for the end of the queue."""
        self.waiting.append(command)
        self._take()

    def _take(self) -> None:
        """Set up what may be under way."""
        while self.waiting and len(self.under_way) < self.outstanding * self.channels:
            self.account()
            command = self.waiting.popleft()
            self.under_way.append(command)
            now = self.environment.now
            self._free_at = max(now, self._free_at) + command.cost.setup
            ready = self.environment.timeout(self._free_at + command.cost.latency - now)
            ready.callbacks.append(self._set_up)

    def _set_up(self, event: simpy.Event) -> None:
        self._ready += 1
        self._move()

    def _move(self) -> None:
        """Let the bytes of the next copies set out, as far as they are ready and may."""
        while self._ready and len(self._moving) < self.channels:
            command = next(c for c in self.under_way if c.begun is None)
            if any(command.clashes(other) for other in self._moving):
                return
            self.account()
            self._ready -= 1
            self._moving.append(command)
            command.begun = self.environment.now
            self.begins(command)
            if not command.cost.bytes:
                self._moved(command)
                return
            place = (*self.place, len(self._moving))
            way = command.cost.way(command.core)
            transfer = Transfer(place, command.cost.bytes, way, lambda c=command: self._moved(c))
            self.network.start(transfer)

    def _moved(self, command: Command) -> None:
        self.account()
        self.under_way.remove(command)
        self._moving.remove(command)
        self.commands += 1
        self.bytes += command.cost.bytes
        command.ended(command)
        self._take()
        self._move()

    def account(self) -> None:
        """Note what it has been doing until now."""
        now = self.environment.now
        what = TRANSFER if self._moving else SETUP if self.under_way else IDLE
        self.spent[what] += now - self._since
        self._since = now
