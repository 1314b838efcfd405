"""The result as a page: one HTML file, which opens without a network."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from sim.results.result import Result


class PageReport:
    """Writes a page of all results; `--page FILE` shows more, as it knows the program."""

    name = "page"
    sentence = "an HTML page with charts, in one file"

    def write(self, results: Iterable[Result], stream: TextIO, *, several: bool) -> None:
        from sim.pages.gathered import facts_of_result
        from sim.pages.making import page_of_runs

        stream.write(page_of_runs([facts_of_result(result) for result in results]))


PLUGIN = PageReport()
