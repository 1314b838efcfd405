"""IR rows: logic and shifts of elements, with another interval or a scalar."""

from __future__ import annotations

from machines.instructions.tensor_operands import INTEGERS, elementwise, load, scalar, wide
from machines.types import Type

PAIRS = {
    "and": "Bitwise and",
    "or": "Bitwise or",
    "xor": "Bitwise exclusive or",
    "shl": "Shift left; counts at or past the width give 0",
    "shr_s": "Arithmetic shift right; counts at or past the width give the sign",
    "shr_u": "Logical shift right; counts at or past the width give 0",
}


def _rows_of(t: Type):
    for name, sentence in PAIRS.items():
        if name == "shr_s" and not t.signed:
            continue
        meaning = scalar(name, t)
        two = {"a": load(t), "b": load(t)}
        yield elementwise(name, (t,), two, meaning, f"{sentence}.", "simple")
        one = {"a": load(t), "b": wide(t)}
        yield elementwise(
            f"{name}_scalar", (t,), one, meaning, f"{sentence}; with one number.", "simple"
        )
    complement = scalar("not", t)
    yield elementwise("not", (t,), {"a": load(t)}, complement, "Bitwise complements.", "simple")


ROWS = tuple(row for t in INTEGERS for row in _rows_of(t))
