"""ptx rows that only the compiler writes: what the machine code of divisions and roots has beside
rows that PTX has, too (`compiler.targets.simt.division_sequences`).

    fchk.divide      p, a, b       must a / b be worked out another way?    FCHK P0, R0, R5
    check.small      p, a          is a zero or subnormal?                  FSETP.GEU |R6|, 2**-126
    ffma.negated     d, a, b, c    d = fma_f32(-a, b, c)                    FFMA R7, -R5, R4, 1

The hardware takes operands with their sign changed or taken away, for which PTX has no text.  A
check of f64 looks at high words, by one or two rows of f32 and of integers.
"""

from __future__ import annotations

from machines.instructions.ptx_operands import computed, read, row, write

HIGH = "(shift_right({0}, 32) & 2147483647)"
"""The high word of an f64, without its sign."""
PLAIN_QUOTIENT = (
    "b_field = shift_right(b, 23) & 255\n"
    "a_field = shift_right(a, 23) & 255\n"
    "p = 0 if 0 < b_field and b_field < 253 and 24 < a_field and a_field < 255 "
    "and a_field - b_field > -126 and a_field - b_field < 127 else 1"
)
"""As FCHK, whose limits are not published: within these the short way rounds right, as 1 / b and
the quotient are normal numbers and the remainder is an f32."""


def _check(name: str, kind: str, condition: str, sentence: str, scheduling_class: str, *more):
    """A row whose one result is a predicate."""
    operands = (write("p", "pred"), read("a", kind), *more)
    meaning = f"p = 1 if {condition} else 0"
    return row(f"check.{name}", operands, meaning, sentence, scheduling_class)


def _rows():
    yield row(
        "fchk.divide",
        (write("p", "pred"), read("a", "b32"), read("b", "b32")),
        PLAIN_QUOTIENT,
        "Whether a / b needs other exponents on the way, or no arithmetic at all.",
        "division_check",
    )
    sentence = "Whether a is zero or subnormal."
    yield _check("small", "f32", f"abs(a) < {2.0**-126!r}", sentence, "float_compare")
    sentence = "Whether a is above 2**126, so that 1 / a is subnormal."
    yield _check("large", "f32", f"abs(a) > {2.0**126!r}", sentence, "float_compare")
    high = HIGH.format("a")
    yield _check(
        "reciprocal64",
        "b64",
        "(shift_right(a, 32) + 3146754 & 2147483647) >= 4195330",
        "Whether a and 1 / a are normal, with some room.",
        "double_check",
    )
    yield _check(
        "root64",
        "b64",
        "(shift_right(a, 32) - 55574528 & 4294967295) < 2090860544",
        "Whether a is positive, finite and not small.",
        "double_check",
    )
    yield _check(
        "rsqrt64",
        "b64",
        "(shift_right(a, 32) - 1048576 & 4294967295) < 2145386496",
        "Whether a is positive, finite and normal.",
        "double_check",
    )
    yield _check(
        "dividend64",
        "b64",
        f"{high} >= 56623104",
        "Whether a is not so small that remainders are subnormal.",
        "float_compare",
    )
    b, q = HIGH.format("b"), HIGH.format("a")
    yield _check(
        "quotient64",
        "b64",
        f"also and {b} < 2139095040 and {q} > 1048576 and {q} <= 2139095040",
        "Whether the quotient a is normal and that by which was divided, b, not large; and also.",
        "double_check",
        read("b", "b64"),
        read("also", "pred", "predicate"),
    )
    yield computed(
        "mufu.rcp64h",
        (write("d", "b64"), read("a", "f64")),
        "bits_of_f64(approximate_rcp_f64(a)) | 1",
        "Reciprocal to 20 bits, and a bit at the end with which that of 2 less a bit rounds right.",
        "special",
    )
    for prefix, kind, scheduling_class in (("ffma", "f32", "fma"), ("dfma", "f64", "fma64")):
        yield computed(
            f"{prefix}.negated",
            (write("d", kind), read("a", kind), read("b", kind), read("c", kind)),
            f"fma_{kind}(-a, b, c)",
            "c - a * b, rounded once.",
            scheduling_class,
        )


ROWS = tuple(_rows())
