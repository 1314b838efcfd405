"""From what a core counted per instruction to what people look at: source lines, the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from machines.diagnostics import InputError, Location
from machines.reading import MOST_SOURCE, read_text
from sim.results.figures import Figures
from sim.results.line import Line
from sim.status import FAULT, HANG, LIMIT

if TYPE_CHECKING:
    from sim.cores import Outcome


def line_costs(
    figures: Figures,
    program: Any,
    folder: Path,
    known: Mapping[str, str],
) -> list[Line]:
    """What each source line executed and waited for, in source order; none if the core does not
    say what instructions cost.  The texts of some files may be `known`."""
    if figures.executed is None:
        return []
    found: dict[tuple[str, int], list[int]] = {}
    for number, location in enumerate(program.locations):
        if location is not None:
            found.setdefault((location.file, location.line), []).append(number)
    texts = _texts({file for file, _ in found}, known)
    return [
        Line(
            file=shown_file(file, folder),
            line=line,
            text=texts(file, line),
            executed=int(figures.executed[rows].sum()),
            lost=_lost(figures, rows),
            columns={name: int(c[rows].sum()) for name, c in figures.columns.items()},
        )
        for (file, line), rows in sorted(found.items())
    ]


def instruction_costs(
    figures: Figures, program: Any, folder: Path, known: Mapping[str, str]
) -> list[Line]:
    """The same of each instruction alone, with the line that it comes from, if that is known."""
    if figures.executed is None:
        return []
    places = [(place.file, place.line) if place else ("", 0) for place in program.locations]
    texts = _texts({file for file, _ in places if file}, known)
    return [
        Line(
            file=shown_file(file, folder) if file else "",
            line=line,
            text=texts(file, line) if file else "",
            executed=int(figures.executed[number]),
            lost=_lost(figures, [number]),
            columns={name: int(column[number]) for name, column in figures.columns.items()},
        )
        for number, (file, line) in enumerate(places)
    ]


def _lost(figures: Figures, rows: list[int]) -> dict[str, int]:
    by_cause = figures.stalls[np.asarray(rows)].sum(axis=0)
    return {cause: int(by_cause[column]) for column, cause in enumerate(figures.causes)}


def _texts(files: set[str], known: Mapping[str, str]) -> Callable[[str, int], str]:
    lines = {file: known[file].splitlines() if file in known else _lines_of(file) for file in files}

    def text(file: str, line: int) -> str:
        return lines[file][line - 1] if 0 < line <= len(lines[file]) else ""

    return text


def _lines_of(file: str) -> list[str]:
    try:
        return read_text(file, MOST_SOURCE).splitlines()
    except InputError:
        return []  # the file went away since it was compiled: its lines are shown without text


def shown_file(file: str, folder: Path) -> str:
    """A file's name as results hold it: relative to the workload, so that it is no host's.  One in
    a folder with angle brackets, as `<C library>`, is simrun's own."""
    if file.startswith("<"):
        return file
    return Path(os.path.relpath(file, folder)).as_posix()


def failure_of(outcome: Outcome, folder: Path, cycle_limit: int) -> dict[str, Any] | None:
    """Why the program did not end well, with a message for people; None if it did."""
    if outcome.status == FAULT:
        return _fault(outcome, folder)
    if outcome.status == LIMIT:
        message = f"the program had not ended after {outcome.cycles} cycles (limit {cycle_limit})"
        return {"kind": LIMIT, "cycle": outcome.cycles, "message": message}
    if outcome.status == HANG:
        return {"kind": HANG, "cycle": outcome.cycles, "message": outcome.waits_for}
    return None


def fault_of_function(
    kind: str, place: Location | None, hint: str, cycle: int, folder: Path
) -> dict[str, Any]:
    """The fault that a function of a level says it ended with, and what can be done."""
    content = {"kind": kind, "cycle": cycle, "address": None, "location": None}
    message = f"{kind}{': ' if hint else ''}{hint}, in cycle {cycle}"
    return _placed(content, message, place, folder)


def _fault(outcome: Outcome, folder: Path) -> dict[str, Any]:
    failure = outcome.failure
    content: dict[str, Any] = {
        "kind": failure.kind,
        "cycle": failure.cycle,
        **with_places(failure.details, folder),
        "address": failure.address,
        "location": None,
    }
    known = [failure.about] if failure.about else []
    if failure.address is not None:
        known.insert(0, f"address {failure.address & 0xFFFF_FFFF_FFFF_FFFF:#x}")
    message = f"{failure.kind}: {', '.join(known)}" if known else failure.kind
    message += f", in cycle {failure.cycle}, {failure.where}"
    if failure.hint is not None:
        content["hint"] = failure.hint
    return _placed(content, message, failure.location, folder)


def _placed(
    content: dict[str, Any], message: str, place: Location | None, folder: Path
) -> dict[str, Any]:
    """A fault with its message and its place, if that is known."""
    if place is not None:
        content["location"] = _place(place, folder)
        message = f"{_relative(place, folder)}: {message}"
    return {**content, "message": message}


def with_places(told: Any, folder: Path) -> Any:
    """Plain data, with what results hold of the places in it."""
    if isinstance(told, Location):
        return _place(told, folder)
    if isinstance(told, Mapping):
        return {key: with_places(value, folder) for key, value in told.items()}
    return told


def _place(place: Location, folder: Path) -> dict[str, Any]:
    shown = _relative(place, folder)
    return {"file": shown.file, "line": shown.line, "column": shown.column}


def _relative(location: Location, folder: Path) -> Location:
    return Location(
        shown_file(location.file, folder), location.line, location.column, location.length
    )
