"""ptx rows: floating-point arithmetic.

    fma.rn.f32 d, a, b, c        d = fma_f32(a, b, c)
    add.rz.ftz.sat.f32 d, a, b   d = saturate(flush(add_toward(flush(a), flush(b), 1, 24)))

`.rn` is written out everywhere.  Subnormal numbers are kept, but with `.ftz` they are zeros of
their sign, read and written.  `.sat` clamps to 0 … 1, NaN gives 0.  What hardware approximates
is in `ptx_special.py`.
"""

from __future__ import annotations

from machines.instructions.ptx_operands import (
    DIGITS,
    ROUNDINGS,
    SOFTWARE,
    computed,
    lanes,
    read,
    row,
    write,
)


def _suffixes(kind: str, saturates: bool = True):
    """(suffix of the name, whether `.ftz`, whether `.sat`) that a type allows."""
    if kind == "f64":
        return (("", False, False),)
    every = [("", False, False), (".ftz", True, False)]
    if saturates:
        every += [(".sat", False, True), (".ftz.sat", True, True)]
    return every


def _framed(value: str, reads: str, ftz: bool, sat: bool) -> str:
    """`value` of the operands `{a}`, `{b}`, `{c}`, with what `.ftz` and `.sat` do around it."""
    text = value.format(**{name: f"flush({name})" if ftz else name for name in reads})
    text = f"flush({text})" if ftz else text
    return f"saturate({text})" if sat else text


EXACT = {
    # to nearest even: (f32, f64); any other rounding
    "add": (("round_f32({a} + {b})", "{a} + {b}"), "add_toward({a}, {b}, {mode}, {digits})"),
    "sub": (("round_f32({a} - {b})", "{a} - {b}"), "add_toward({a}, -{b}, {mode}, {digits})"),
    "mul": (("round_f32({a} * {b})", "{a} * {b}"), "multiply_toward({a}, {b}, {mode}, {digits})"),
    "fma": (
        ("fma_f32({a}, {b}, {c})", "fma_f64({a}, {b}, {c})"),
        "fma_toward({a}, {b}, {c}, {mode}, {digits})",
    ),
    "div": (
        ("round_f32(divide_f64({a}, {b}))", "divide_f64({a}, {b})"),
        "divide_toward({a}, {b}, {mode}, {digits})",
    ),
    "rcp": (
        ("round_f32(divide_f64(1.0, {a}))", "divide_f64(1.0, {a})"),
        "divide_toward(1.0, {a}, {mode}, {digits})",
    ),
    "sqrt": (
        ("round_f32(sqrt_f64({a}))", "sqrt_f64({a})"),
        "sqrt_toward({a}, {mode}, {digits})",
    ),
}
"""Operations rounded exactly: their values."""
SENTENCES = {
    "add": "Sum.", "sub": "Difference.", "mul": "Product.", "fma": "a * b + c, rounded once.",
    "div": "Quotient.", "rcp": "Reciprocal.", "sqrt": "Square root.",
}  # fmt: skip
OPERANDS = {"add": "ab", "sub": "ab", "mul": "ab", "fma": "abc", "div": "ab"}


def _class_of(name: str, kind: str) -> str:
    if name == "div":
        return "divide_float" if kind == "f32" else "divide_double"
    if name in ("rcp", "sqrt"):
        stem = "reciprocal" if name == "rcp" else "sqrt"
        return f"{stem}_{'float' if kind == 'f32' else 'double'}"
    return "fma" if kind == "f32" else "fma64"


def exact_value(name: str, kind: str, rounding: str) -> str:
    """The value of an operation of `EXACT` as a template of its operands."""
    nearest, directed = EXACT[name]
    if rounding == "rn":
        return nearest[kind == "f64"]
    known = {"mode": ROUNDINGS[rounding], "digits": DIGITS[kind]}
    return directed.format(**known, **{operand: f"{{{operand}}}" for operand in "abc"})


def _exact():
    for name, sentence in SENTENCES.items():
        reads = OPERANDS.get(name, "a")
        software = name in ("div", "rcp", "sqrt")
        for kind in ("f32", "f64"):
            for rounding in ROUNDINGS:
                for suffix, ftz, sat in _suffixes(kind, saturates=not software):
                    yield computed(
                        f"{name}.{rounding}{suffix}.{kind}",
                        lanes(kind, *reads),
                        _framed(exact_value(name, kind, rounding), reads, ftz, sat),
                        sentence,
                        _class_of(name, kind),
                        commutes=name in ("add", "mul", "fma"),
                        flags=SOFTWARE if software else frozenset(),
                    )


def _orders_and_signs():
    for kind, minmax, move in (("f32", "alu", "alu"), ("f64", "fma64", "integer_wide")):
        for suffix, ftz, _ in _suffixes(kind, saturates=False):
            for name, function in (("min", "minimum"), ("max", "maximum")):
                word = "smaller" if name == "min" else "larger"
                value = f"{function}({{a}}, {{b}})"
                yield computed(
                    f"{name}{suffix}.{kind}",
                    lanes(kind, "a", "b"),
                    _framed(value, "ab", ftz, False),
                    f"The {word}; the other if one is NaN; -0 is smaller than +0.",
                    minmax,
                    commutes=True,
                )
                if kind == "f32":
                    any_nan = "nan if {a} != {a} or {b} != {b} else "
                    signed = f"signed_like({function}(abs({{a}}), abs({{b}})), {{a}}, {{b}})"
                    for more, text, how in (
                        (".NaN", f"{any_nan}{value}", "; NaN if one is NaN; -0 is smaller than +0"),
                        (".xorsign.abs", signed, " in size, with the product of the signs"),
                        (".NaN.xorsign.abs", f"{any_nan}{signed}", " in size; NaN if one is NaN"),
                    ):
                        yield computed(
                            f"{name}{suffix}{more}.f32",
                            lanes(kind, "a", "b"),
                            _framed(text, "ab", ftz, False),
                            f"The {word}{how}.",
                            minmax,
                            commutes=True,
                        )
            for name, value, sentence in (
                ("abs", "abs({a})", "Absolute value."),
                ("neg", "-{a}", "The other sign."),
            ):
                yield computed(
                    f"{name}{suffix}.{kind}",
                    lanes(kind, "a"),
                    _framed(value, "a", ftz, False),
                    sentence,
                    move,
                )
        bits = "b32" if kind == "f32" else "b64"
        sign = "2147483648" if kind == "f32" else "shift_left(1, 63)"
        yield row(
            f"copysign.{kind}",
            (write("d", bits), read("a", bits), read("b", bits)),
            f"d = a & {sign} | b & ~{sign}",
            "The second operand with the sign of the first.",
            move,
        )


ROWS = (*_exact(), *_orders_and_signs())
