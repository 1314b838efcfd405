"""The progress line of a study: points done and failed, and the time left."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from sim.status import DONE
from sim.studies.point import Outcome

EVERY = 0.5
"""Seconds between updates."""


class StudyProgress:
    """A line on stderr that is rewritten; `wanted` None shows it on terminals only, True also
    elsewhere, a line an update."""

    def __init__(self, name: str, count: int, jobs: int, wanted: bool | None = None):
        self.name, self.count, self.jobs = name, count, jobs
        self.terminal = getattr(sys.stderr, "isatty", bool)()
        self.shown = self.terminal if wanted is None else wanted
        self.done = self.known = self.failed = 0
        self.begin = self.last = time.perf_counter()

    def __enter__(self) -> StudyProgress:
        return self

    def update(self, outcome: Outcome) -> None:
        """One more point has ended."""
        self.done += 1
        self.known += outcome.is_known
        self.failed += outcome.status != DONE
        now = time.perf_counter()
        if not self.shown or (now - self.last < EVERY and self.done < self.count):
            return
        self.last = now
        parts = [f"{self.done} of {self.count} points"]
        parts += [f"{self.known} known"] if self.known else []
        parts += [f"{self.failed} failed"] if self.failed else []
        ran = self.done - self.known
        if ran and self.done < self.count:
            left = (now - self.begin) / ran * (self.count - self.done)
            parts.append(f"about {duration(left)} left")
        end = "" if self.terminal else "\n"
        line = f"{self.name}: {', '.join(parts)}"
        sys.stderr.write(("\r\x1b[K" if self.terminal else "") + line + end)
        sys.stderr.flush()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.shown and self.terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def duration(seconds: float) -> str:
    """A time for people."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
