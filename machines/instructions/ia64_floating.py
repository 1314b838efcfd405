"""ia64 rows: floating arithmetic, integer multiply, compares, conversions, seeds.

Status field s0 rounds to the range of the format, s1 keeps the wide 17-bit exponent (the Linux
setting of ar.fpsr, which the model fixes).  Without .s or .d the significand has 64 bits.
"""

from __future__ import annotations

from machines.instructions.ia64_compare import normal
from machines.instructions.ia64_operands import FR, PR, Addend, immediate, read, row, write

F1 = write("f1", FR)
F2, F3, F4 = (read(name, FR, "fp") for name in ("f2", "f3", "f4"))
PRECISION = {"": 64, ".s": 24, ".d": 53}
STATUS = {".s0": 0, ".s1": 1}


def _products():
    """`fma`, `fms` and `fnma` with f0 as the addend are plain products (SDM vol. 3, fma): -0 stays.

    They are rows of their own, so that no meaning has to look at a register's number.
    """
    for name, function, zero, sentence in (
        ("fmpy", "fms", "0.0", "f3 * f4"),
        ("fnmpy", "fnma", "-0.0", "-(f3 * f4)"),
    ):
        for precision, bits in PRECISION.items():
            for status, wide in STATUS.items():
                yield row(
                    f"{name}{precision}{status}",
                    (F1, F3, F4),
                    f"f1 = fr_{function}(f3, f4, fr_from_f64({zero}), {bits}, {wide})",
                    f"{sentence}, rounded once to {bits} bits"
                    f"{' with the wide exponent' if wide else ''}.",
                    " {f1} = {f3}, {f4}",
                    "fp_arithmetic",
                    "F",
                )


def _arithmetic():
    addend = read("f2", Addend(FR.name, FR.prefix, FR.holds), "fp")
    for name, sentence in (
        ("fma", "f3 * f4 + f2"),
        ("fms", "f3 * f4 - f2"),
        ("fnma", "f2 - f3 * f4"),
    ):
        for precision, bits in PRECISION.items():
            for status, wide in STATUS.items():
                yield row(
                    f"{name}{precision}{status}",
                    (F1, F3, F4, F2 if name == "fms" else addend),
                    f"f1 = fr_{name}(f3, f4, f2, {bits}, {wide})",
                    f"{sentence}, rounded once to {bits} bits"
                    f"{' with the wide exponent' if wide else ''}.",
                    " {f1} = {f3}, {f4}, {f2}",
                    "fp_arithmetic",
                    "F",
                )
    for part, function, sentence in (
        ("l", "low", "Low half of the product of two significands plus a third."),
        ("h", "high", "High half of the signed product plus a third significand."),
        ("hu", "high_unsigned", "High half of the unsigned product plus a third significand."),
    ):
        yield row(
            f"xma.{part}",
            (F1, F3, F4, F2),
            f"f1 = fr_xma_{function}(f3, f4, f2)",
            sentence,
            " {f1} = {f3}, {f4}, {f2}",
            "fp_integer_multiply",
            "F",
        )


def _compares():
    for name, function, sentence in (
        ("eq", "fr_equal", "Equal"),
        ("lt", "fr_less", "Less"),
        ("le", "fr_less_equal", "Less or equal"),
        ("unord", "fr_unordered", "Unordered (one is NaN)"),
    ):
        yield from normal(
            f"fcmp.{name}",
            (F2, F3),
            f"{function}(f2, f3)",
            sentence,
            "{f2}, {f3}",
            "fp_compare",
            "F",
        )
    yield from normal(
        "fclass.m",
        (F2, immediate("mask", 9, signed=False)),
        "fr_class(f2, mask)",
        "The value is of one of the classes in the mask",
        "{f2}, {mask}",
        "fp_compare",
        "F",
    )


