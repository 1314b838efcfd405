"""ptx rows: floating-point arithmetic.

    fma.rn.f32 d, a, b, c        d = fma_f32(a, b, c)
    add.rz.ftz.sat.f32 d, a, b   d = saturate(flush(add_toward(flush(a), flush(b), 1, 24)))

`.rn` is written out everywhere.  Subnormal numbers are kept, but with `.ftz` they are zeros of
their sign, read and written.  `.sat` clamps to 0 … 1, NaN gives 0.  What hardware approximates
(`.approx`, `div.full`, ex2, lg2, sin, cos, tanh) is here the f32 nearest to the value that double
arithmetic and the C library give for the operands; of the approximate f64 ones, which hardware
computes to 20 bits or so, the f64 nearest.
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

FUNCTIONS = {
    "ex2": ("exponential_2(a)", "Two to the power of the operand."),
    "lg2": ("logarithm_2(a)", "Logarithm to base 2."),
    "sin": ("sine(a)", "Sine; NaN for an infinity."),
    "cos": ("cosine(a)", "Cosine; NaN for an infinity."),
    "tanh": ("hyperbolic_tangent(a)", "Hyperbolic tangent."),
}


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


def _approximate():
    def unary(name, kind, value, sentence, ftz=False):
        text = _framed(value, "a", ftz, False)
        return computed(name, lanes(kind, "a"), text, f"{sentence[:-1]}, approximately.", "special")

    for suffix, ftz, _ in _suffixes("f32", saturates=False):
        for form, scheduling_class in (("approx", "divide_approx"), ("full", "divide_approx")):
            yield computed(
                f"div.{form}{suffix}.f32",
                lanes("f32", "a", "b"),
                _framed(exact_value("div", "f32", "rn"), "ab", ftz, False),
                "Quotient, approximately.",
                scheduling_class,
            )
        for name in ("rcp", "sqrt"):
            value, sentence = exact_value(name, "f32", "rn"), SENTENCES[name]
            yield unary(f"{name}.approx{suffix}.f32", "f32", value, sentence, ftz)
        root = "round_f32(divide_f64(1.0, sqrt_f64({a})))"
        sentence = "Reciprocal of the square root."
        yield unary(f"rsqrt.approx{suffix}.f32", "f32", root, sentence, ftz)
        for name, (value, sentence) in FUNCTIONS.items():
            if name == "tanh" and ftz:
                continue
            value = f"round_f32({value.replace('(a)', '({a})')})"
            yield unary(f"{name}.approx{suffix}.f32", "f32", value, sentence, ftz)
    root = "divide_f64(1.0, sqrt_f64({a}))"
    for suffix in ("", ".ftz"):
        name = f"rsqrt.approx{suffix}.f64"
        yield unary(name, "f64", root, "Reciprocal of the square root.")
    yield unary("rcp.approx.ftz.f64", "f64", "divide_f64(1.0, {a})", "Reciprocal.")


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
                    value = f"nan if {{a}} != {{a}} or {{b}} != {{b}} else {value}"
                    yield computed(
                        f"{name}{suffix}.NaN.f32",
                        lanes(kind, "a", "b"),
                        _framed(value, "ab", ftz, False),
                        f"The {word}; NaN if one is NaN; -0 is smaller than +0.",
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


ROWS = (*_exact(), *_approximate(), *_orders_and_signs())
