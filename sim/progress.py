"""The progress line of long runs: simulated cycles, and how many a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType

PATIENCE = 1.0  # seconds before a run counts as long
EVERY = 0.2  # seconds between updates


class Progress:
    """A line on stderr that is rewritten while a run goes on, and removed at its end.

    `wanted` None shows it on terminals only; True also elsewhere, a line an update.
    """

    def __init__(self, name: str, wanted: bool | None = None):
        self.name = name
        self.terminal = getattr(sys.stderr, "isatty", bool)()
        self.shown = self.terminal if wanted is None else wanted
        self.begin = self.last = time.perf_counter()
        self.written = False

    def __enter__(self) -> Progress:
        return self

    def update(self, cycles: int) -> None:
        """The run has come to this cycle."""
        now = time.perf_counter()
        if not self.shown or now - self.begin < PATIENCE or now - self.last < EVERY:
            return
        rate = cycles / (now - self.begin) / 1e6
        line = f"{self.name}: {cycles / 1e6:.1f} M cycles, {rate:.1f} M cycles/s"
        end = "" if self.terminal else "\n"
        sys.stderr.write(("\r\x1b[K" if self.terminal else "") + line + end)
        sys.stderr.flush()
        self.last, self.written = now, True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.written and self.terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
