"""A format of timelines: a line of text for each span and instant."""

from __future__ import annotations

from typing import BinaryIO

from sim.timeline.span import Happening, Span
from sim.timeline.writing import Heading, TraceWriter


class Table:
    """Lines of track, event, first cycle and the one behind the last."""

    def __init__(self, stream: BinaryIO, heading: Heading):
        self.stream, self.lines = stream, 0
        self.stream.write(f"# {heading.title}\n".encode())

    def write(self, one: Happening) -> None:
        end = one.end if isinstance(one, Span) else ""
        self.stream.write(f"{one.track},{one.name},{one[1]},{end}\n".encode())
        self.lines += 1

    def end(self) -> None:
        self.stream.write(f"# {self.lines}\n".encode())


CSV = TraceWriter("csv", "lines of text with commas", (".csv",), Table)
