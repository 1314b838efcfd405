"""IR rows: arithmetic of elements, with another interval, a scalar on either side, or a short
interval that begins again and again (`cycle_`) or whose elements are each repeated (`repeat_`)."""

from __future__ import annotations

from machines.instructions.tensor_operands import (
    FLOATS,
    TENSOR_TYPES,
    about,
    cycle,
    elementwise,
    load,
    maximum,
    minimum,
    narrowed,
    repeat,
    scalar,
    wide,
    zero,
)
from machines.types import Type

WHOLE_NUMBERS = {
    "floor": ("round_down", "The largest whole numbers that are not larger"),
    "ceil": ("round_up", "The smallest whole numbers that are not smaller"),
    "round": ("round_nearest", "The nearest whole numbers, ties to even"),
}


def _pairs(t: Type):
    """Operations of two operands: name, meaning, sentence, scheduling class."""
    yield "add", scalar("add", t), "Sums of elements", "simple"
    yield "sub", scalar("sub", t), "Differences of elements", "simple"
    yield "mul", scalar("mul", t), "Products of elements", "simple"
    yield "max", maximum(t), about("Maxima of elements, signed", t), "simple"
    yield "min", minimum(t), about("Minima of elements, signed", t), "simple"
    if t.is_float:
        yield "div", scalar("div", t), "Quotients of elements", "divide"


def _rows_of(t: Type):
    for name, meaning, sentence, kind in _pairs(t):
        two = {"a": load(t), "b": load(t)}
        yield elementwise(name, (t,), two, meaning, f"{sentence}.", kind)
        one = {"a": load(t), "b": wide(t)}
        value = narrowed(meaning, t) if name in ("max", "min") else meaning
        yield elementwise(f"{name}_scalar", (t,), one, value, f"{sentence} and one number.", kind)
        yield cycle(name, t, meaning, f"{sentence} and those of a shorter interval.", kind)
        yield repeat(name, t, meaning, f"{sentence} and repeated ones of a shorter interval.", kind)
        if name in ("sub", "div"):
            other, words = {"a": wide(t), "b": load(t)}, sentence.split()[0]
            words = f"{words} of one number and elements."
            yield elementwise(f"scalar_{name}", (t,), other, meaning, words, kind)
    one = {"a": load(t)}
    negative = scalar("neg", t)
    size = scalar("abs", t) if t.is_float else f"{negative} if a < 0 else a"
    yield elementwise("abs", (t,), one, size, "Magnitudes; MIN wraps.", "simple")
    yield elementwise("neg", (t,), one, negative, "Negations; MIN wraps.", "simple")
    relu = maximum(t, b=f"({zero(t)})")
    yield elementwise("relu", (t,), one, relu, "Maxima of elements and 0.", "simple")
    square = scalar("mul", t, b="a")
    yield elementwise("square", (t,), one, square, "Products of elements and themselves.", "simple")
    ends = {"a": load(t), "low": wide(t), "high": wide(t)}
    clipped = minimum(t, a=f"({maximum(t, b='low')})", b="high")
    sentence = "Elements between two numbers: the maximum of `low`, then the minimum of `high`."
    yield elementwise("clip", (t,), ends, narrowed(clipped, t), sentence, "simple")
    yield elementwise(
        "multiply_add",
        (t,),
        {"a": load(t), "b": load(t), "c": load(t)},
        scalar("add", t, a=f"({scalar('mul', t)})", b="c"),
        "a * b + c; the product is rounded before it is added.",
        "simple",
    )


def _roots(t: Type):
    def rounded(text: str) -> str:
        return scalar("div", t, a="1.0", b=f"({text})")

    one = {"a": load(t)}
    yield elementwise("recip", (t,), one, rounded("a"), "Reciprocals.", "divide")
    root = scalar("sqrt", t)
    yield elementwise("sqrt", (t,), one, root, "Square roots; of negative numbers NaN.", "divide")
    for name, (function, words) in WHOLE_NUMBERS.items():
        yield elementwise(name, (t,), one, f"{function}(a)", f"{words}.", "simple")
    sentence = "Reciprocals of square roots; the root is an f64."
    yield elementwise("rsqrt", (t,), one, rounded("sqrt_f64(a)"), sentence, "divide")


ROWS = (
    *(row for t in TENSOR_TYPES for row in _rows_of(t)),
    *(row for t in FLOATS for row in _roots(t)),
)
