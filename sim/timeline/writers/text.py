"""A timeline to read in a terminal: a line for a row (`sim.timeline.rows`), a column for a cycle.

    saxpy on teaching_gpu

    cycles 0 to 79                                       0         10        20        30
    SM 0/warp 0                   mov      saxpy.py:6     I
                                  add      saxpy.py:6      wwwwI
                                  st       saxpy.py:6           wwwwI
    SM 0/memory                   st       saxpy.py:6                AAAAAAAAAAAA

    I issue, A access; w wait

Time is cut into pages of as many cycles as fit; a page has what happens in it.  What waits has
small letters by what it waits for, and what is waited for capital ones by event.
"""

from __future__ import annotations

import string
from typing import BinaryIO

from machines.diagnostics import Location
from sim.timeline.rows import Collected, Row
from sim.timeline.span import Span, Track
from sim.timeline.window import TraceWindow
from sim.timeline.writing import Heading, TraceWriter

COLUMNS = 80
"""Cycles of a page."""
TICK = 10
LONGEST = 28
"""Characters of a caption."""
MORE = "+"
"""Stands for a reason or event when letters have run out."""


class Letters:
    """A letter for each name, one of its own if that is free."""

    def __init__(self, alphabet: str):
        self._free = list(alphabet)
        self._to_case = str.upper if alphabet[0].isupper() else str.lower
        self.of: dict[str, str] = {}

    def letter(self, name: str) -> str:
        if name not in self.of:
            wanted = [c for c in self._to_case(name) if c in self._free] or self._free or [MORE]
            self.of[name] = wanted[0]
            if wanted[0] in self._free:
                self._free.remove(wanted[0])
        return self.of[name]


class TextTimeline:
    """Pages of text."""

    def __init__(self, stream: BinaryIO, heading: Heading):
        self._stream, self._heading = stream, heading
        rows = Collected(heading)
        self.write, self._rows = rows.write, rows.all

    def end(self) -> None:
        rows = self._rows()
        lines = [self._heading.title]
        if rows:
            lines += self._pages(rows)
        self._stream.write(("\n".join(lines) + "\n").encode())

    def _pages(self, rows: list[Row]) -> list[str]:
        order = self._order(rows)
        rows.sort(key=lambda row: (order[row.track], row.begin, row.end))
        work, waits = Letters(string.ascii_uppercase), Letters(string.ascii_lowercase)
        names = [self._names(row) for row in rows]
        width = max(len(name) for name in names) + 2
        track_width = max(len(str(track)) for track in order) + 2
        first, last = self._cycles(rows)
        lines = []
        for begin in range(first - first % TICK, last, COLUMNS):
            end, before = begin + COLUMNS, None
            page = []
            for row, name in zip(rows, names, strict=True):
                if row.begin >= end or row.end <= begin:
                    continue
                drawn = self._drawn(row, begin, end, work, waits)
                track = "" if row.track is before else str(row.track)
                page.append(f"{track:{track_width}}{name:{width}}{drawn}".rstrip())
                before = row.track
            if page:
                left = f"cycles {begin} to {end - 1}"
                lines += ["", f"{left:{track_width + width}}{_ticks(begin)}".rstrip(), *page]
        legend = [", ".join(f"{c} {name}" for name, c in one.of.items()) for one in (work, waits)]
        return [*lines, "", "; ".join(filter(None, legend))]

    def _order(self, rows: list[Row]) -> dict[Track, int]:
        """Tracks stand behind what they are part of, by family as these are declared."""
        families = {one.name: number for number, one in enumerate(self._heading.tracks)}
        seen: dict[Track, int] = {}

        def place(track: Track) -> tuple[tuple[int, int], ...]:
            above = place(track.parent) if track.parent is not None else ()
            return (*above, (families[track.family], seen.setdefault(track, len(seen))))

        places = {row.track: place(row.track) for row in rows}
        return {
            track: number for number, track in enumerate(sorted(places, key=places.__getitem__))
        }

    def _cycles(self, rows: list[Row]) -> tuple[int, int]:
        """The first and the one behind the last that are shown."""
        window = self._heading.window or TraceWindow()
        first = max(min(row.begin for row in rows), window.begin or 0)
        last = max(row.end for row in rows)
        return first, last if window.end is None else min(last, window.end)

    def _names(self, row: Row) -> str:
        """Of a row: what it waits for, or what it is, and its place in the source."""
        last = row.stages[-1]
        caption = self._heading.caption(last)
        if self._heading.waits[last.name]:
            caption = str(last.arguments.get("operation", caption))
        if len(caption) > LONGEST:
            caption = f"{caption[: LONGEST - 1]}…"
        place = last.arguments.get("location")
        return (
            f"{caption}  {self._heading.shown(place)}" if isinstance(place, Location) else caption
        )

    def _drawn(self, row: Row, begin: int, end: int, work: Letters, waits: Letters) -> str:
        text = [" "] * COLUMNS
        for span in row.stages:
            letter = self._letter(span, work, waits)
            for cycle in range(max(span.begin, begin), min(span.end, end)):
                text[cycle - begin] = letter
        return "".join(text)

    def _letter(self, span: Span, work: Letters, waits: Letters) -> str:
        if self._heading.waits[span.name]:
            return waits.letter(self._heading.caption(span))
        return work.letter(span.name)


def _ticks(begin: int) -> str:
    """A number above every tenth column."""
    return "".join(f"{begin + k:<{TICK}}" for k in range(0, COLUMNS, TICK))


PLUGIN = TraceWriter("text", "a timeline to read in a terminal", (".txt",), TextTimeline)
