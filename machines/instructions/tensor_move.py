"""IR rows: elements copied, filled, transposed."""

from __future__ import annotations

from machines.instructions.tensor_operands import (
    TENSOR_TYPES,
    elementwise,
    load,
    narrowed,
    row,
    store,
    walk,
    wide,
)
from machines.types import I64, Type

PERMUTATIONS = {
    "021": (
        "(x * zs + z) * ys + y",
        "The copy of a tensor of xs × ys × zs as one of xs × zs × ys.",
    ),
    "102": (
        "(y * xs + x) * zs + z",
        "The copy of a tensor of xs × ys × zs as one of ys × xs × zs.",
    ),
    "210": (
        "(z * ys + y) * xs + x",
        "The copy of a tensor of xs × ys × zs as one of zs × ys × xs.",
    ),
}
"""By the order in which the dimensions stand afterwards; 120 and 201 are transpositions."""


def _rows_of(t: Type):
    yield elementwise("copy", (t,), {"a": load(t)}, "a", "Copy elements.", "copy")
    value, sentence = narrowed("a", t), "Write one value to every element."
    yield elementwise("fill", (t,), {"a": wide(t)}, value, sentence, "fill")
    yield row(
        "transpose",
        (t,),
        {"d": store(t), "a": load(t), "rows": I64, "columns": I64},
        "a",
        "The transposed copy of a matrix of `rows` × `columns`.",
        "transpose",
        walk(
            "i<rows j<columns",
            d=("j * rows + i", "rows * columns"),
            a=("i * columns + j", "rows * columns"),
        ),
    )
    for order, (place, sentence) in PERMUTATIONS.items():
        yield row(
            f"permute_{order}",
            (t,),
            {"d": store(t), "a": load(t), "xs": I64, "ys": I64, "zs": I64},
            "a",
            sentence,
            "transpose",
            walk(
                "x<xs y<ys z<zs",
                d=(place, "xs * ys * zs"),
                a=("(x * ys + y) * zs + z", "xs * ys * zs"),
            ),
        )


ROWS = tuple(row for t in TENSOR_TYPES for row in _rows_of(t))
