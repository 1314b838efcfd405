"""Results that were written, read again; and their machines, if these are still what they were.

[result] = read_results(Path("results/saxpy.itanium2.json"))
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from machines.diagnostics import Location, input_error
from machines.reading import MOST_RECORDED, read_text
from sim.results.moved import Content
from sim.results.result import FORMAT
from sim.status import EXIT_CODES

HINT = "--json prints results, and --out DIR writes a file of each"
Count = Annotated[int, Field(ge=0)]


class Recorded(BaseModel):
    """Base of what is read of a result; there may be more."""

    model_config = ConfigDict(strict=True, extra="ignore", defer_build=True)


class WrittenLine(Recorded):
    file: str
    line: int
    text: str
    executed: Count
    lost: dict[str, Count]


class WrittenStep(Recorded):
    begin: Count
    end: Count


class WrittenRegion(Recorded):
    after: Count
    until: Count | None
    begin: Count | None


class WrittenArray(Recorded):
    dtype: str
    shape: list[Count]
    sha256: str


class Words(Recorded):
    name: str
    version: int


class Provenance(Recorded):
    model: int
    machine: str
    overrides: list[str] = []
    arguments: dict[str, Any] = {}
    described: dict[str, Any] = {}


class WrittenResult(Recorded):
    """What a comparison reads of a result."""

    workload: str
    variant: str
    machine: str
    vocabulary: Words
    status: Literal[tuple(EXIT_CODES)]
    complete: bool
    ok: bool
    cycles: Count
    region: WrittenRegion | None = None
    clock_hz: Annotated[int, Field(ge=1)]
    counters: dict[str, Count]
    breakdown: dict[str, Count]
    outputs: dict[str, WrittenArray]
    checks: list[Any]
    lines: list[WrittenLine]
    steps: list[WrittenStep] = []
    provenance: Provenance


def read_results(path: Path) -> dict[str, Content]:
    """The results of a file by variant: one, or a list as `--json` prints of several variants.

    Raises InputError if it holds no results, results of another format, or two of one variant.
    """
    content = _read_json(path)
    found: dict[str, Content] = {}
    for result in content if isinstance(content, list) else [content]:
        _check(path, result)
        if result["variant"] in found:
            raise input_error(f"{path} holds two results of variant '{result['variant']}'")
        found[result["variant"]] = result
    if not found:
        raise input_error(f"{path} holds no result", hint=HINT)
    return found


def _read_json(path: Path) -> Any:
    text = read_text(path, MOST_RECORDED)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = Location(str(path), error.lineno, error.colno)
        message = f"this is no result of simrun: {error.msg}"
        raise input_error(message, place, source=text, hint=HINT) from None
    except (ValueError, RecursionError):  # numbers without end, lists in lists
        raise input_error(f"{path} holds no result", hint=HINT) from None


def _check(path: Path, content: Any) -> None:
    """Raise InputError unless a comparison can read the content."""
    if not isinstance(content, dict) or "format" not in content or "cycles" not in content:
        raise input_error(f"{path} holds no result", hint=HINT)
    if content["format"] != FORMAT:
        message = f"{path} holds a result of format {content['format']!r}, not {FORMAT}"
        raise input_error(message, hint="another version of simrun wrote it: run it again")
    try:
        WrittenResult.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        message = f"{path} holds a damaged result: {where}: {first['msg']}"
        raise input_error(message, hint="run it again") from None
