"""The JSON of Chrome's trace viewer, which Perfetto (https://ui.perfetto.dev) opens.

Source of the format: "Trace Event Format", Google, 2016.  Every outermost track is a process
there, and every track below it a thread of that; a cycle is a microsecond, so that all times are
whole numbers.  Spans are complete events (`X`), which have to nest on a thread; those on tracks
whose spans may overlap are pairs of asynchronous ones (`b`, `e`), each with a number of its own.
Instants are `i`, of their thread, and so are spans that last no cycle: an empty one would be drawn
as long as the next.
"""

from __future__ import annotations

import json
from typing import Any, BinaryIO

from sim.timeline.span import Happening, Span, Track
from sim.timeline.writing import Heading, TraceWriter


class ChromeTrace:
    """A file of events."""

    def __init__(self, stream: BinaryIO, heading: Heading):
        self._stream, self._heading = stream, heading
        self._places: dict[Track, dict[str, int]] = {}
        self._processes: dict[Track, int] = {}
        self._numbers = 0
        self._separator = b""
        self._stream.write(b'{"traceEvents": [\n')

    def write(self, one: Happening) -> None:
        place = self._place(one.track)
        event: dict[str, Any] = {"name": self._heading.caption(one), "cat": one.name, **place}
        if not isinstance(one, Span) or one.begin == one.end:
            self._put({**event, "ph": "i", "s": "t", "ts": one[1], "args": one.arguments})
        elif self._heading.overlaps[one.track.family]:
            self._numbers += 1
            event["id"] = self._numbers
            self._put({**event, "ph": "b", "ts": one.begin, "args": one.arguments})
            self._put({**event, "ph": "e", "ts": one.end})
        else:
            lasts = {"ph": "X", "ts": one.begin, "dur": one.end - one.begin}
            self._put({**event, **lasts, "args": one.arguments})

    def end(self) -> None:
        heading = self._heading
        about = {"title": heading.title, "machine": heading.machine, "clock_hz": heading.clock}
        closing = f'\n], "displayTimeUnit": "ns", "otherData": {json.dumps(about)}}}\n'
        self._stream.write(closing.encode())

    def _place(self, track: Track) -> dict[str, int]:
        """Process and thread of a track, which are named when it comes first."""
        place = self._places.get(track)
        if place is not None:
            return place
        outermost = track
        while outermost.parent is not None:
            outermost = outermost.parent
        if outermost not in self._processes:
            self._processes[outermost] = len(self._processes) + 1
            self._name("process", {"pid": self._processes[outermost]}, outermost.name)
        place = {"pid": self._processes[outermost], "tid": len(self._places) + 1}
        self._places[track] = place
        self._name("thread", place, "/".join(track.path[1:]) or track.name)
        return place

    def _name(self, what: str, place: dict[str, int], name: str) -> None:
        self._put({"name": f"{what}_name", "ph": "M", **place, "args": {"name": name}})

    def _put(self, event: dict[str, Any]) -> None:
        text = json.dumps(event, default=self._heading.plain)
        self._stream.write(self._separator + text.encode())
        self._separator = b",\n"


PLUGIN = TraceWriter("chrome", "JSON for Perfetto and Chrome", (".json",), ChromeTrace)
