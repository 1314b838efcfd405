"""What a request to the service asks, checked, and how answers are written.

asked = read_request("run", b'{"name": "saxpy/workload.yaml", "set": ["clock=2 GHz"]}')
body = written({"exit_code": 0, "diagnostics": [], …})
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from machines.description.python_values import node_of
from machines.description.validation import validate
from machines.diagnostics import Diagnostic, Location, input_error
from sim.bounds import MOST_CYCLES

FORMAT = 1
"""Version of the layout of answers."""
MOST_ASKED = 64 << 10
"""Bytes of a request's body."""
MOST_ANSWERED = 8 << 20
"""Bytes of an answer's body."""
LONGEST_NAME = 1024
DONE, REFUSED, UNKNOWN_TOKEN, FOREIGN_HOST, CHANGED = 200, 422, 401, 403, 409
NO_METHOD, TOO_LARGE, NOT_JSON, OUR_MISTAKE, BUSY = 405, 413, 415, 500, 503
"""HTTP's numbers, of what becomes of a request."""


class Asked(BaseModel):
    """What every request may say; the words are those of the command line."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: str = Field(min_length=1, max_length=LONGEST_NAME, description="A path in the store.")
    machine: str | None = Field(None, min_length=1, description="In place of the workload's.")
    set: list[str] = Field([], description="Changes of the machine: 'memory.l1d.size=32KiB'.")
    passes: str | None = Field(None, min_length=1, description="With commas between them.")


class AskedToCompile(Asked):
    """`compile`: the views that are shown of a program."""

    entry: str | None = Field(None, min_length=1, description="The function, of several.")
    show: list[str] = Field(["asm"], min_length=1, max_length=8, description="Views of it.")


class AskedToRun(Asked):
    """`run`: a workload's variants, all if none are named."""

    arguments: list[str] = Field([], description="Other values: 'n=1000'.")
    variants: list[str] = Field([], description="Only these.")
    cycle_limit: int | None = Field(None, ge=1, le=MOST_CYCLES, description="Where a run ends.")
    timing_only: bool = Field(False, description="Compute nothing that time does not depend on.")
    text: bool = Field(False, description="Also the report for people.")


REQUESTS: dict[str, type[Asked]] = {"compile": AskedToCompile, "run": AskedToRun}


def read_request(kind: str, body: bytes) -> Asked:
    """The request of a body; raises InputError with every finding."""
    try:
        content = json.loads(body, object_pairs_hook=_each_once, parse_constant=_no_number)
    except RecursionError:
        raise input_error("the request nests too deep") from None
    except ValueError as error:  # neither UTF-8 nor JSON
        raise input_error(f"the request is not JSON: {error}") from None
    if not isinstance(content, dict):
        hint = '{"name": "saxpy/workload.yaml"}'
        raise input_error("the request is no JSON object", hint=hint)
    return validate(REQUESTS[kind], node_of(content, "request"))


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON")


def written(content: dict[str, Any]) -> bytes:
    """The body of an answer, in ASCII."""
    return json.dumps({"format": FORMAT, **content}, allow_nan=False).encode()


def refused(findings: Iterable[Diagnostic], exit_code: int = 2) -> dict[str, Any]:
    """What is answered where there are findings in place of a program or a result."""
    return {"exit_code": exit_code, "diagnostics": [plain(finding) for finding in findings]}


def plain(finding: Diagnostic) -> dict[str, Any]:
    """A finding as data; what it does not have is null."""
    place = finding.location
    return {
        "message": finding.message,
        "file": place.file if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "length": place.length if place else None,
        "source": finding.source_line,
        "hint": finding.hint,
        "code": finding.code,
    }


def finding_of(content: dict[str, Any]) -> Diagnostic:
    """The finding that `plain` wrote; raises KeyError, TypeError and others for something else."""
    place = None
    if content["file"] is not None:
        place = Location(content["file"], content["line"], content["column"], content["length"])
    hint, code = content["hint"], content.get("code", "")
    return Diagnostic(content["message"], place, content["source"], hint, code)
