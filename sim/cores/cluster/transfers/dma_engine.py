"""A DMA engine: takes copies in order, sets them up one after the other, and moves their bytes.

    copy 1   ├ setup ┤ latency ├ segments, bytes ┤
    copy 2           ├ setup ┤ latency ┄┄┄┄┄┄┄┄┄┄┄├ segments, bytes ┤      while 1 is in flight
    copy 3                                       ├ setup ┤ …     if two may be in flight at once

The bytes of a copy follow those of the one before, so what comes later in the queue finds what came
earlier; of an engine of several channels, so many move at once, if they touch nothing in common.
What segments cost passes before the first byte moves, and nothing else moves on that channel then.
How fast they move is the business of the links on the way (`sim.cores.cluster.transfers.sharing`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import simpy

from sim.cores.cluster.command import Command
from sim.cores.cluster.transfers.in_flight import clash
from sim.cores.cluster.transfers.sharing import Network, Place, Transfer
from sim.cores.rest import Plain
from sim.engine import Turn

if TYPE_CHECKING:
    from sim.cores.cluster.layers import Layers

SETUP, TRANSFER, IDLE = "setup", "transfer", "idle"


@dataclass
class DmaEngine:
    """One engine.

    name         of its kind: 'iodma', 'mvdma', …
    outstanding  copies that may be in flight, their setup included
    channels     copies whose bytes may move at once
    of           its cluster, and its core if it is one's
    is_shared    whether several cores give it commands, or some are steps of copies
    spent        cycles by what it did
    tells        of a run that is traced: called with what it did, from when and until when
    layers       of a program that has some: what each costs
    """

    environment: simpy.Environment
    network: Network
    name: str
    place: Place
    outstanding: int
    channels: int
    of: tuple[int, int | None]
    is_shared: bool = False
    waiting: deque[Command] = field(default_factory=deque)
    in_flight: deque[Command] = field(default_factory=deque)
    spent: dict[str, int] = field(default_factory=lambda: {SETUP: 0, TRANSFER: 0, IDLE: 0})
    commands: int = 0
    bytes: int = 0
    tells: Callable[[str, int, int], None] | None = None
    layers: Layers | None = None
    _ready: set[Command] = field(default_factory=set)
    _moving: dict[Command, int] = field(default_factory=dict)  # on which channel
    _given: list[Command] = field(default_factory=list)
    _free_at: int = 0
    _since: int = 0

    def give(self, command: Command) -> None:
        """A copy for the end of the queue.  Of those that several cores give in one cycle that of
        the first core comes first, and of one core's the earlier one, whoever was asked first."""
        if not self.is_shared:
            self.waiting.append(command)
            self._take()
            return
        if not self._given:
            Turn(self.environment).callbacks.append(self._line_up)
        self._given.append(command)

    def _line_up(self, event: simpy.Event) -> None:
        self.waiting += sorted(self._given, key=lambda command: command.order)
        self._given = []
        self._take()

    def _take(self) -> None:
        """Set up what may be in flight."""
        while self.waiting and len(self.in_flight) < self.outstanding * self.channels:
            self.account()
            command = self.waiting.popleft()
            self.in_flight.append(command)
            now = self.environment.now
            self._free_at = max(now, self._free_at) + command.cost.setup
            self._after(self._free_at + command.cost.latency - now, self._set_up, command)

    def _after(self, cycles: int, then: Callable[[Command], None], command: Command) -> None:
        self.environment.timeout(cycles).callbacks.append(lambda event: then(command))

    def _set_up(self, command: Command) -> None:
        self._ready.add(command)
        self._move()

    def _move(self) -> None:
        """Let the next copies move, as far as they are ready and may."""
        while len(self._moving) < self.channels:
            command = next((c for c in self.in_flight if c.begun is None), None)
            if command not in self._ready:
                return
            if any(clash(command, other) for other in self._moving):
                return
            self.account()
            self._ready.remove(command)
            free = set(range(self.channels)) - {*self._moving.values()}
            self._moving[command] = min(free)
            command.begins(self.environment.now)
            if command.cost.segments:
                self._after(command.cost.segments, self._set_out, command)
            else:
                self._set_out(command)

    def _set_out(self, command: Command) -> None:
        """Let its bytes move."""
        if not command.cost.bytes:
            self._moved(command)
            return
        channel = self._moving[command]
        place, way = (*self.place, channel), command.way(channel)
        moved = partial(self._moved, command)
        if self.layers is not None:
            self.layers.carried(command.layer, way.links)
        self.network.start(Transfer(place, command.cost.bytes, way.links, moved, way.visit))

    def _moved(self, command: Command) -> None:
        self.account()
        self.in_flight.remove(command)
        del self._moving[command]
        self.commands += 1
        self.bytes += command.cost.bytes
        if self.layers is not None:
            self.layers.moved(command.layer, self.name, command.cost.bytes)
        command.ended(command)
        self._take()
        self._move()

    def account(self) -> None:
        """Note what it has been doing until now."""
        now = self.environment.now
        what = TRANSFER if self._moving else SETUP if self.in_flight else IDLE
        self.spent[what] += now - self._since
        if self.layers is not None and self.in_flight:
            oldest = self.in_flight[0].layer
            self.layers.did(oldest, self.name, what, now - self._since)
        if self.tells is not None:
            self.tells(what, self._since, now)
        self._since = now

    def at_rest(self) -> Plain:
        """What it has done."""
        told = {"spent": dict(self.spent), "commands": self.commands, "since": self._since}
        return {**told, "bytes": self.bytes, "free_at": self._free_at}

    def restore(self, state: Plain) -> None:
        self.spent = dict(state["spent"])
        self.commands, self._since = state["commands"], state["since"]
        self.bytes, self._free_at = state["bytes"], state["free_at"]
