"""Where results go: report plugins for the screen, files for `--out`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TextIO, cast

import sim.reports as _folder
from machines.diagnostics import input_error, nearest
from machines.plugins import discover
from sim.files import write_atomically
from sim.result import INTERRUPTED, Result, to_json


class Report(Protocol):
    """A report plugin (entry-point group `simrun.reports`): one way to write a result."""

    name: str
    sentence: str

    def write(self, result: Result, stream: TextIO) -> None: ...


def reports() -> dict[str, Report]:
    """All reports by name."""
    return cast(dict[str, Report], discover("reports", _folder))


def find_report(name: str) -> Report:
    """A report by name; raises InputError if there is none."""
    found = reports()
    if name not in found:
        raise input_error(f"there is no report '{name}'", hint=nearest(name, found))
    return found[name]


def write_results(folder: Path, results: Sequence[Result]) -> None:
    """Write each result to `<workload>[.<variant>].<machine>.json`, and what belongs to the host
    to `host.json`, which differs from run to run.

    What an interrupted run left is marked `.incomplete` and replaces no finished result.
    """
    host = {}
    for result in results:
        variant = "" if result.variant == "default" else f".{result.variant}"
        mark = ".incomplete" if result.status == INTERRUPTED else ""
        name = f"{result.workload}{variant}.{result.machine}{mark}.json".replace("/", "_")
        write_atomically(folder / name, result.to_json())
        host[name] = result.host
    write_atomically(folder / "host.json", to_json(host))
