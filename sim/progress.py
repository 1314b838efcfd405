"""Progress lines: of long runs the simulated cycles, and how many a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

PATIENCE = 1.0  # seconds before a run counts as long
EVERY = 0.2  # seconds between updates
CLEAR = "\r\x1b[K"


class ProgressLine:
    """A line on stderr that is rewritten while something goes on, and removed at its end.

    `wanted` None shows it on terminals only; True also elsewhere, a line an update.
    """

    def __init__(self, name: str, wanted: bool | None = None):
        self.name = name
        self.terminal = getattr(sys.stderr, "isatty", bool)()
        self.shown = self.terminal if wanted is None else wanted
        self.begin = self.last = time.perf_counter()
        self.written = False

    def __enter__(self) -> Self:
        return self

    def write(self, text: str, now: float) -> None:
        """What there is to say at a time of `time.perf_counter`."""
        line = f"{self.name}: {text}"
        sys.stderr.write(f"{CLEAR}{line}" if self.terminal else f"{line}\n")
        sys.stderr.flush()
        self.last, self.written = now, True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.written and self.terminal:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()


class Progress(ProgressLine):
    """That of a run."""

    def update(self, cycles: int) -> None:
        """The run has come to this cycle."""
        now = time.perf_counter()
        if not self.shown or now - self.begin < PATIENCE or now - self.last < EVERY:
            return
        rate = cycles / (now - self.begin) / 1e6
        self.write(f"{cycles / 1e6:.1f} M cycles, {rate:.1f} M cycles/s", now)
