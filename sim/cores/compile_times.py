"""Telling the user that something is compiled, and how long that will take on this computer.

with Compiling(kind, f"the {kind} core") as compiling:
    if not there:
        compiling.begin(size)       # simrun: compiling the … core (…, about 40 s) …
    …                               # simrun: compiled in 38 s
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from types import TracebackType

from machines.diagnostics import InputError
from sim.cores.cache_folder import cache_folder
from sim.files import write_atomically

FILE = "compile_seconds.json"
"""Of each kind of text: the seconds that a character of the last one took to compile here."""
SHORT = 2.0
"""Seconds that need no announcement."""


class Compiling:
    """A stretch of time in which a text of a kind may be compiled."""

    def __init__(self, kind: str, what: str):
        self.kind, self.what = kind, what
        self.size, self.start, self.told = 0, 0.0, False

    def begin(self, size: int) -> None:
        """A text of `size` characters will be compiled now."""
        self.size, self.start = size, time.perf_counter()
        per_character = _known().get(self.kind)
        seconds = None if per_character is None else per_character * size
        self.told = seconds is None or seconds >= SHORT
        if self.told:
            about = "" if seconds is None else f", about {seconds:.0f} s"
            announce(f"simrun: compiling {self.what} (once per version{about}) …")

    def __enter__(self) -> Compiling:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self.size or error is not None:
            return
        seconds = time.perf_counter() - self.start
        if self.told:
            announce(f"simrun: compiled in {seconds:.0f} s")
        content = json.dumps({**_known(), self.kind: seconds / self.size})
        with suppress(InputError):  # only the next estimate wants it
            write_atomically(cache_folder() / FILE, content + "\n")


def _known() -> dict[str, float]:
    """Seconds a character by kind; what is damaged is as good as absent."""
    try:
        content = json.loads((cache_folder() / FILE).read_text(encoding="utf-8"))
        return {kind: float(seconds) for kind, seconds in content.items() if 0 < seconds < 1}
    except (InputError, OSError, ValueError, AttributeError, TypeError):
        return {}


def announce(message: str) -> None:
    """A line on stderr, for waits the user should know the reason of."""
    print(message, file=sys.stderr, flush=True)
