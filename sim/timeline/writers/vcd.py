"""Value change dumps (IEEE 1364), which GTKWave and other viewers of waves open.

A track is a scope within those of the tracks around it: `SM_0.warp_3`.  What lies on it is a text,
empty while there is nothing; where spans may overlap it is how many.  Instants are a text of
their own, in the cycle in which they happen.  A cycle is a nanosecond.  Changes stand in the order
of time, so they are kept until the end.  Written by the package `pyvcd`.
"""

from __future__ import annotations

import io
from itertools import groupby
from typing import Any, BinaryIO

from machines.optional import optional
from sim.timeline.span import Happening, Span, Track
from sim.timeline.writing import Heading, TraceWriter

NOTHING = ""
STATE, COUNT, EVENT = "state", "count", "event"
"""Names of a track's variables."""
Change = tuple[int, int, Track, str, str | int]
"""Cycle, rank within it, track, variable, and the text that it has then or how many spans begin
(1) or end (-1)."""


class ValueChanges:
    """A dump."""

    def __init__(self, stream: BinaryIO, heading: Heading):
        self._vcd = optional("vcd", "trace")
        self._stream, self._heading = stream, heading
        self._changes: list[Change] = []

    def write(self, one: Happening) -> None:
        caption = self._heading.caption(one)
        if not isinstance(one, Span):
            cycle, ends = one.cycle, one.cycle + 1
            variable: str = EVENT
        elif one.begin == one.end:
            return
        elif self._heading.overlaps[one.track.family]:
            self._changes.append((one.begin, 1, one.track, COUNT, 1))
            self._changes.append((one.end, 0, one.track, COUNT, -1))
            return
        else:
            cycle, ends, variable = one.begin, one.end, STATE
        # What begins in the cycle in which something ends comes behind that.
        self._changes.append((cycle, 1, one.track, variable, caption))
        self._changes.append((ends, 0, one.track, variable, NOTHING))

    def end(self) -> None:
        text = io.StringIO()
        comment = f"{self._heading.title}; a cycle is a nanosecond"
        with self._vcd.VCDWriter(text, "1 ns", date="", comment=comment) as writer:
            self._write(writer)
        self._stream.write(text.getvalue().encode())

    def _write(self, writer: Any) -> None:
        variables: dict[tuple[Track, str], Any] = {}
        for _, _, track, name, _ in self._changes:
            if (track, name) not in variables:
                is_count = name == COUNT
                variables[track, name] = writer.register_var(
                    [part.replace(" ", "_") for part in track.path],  # names end at a space
                    name,
                    "integer" if is_count else "string",
                    size=32 if is_count else None,
                    init=0 if is_count else NOTHING,
                )
        counts: dict[Track, int] = {}
        self._changes.sort(key=lambda change: change[:2])
        for cycle, same in groupby(self._changes, key=lambda change: change[0]):
            # The last of a cycle: no viewer needs to see what lasts no time.
            values: dict[tuple[Track, str], str | int] = {}
            for _, _, track, name, value in same:
                if isinstance(value, int):
                    value = counts[track] = counts.get(track, 0) + value
                values[track, name] = value
            for variable, value in values.items():
                writer.change(variables[variable], cycle, value)


PLUGIN = TraceWriter("vcd", "value change dumps, for viewers of waves", (".vcd",), ValueChanges)
