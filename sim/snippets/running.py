"""Runs a snippet and looks at what it comes to.

done = run_snippet(Path("dot.s"), None, (), 10, None)
print(done.text())
done.write(Path("dot.pftrace"), None)
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from machines.cache.files import open_atomically
from machines.description.load import Machine, load_machine
from machines.diagnostics import Diagnostic, InputError, Location, input_error
from sim.prepared_case import prepare
from sim.results.result import Result
from sim.results.vocabulary import vocabulary_of
from sim.runner import Passes, compile_workload, execute
from sim.snippets import Code, Snippets, Text, Wrapped, machine_for, snippets_of
from sim.snippets.figures import Figures, figures_of
from sim.snippets.flow import Flow
from sim.snippets.functions import made_up
from sim.snippets.text import text_of
from sim.status import DONE
from sim.timeline.recording import Recording
from sim.timeline.span import Happening, Span
from sim.timeline.writing import GZIP, Heading, writer_for
from sim.workload.schema import Source, workload_of
from sim.workload.signature import wanted_parameters

MOST_ITERATIONS = 10_000


@dataclass(frozen=True)
class Ran:
    """A snippet that has run.

    happened  its timeline, of the iterations alone; places are those of the snippet
    """

    title: str
    machine: Machine
    snippets: Snippets
    wrapped: Wrapped
    happened: Sequence[Happening]
    flow: Flow
    figures: Figures

    def text(self) -> str:
        return text_of(self.title, self.wrapped.entry, self.flow, self.figures, self.snippets)

    def to_dict(self) -> dict[str, Any]:
        figures = self.figures.to_dict(self.flow.code)
        return {"machine": self.machine.name, "entry": self.wrapped.entry, **figures}

    def write(self, path: Path, form: str | None) -> None:
        """The timeline of the iterations, in the format of that name or of the file's."""
        writer, vocabulary = writer_for(path, form), vocabulary_of(self.machine.kind)
        heading = Heading(
            self.title, self.machine.name, self.machine.kind, self.machine.description.clock,
            vocabulary.tracks, vocabulary.events,
            lambda place: f"{Path(place.file).name}:{place.line}",
        )  # fmt: skip
        with open_atomically(path, binary=True) as file:
            stream = gzip.GzipFile("", "wb", fileobj=file, mtime=0) if path.suffix == GZIP else file
            writing = writer.begin(stream, heading)
            for one in self.happened:
                writing.write(one)
            writing.end()
            if stream is not file:
                stream.close()


def run_snippet(
    path: Path,
    machine: str | Machine | None,
    overrides: Sequence[str] = (),
    iterations: int = 10,
    passes: Passes = None,
) -> Ran:
    """Run a snippet; raises InputError if anything is wrong with it, or if it does not end well."""
    if not 1 <= iterations <= MOST_ITERATIONS:
        message = f"{iterations} iterations: there are 1 to {MOST_ITERATIONS}"
        raise input_error(message, hint="--iterations 10")
    text = _read(path)
    loaded = load_machine(machine or machine_for(path), overrides)
    snippets = snippets_of(loaded, path)
    wrapped = snippets.wraps[path.suffix](text, iterations, loaded)
    origin = _Origin(text, wrapped)
    try:
        content = {
            "workload": "snippet", "program": text.name, "machine": loaded.name, **wrapped.workload
        }  # fmt: skip
        workload = workload_of(content, Source(None, wrapped.text))
        chosen = passes
        if passes is None and wrapped.passes is not None:
            chosen = list(wrapped.passes)
        compiled = compile_workload(workload, loaded, (), chosen)
        if not wrapped.origins:
            wanted = wanted_parameters(compiled.program, compiled.declared)
            content["arguments"] = made_up(wanted)
            workload = workload_of(content, Source(None, wrapped.text))
            compiled = replace(compiled, workload=workload)
        prepared = prepare(compiled, workload.case())
        happened: list[Happening] = []
        recording = Recording(vocabulary_of(loaded.kind), happened.append)
        result = execute(prepared, recording=recording)
    except InputError as error:
        raise origin.error(error) from None
    if result.status != DONE:
        raise origin.fault(result)
    begin = result.steps[wrapped.begins]["begin"] if result.steps else 0
    own = [one for one in happened if one[1] >= begin]
    code = origin.code(snippets.code(prepared))
    spans = [one for one in own if isinstance(one, Span)]
    steps = [step["begin"] for step in result.steps[wrapped.begins :]]
    flow = Flow(code, spans, snippets.spends, origin.iterations(code, steps), not wrapped.origins)
    if not flow.steps or not all(flow.of(k) for k in range(iterations)):
        message = f"{text.name}: no instruction of it issues in each iteration"
        hint = "a snippet has instructions of the machine"
        if not wrapped.origins:
            hint = "passes remove what nobody needs: let the function return or store it"
        raise input_error(message, hint=hint)
    ends = [(step["begin"], step["end"]) for step in result.steps[wrapped.begins :]]
    figures = figures_of(flow, spans, snippets, iterations, () if wrapped.origins else ends)
    title = f"{text.name} on {loaded.name}, {iterations} iterations"
    moved = [origin.happening(one) for one in own]
    return Ran(title, loaded, snippets, wrapped, moved, flow, figures)


