"""The timeline of a case's run: where it goes, and what it is held to.

with traced(prepared, Path("run.json")) as recording:
    result = execute(prepared, recording=recording)
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from machines.cache.compile_times import announce
from machines.cache.files import check_writable, open_atomically
from machines.description.load import machines
from machines.diagnostics import input_error
from sim.results.profile import shown_file
from sim.results.vocabulary import vocabularies, vocabulary_of
from sim.timeline.recording import Recording
from sim.timeline.span import Happening
from sim.timeline.window import TraceWindow, Windowed
from sim.timeline.writing import GZIP, Heading, TraceWriter, writer_for

if TYPE_CHECKING:
    from machines.description.load import Machine
    from machines.diagnostics import Location
    from sim.prepared_case import PreparedCase

Destination = Path | Callable[[Happening], object]
"""A file, or what is called with every span and instant."""


def check_traceable(machine: Machine) -> None:
    """Raise InputError if runs on a machine leave no timeline."""
    if vocabulary_of(machine.kind).events:
        return
    message = f"{machine.name}, a machine of kind '{machine.kind}', leaves no trace"
    traced = {name for name, one in vocabularies().items() if one.events}
    others = ", ".join(name for name, other in machines().items() if other.kind in traced)
    raise input_error(message, hint=f"choose another by --machine: {others}")


def trace_writer(path: Path, name: str | None) -> TraceWriter:
    """The format in which a trace is to be written to a file.

    Raises InputError if there is none, or if the file could not be written.
    """
    writer = writer_for(path, name)
    check_writable(path)
    return writer


@contextmanager
def traced(
    prepared: PreparedCase,
    to: Destination | None,
    writer: TraceWriter | None = None,
    window: TraceWindow | None = None,
    also: Callable[[Happening], object] | None = None,
) -> Iterator[Recording | None]:
    """What takes the timeline of a run of a prepared case; None where none is wanted.

    writer  of a file: its format
    window  the part that is wanted; None: all of it
    also    takes the same, beside a file
    """
    if also is not None:
        to, also = (also, None) if to is None else (to, also)
    if to is None:
        yield None
        return
    vocabulary, heading = vocabulary_of(prepared.compiled.machine.kind), _heading(prepared, window)
    with ExitStack() as files:
        write: Callable[[Happening], object]
        if isinstance(to, Path):
            assert writer is not None
            file = files.enter_context(open_atomically(to, binary=True))
            if to.suffix == GZIP:
                # Equal runs are equal files: the time and the name of none are in them.
                file = files.enter_context(gzip.GzipFile("", "wb", fileobj=file, mtime=0))
            writing = writer.begin(file, heading)
            write = writing.write if also is None else _both(writing.write, also)
        else:
            write = to
        if window is None:
            yield Recording(vocabulary, write)
        else:
            windowed = Windowed(window, write, heading.shown)
            recording = Recording(vocabulary, windowed.take, window)
            yield recording
            windowed.end(recording.cycles)
            for asked in windowed.unmatched():
                announce(f"simrun: nothing of the run is on or at '{asked}': the trace lacks it")
        if isinstance(to, Path):
            writing.end()


def _both(
    first: Callable[[Happening], object], second: Callable[[Happening], object]
) -> Callable[[Happening], None]:
    def write(one: Happening) -> None:
        first(one)
        second(one)

    return write


def _heading(prepared: PreparedCase, window: TraceWindow | None) -> Heading:
    machine, workload = prepared.compiled.machine, prepared.compiled.workload
    vocabulary, case = vocabulary_of(machine.kind), prepared.case.name

    def shown(location: Location) -> str:
        return f"{shown_file(location.file, workload.folder)}:{location.line}"

    return Heading(
        f"{workload.name}{'' if case == 'default' else f' ({case})'} on {machine.name}",
        machine.name,
        machine.kind,
        machine.description.clock,
        vocabulary.tracks,
        vocabulary.events,
        shown,
        window,
    )
