"""Where cores meet: a counter of those that have come, and what lets them go on."""

from __future__ import annotations

from dataclasses import dataclass, field

import simpy

from sim.cores.cluster.order import CoreOrder, meet


@dataclass
class Meeting:
    """One meeting point, used again and again.

    partners  how many have to come
    delay     cycles from the last one's arrival until all go on
    come      those who have
    """

    environment: simpy.Environment
    partners: int
    delay: int
    times: int = 0
    come: list[CoreOrder] = field(default_factory=list)
    _open: simpy.Event | None = None

    def arrive(self, core: CoreOrder) -> simpy.Event:
        """Somebody has come; the event lets all go on."""
        if self._open is None:
            self._open = self.environment.event()
        gate = self._open
        self.come.append(core)
        if len(self.come) == self.partners:
            meet(self.come)
            self.come, self._open, self.times = [], None, self.times + 1
            release = self.environment.timeout(self.delay)
            release.callbacks.append(lambda _: gate.succeed())
        return gate
