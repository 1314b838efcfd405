"""The result as JSON, the same bytes in every process."""

from __future__ import annotations

from typing import TextIO

from sim.result import Result


class JsonReport:
    """Writes `Result.to_json()`."""

    name = "json"
    sentence = "the whole result as JSON"

    def write(self, result: Result, stream: TextIO) -> None:
        stream.write(result.to_json())


PLUGIN = JsonReport()
