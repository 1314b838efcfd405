"""Tables of studies as text, and as files for other tools.

CSV, JSON      the standard library
Parquet        pandas and pyarrow (`pip install simrun[tables]`)
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from machines.cache.files import open_atomically, write_atomically
from machines.diagnostics import input_error
from machines.optional import optional
from sim.results.shown import shown
from sim.status import DONE
from sim.studies.figures import COLUMNS, CYCLES, MOST_EXACT
from sim.studies.table import Mean, MeanRow, Table

SUFFIXES = (".csv", ".json", ".parquet")
MOST_ROWS = 200
"""Of a table on the screen."""


def lines(table: Table) -> Iterator[str]:
    """The table for people; repetitions as mean ± half of the interval."""
    heads, cells, sides = columns(table)
    widths = [max(len(row[k]) for row in [heads, *cells]) for k in range(len(heads))]
    for row in [heads, *cells]:
        padded = (f"{c:{s}{w}}" for c, s, w in zip(row, sides, widths, strict=True))
        yield "  ".join(padded).rstrip()
    more = len(table.means()) - MOST_ROWS
    if more > 0:
        yield f"… and {more} more: 'simrun study export' writes all"


def columns(table: Table) -> tuple[list[str], list[list[str]], str]:
    """What is shown of the first rows: heads, rows, and on which side a column's texts are."""
    rows = table.means()[:MOST_ROWS]
    axes = [axis for axis in table.axes if axis not in table.replicates]
    heads = [*axes, *table.shown]
    cells = [_cells(row, axes, table.shown) for row in rows]
    counts = [_ended(row) for row in rows]
    if any(counts):
        heads.append("")
        cells = [[*row, count] for row, count in zip(cells, counts, strict=True)]
    return heads, cells, "<" * len(axes) + ">" * (len(heads) - len(axes))


def _cells(row: MeanRow, axes: Sequence[str], figures: Sequence[str]) -> list[str]:
    coordinates = [str(row.coordinates.get(axis, "")) for axis in axes]
    cells = {name: _mean(row.figures.get(name)) for name in figures}
    if row.more_than is not None and CYCLES in cells:
        cells[CYCLES] = f"> {number(row.more_than)}"
    return [*coordinates, *cells.values()]


def _mean(found: Mean | None) -> str:
    if found is None:
        return "-"
    return number(found.mean) + (f" ± {number(found.half)}" if found.half is not None else "")


def number(value: float) -> str:
    """A number for people: whole ones whole, others with four digits, or as many as tell it from a
    whole one."""
    if value == int(value) and abs(value) < 1e15:
        return shown(int(value))
    texts = (f"{value:.{digits}g}" for digits in range(4, 16))
    return next((text for text in texts if float(text) != round(value)), f"{value:.4g}")


def _ended(row: MeanRow) -> str:
    """How runs ended that are no results."""
    others = {status: count for status, count in row.statuses.items() if status != DONE}
    many = sum(row.statuses.values()) > 1
    return ", ".join(f"{count} {status}" if many else status for status, count in others.items())


def export(table: Table, path: Path) -> None:
    """Write the table to a file, by its suffix; raises InputError."""
    if path.suffix not in SUFFIXES:
        raise input_error(f"cannot write {path}", hint=f"write {', '.join(SUFFIXES)}")
    if path.suffix == ".json":
        write_atomically(path, json.dumps(records(table), indent=1, allow_nan=False) + "\n")
    elif path.suffix == ".csv":
        write_atomically(path, _csv(table))
    else:
        data = io.BytesIO()
        frame, engine = to_frame(table), optional("pyarrow", "tables").__name__
        for axis in table.axes:  # a column of a file has one type, and integers of 64 bits
            labels = list(frame[axis])
            are_large = any(isinstance(one, int) and abs(one) >= MOST_EXACT for one in labels)
            if are_large or len({type(label) for label in labels}) > 1:
                frame[axis] = frame[axis].map(str)
        frame.to_parquet(data, engine=engine)
        with open_atomically(path, binary=True) as file:
            file.write(data.getvalue())


def records(table: Table) -> list[dict[str, Any]]:
    """A mapping a point: axes, status, figures; what is not there is None."""
    return [
        {
            **{axis: row.coordinates.get(axis) for axis in table.axes},
            "status": row.status,
            **{name: row.figures.get(name) for name in table.figures},
            "diagnostics": row.diagnostics,
        }
        for row in table.rows
    ]


def to_frame(table: Table) -> Any:
    """A pandas DataFrame, a row a point; whole numbers are integers, of points without them NA."""
    columns = [*table.axes, *COLUMNS[:1], *table.figures, *COLUMNS[1:]]
    pandas = optional("pandas", "tables")
    frame = pandas.DataFrame(records(table), columns=columns)
    for name in table.figures:
        values = [row.figures.get(name) for row in table.rows]
        numbers = [value for value in values if value is not None]
        if numbers and len(numbers) < len(values) and all(isinstance(n, int) for n in numbers):
            frame[name] = pandas.array(values, dtype="Int64")  # a point has none: still integers
    return frame


def _csv(table: Table) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*table.axes, *COLUMNS[:1], *table.figures, *COLUMNS[1:]])
    for record in records(table):
        writer.writerow(["" if value is None else value for value in record.values()])
    return text.getvalue()
