"""Barriers between cores: a counter of arrivals, and the event that releases all of them."""

from __future__ import annotations

from dataclasses import dataclass, field

import simpy

from sim.cores.cluster.races.order import CoreOrder, meet


@dataclass
class Barrier:
    """One barrier, used again and again.

    partners  how many cores have to arrive
    delay     cycles from the last arrival to the release of all
    times     how often it was passed
    arrived   the cores that wait at it
    """

    environment: simpy.Environment
    partners: int
    delay: int
    times: int = 0
    arrived: list[CoreOrder] = field(default_factory=list)
    _open: simpy.Event | None = None

    def arrive(self, core: CoreOrder) -> simpy.Event:
        """A core arrives; the event releases it."""
        if self._open is None:
            self._open = self.environment.event()
        gate = self._open
        self.arrived.append(core)
        if len(self.arrived) == self.partners:
            meet(self.arrived)
            self.arrived, self._open, self.times = [], None, self.times + 1
            release = self.environment.timeout(self.delay)
            release.callbacks.append(lambda _: gate.succeed())
        return gate
