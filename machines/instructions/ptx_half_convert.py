"""ptx rows: conversions from and to f16 and bf16.

    cvt.rn.relu.bf16.f32 d, a      the nearest bf16, +0 if it is negative
    cvt.rz.f16x2.f32 d, a, b       a's in the upper half, b's in the lower one
    cvt.rmi.s64.bf16 d, a          the integer below, clamped to what fits

`.satfinite` gives the largest number where an infinity would be; NaN stays NaN (0x7FFF).  Rounding
and `.sat` that can do nothing are left out: each f16 is an f32, and integers clamp always.
"""

from __future__ import annotations

from collections.abc import Iterator

from machines.instructions.ptx_convert import (
    INTEGERS,
    INTEGRAL,
    class_of,
    lane_of,
    read_integer,
)
from machines.instructions.ptx_half_operands import BF16, F16, HALVES, Half
from machines.instructions.ptx_operands import ROUNDINGS, computed, read, width, write
from machines.operations.row import Operation

QUICK = ("rn", "rz")
"""Directions in which f32 is converted by an instruction of its own (F2FP)."""
NEXT = "The next number in the direction of rounding"


def clamped(half: Half, value: str, relu: str, satfinite: str) -> str:
    """A rounded value with what `.relu` and `.satfinite` do around it."""
    value = f"clamp_finite({value}, {half.largest!r})" if satfinite else value
    return f"rectify({value})" if relu else value


def _from_f32(half: Half) -> Iterator[Operation]:
    def convert(suffix: str, value: str, sentence: str) -> Operation:
        operands = (write("d", "b16"), read("a", "f32"))
        name = f"cvt.{suffix}.{half.name}.f32"
        is_quick = suffix[:2] in QUICK and not (half is BF16 and "ftz" in suffix)
        scheduling_class = "half_convert" if is_quick else "convert"
        return computed(name, operands, half.encoded(value), sentence, scheduling_class)

    for rounding, mode in ROUNDINGS.items():
        for ftz, a in (("", "a"), (".ftz", "flush(a)")):
            value = half.rounded(a, mode)
            yield convert(f"{rounding}{ftz}", value, f"{NEXT}.")
            if half is F16:
                sentence = f"{NEXT}, clamped to 0 … 1."
                yield convert(f"{rounding}{ftz}.sat", f"saturate({value})", sentence)
    for rounding, relu, satfinite in _clamps():
        value = half.encoded(
            clamped(half, half.rounded("{x}", ROUNDINGS[rounding]), relu, satfinite)
        )
        name = f"cvt.{rounding}{relu}{satfinite}"
        if relu or satfinite:
            operands = (write("d", "b16"), read("a", "f32"))
            yield computed(
                f"{name}.{half.name}.f32",
                operands,
                value.format(x="a"),
                f"{NEXT}, clamped.",
                "half_convert",
            )
        yield computed(
            f"{name}.{half.pair}.f32",
            (write("d", "b32"), read("a", "f32"), read("b", "f32")),
            f"{value.format(x='a')} << 16 | {value.format(x='b')}",
            f"{NEXT}, of the first operand in the upper half, of the second in the lower one.",
            "half_convert",
        )


def _clamps() -> Iterator[tuple[str, str, str]]:
    for rounding in ("rn", "rz"):
        for relu in ("", ".relu"):
            for satfinite in ("", ".satfinite"):
                yield rounding, relu, satfinite


def _from_f64(half: Half) -> Iterator[Operation]:
    for rounding, mode in ROUNDINGS.items():
        value = half.rounded("a", mode)
        for sat in ("", ".sat")[: 2 if half is F16 else 1]:
            yield computed(
                f"cvt.{rounding}{sat}.{half.name}.f64",
                (write("d", "b16"), read("a", "f64")),
                half.encoded(f"saturate({value})" if sat else value),
                f"{NEXT}{', clamped to 0 … 1' if sat else ''}.",
                "convert64",
            )


def _from_integers(half: Half) -> Iterator[Operation]:
    for source in INTEGERS:
        operand, value = read_integer(source)
        sign = "unsigned" if source == "u64" else "signed"
        for rounding, mode in ROUNDINGS.items():
            number = f"{sign}_toward({value}, {mode}, {half.digits})"
            if mode == 0 and width(source) <= 32:
                number = half.rounded(f"f64_from_signed({value})")
            yield computed(
                f"cvt.{rounding}.{half.name}.{source}",
                (write("d", "b16"), operand),
                half.encoded(number),
                "The number as a float, rounded.",
                class_of(half.name, source),
            )


def _to_integers(half: Half) -> Iterator[Operation]:
    for rounding, (integral, how) in INTEGRAL.items():
        whole = integral.format(half.decoded("a"))
        for kind in INTEGERS:
            sign = "signed" if kind[0] == "s" else "unsigned"
            value = f"truncate_{sign}({whole}, {width(kind)})"
            if width(kind) == 64:
                a = half.decoded("a")
                value = f"{value} if {a} == {a} else shift_left(1, 63)"
            yield computed(
                f"cvt.{rounding}.{kind}.{half.name}",
                (write("d", lane_of(kind)), read("a", "b16")),
                value,
                f"The integer {how}, clamped to what fits.",
                class_of(kind, half.name),
            )


def _to_floats() -> Iterator[Operation]:
    def convert(suffix: str, kind: str, half: Half, around: str, sentence: str) -> Operation:
        operands = (write("d", kind), read("a", "b16"))
        value = around.format(half.decoded("a"))
        is_quick = kind == "f32" and suffix != ".ftz"
        scheduling_class = "half_convert" if is_quick else class_of(kind, half.name)
        return computed(
            f"cvt{suffix}.{kind}.{half.name}", operands, value, sentence, scheduling_class
        )

    for kind in ("f32", "f64"):
        for half in HALVES:
            yield convert("", kind, half, "{}", "The same value.")
        yield convert(".sat", kind, F16, "saturate({})", "Clamped to 0 … 1.")
    yield convert(".ftz", "f32", BF16, "flush({})", "The same value; a zero if it is subnormal.")


def _among_halves() -> Iterator[Operation]:
    def convert(suffix: str, half: Half, source: Half, around: str, sentence: str) -> Operation:
        return computed(
            f"cvt{suffix}.{half.name}.{source.name}",
            (write("d", "b16"), read("a", "b16")),
            half.encoded(around.format(source.decoded("a"))),
            sentence,
            "half" if half is source else "convert",
        )

    for half, source in ((F16, BF16), (BF16, F16)):
        for rounding, mode in ROUNDINGS.items():
            yield convert(f".{rounding}", half, source, half.rounded("{}", mode), f"{NEXT}.")
    for half in HALVES:
        yield convert("", half, half, "{}", "The same value.")
        for rounding, (integral, how) in INTEGRAL.items():
            yield convert(f".{rounding}", half, half, integral, f"The integral value {how}.")
    yield convert(".sat", F16, F16, "saturate({})", "Clamped to 0 … 1.")
    for rounding, (integral, how) in INTEGRAL.items():
        sentence = f"The integral value {how}, clamped to 0 … 1."
        yield convert(f".{rounding}.sat", F16, F16, f"saturate({integral})", sentence)


ROWS = (
    *(row for half in HALVES for row in _from_f32(half)),
    *(row for half in HALVES for row in _from_f64(half)),
    *_to_floats(),
    *_among_halves(),
    *(row for half in HALVES for row in _from_integers(half)),
    *(row for half in HALVES for row in _to_integers(half)),
)
