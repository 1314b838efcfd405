"""f16 to and from integers, and its unordered comparisons, beside exact arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.campaign.seeds import short_form
from tests.compiler.frontends.ptx_runs import kernel, read, run

KINDS = short_form(["s32", "u8", "s64", "s8", "u16", "s16", "u32", "u64"], 3)
HALVES = np.array(
    [0, 0x8000, 1, 0x8001, 0x3C00, 0x3E00, 0xBE00, 0x3800, 0xB800, 0x4100, 0x4580, 0xC580, 0x5BFF,
     0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x57F8, 0xD808, 0x4240, 0x5C01], np.uint16
)  # fmt: skip
INTEGERS = [
    0, 1, -1, 7, -128, 127, 255, 2047, 2048, 2049, 2051, -2049, 4098, 4097, 32767, -32768, 65503,
    65504, 65505, 65519, 65520, 65521, 65535, 65536, -65519, -65520, 2**24 + 1, 2**31 - 1, -(2**31),
    2**40 + 1, 2**63 - 1, -(2**63),
]  # fmt: skip


def stored(lines: list[str]) -> np.ndarray:
    """What each line leaves in %rd9."""
    body = "".join(f"{line} st.global.u64 [%rd0+{8 * k}], %rd9;\n" for k, line in enumerate(lines))
    [out] = run(read(kernel(body)), "k", [np.zeros(len(lines), np.uint64)])
    return out


def rounded(value: Fraction, mode: str) -> int:
    """To an integer, by the mode's second letter; halves to even."""
    if mode == "n":
        return round(value)
    return {"z": math.trunc, "m": math.floor, "p": math.ceil}[mode](value)


@pytest.mark.parametrize("mode", ["rni", "rzi", "rmi", "rpi"])
@pytest.mark.parametrize("kind", KINDS)
def test_to_integers(kind: str, mode: str):
    """Clamped to what fits; no number is 0."""
    bits, signed = int(kind[1:]), kind[0] == "s"
    register = {8: "%r1", 16: "%rs1", 32: "%r1", 64: "%rd8"}[bits]
    last = "mov.b64 %rd9, %rd8;" if bits == 64 else f"cvt.u64.u{max(bits, 8)} %rd9, {register};"
    lines = [
        f"mov.b16 %rs3, {int(half)}; cvt.{mode}.{kind}.f16 {register}, %rs3; {last}"
        for half in HALVES
    ]
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    for half, got in zip(HALVES.view(np.float16), stored(lines), strict=True):
        if np.isnan(half):
            continue
        value = high if half == np.inf else low if half == -np.inf else None
        if value is None:
            value = min(max(rounded(Fraction(float(half)), mode[1]), low), high)
        assert int(got) == value & ((1 << bits) - 1), (half, mode, kind)


def nearest_half(value: int, mode: str) -> np.float16:
    """The f16 next to an integer in the direction of a mode."""
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    finite = np.sort(halves[np.isfinite(halves)].astype(np.float64))
    if mode == "rn":
        with np.errstate(over="ignore"):  # from f64, which holds all that is not infinite
            return np.float16(np.float64(value))
    below, above = finite[finite <= value], finite[finite >= value]
    low = below[-1] if len(below) else -np.inf
    high = above[0] if len(above) else np.inf
    down = mode == "rm" or (mode == "rz" and value > 0)
    return np.float16(low if down else high)


@pytest.mark.parametrize("mode", ["rn", "rz", "rm", "rp"])
@pytest.mark.parametrize("kind", KINDS)
def test_from_integers(kind: str, mode: str):
    bits, signed = int(kind[1:]), kind[0] == "s"
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    values = [value for value in INTEGERS if low <= value <= high]
    register = {8: "%rs2", 16: "%rs2", 32: "%r2", 64: "%rd8"}[bits]
    move = f"mov.b{max(bits, 16)} {register}, "
    lines = [
        f"{move}{value}; cvt.{mode}.f16.{kind} %rs1, {register}; cvt.u64.u16 %rd9, %rs1;"
        for value in values
    ]
    got = stored(lines).astype(np.uint16).view(np.float16)
    for value, found in zip(values, got, strict=True):
        assert found == nearest_half(value, mode), (value, mode, kind)


@pytest.mark.parametrize("comparison", ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"])
def test_unordered_comparisons(comparison: str):
    """Of each half with each other one."""
    pairs = [(int(a), int(b)) for a in HALVES[::3] for b in HALVES[1::4]] + [(0x7E00, 0x3C00)]
    compare = f"setp.{comparison}.f16 %p1, %rs1, %rs2; selp.b64 %rd9, 1, 0, %p1;"
    lines = [f"mov.b16 %rs1, {a}; mov.b16 %rs2, {b}; {compare}" for a, b in pairs]
    for (a, b), got in zip(pairs, stored(lines), strict=True):
        x, y = np.array([a, b], np.uint16).view(np.float16)
        unordered = bool(np.isnan(x) or np.isnan(y))
        ordered = {
            "equ": x == y, "neu": x != y, "ltu": x < y, "leu": x <= y, "gtu": x > y, "geu": x >= y,
            "num": False, "nan": False,
        }[comparison]  # fmt: skip
        wanted = not unordered if comparison == "num" else bool(ordered) or unordered
        assert bool(got) == wanted, (x, y, comparison)
