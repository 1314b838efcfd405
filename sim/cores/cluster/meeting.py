"""Where cores meet: a counter of those that have come, and what lets them go on."""

from __future__ import annotations

from dataclasses import dataclass

import simpy


@dataclass
class Meeting:
    """One meeting point, used again and again.

    partners  how many have to come
    delay     cycles from the last one's arrival until all go on
    """

    environment: simpy.Environment
    partners: int
    delay: int
    times: int = 0
    come: int = 0
    _open: simpy.Event | None = None

    def arrive(self) -> simpy.Event:
        """Somebody has come; the event lets all go on."""
        if self._open is None:
            self._open = self.environment.event()
        gate = self._open
        self.come += 1
        if self.come == self.partners:
            self.come, self._open, self.times = 0, None, self.times + 1
            release = self.environment.timeout(self.delay)
            release.callbacks.append(lambda _: gate.succeed())
        return gate
