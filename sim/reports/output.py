"""Where results go: report plugins for the screen, files for `--out`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, TextIO, cast

import sim.reports as _folder
from machines.cache.files import make_folder, write_atomically
from machines.diagnostics import input_error, nearest
from machines.plugins import discover
from sim.results.result import Result, to_json
from sim.status import DONE


class Report(Protocol):
    """A report plugin (entry-point group `simrun.reports`): one way to write results."""

    name: str
    sentence: str

    def write(self, results: Iterable[Result], stream: TextIO, *, several: bool) -> None:
        """Write the results, which come as the runs end; not `several`: there will be one."""


def reports() -> dict[str, Report]:
    """All reports by name."""
    return cast(dict[str, Report], discover("reports", _folder, Report))


def find_report(name: str) -> Report:
    """A report by name; raises InputError if there is none."""
    found = reports()
    if name not in found:
        raise input_error(f"there is no report '{name}'", hint=nearest(name, found))
    return found[name]


class ResultFolder:
    """The folder of `--out`.

    A result is in `<workload>[.<variant>].<machine>[+<changes>][.incomplete].json`, so that none
    replaces one of something else: `changes` is a short hash of what the command line changed
    (`--set`, `--passes`), and `.incomplete` marks every run that did not come to its end.  What
    belongs to the host, and differs from run to run, is in `host.json`.
    """

    def __init__(self, path: Path, changes: Sequence[str] = ()):
        """Make the folder; raises InputError if nothing can be written there."""
        make_folder(path)
        self.path = path
        self.changes = f"+{_short_hash(changes)}" if changes else ""
        self.host: dict[str, Any] = {}

    def write(self, result: Result) -> None:
        """Write a result as soon as there is one: what comes later may fail."""
        variant = "" if result.variant == "default" else f".{result.variant}"
        mark = "" if result.status == DONE else ".incomplete"
        name = f"{result.workload}{variant}.{result.machine}{self.changes}{mark}.json"
        write_atomically(self.path / name, result.to_json())
        self.host[name] = result.host
        write_atomically(self.path / "host.json", to_json(self.host))


def _short_hash(texts: Sequence[str]) -> str:
    joined = "\n".join(texts).encode(errors="surrogateescape")
    return hashlib.sha256(joined).hexdigest()[:8]
