"""IR rows: rows of a matrix that numbers name, taken (gather) and put (scatter).

    tensor.gather.i32.f32      d, a, places, rows, columns        d[i] = a[places[i]]
    tensor.scatter.i32.f32     d, acc, a, places, rows, columns   d = acc, then d[places[i]] = a[i]
    tensor.scatter_add.i32.f32 d, acc, a, places, rows, columns   d = acc, then d[places[i]] += a[i]

A place that is no row takes zeros, and puts nothing.  The i are taken in ascending order: of those
that put to one row the last one stays, and sums are accumulated as those of `sum`.
"""

from __future__ import annotations

from machines.instructions.tensor_operands import (
    TENSOR_TYPES,
    load,
    narrowed,
    row,
    scalar,
    store,
    walk,
    wide,
    zero,
)
from machines.types import I32, I64, Type

MATRIX = {"rows": I64, "columns": I64}
TAKEN, PUT = ("i * columns + c", "count * columns"), ("r * columns + c", "rows * columns")


def _rows_of(t: Type):
    places = {"places": load(I32)}
    yield row(
        "gather",
        (I32, t),
        {"d": store(t), "a": load(t), **places, **MATRIX},
        f"a if places >= 0 and places < rows else {zero(t)}",
        "The rows of a matrix of `rows` × `columns` that places name.",
        "lookup",
        walk(
            "i<count c<columns",
            ("rows", "rows > 0", "a matrix has a row or more"),
            d=TAKEN,
            places=("i", "count"),
            a=("(places * columns + c) if places >= 0 and places < rows else 0", "rows * columns"),
        ),
    )
    added = scalar("add", wide(t), a="d", b="a")
    for name, found, half, words in (
        ("scatter", "a", "", "put to"),
        ("scatter_add", added, f"d = {narrowed('d', t)}", "added to"),
    ):
        yield row(
            name,
            (I32, t),
            {"d": store(t), "acc": load(t), "a": load(t), **places, **MATRIX},
            f"({found}) if places == r else d",
            f"A matrix of `rows` × `columns` that begins as `acc`, with rows {words} places.",
            "lookup",
            walk(
                "r<rows c<columns i<count",
                d=PUT,
                acc=PUT,
                a=TAKEN,
                places=("i", "count"),
                start="acc",
                end=half if wide(t) is not t else "",
            ),
        )


ROWS = tuple(row for t in TENSOR_TYPES for row in _rows_of(t))
