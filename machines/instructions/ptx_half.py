"""ptx rows: arithmetic of f16 and bf16, alone (f16) and two in a register (f16x2).

    add.rn.f16x2 d, a, b           each half of d the sum of the halves of a and b
    fma.rn.relu.bf16 d, a, b, c    d = max(a * b + c, 0), rounded once

`.rn` is written out.  Subnormal numbers are kept, but with `.ftz` (of f16 alone) they are zeros of
their sign, read and written.  `.sat` clamps to 0 … 1, NaN gives 0; `.relu` makes what is negative
+0 and keeps NaN.  neg and abs are sums with -0 on the hardware (as cuobjdump shows), so that they
make NaN canonical, too.  What is approximate is rounded from what f32 has for the operand, which is
an assumption: no more than an input of each was measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from machines.instructions.ptx_half_operands import BF16, F16, HALVES, Half, of_halves
from machines.instructions.ptx_operands import ROUNDINGS
from machines.operations.row import Operation

TOWARD_ZERO = ROUNDINGS["rz"]
ARITHMETIC = {
    "add": ("{a} + {b}", "ab", "Sum."),
    "sub": ("{a} - {b}", "ab", "Difference."),
    "mul": ("{a} * {b}", "ab", "Product."),
    "fma": ("fma_to_odd({a}, {b}, {c})", "abc", "a * b + c, rounded once."),
}
"""Values before they are rounded, of operands."""
FUNCTIONS = {
    "ex2": ("approximate_ex2({a})", "Two to the power of the operand, approximately."),
    "tanh": ("approximate_tanh({a})", "Hyperbolic tangent, approximately."),
}


def _flushes(half: Half) -> tuple[str, ...]:
    return ("", ".ftz") if half is F16 else ("",)


def _clamps(name: str, half: Half) -> dict[str, str]:
    """What may stand for the result: suffix, and the text around it."""
    every = {"": "{}"}
    if half is F16:
        every[".sat"] = "saturate({})"
    if name == "fma":
        every[".relu"] = "rectify({})"
    return every


def _arithmetic() -> Iterator[Operation]:
    for half in HALVES:
        for name, (plain, reads, sentence) in ARITHMETIC.items():
            for ftz in _flushes(half):
                value = half.rounded(plain)
                value = f"flush_f16({value})" if ftz else value
                for suffix, around in _clamps(name, half).items():
                    yield from of_halves(
                        f"{name}.rn{ftz}{suffix}",
                        half,
                        around.format(value),
                        reads,
                        sentence,
                        "half",
                        bool(ftz),
                        commutes=name in ("add", "mul", "fma"),
                    )


def _orders() -> Iterator[Operation]:
    for half in HALVES:
        for name, function, word in (("min", "minimum", "smaller"), ("max", "maximum", "larger")):
            for ftz in _flushes(half):
                for of_nan, of_sign in (
                    ("", ""),
                    (".NaN", ""),
                    ("", ".xorsign.abs"),
                    (".NaN", ".xorsign.abs"),
                ):
                    a, b = ("abs({a})", "abs({b})") if of_sign else ("{a}", "{b}")
                    value = f"{function}({a}, {b})"
                    if of_sign:
                        value = f"signed_like({value}, {{a}}, {{b}})"
                    if of_nan:
                        value = f"nan if {{a}} != {{a}} or {{b}} != {{b}} else {value}"
                    sentence = (
                        f"The {word}{' in size, with the product of the signs' if of_sign else ''}"
                    )
                    sentence += "; NaN if one is." if of_nan else "; the other if one is NaN."
                    yield from of_halves(
                        f"{name}{ftz}{of_nan}{of_sign}",
                        half,
                        value,
                        "ab",
                        sentence,
                        "half",
                        bool(ftz),
                        commutes=True,
                    )


def _signs() -> Iterator[Operation]:
    for half in HALVES:
        for ftz in _flushes(half):
            for name, value, sentence in (
                ("neg", "-{a}", "The other sign."),
                ("abs", "abs({a})", "Absolute value."),
            ):
                yield from of_halves(f"{name}{ftz}", half, value, "a", sentence, "half", bool(ftz))


def _approximate() -> Iterator[Operation]:
    for half in HALVES:
        for name, (value, sentence) in FUNCTIONS.items():
            ftz = ".ftz" if name == "ex2" and half is BF16 else ""
            yield from of_halves(
                f"{name}.approx{ftz}",
                half,
                half.rounded(value, TOWARD_ZERO),
                "a",
                sentence,
                "special",
                pair_class="special_pair",
            )


ROWS = (*_arithmetic(), *_orders(), *_signs(), *_approximate())
