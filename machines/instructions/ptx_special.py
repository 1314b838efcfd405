"""ptx rows: what the special-function unit approximates.

    sin.approx.f32 d, a          d = turned_sin(a)
    div.full.ftz.f32 d, a, b     d = flush(full_division(flush(a), flush(b)))

The values are the hardware's to the bit (`machines/vocabulary/special_functions.py`).  The unit
itself takes subnormal numbers for zeros: with `.ftz` most rows are one instruction of it.
"""

from __future__ import annotations

from machines.instructions.ptx_operands import computed, lanes

RECIPROCAL_ROOT = "Reciprocal of the square root, approximately."
VALUES = {
    # plain, with `.ftz`
    "rcp": ("scaled_rcp(a)", "approximate_rcp(a)", "Reciprocal, approximately."),
    "rsqrt": ("scaled_rsqrt(a)", "approximate_rsqrt(a)", RECIPROCAL_ROOT),
    "sqrt": ("scaled_sqrt(a)", "approximate_sqrt(a)", "Square root, approximately."),
    "ex2": ("scaled_ex2(a)", "approximate_ex2(a)", "Two to the power of a, approximately."),
    "lg2": ("scaled_lg2(a)", "approximate_lg2(a)", "Logarithm to base 2, approximately."),
    "sin": ("turned_sin(a)", "turned_sin(a)", "Sine, approximately; NaN for an infinity."),
    "cos": ("turned_cos(a)", "turned_cos(a)", "Cosine, approximately; NaN for an infinity."),
}
"""Instructions of one f32 operand."""
QUOTIENTS = {
    "approx": ("scaled_division", "a times an approximate 1 / b; 0 if b is above 2**126."),
    "full": ("full_division", "a times an approximate 1 / b, both scaled if b is large or small."),
}
DOUBLE = {
    "rcp.approx.ftz.f64": ("approximate_rcp_f64(a)", "Reciprocal to 20 bits."),
    "rsqrt.approx.ftz.f64": (
        "approximate_rsqrt_f64(a)",
        "Reciprocal of the square root to 20 bits.",
    ),
    "rsqrt.approx.f64": ("refined_rsqrt_f64(a)", RECIPROCAL_ROOT),
}


def _rows():
    for name, (plain, flushed, sentence) in VALUES.items():
        for suffix, value in (("", plain), (".ftz", flushed)):
            row = f"{name}.approx{suffix}.f32"
            unit = "special_turns" if name in ("sin", "cos") else "special"
            yield computed(row, lanes("f32", "a"), value, sentence, unit)
    sentence = "Hyperbolic tangent, approximately."
    value = "approximate_tanh(a)"
    yield computed("tanh.approx.f32", lanes("f32", "a"), value, sentence, "special")
    for form, (function, sentence) in QUOTIENTS.items():
        for suffix, value in (
            ("", f"{function}(a, b)"),
            (".ftz", f"flush({function}(flush(a), flush(b)))"),
        ):
            row = f"div.{form}{suffix}.f32"
            yield computed(row, lanes("f32", "a", "b"), value, sentence, "divide_approx")
    for row, (value, sentence) in DOUBLE.items():
        yield computed(row, lanes("f64", "a"), value, sentence, "special")


ROWS = tuple(_rows())
