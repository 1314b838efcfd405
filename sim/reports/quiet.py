"""Nothing of a run that did what was expected; else what went wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from sim.results.result import Result
from sim.results.shown import ending_words


class QuietReport:
    """For scripts that go by the exit code."""

    name = "quiet"
    sentence = "only what went wrong"

    def write(self, results: Iterable[Result], stream: TextIO, *, several: bool) -> None:
        for result in results:
            if result.ok:
                continue
            ending = ending_words(result.status, result.ok, bool(result.checks))
            stream.write(f"{result.title}: {ending}\n")
            stream.writelines(f"  {check}\n" for check in result.checks if not check.ok)
            if result.fault:
                stream.write(f"  {result.fault['message']}\n")


PLUGIN = QuietReport()
