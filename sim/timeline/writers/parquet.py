"""A table for pandas, DuckDB, Polars: a row for each span and instant, a column for each field.

    cycle  end  event  track          reason  location …
    1      4    stall  SM 0/warp 0    wait    saxpy.py:7
    4           exit   SM 0/warp 0

A column is of whole numbers if all its values are such of 64 bits, else of texts, and empty where
an event has no such field.  Written by the package `pyarrow`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO

from machines.optional import optional
from sim.timeline.span import Happening, Span
from sim.timeline.writing import Heading, TraceWriter

LIMIT = 1 << 63
"""Of whole numbers that a column takes: an address may be larger."""


class Table:
    """A file, written when everything is known."""

    def __init__(self, stream: BinaryIO, heading: Heading):
        self._arrow = optional("pyarrow", "tables")
        self._write_table = optional("pyarrow.parquet", "tables").write_table
        self._stream, self._heading = stream, heading
        self._fields = tuple(dict.fromkeys(f for event in heading.events for f in event.fields))
        self._rows: list[Happening] = []

    def write(self, one: Happening) -> None:
        self._rows.append(one)

    def end(self) -> None:
        rows = self._rows
        columns: dict[str, Any] = {
            "cycle": [one[1] for one in rows],
            "end": [one.end if isinstance(one, Span) else None for one in rows],
            "event": [one.name for one in rows],
            "track": [str(one.track) for one in rows],
        }
        for field in self._fields:
            columns[field] = self._plain([one.arguments.get(field) for one in rows])
        arrow = self._arrow
        made = {
            name: arrow.array(values, arrow.int64() if self._is_whole(values) else arrow.string())
            for name, values in columns.items()
        }
        about = {"title": self._heading.title, "clock_hz": str(self._heading.clock)}
        self._write_table(arrow.table(made).replace_schema_metadata(about), self._stream)

    def _is_whole(self, values: Sequence[Any]) -> bool:
        return all(v is None or (type(v) is int and -LIMIT <= v < LIMIT) for v in values)

    def _plain(self, values: list[Any]) -> list[Any]:
        if self._is_whole(values):
            return values
        return [None if value is None else self._text(value) for value in values]

    def _text(self, value: Any) -> str:
        if isinstance(value, (list, tuple)):
            return " ".join(map(str, value))
        return str(value) if isinstance(value, (str, int, float)) else self._heading.plain(value)


PLUGIN = TraceWriter("parquet", "a table, for pandas and others", (".parquet",), Table)
