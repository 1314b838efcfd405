"""The progress line of a study: points done and failed, and the time left."""

from __future__ import annotations

import time

from sim.progress import ProgressLine
from sim.status import DONE
from sim.studies.point import Outcome

EVERY = 0.5
"""Seconds between updates."""


class StudyProgress(ProgressLine):
    """That of a study of so many points."""

    def __init__(self, name: str, count: int, wanted: bool | None = None):
        super().__init__(name, wanted)
        self.count = count
        self.done = self.known = self.failed = 0

    def update(self, outcome: Outcome) -> None:
        """One more point has ended."""
        self.done += 1
        self.known += outcome.is_known
        self.failed += outcome.status != DONE
        now = time.perf_counter()
        if not self.shown or (now - self.last < EVERY and self.done != self.count):
            return
        parts = [f"{self.done} of {max(self.done, self.count)} points"]
        parts += [f"{self.known} known"] if self.known else []
        parts += [f"{self.failed} failed"] if self.failed else []
        ran = self.done - self.known
        if ran and self.done < self.count:
            left = (now - self.begin) / ran * (self.count - self.done)
            parts.append(f"about {duration(left)} left")
        self.write(", ".join(parts), now)


def duration(seconds: float) -> str:
    """A time for people."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
