"""Rows of a picture: what happens on a track, with the time that passed until it could begin.

    rows = Rows(heading)
    for row in rows.of(span): …        stall, stall, issue  →  one row of three stages
    for row in rows.rest(): …          waits after which nothing came

A span that overlaps others, or before which nothing waited, is a row of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sim.timeline.span import Happening, Span, Track
from sim.timeline.writing import Heading


class Row(NamedTuple):
    """What happens on a track; `stages` are its spans, one behind the other: those that wait, and
    the one that they waited for, if that came."""

    track: Track
    stages: tuple[Span, ...]

    @property
    def begin(self) -> int:
        return self.stages[0].begin

    @property
    def end(self) -> int:
        return self.stages[-1].end


class Rows:
    """Puts the spans of a timeline together, as they come."""

    def __init__(self, heading: Heading):
        self._waits = heading.waits
        self._waiting: dict[Track, list[Span]] = {}

    def of(self, one: Happening) -> Iterator[Row]:
        """The rows that are whole with this span; instants belong to none."""
        if not isinstance(one, Span):
            return
        before = self._waiting.pop(one.track, [])
        if before and before[-1].end != one.begin:
            yield Row(one.track, tuple(before))
            before = []
        if self._waits[one.name]:
            self._waiting[one.track] = [*before, one]
        else:
            yield Row(one.track, (*before, one))

    def rest(self) -> Iterator[Row]:
        """Waits that have not ended."""
        for track, spans in self._waiting.items():
            yield Row(track, tuple(spans))
        self._waiting.clear()


class Collected:
    """The rows of a whole timeline, for formats that are written when it is known."""

    def __init__(self, heading: Heading):
        self._rows, self._done = Rows(heading), list[Row]()

    def write(self, one: Happening) -> None:
        self._done += self._rows.of(one)

    def all(self) -> list[Row]:
        """All that last a cycle, when nothing more comes."""
        return [row for row in (*self._done, *self._rows.rest()) if row.end > row.begin]
