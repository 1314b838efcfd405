"""The part of a run's timeline that a page shows, as plain data.

    {"names": ["issue", "fma", …], "tracks": ["SM 0/warp 0", …],
     "track": [0, …], "begin": [40, …], "end": [41, …], "event": [0, …], "label": [1, …]}

Columns are compact: a row is a span, and names stand once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from sim.timeline.declared import Event
from sim.timeline.span import Happening, Span, Track
from sim.timeline.window import TraceWindow

MOST_KEPT = 60_000
"""Spans that are kept while a run goes on, the first ones, so that memory is bounded."""
MOST_SPANS, MOST_TRACKS = 6000, 40
"""Of a picture: of the first tracks, by their names, the spans that begin first."""


class Recorded:
    """Takes spans as they come, until there are enough."""

    def __init__(self, events: Sequence[Event], window: TraceWindow | None = None):
        """`window` is the part of the timeline that comes; spans that reach out of it are whole."""
        self._window = window
        self._labels = {event.name: event.label for event in events}
        self._spans: list[tuple[Track, int, int, str, str]] = []
        self.left_out = 0

    def take(self, one: Happening) -> None:
        """The next span or instant of a run; instants last no cycle and are not drawn."""
        if not isinstance(one, Span) or one.begin == one.end:
            return
        if len(self._spans) >= MOST_KEPT:
            self.left_out += 1
            return
        field = self._labels[one.name]
        label = str(one.arguments[field]) if field else one.name
        self._spans.append((one.track, one.begin, one.end, one.name, label))

    def content(self) -> dict[str, Any] | None:
        """What is kept, on the first tracks; None if it is nothing."""
        if not self._spans:
            return None
        tracks = sorted({str(track) for track, *_ in self._spans}, key=_in_order)
        kept = {name: number for number, name in enumerate(tracks[:MOST_TRACKS])}
        names: dict[str, int] = {}
        number: Callable[[str], int] = lambda name: names.setdefault(name, len(names))  # noqa: E731
        on_tracks = [one for one in self._spans if str(one[0]) in kept]
        shown = sorted(on_tracks, key=lambda one: one[1])[:MOST_SPANS]
        rows = [
            (kept[str(track)], begin, end, number(name), number(label))
            for track, begin, end, name, label in shown
        ]
        words = "track", "begin", "end", "event", "label"
        columns = dict(zip(words, map(list, zip(*rows, strict=True)), strict=True))
        begin = self._window.begin if self._window is not None else None
        end = self._window.end if self._window is not None else None
        return {
            "from": max(min(columns["begin"]), begin or 0),
            "to": max(columns["end"]) if end is None else min(end, max(columns["end"])),
            "names": list(names),
            "tracks": list(kept),
            **columns,
            "tracks_left_out": len(tracks) - len(kept),
            "spans_left_out": self.left_out + len(on_tracks) - len(shown),
        }


def _in_order(name: str) -> list[tuple[int, str]]:
    """'warp 2' before 'warp 10'."""
    words = re.split(r"(\d+)", name)
    return [(int(word), "") if word.isdigit() else (-1, word) for word in words]
