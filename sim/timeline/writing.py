"""How timelines are written: plugins, of which each knows one format.

writer = writer_for(Path("run.json"), None)
writing = writer.begin(stream, heading)
writing.write(span)
writing.end()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, Protocol, cast

import sim.timeline.writers as _folder
from machines.diagnostics import Location, input_error, nearest
from machines.plugins import discover
from sim.timeline.declared import Event, TrackFamily
from sim.timeline.span import Happening
from sim.timeline.window import TraceWindow

GZIP = ".gz"
"""Behind the suffix of any format: what is written is compressed."""


@dataclass(frozen=True)
class Heading:
    """What a format may say of the run as a whole.

    title    of the run: 'saxpy on itanium2'
    clock    cycles a second
    tracks, events  what its kind of machine declares
    shown    a place in a source, as results name it: 'saxpy.py:7'
    window   the part of the timeline that is wanted; None: all of it
    """

    title: str
    machine: str
    kind: str
    clock: int
    tracks: Sequence[TrackFamily]
    events: Sequence[Event]
    shown: Callable[[Location], str]
    window: TraceWindow | None = None

    @cached_property
    def overlaps(self) -> dict[str, bool]:
        """By family of tracks: whether spans on one may overlap."""
        return {one.name: one.overlaps for one in self.tracks}

    @cached_property
    def waits(self) -> dict[str, bool]:
        """By event: whether it is time that passes until what comes next can begin."""
        return {one.name: one.waits for one in self.events}

    @cached_property
    def _labels(self) -> dict[str, str]:
        return {one.name: one.label for one in self.events}

    def caption(self, one: Happening) -> str:
        """What a picture calls a span or instant: the field that its event is shown by."""
        label = self._labels[one.name]
        return str(one.arguments[label]) if label else one.name

    def worded(self, value: object) -> str:
        """A field's value as a text."""
        if isinstance(value, (list, tuple)):
            return " ".join(map(str, value))
        return str(value) if isinstance(value, (str, int)) else self.plain(value)

    def plain(self, value: object) -> str:
        """For `json.dumps(…, default=heading.plain)`: the one sort of value that JSON has not."""
        assert isinstance(value, Location), value
        return self.shown(value)


class Writing(Protocol):
    """A timeline that is being written."""

    def write(self, one: Happening) -> None:
        """The next span or instant."""

    def end(self) -> None:
        """Nothing more comes."""


@dataclass(frozen=True)
class TraceWriter:
    """A format of timelines (entry-point group `simrun.traces`).

    suffixes  of the names of its files
    begin     begin(stream, heading) -> what takes the timeline and writes bytes to the stream,
              which somebody else closes
    """

    name: str
    sentence: str
    suffixes: Sequence[str]
    begin: Callable[[BinaryIO, Heading], Writing]


def trace_writers() -> dict[str, TraceWriter]:
    """All formats by name."""
    return cast(dict[str, TraceWriter], discover("traces", _folder, TraceWriter))


def writer_for(path: Path, name: str | None) -> TraceWriter:
    """The format of that name; without one, that of such files.

    Raises InputError if there is none.
    """
    found = trace_writers()
    if name is not None:
        if name not in found:
            raise input_error(f"there is no format of traces '{name}'", hint=nearest(name, found))
        return found[name]
    suffix = path.with_suffix("").suffix if path.suffix == GZIP else path.suffix
    for writer in found.values():
        if suffix in writer.suffixes:
            return writer
    known = ", ".join(f"{' '.join(one.suffixes)} ({one.name})" for one in found.values())
    message = f"the name of the trace '{path}' does not say its format"
    raise input_error(
        message, hint=f"names end in {known}, and {GZIP} behind that; or --trace-format says it"
    )
