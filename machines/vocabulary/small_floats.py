"""Floats of 16 and 8 bits: part of the vocabulary of ptx rows.

    nearest_f16(2049.0)           2048.0: the nearest f16
    bits_of_bf16(-1.5)          0xBFC0: how a register holds it
    bits_of_e4m3(1000.0)        0x7E: the nearest e4m3, here the largest

A value is a double that the type has exactly; `nearest_` gives the nearest one, of two that are as
near the even one.  Sums and products of two such values are exact in double or, where exponents
lie far apart, rounded so that a second rounding does no harm (53 digits are more than 2 * 11 + 2:
Figueroa, "When is double rounding innocuous?", 1995); a product plus a third value is not, and is
rounded to odd first.

The core compiles these functions as they stand (`sim/cores/simt/vocabulary.py`): no loops, and
conditions that choose among numbers, so that LLVM does several lanes at once.
"""

from __future__ import annotations

import math
from math import inf, nan

from machines.vocabulary.numbers import bits_from_f64, f32_from_bits, f64_from_bits

NAN_BF16 = 0x7FFF
"""The NaN that arithmetic of bf16 gives (PTX ISA 9.0, 9.7.4)."""
NAN_E4M3 = NAN_E5M2 = 0x7F
"""The NaN of conversions to 8 bits (measured on an H100 for e5m2; e4m3 has no other)."""


def _nearest(x: float, digits: int, least: float, below: float, too_large: float) -> float:
    """The nearest number of so many digits; `least` is the least normal one, below which numbers
    are those that a sum with `below` leaves, and from `too_large` on they are infinite."""
    if x != x:
        return x
    size = abs(x)
    bits = bits_from_f64(size)
    cut = 53 - digits
    kept = bits + ((1 << (cut - 1)) - 1) + (bits >> cut & 1)
    near = f64_from_bits(kept >> cut << cut)
    small = (size + below) - below
    near = small if size < least else near
    return math.copysign(inf if near >= too_large else near, x)


def nearest_f16(x: float) -> float:
    """The nearest f16; too large gives an infinity."""
    return _nearest(x, 11, 2.0**-14, 2.0**28, 2.0**16)


def nearest_bf16(x: float) -> float:
    """The nearest bf16; too large gives an infinity."""
    return _nearest(x, 8, 2.0**-126, 2.0**-81, 2.0**128)


def flush_f16(x: float) -> float:
    """An f16, or a zero of its sign if it is subnormal (`.ftz`)."""
    return math.copysign(0.0, x) if abs(x) < 2.0**-14 else x


def fma_to_odd(a: float, b: float, c: float) -> float:
    """a * b + c of values of up to 26 digits, to 53 digits rounded to odd: what is not exact has a
    last digit of 1, and rounds to fewer digits as the exact sum does."""
    product = a * b
    total = product + c
    part = total - product
    lost = (product - (total - part)) + (c - part)
    bits = bits_from_f64(total)
    step = 1 if (lost > 0.0) == (total > 0.0) else -1
    exact = lost == 0.0 or lost != lost or bits & 1 != 0
    return total if exact else f64_from_bits(bits + step)


def rectify(x: float) -> float:
    """`x`, or +0 if it is not positive (`.relu`); NaN stays."""
    return x if x > 0.0 or x != x else 0.0


def clamp_finite(x: float, largest: float) -> float:
    """`x`, or the largest number of its sign if it is larger (`.satfinite`); NaN stays."""
    return math.copysign(largest, x) if abs(x) > largest else x


def signed_like(x: float, a: float, b: float) -> float:
    """The size of `x` with the product of the signs of a and b (`.xorsign`)."""
    return math.copysign(x, math.copysign(1.0, a) * math.copysign(1.0, b))


# Encodings -----------------------------------------------------------------------------------


def bf16_from_bits(a: int) -> float:
    """The bf16 whose encoding is the low 16 bits of `a`."""
    return f32_from_bits((a & 0xFFFF) << 16)


def bits_of_bf16(x: float) -> int:
    """The 16-bit encoding of a bf16 value; NaN gives `NAN_BF16`."""
    if x != x:
        return NAN_BF16
    size = abs(x)
    bits = bits_from_f64(size)
    normal = ((bits >> 52) - 896) << 7 | bits >> 45 & 0x7F
    small = int((size if size < 2.0**-126 else 0.0) * 2.0**133)
    encoded = small if size < 2.0**-126 else (0x7F80 if size == inf else normal)
    return encoded | (0x8000 if math.copysign(1.0, x) < 0.0 else 0)


def e4m3_from_bits(a: int) -> float:
    """The e4m3 whose encoding is the low 8 bits of `a`."""
    field, fraction = a >> 3 & 15, a & 7
    normal = f64_from_bits((field + 1016) << 52 | fraction << 49)
    size = normal if field != 0 else float(fraction) * 2.0**-9
    size = nan if a & 0x7F == 0x7F else size
    return -size if a & 0x80 else size


def bits_of_e4m3(x: float) -> int:
    """The encoding of the e4m3 nearest to `x`, the largest if it is larger; NaN: `NAN_E4M3`."""
    if x != x:
        return NAN_E4M3
    size = abs(_nearest(x, 4, 2.0**-6, 2.0**43, inf))
    size = size if size < 448.0 else 448.0
    bits = bits_from_f64(size)
    encoded = int(size * 2.0**9) if size < 2.0**-6 else ((bits >> 52) - 1016) << 3 | bits >> 49 & 7
    return encoded | (0x80 if math.copysign(1.0, x) < 0.0 else 0)


def bits_of_e5m2(x: float) -> int:
    """The encoding of the e5m2 nearest to `x`, the largest if it is larger; NaN: `NAN_E5M2`."""
    if x != x:
        return NAN_E5M2
    size = abs(_nearest(x, 3, 2.0**-14, 2.0**36, inf))
    size = size if size < 57344.0 else 57344.0
    bits = bits_from_f64(size)
    small = int(size * 2.0**16) if size < 2.0**-14 else ((bits >> 52) - 1008) << 2 | bits >> 50 & 3
    return small | (0x80 if math.copysign(1.0, x) < 0.0 else 0)


FUNCTIONS = (
    nearest_f16, nearest_bf16, flush_f16, fma_to_odd, rectify, clamp_finite, signed_like,
    bf16_from_bits, bits_of_bf16, e4m3_from_bits, bits_of_e4m3, bits_of_e5m2,
)  # fmt: skip
