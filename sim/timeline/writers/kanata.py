"""The log of Konata (https://github.com/shioyadan/Konata), a viewer of pipelines.

Source of the format: "Kanata log format", version 0004, of its documentation.  Every row of the
timeline (`sim.timeline.rows`) is an instruction there, its spans are stages of lane 0, its track is
the thread.  Commands stand in the order of time, so rows are kept until the end.

    C=    0
    C     12                    the first cycle: what `C=` says Konata does not read
    I     0  0  3               instruction 0, of thread 3
    L     0  0  SM 0/warp 3: ld.global
    S     0  0  long_scoreboard
    C     40                    40 cycles later
    S     0  0  issue           a stage ends where the next begins
    C     1
    R     0  0  0               it is over
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from sim.timeline.rows import Collected, Row
from sim.timeline.span import Track
from sim.timeline.writing import Heading, TraceWriter

NAME, DETAIL = 0, 1
"""Sorts of labels: what stands to the left, and what a pointer that rests on it shows."""
RETIRED = 0
"""As opposed to flushed."""


class Kanata:
    """A log."""

    def __init__(self, stream: BinaryIO, heading: Heading):
        self._stream, self._heading = stream, heading
        rows = Collected(heading)
        self.write, self._rows = rows.write, rows.all

    def end(self) -> None:
        rows = sorted(self._rows(), key=lambda row: (row.begin, row.end))
        threads: dict[Track, int] = {}
        timed: list[tuple[int, int, str]] = []  # cycle, number of the row, command
        for number, row in enumerate(rows):
            thread = threads.setdefault(row.track, len(threads))
            timed += ((cycle, number, text) for cycle, text in self._commands(number, thread, row))
        timed.sort(key=lambda one: one[0])  # stable: commands of a cycle stay by row
        now = 0
        self._put("Kanata\t0004")
        self._put(f"C=\t{now}")
        for cycle, _, text in timed:
            if cycle > now:
                self._put(f"C\t{cycle - now}")
                now = cycle
            self._put(text)

    def _commands(self, number: int, thread: int, row: Row) -> Iterator[tuple[int, str]]:
        last, caption = row.stages[-1], self._heading.caption
        yield row.begin, f"I\t{number}\t{number}\t{thread}"
        yield row.begin, f"L\t{number}\t{NAME}\t{row.track}: {caption(last)}"
        for name, value in last.arguments.items():
            if value is not None:
                told = self._heading.worded(value)
                yield row.begin, f"L\t{number}\t{DETAIL}\t{name}: {told} "
        for stage in row.stages:
            name = caption(stage) if self._heading.waits[stage.name] else stage.name
            yield stage.begin, f"S\t{number}\t0\t{name}"
        yield row.end, f"E\t{number}\t0\t{name}"
        yield row.end, f"R\t{number}\t{number}\t{RETIRED}"

    def _put(self, text: str) -> None:
        self._stream.write(f"{text}\n".encode())


PLUGIN = TraceWriter("kanata", "the log of Konata, a viewer of pipelines", (".kanata",), Kanata)
