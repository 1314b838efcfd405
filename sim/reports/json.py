"""Results as JSON, the same bytes in every process."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from sim.results.result import Result, to_json


class JsonReport:
    """Writes one JSON value: a result, or a list of several."""

    name = "json"
    sentence = "the whole result as JSON"

    def write(self, results: Iterable[Result], stream: TextIO, *, several: bool) -> None:
        contents = [result.to_dict() for result in results]
        stream.write(to_json(contents if several else contents[0]))


PLUGIN = JsonReport()
