"""IR rows: functions of one number, which are polynomials of ours, and the table of 64 entries.

The functions (`machines/vocabulary/tensors.py`) are worked out in f64 and rounded to f32; for
halves that is rounded once more.
"""

from __future__ import annotations

from machines.instructions.tensor_operands import (
    EACH,
    HALVES,
    cycle,
    elementwise,
    load,
    repeat,
    row,
    store,
    walk,
    wide,
)
from machines.types import F32, I8, I16, I32, U8, Type

FUNCTIONS = {
    "exp": ("exponential", "e to the power of each element."),
    "log": ("logarithm", "Natural logarithms; of negative numbers NaN."),
    "tanh": ("tangent", "Hyperbolic tangents."),
    "sigmoid": ("sigmoid", "1 / (1 + e ** -a)."),
    "erf": ("error_function", "The error function."),
    "gelu": ("gelu", "a / 2 * (1 + erf(a / root of 2))."),
    "silu": ("silu", "a * sigmoid(a)."),
    "sin": ("sine", "Sines of radians; of infinities NaN."),
    "cos": ("cosine", "Cosines of radians; of infinities NaN."),
}
INDICES = (I8, I16, I32, U8)


def _functions(t: Type):
    for name, (function, sentence) in FUNCTIONS.items():
        value = f"round_f32({function}(a))"
        meaning = value if t is F32 else f"round_{t}({value})"
        yield elementwise(name, (t,), {"a": load(t)}, meaning, sentence, "transcendental")
    yield from _powers(t)


def _powers(t: Type):
    value = "round_f32(power(a, b))"
    meaning = value if t is F32 else f"round_{t}({value})"
    sentence, kind = "Elements to the power of others", "transcendental"
    two, one = {"a": load(t), "b": load(t)}, {"a": load(t), "b": wide(t)}
    yield elementwise("pow", (t,), two, meaning, f"{sentence}.", kind)
    yield elementwise("pow_scalar", (t,), one, meaning, "Powers of one exponent.", kind)
    yield cycle("pow", t, meaning, f"{sentence}, of a shorter interval.", kind)
    yield repeat("pow", t, meaning, f"{sentence}, repeated ones of a shorter interval.", kind)


def _lookup(index: Type, t: Type):
    return row(
        "lookup",
        (index, t),
        {"d": store(t), "a": load(index), "table": load(t)},
        "table",
        "The entries of a table of 64 elements that the low 6 bits of the elements say.",
        "lookup",
        walk("i<size", d=EACH, a=EACH, table=("a & 63", "64")),
    )


ROWS = (
    *(row for t in (F32, *HALVES) for row in _functions(t)),
    *(_lookup(index, t) for index in INDICES for t in (*INDICES, *HALVES, F32)),
)
