"""IR rows: comparisons of elements, which give 1 or 0 in the type of the data, and selection."""

from __future__ import annotations

from machines.instructions.tensor_operands import TENSOR_TYPES, about, elementwise, load, wide
from machines.types import Type

RELATIONS = {
    "eq": ("==", "equal"),
    "ne": ("!=", "not equal"),
    "lt": ("<", "less, signed"),
    "le": ("<=", "less or equal, signed"),
    "gt": (">", "greater, signed"),
    "ge": (">=", "greater or equal, signed"),
}


def _rows_of(t: Type):
    yes, no = ("1.0", "0.0") if t.is_float else ("1", "0")
    for name, (sign, words) in RELATIONS.items():
        meaning = f"{yes} if a {sign} b else {no}"
        two = {"a": load(t), "b": load(t)}
        words = about(words, t)
        yield elementwise(name, (t,), two, meaning, f"1 where {words}, else 0.", "simple")
        one = {"a": load(t), "b": wide(t)}
        sentence = f"1 where {words}, else 0; with one number."
        yield elementwise(f"{name}_scalar", (t,), one, meaning, sentence, "simple")
    yield elementwise(
        "select",
        (t,),
        {"p": load(t), "a": load(t), "b": load(t)},
        f"a if p != {no} else b",
        "Elements of `a` where those of `p` are not 0, else of `b`.",
        "simple",
    )


ROWS = tuple(row for t in TENSOR_TYPES for row in _rows_of(t))
