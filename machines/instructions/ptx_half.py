"""ptx rows: half precision, one (f16) or two (f16x2) in a register.

    add.rn.f16x2 d, a, b         each half of d the sum of the halves of a and b

Registers hold encodings (b16, b32).  Sums and products of f16 are exact in double, so that one
rounding is left; that of fma is exact too.
"""

from __future__ import annotations

from machines.instructions.ptx_compare import FLOAT_RELATIONS
from machines.instructions.ptx_operands import ROUNDINGS, computed, lanes, read, row, write

DIGITS = 11
ARITHMETIC = {
    "add": ("round_toward({a} + {b}, 0, 11)", "ab", "Sum."),
    "sub": ("round_toward({a} - {b}, 0, 11)", "ab", "Difference."),
    "mul": ("round_toward({a} * {b}, 0, 11)", "ab", "Product."),
    "fma": ("fma_toward({a}, {b}, {c}, 0, 11)", "abc", "a * b + c, rounded once."),
}
OTHERS = {
    "min": ("minimum({a}, {b})", "ab", "The smaller; the other if one is NaN."),
    "max": ("maximum({a}, {b})", "ab", "The larger; the other if one is NaN."),
    "neg": ("-{a}", "a", "The other sign."),
    "abs": ("abs({a})", "a", "Absolute value."),
}


def _half(name: str, high: bool = False) -> str:
    return f"f16_from_bits({name} >> 16)" if high else f"f16_from_bits({name})"


def _encoded(value: str, reads: str, high: bool = False) -> str:
    """The encoding of `value` of the halves of the operands."""
    return f"bits_of_f16({value.format(**{name: _half(name, high) for name in reads})})"


def _arithmetic():
    for table, rounding in ((ARITHMETIC, ".rn"), (OTHERS, "")):
        for name, (plain, reads, sentence) in table.items():
            for suffix in ("", ".sat") if rounding else ("",):
                value = f"saturate({plain})" if suffix else plain
                yield computed(
                    f"{name}{rounding}{suffix}.f16",
                    lanes("b16", *reads),
                    _encoded(value, reads),
                    sentence,
                    "half",
                )
                yield computed(
                    f"{name}{rounding}{suffix}.f16x2",
                    lanes("b32", *reads),
                    f"{_encoded(value, reads, high=True)} << 16 | {_encoded(value, reads)}",
                    f"{sentence[:-1]}, of both halves.",
                    "half",
                )


def _comparisons():
    for name, (test, sentence) in FLOAT_RELATIONS.items():
        condition = test.format(a=_half("a"), b=_half("b"))
        unordered = f"{_half('a')} != {_half('a')} or {_half('b')} != {_half('b')}"
        for suffix, text, ending in (
            ("", condition, "false if either is NaN"),
            ("u", f"{condition} or {unordered}", "true if either is NaN"),
        ):
            yield row(
                f"setp.{name}{suffix}.f16",
                (write("p", "pred"), read("a", "b16"), read("b", "b16")),
                f"p = 1 if {text} else 0",
                f"{sentence}; {ending}.",
                "half",
            )


def _conversions():
    for kind in ("f32", "f64"):
        scheduling_class = "convert64" if kind == "f64" else "convert"
        yield computed(
            f"cvt.{kind}.f16",
            (write("d", kind), read("a", "b16")),
            _half("a"),
            "The same value.",
            scheduling_class,
        )
        for rounding, mode in ROUNDINGS.items():
            yield computed(
                f"cvt.{rounding}.f16.{kind}",
                (write("d", "b16"), read("a", kind)),
                f"bits_of_f16(round_toward(a, {mode}, {DIGITS}))",
                "The nearest f16 in the direction of rounding.",
                scheduling_class,
            )
    for kind in ("s16", "u16", "s32", "u32"):
        yield computed(
            f"cvt.rn.f16.{kind}",
            (write("d", "b16"), read("a", kind)),
            f"bits_of_f16(signed_toward(a, 0, {DIGITS}))",
            "The number as a float, rounded.",
            "convert",
        )
        sign = "signed" if kind[0] == "s" else "unsigned"
        yield computed(
            f"cvt.rzi.{kind}.f16",
            (write("d", kind), read("a", "b16")),
            f"truncate_{sign}({_half('a')}, {kind[1:]})",
            "The integer towards zero, clamped to what fits.",
            "convert",
        )


ROWS = (*_arithmetic(), *_comparisons(), *_conversions())