def _read(path: Path) -> Text:
    try:
        written = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        why = "it is no text"
        if isinstance(error, OSError):
            missing = isinstance(error, FileNotFoundError)
            why = "there is no such file" if missing else error.strerror
        raise input_error(f"cannot read {path}: {why}") from None
    return Text(path.name, written.splitlines())


class _Origin:
    """What of the program that ran is which line of the snippet."""

    def __init__(self, text: Text, wrapped: Wrapped):
        self._text, self._wrapped = text, wrapped
        self._moved: dict[int, tuple[Any, dict[str, Any]]] = {}

    def place(self, there: Location | None) -> tuple[Location | None, int | None]:
        """A place in the snippet, and the iteration; None of what is not the snippet's."""
        if there is None:
            return None, None
        origins = self._wrapped.origins
        if not origins:
            return replace(there, file=self._text.name), None
        found = origins[there.line - 1] if there.line <= len(origins) else None
        if found is None:
            return None, None
        line, iteration = found
        return replace(there, file=self._text.name, line=line + 1), iteration

    def happening(self, one: Happening) -> Happening:
        location = one.arguments.get("location")
        if location is None:
            return one
        kept = self._moved.get(id(one.arguments))
        if kept is None:
            moved = {**one.arguments, "location": self.place(location)[0]}
            kept = self._moved[id(one.arguments)] = one.arguments, moved
        return one._replace(arguments=kept[1])

    def code(self, code: Code) -> Code:
        return _AtOrigin(code, self)

    def iterations(self, code: Code, begins: Sequence[int]):
        """What gives the iteration of an instruction that issues in a cycle."""
        if self._wrapped.origins:
            return lambda number, cycle: self.place(code.within.location(number))[1]  # type: ignore[attr-defined]
        return lambda number, cycle: sum(begin <= cycle for begin in begins) - 1

    def error(self, error: InputError) -> InputError:
        """Of what is wrong in every copy alike one finding is enough."""
        return InputError([*dict.fromkeys(self._finding(one) for one in error.diagnostics)])

    def _finding(self, one: Diagnostic) -> Diagnostic:
        place, _ = self.place(one.location)
        if place is None and one.location is not None:
            line = self._wrapped.text.splitlines()[one.location.line - 1].strip()
            return Diagnostic(f"{self._text.name}: {one.message}, in '{line}' around it",
                              hint=one.hint)  # fmt: skip
        hint = self._said(one.hint) if one.hint is not None else None
        return replace(one, location=place, message=self._said(one.message), hint=hint)

    def _said(self, text: str) -> str:
        """A message that names lines of the program, as it names those of the snippet."""

        def named(found: re.Match[str]) -> str:
            place, _ = self.place(Location("", int(found.group(1))))
            return found.group() if place is None else f"line {place.line}"

        return re.sub(r"\bline (\d+)\b", named, text)

    def fault(self, result: Result) -> InputError:
        fault = result.fault or {}
        said = fault.get("kind") or result.status
        return input_error(
            f"{self._text.name}: its run ended with: {said}",
            hint="write a workload to give its registers and arrays other values",
        )


class _AtOrigin:
    """Instructions whose places are those of the snippet."""

    def __init__(self, within: Code, origin: _Origin):
        self.within, self._origin = within, origin

    def __getattr__(self, name: str) -> Any:
        return getattr(self.within, name)

    def location(self, number: int) -> Location | None:
        return self._origin.place(self.within.location(number))[0]

    def text(self, number: int) -> str:
        """A line of the snippet; of a function, whose lines are several, the operation."""
        place = self.location(number)
        if place is None or not self._origin._wrapped.origins:
            return self.within.text(number)
        line = self._origin._text.lines[place.line - 1]
        return " ".join(re.split(r"//|;;", line)[0].split())

    def issued(self, one: Span) -> Sequence[int]:
        """Those that the snippet has."""
        numbers = self.within.issued(one)
        if not self._origin._wrapped.origins:
            return numbers
        return [k for k in numbers if self._origin.place(self.within.location(k))[0] is not None]
