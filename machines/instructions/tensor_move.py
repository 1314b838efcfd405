"""IR rows: elements copied, filled, transposed; one of them to and from a scalar."""

from __future__ import annotations

from machines.instructions.tensor_operands import (
    STORED,
    TENSOR_TYPES,
    elementwise,
    load,
    narrowed,
    row,
    store,
    walk,
    wide,
)
from machines.operations.row import Operand, OperandKind, Operation
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


def _of_one(name: str, t: Type, kinds: dict[str, OperandKind], sentence: str) -> Operation:
    """A row between a scalar and an interval of one element."""
    interval = "a" if name == "load" else "d"
    places = {interval: ("i", "size"), **({"d": ("0", "1")} if name == "load" else {})}
    loop = walk("i<size", (interval, "size == 1", "it is one element"), **places)
    operands = tuple(
        Operand(operand, kind, "w" if operand == "d" and kind is wide(t) else "r")
        for operand, kind in kinds.items()
    )
    value = "a" if name == "load" else narrowed("x", t)
    full = f"tensor.{name}.{t}"
    return Operation(
        full, "ir", operands, f"d = {value}", sentence, scheduling_class="copy", walk=loop
    )


def _rows_of(t: Type):
    yield elementwise("copy", (t,), {"a": load(t)}, "a", "Copy elements.", "copy")
    value, sentence = narrowed("a", t), "Write one value to every element."
    yield elementwise("fill", (t,), {"a": wide(t)}, value, sentence, "fill")
    if t.in_byte == 1:
        yield _of_one("load", t, {"d": wide(t), "a": load(t)}, "Read one element.")
        yield _of_one("store", t, {"d": store(t), "x": wide(t)}, "Write one element.")
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


ROWS = tuple(row for t in (*TENSOR_TYPES, *STORED) for row in _rows_of(t))
