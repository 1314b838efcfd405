"""What a run used of what its machine can do at most, and what bounds it, as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from sim.results.result import Result
from sim.results.roofline_text import text_of


class RooflineReport:
    """Tables of what was used, and a chart."""

    name = "roofline"
    sentence = "what bounds the run: operations and bytes beside the machine's peaks"

    def write(self, results: Iterable[Result], stream: TextIO, *, several: bool) -> None:
        for index, result in enumerate(results):
            stream.write(("\n" if index else "") + text_of(result))


PLUGIN = RooflineReport()
