"""The timeline of a case's run: where it goes, and what it is held to.

with traced(prepared, Path("run.json")) as recording:
    result = execute(prepared, recording=recording)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from machines.cache.files import check_writable, open_atomically
from machines.description.load import machines
from machines.diagnostics import input_error
from sim.results.profile import shown_file
from sim.results.vocabulary import vocabularies, vocabulary_of
from sim.timeline.recording import Recording
from sim.timeline.span import Happening
from sim.timeline.writing import Heading, TraceWriter, writer_for

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
    prepared: PreparedCase, to: Destination | None, writer: TraceWriter | None = None
) -> Iterator[Recording | None]:
    """What takes the timeline of a run of a prepared case; None where none is wanted.

    writer  of a file: its format
    """
    if to is None:
        yield None
        return
    vocabulary = vocabulary_of(prepared.compiled.machine.kind)
    if not isinstance(to, Path):
        yield Recording(vocabulary, to)
        return
    assert writer is not None
    with open_atomically(to, binary=True) as file:
        writing = writer.begin(file, _heading(prepared))
        yield Recording(vocabulary, writing.write)
        writing.end()


def _heading(prepared: PreparedCase) -> Heading:
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
    )
