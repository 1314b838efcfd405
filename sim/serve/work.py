"""What a worker of the service does: it settles in the store, then compiles and runs what is asked.

An answer is of files as they were at one time: what was read is looked at again at the end, and if
something has changed meanwhile, all is done again.
"""

from __future__ import annotations

import io
import os
import resource
import sys
import traceback
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sim
from machines.blame import told
from machines.cache.file_dependencies import CONTENT, NONE, Dependency, holds, recorded
from machines.confinement import confine, is_in_store, leads_out, outside, store
from machines.diagnostics import Diagnostic, InputError, input_error
from sim.explaining import Asked as AskedToExplain
from sim.explaining import shown_of
from sim.options import passes_given
from sim.prepared_case import prepare
from sim.reports.output import find_report
from sim.runner import check_timing_only, compile_workload, execute, kinds_of_machines, warm_up
from sim.serve import messages
from sim.serve.messages import Asked, AskedToCompile, AskedToRun
from sim.views import TEXT
from sim.workers import lead
from sim.workload.given_arguments import read_arguments
from sim.workload.schema import read_workload

TRIES = 3
"""For files to stay as they are, while something is made of them."""


@dataclass(frozen=True)
class Place:
    """Where a worker settles.

    store   the folder of programs
    memory  bytes that it may take for requests, beside what it takes once it is warm
    """

    store: Path
    memory: int


@dataclass(frozen=True)
class Answered:
    """What became of a request.

    status    of HTTP
    body      JSON
    resident  bytes of memory that the worker takes now
    is_spent  whether the worker may not be as it was: memory ran out, or simrun made a mistake
    """

    status: int
    body: bytes
    resident: int = 0
    is_spent: bool = False


def work(task: Place | Asked) -> int | Answered:
    """Settle, which gives the bytes of memory that the worker takes; or answer a request."""
    return _settle(task) if isinstance(task, Place) else _answer(task)


def _settle(place: Place) -> int:
    """From here on nothing outside of the store is opened, and memory is bounded.

    Raises InputError if there is no such store.
    """
    lead()
    confine(place.store)
    os.chdir(place.store)
    # What the store has is for compiling: nothing of it is imported.
    own = Path(sim.__file__).parents[1]
    sys.path = [one for one in sys.path if not is_in_store(one) or Path(one).resolve() == own]
    for kind in kinds_of_machines():
        warm_up(kind)
    taken = memory("VmSize") + place.memory
    resource.setrlimit(resource.RLIMIT_AS, (taken, taken))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return memory("VmRSS")


