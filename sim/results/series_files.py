"""Series as files: CSV, JSON, Parquet, by their suffix; a row an interval.

JSON        what results hold of it
Parquet     pandas and pyarrow (`pip install simrun[tables]`)
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

from machines.cache.files import check_writable, open_atomically, write_atomically
from machines.diagnostics import input_error
from machines.optional import optional
from sim.results.result import Result, to_json
from sim.results.series import Series

SUFFIXES = (".csv", ".json", ".parquet")


def check_series_file(path: Path) -> None:
    """Raise InputError if no series can be written to a file of that name."""
    if path.suffix not in SUFFIXES:
        raise input_error(f"cannot write {path}", hint=f"write {', '.join(SUFFIXES)}")
    if path.suffix == ".parquet":
        optional("pyarrow", "tables")
    check_writable(path)


def write_series(result: Result, path: Path) -> None:
    """Write the series of a result."""
    series = result.series
    assert series is not None
    if path.suffix == ".json":
        write_atomically(path, to_json(series.to_dict()))
    elif path.suffix == ".csv":
        write_atomically(path, _csv(series))
    else:
        data, engine = io.BytesIO(), optional("pyarrow", "tables").__name__
        result.to_frame("series").to_parquet(data, engine=engine)
        with open_atomically(path, binary=True) as file:
            file.write(data.getvalue())


def _csv(series: Series) -> str:
    text = io.StringIO()
    rows = list(series.rows())
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
