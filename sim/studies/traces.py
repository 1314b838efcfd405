"""Timelines of the points of a study: a file each, in one folder.

plan = replace(plan, traces=Traces(Path("traces"), None, TraceWindow(last=1000)))
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from machines.diagnostics import input_error, nearest
from sim.timeline.recording import Recording
from sim.timeline.window import TraceWindow
from sim.timeline.writing import trace_writers

if TYPE_CHECKING:
    from sim.prepared_case import PreparedCase

FORMAT = "chrome"
"""The one that needs no further package."""
LONGEST = 150
"""Characters of a file's name."""


@dataclass(frozen=True)
class PointTrace:
    """What is to be written of a point: the file, the format's name, the part that is wanted."""

    path: str
    form: str
    window: TraceWindow | None


@dataclass(frozen=True)
class Traces:
    """What is to be written of all points; raises InputError if there is no such format."""

    folder: Path
    form: str | None = None
    window: TraceWindow | None = None

    def __post_init__(self) -> None:
        if self.form is not None and self.form not in trace_writers():
            known = trace_writers()
            message = f"there is no format of traces '{self.form}'"
            raise input_error(message, hint=nearest(self.form, known))

    def of(self, coordinates: Mapping[str, object]) -> PointTrace:
        """Of the point of these levels, which the file's name says."""
        form = self.form or FORMAT
        words = ",".join(f"{name}={label}" for name, label in coordinates.items())
        name = re.sub(r"[^\w.,=+-]+", "_", words)[:LONGEST]
        path = self.folder / f"{name}{trace_writers()[form].suffixes[0]}"
        return PointTrace(str(path), form, self.window)


@contextmanager
def tracing(prepared: PreparedCase, wanted: PointTrace | None) -> Iterator[Recording | None]:
    """What takes the timeline of a point's run, if that is wanted; raises InputError."""
    if wanted is None:
        yield None
        return
    from sim.traced import check_traceable, trace_writer, traced

    check_traceable(prepared.compiled.machine)
    path = Path(wanted.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = trace_writer(path, wanted.form)
    with traced(prepared, path, writer, wanted.window) as recording:
        yield recording