def memory(what: str, process: int | str = "self") -> int:
    """Bytes of memory that a process takes, by the name that Linux has for them; 0 elsewhere."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith(f"{what}:"):
                return int(line.split()[1]) << 10
    return 0


def _answer(asked: Asked) -> Answered:
    """The answer, made of files that all stayed as they are."""
    for _ in range(TRIES):
        with recorded() as answers:
            status, content, is_spent = _content(asked)
        if all(holds(answer) for answer in answers if answer[2] != NONE):
            content["files"] = _files(answers)
            break
    else:
        message = "files changed again and again while something was made of them"
        finding = Diagnostic(message, hint="ask again when the store is at rest")
        status, content = messages.CHANGED, messages.refused([finding])
    body = messages.written(content)
    if len(body) > messages.MOST_ANSWERED:
        message = f"the answer is larger than {messages.MOST_ANSWERED >> 20} MiB"
        body = messages.written(messages.refused([Diagnostic(message, hint="ask for less")]))
        status = messages.REFUSED
    return Answered(status, body, memory("VmRSS"), is_spent)


def _files(answers: Iterable[Dependency]) -> dict[str, str]:
    """The files that something was made of, with the SHA-256 of what they held."""
    return {
        _as_in_store(path): digest
        for asked, path, digest in sorted(answers)
        if asked == CONTENT and digest != NONE
    }


def _content(asked: Asked) -> tuple[int, dict[str, Any], bool]:
    """The number of HTTP, what is answered, as data, and whether this worker is spent."""
    try:
        path = _path(asked.name)
        _check_words(asked)
        if isinstance(asked, AskedToCompile):
            return messages.DONE, _compiled(path, asked), False
        assert isinstance(asked, AskedToRun)
        return messages.DONE, _run(path, asked), False
    except InputError as error:
        findings = map(_as_written_in_store, error.diagnostics)
        return messages.REFUSED, messages.refused(findings), False
    except MemoryError as error:
        detail = f": {error}" if str(error) else ""
        finding = Diagnostic(f"this needs more memory than the server gives{detail}")
        return messages.REFUSED, messages.refused([finding]), True
    except OSError as error:
        what = f"use {_as_in_store(str(error.filename))}" if error.filename else "do this"
        finding = Diagnostic(f"cannot {what}: {error.strerror}")
        return messages.REFUSED, messages.refused([finding]), False
    except Exception as error:
        traceback.print_exc()
        finding = Diagnostic(told(error))
        return messages.OUR_MISTAKE, messages.refused([finding], exit_code=70), True


def _path(name: str) -> Path:
    """The path of a name in the store, which is the current folder."""
    if not name.isprintable():
        raise input_error(f"{name!r} cannot be the name of a file")
    if leads_out(name, Path()):
        raise input_error(outside(name))
    if not os.path.exists(name):
        raise input_error(f"there is no '{name}' in the store")
    return Path(name)


def _check_words(asked: Asked) -> None:
    """Raise InputError where a request names a file by a way that leads out of the store."""
    options = [part for name in passes_given(asked.passes) or () for part in name.split("@")]
    for word in (asked.machine or "", *(option.partition("=")[2] for option in options)):
        if leads_out(word, Path()):
            raise input_error(outside(word))


def _compiled(path: Path, asked: AskedToCompile) -> dict[str, Any]:
    """The views that are asked for, as `simrun explain` prints them and as data."""
    views = {}
    passes = passes_given(asked.passes)
    for view in dict.fromkeys(asked.show):
        wanted = AskedToExplain(view, path, asked.machine, tuple(asked.set), asked.entry, passes)
        shown = shown_of(wanted, TEXT, {})
        views[view] = {"text": shown.text, "content": shown.content}
    return {"exit_code": 0, "diagnostics": [], "views": views}


def _run(path: Path, asked: AskedToRun) -> dict[str, Any]:
    """The result, or those of several variants, as `simrun run --json` prints them."""
    described = read_workload(path)
    given = read_arguments(asked.arguments)
    cases = [described.case(name) for name in asked.variants] or described.cases()
    cases = [case.with_arguments(given) for case in cases]
    compiled = compile_workload(described, asked.machine, asked.set, passes_given(asked.passes))
    prepared = [prepare(compiled, case) for case in cases]
    if asked.timing_only:
        check_timing_only(compiled)
    values = not asked.timing_only
    results = [execute(one, cycle_limit=asked.cycle_limit, values=values) for one in prepared]
    several = bool(described.form.variants) and len(asked.variants) != 1
    contents = [result.to_dict() for result in results]
    for content in contents:
        content["provenance"]["arguments"] = _in_store(content["provenance"]["arguments"])
    content = {
        "exit_code": max(result.exit_code for result in results),
        "diagnostics": [],
        "result": contents if several else contents[0],
    }
    if asked.text:
        report = io.StringIO()
        find_report("text").write(results, report, several=several)
        content["text"] = report.getvalue()
    return content


def _as_in_store(text: str) -> str:
    """A text that calls the store's files as those outside do, who need not know where it is."""
    return text.replace(f"{store()}{os.sep}", "")


def _in_store(value: Any) -> Any:
    """Data, with all texts in it as `_as_in_store` makes them."""
    if isinstance(value, dict):
        return {key: _in_store(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_in_store(inner) for inner in value]
    return _as_in_store(value) if isinstance(value, str) else value


def _as_written_in_store(finding: Diagnostic) -> Diagnostic:
    place = finding.location
    return replace(
        finding,
        message=_as_in_store(finding.message),
        hint=finding.hint and _as_in_store(finding.hint),
        location=place and replace(place, file=_as_in_store(place.file)),
    )
