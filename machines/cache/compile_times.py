"""Telling the user that something is compiled, and how long that will take on this computer.

with Compiling(kind, f"the {kind} core") as compiling:
    if not there:
        compiling.begin(size)       # simrun: compiling the … core (once per version, about 40 s) …
    …                               # simrun: compiled in 38 s

Compiling takes time in proportion to the text.  A kind of text takes per character the median of
what it took here lately, so that one compilation on a busy computer is no estimate; one that was
never compiled here, what it took where it was measured, times how much slower this computer was
with the other kinds, or else is with a text that Python compiles.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from statistics import median
from types import TracebackType

from machines.cache.cache_folder import cache_folder
from machines.cache.files import write_atomically
from machines.diagnostics import InputError

FILE = "compile_seconds.json"
"""Of each kind of text: the seconds that a character of the last ones took to compile here."""
LATELY = 5
"""Compilations of a kind whose seconds are kept."""
SHORT = 2.0
"""Seconds that need no announcement."""
EVERY = 0.5
"""Seconds between updates of the bar."""
BAR = 24
"""Columns of the full bar."""

ELSEWHERE = Path(__file__).with_name(FILE)
"""The same as measured on another computer, and the `_yardstick` there."""
_STATEMENT = "x = (x * 3 + y) ^ 7 if x < y else [x, y][x & 1]\n"
_STATEMENTS = 600


class Compiling:
    """A stretch of time in which a text of a kind may be compiled."""

    def __init__(self, kind: str, what: str):
        self.kind, self.what = kind, what
        self.size, self.start, self.told = 0, 0.0, False
        self._over = threading.Event()
        self._watch: threading.Thread | None = None

    def begin(self, size: int) -> None:
        """A text of `size` characters will be compiled now."""
        seconds = expected_seconds(self.kind, size)
        self.size, self.start = size, time.perf_counter()
        if seconds >= SHORT:
            self._tell(f"about {seconds:.0f} s")
        self._watch = threading.Thread(target=self._watched, args=(seconds,), daemon=True)
        self._watch.start()

    def _tell(self, how_long: str) -> None:
        self.told = True
        announce(f"simrun: compiling {self.what} (once per version, {how_long}) …")

    def _watched(self, expected: float) -> None:
        """Draw a bar where there is a terminal, which no other process draws on; tell of what takes
        longer than was expected."""
        if not self.told:
            if self._over.wait(SHORT):
                return
            self._tell(f"longer than the {expected:.1f} s expected")
        from multiprocessing import parent_process  # long to import

        if parent_process() is not None or not getattr(sys.stderr, "isatty", bool)():
            return
        began = time.monotonic()
        while not self._over.wait(EVERY):
            gone = time.monotonic() - began
            full = round(BAR * min(1.0, gone / max(expected, SHORT)))
            bar = "█" * full + "░" * (BAR - full)
            sys.stderr.write(f"\r\x1b[K{bar} {gone:.0f} of about {expected:.0f} s")
            sys.stderr.flush()
        sys.stderr.write("\r\x1b[K")

    def __enter__(self) -> Compiling:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._watch is not None:
            self._over.set()
            self._watch.join()
        if not self.size or error is not None:
            return
        seconds = time.perf_counter() - self.start
        if self.told:
            announce(f"simrun: compiled in {seconds:.0f} s")
        took = _taken_here()
        took[self.kind] = [*took.get(self.kind, ()), seconds / self.size][-LATELY:]
        with suppress(InputError):  # only the next estimate wants it
            write_atomically(cache_folder() / FILE, json.dumps(took) + "\n")


def expected_seconds(kind: str, size: int) -> float:
    """What a text of a kind and so many characters will probably take here."""
    known = {one: median(took) for one, took in _taken_here().items()}
    if kind in known:
        return known[kind] * size
    elsewhere = {one: median(took) for one, took in _read(ELSEWHERE).items()}
    yardstick = elsewhere.pop("yardstick")
    slower = [known[other] / elsewhere[other] for other in known if other in elsewhere]
    factor = median(slower) if slower else _yardstick() / yardstick
    return elsewhere.get(kind, median(elsewhere.values())) * size * factor


def _yardstick() -> float:
    """Seconds that Python takes for a text that is always the same: the least of three times."""
    text, times = _STATEMENT * _STATEMENTS, []
    for _ in range(3):
        begin = time.process_time()
        compile(text, "<yardstick>", "exec")
        times.append(time.process_time() - begin)
    return min(times)


def _taken_here() -> dict[str, list[float]]:
    """Seconds a character by kind; what is damaged is as good as absent."""
    try:
        return _read(cache_folder() / FILE)
    except (InputError, OSError, ValueError, AttributeError, TypeError):
        return {}


def _read(path: Path) -> dict[str, list[float]]:
    content = json.loads(path.read_text(encoding="utf-8"))
    kept = {kind: [float(one) for one in took if 0 < one < 1] for kind, took in content.items()}
    return {kind: took for kind, took in kept.items() if took}


def announce(message: str) -> None:
    """A line on stderr, for waits the user should know the reason of."""
    print(message, file=sys.stderr, flush=True)