def _miscellaneous():
    for name, sentence in (
        ("fmin", "The lesser; the second if either is NaN."),
        ("fmax", "The greater; the second if either is NaN."),
        ("famin", "The one of lesser magnitude; the second if either is NaN."),
        ("famax", "The one of greater magnitude; the second if either is NaN."),
    ):
        yield row(
            f"{name}.s0",
            (F1, F2, F3),
            f"f1 = fr_{name[1:]}(f2, f3)",
            sentence,
            " {f1} = {f2}, {f3}",
            "fp_misc",
            "F",
        )
    for part, function, sentence in (
        ("s", "sign", "Sign of the first, the rest of the second; moves and absolute values."),
        ("ns", "negative", "Complement of the first's sign, the rest of the second; negation."),
        ("se", "exponent", "Sign and exponent of the first, significand of the second."),
    ):
        yield row(
            f"fmerge.{part}",
            (F1, F2, F3),
            f"f1 = fr_merge_{function}(f2, f3)",
            sentence,
            " {f1} = {f2}, {f3}",
            "fp_misc",
            "F",
        )
    for name, meaning, sentence in (
        ("fand", "{} & {}", "Bitwise and of two significands."),
        ("fandcm", "{} & ~{}", "Bitwise and with the complement of the second significand."),
        ("for", "{} | {}", "Bitwise or of two significands."),
        ("fxor", "{} ^ {}", "Bitwise exclusive or of two significands."),
    ):
        both = meaning.format("fr_significand(f2)", "fr_significand(f3)")
        yield row(
            name,
            (F1, F2, F3),
            f"f1 = fr_from_significand({both})",
            sentence,
            " {f1} = {f2}, {f3}",
            "fp_misc",
            "F",
        )
    yield row(
        "fselect",
        (F1, F3, F4, F2),
        "f1 = fr_select(f3, f4, f2)",
        "Significand bits of the first where the third has ones, else of the second.",
        " {f1} = {f3}, {f4}, {f2}",
        "fp_misc",
        "F",
    )


def _conversions():
    yield row(
        "fcvt.xf",
        (F1, F2),
        "f1 = fr_from_signed_integer(f2)",
        "A signed integer significand as a floating value, exactly.",
        " {f1} = {f2}",
        "fp_convert",
        "F",
    )
    for name, function, sentence in (
        ("fcvt.fx", "fr_to_signed", "To a signed integer, to nearest even"),
        ("fcvt.fx.trunc", "fr_to_signed_truncate", "To a signed integer, truncated"),
        ("fcvt.fxu", "fr_to_unsigned", "To an unsigned integer, to nearest even"),
        ("fcvt.fxu.trunc", "fr_to_unsigned_truncate", "To an unsigned integer, truncated"),
    ):
        for status in STATUS:
            yield row(
                f"{name}{status}",
                (F1, F2),
                f"f1 = {function}(f2)",
                f"{sentence}; out of range gives -2**63.",
                " {f1} = {f2}",
                "fp_convert",
                "F",
            )


def _seeds():
    predicate = write("p2", PR, produces="fp_seed_predicate")
    flags = frozenset({"unconditional"})
    for status, wide in STATUS.items():
        yield row(
            f"frcpa{status}",
            (F1, predicate, F2, F3),
            f"f1, p2 = fr_reciprocal(f2, f3, {wide})",
            "Approximate reciprocal of the second with predicate 1, or the quotient "
            "itself with predicate 0 where no refinement is needed.",
            " {f1}, {p2} = {f2}, {f3}",
            "fp_seed",
            "F",
            flags=flags,
        )
        yield row(
            f"frsqrta{status}",
            (F1, predicate, F3),
            f"f1, p2 = fr_reciprocal_root(f3, {wide})",
            "Approximate reciprocal square root with predicate 1, or the root itself with "
            "predicate 0 where no refinement is needed.",
            " {f1}, {p2} = {f3}",
            "fp_seed",
            "F",
            flags=flags,
        )


ROWS = (*_products(), *_arithmetic(), *_compares(), *_miscellaneous(), *_conversions(), *_seeds())
