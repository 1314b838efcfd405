"""A JSON object a line, for scripts:

{"cycle": 24, "event": "diverge", "track": "SM 0/warp 1", "block": 7, "pc": 12, …}
{"cycle": 24, "end": 31, "event": "stall", "track": "SM 0/warp 1", "reason": "wait", …}
"""

from __future__ import annotations

import json
from typing import BinaryIO

from sim.timeline.span import Happening, Span
from sim.timeline.writing import Heading, TraceWriter


class Lines:
    """A file of lines."""

    def __init__(self, stream: BinaryIO, heading: Heading):
        self._stream, self._plain = stream, heading.plain
        self._tracks: dict[object, str] = {}

    def write(self, one: Happening) -> None:
        track = self._tracks.get(one.track)
        if track is None:
            track = self._tracks[one.track] = str(one.track)
        when = {"cycle": one[1], "end": one.end} if isinstance(one, Span) else {"cycle": one[1]}
        content = {**when, "event": one.name, "track": track, **one.arguments}
        self._stream.write(json.dumps(content, default=self._plain).encode() + b"\n")

    def end(self) -> None:
        """Lines need no end."""


PLUGIN = TraceWriter("jsonl", "a JSON object a line", (".jsonl",), Lines)
