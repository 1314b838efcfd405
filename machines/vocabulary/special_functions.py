"""Special functions as NVIDIA's unit for them approximates them, to the bit: words of the ptx rows.

    approximate_rcp(3.0)     0.3333333134651184: what MUFU.RCP gives, ptx rcp.approx.ftz.f32
    scaled_rcp(2.0**-127)    2.0**127: what ptxas writes for rcp.approx.f32, three instructions

The unit interpolates: the leading bits of a fixed-point argument choose a row of coefficients
(A, B, C), of the others x the sum A + B * x + C * x**2 is formed, with a square that is cut off
below, and cut to the result's digits (S. F. Oberman, M. Y. Siu: "A High-Performance Area-Efficient
Multifunction Interpolator", ARITH 2005).  It takes subnormal numbers for zeros and gives none, but
tanh does.  The functions called `scaled_…` and `turned_…` are the instructions that ptxas puts
around the unit's, for sm_75 to sm_90 the same.

Measured on an H100: all inputs of 54 octaves, and 8 192 inputs of each instruction and sign.
Octaves between follow by the exponent.  Not measured: f64, and other machines, which are taken to
have the same unit.  (Its sums are those of the G80 in envytools' nvhw/sfu.c, where an argument of
ex2, sin and cos is rounded, however, and not cut off, and sqrt and tanh are missing.)

Floats are f32 values; the same text runs jitted (`sim/cores/simt/special_functions.py`).
"""

from __future__ import annotations

from math import inf, nan

from machines.vocabulary.numbers import (
    bits_from_f32,
    bits_from_f64,
    f32_from_bits,
    f64_from_bits,
    fma_f64,
    round_f32,
)
from machines.vocabulary.special_tables import (
    EX2,
    LG2,
    RCP,
    RSQ,
    SIN,
    SQRT,
    TANH,
    constant_term,
    linear_term,
    octave_bits,
    octave_start,
    square_term,
)

SIGN = 1 << 31
ONE = 1 << 23
"""The significand 1.0."""
FRACTION = ONE - 1
BIAS = 127
LEAST_NORMAL = 2.0**-126
LARGE = 2.0**126
"""Above it a reciprocal is subnormal."""
TURNS = 0.15915493667125702
"""1 / (2 pi) as f32."""


# The interpolation ---------------------------------------------------------------------------


def truncated_square(x: int) -> int:
    """x**2 / 2**19 of 17 bits, without what is below 2**18 in the products of single bits."""
    high, low = x >> 9, x & 511
    total = high * high >> 1
    for bit in range(2, 9):
        total += -(low >> bit & 1) & (high >> (9 - bit))
    return total


def _interpolated(row: int, x: int, bits: int) -> int:
    """The sum of a row for the 16 or 17 bits that did not choose it."""
    square = truncated_square(x << (17 - bits))
    return constant_term(row) + linear_term(row) * x + square_term(row) * square


def _encoded(sign: int, field: int, significand: int) -> float:
    """The f32 of an exponent field and a significand from 2**23 to 2**24; no subnormal one."""
    bits = (field << 23) + significand - ONE
    if bits < ONE:
        bits = 0
    elif bits > 255 << 23:
        bits = 255 << 23
    return f32_from_bits(sign | bits)


def _cut(x: float) -> float:
    """The f32 next to a double towards zero, where that is not subnormal."""
    return f64_from_bits(bits_from_f64(x) & ~0x1FFF_FFFF)


# The unit ------------------------------------------------------------------------------------


def approximate_rcp(x: float) -> float:
    """1 / x; 0 where that is subnormal."""
    if x != x:
        return nan
    bits = bits_from_f32(x)
    sign, field, fraction = bits & SIGN, bits >> 23 & 255, bits & FRACTION
    if field == 0:
        return f32_from_bits(sign | 255 << 23)
    if field == 255:
        return f32_from_bits(sign)
    total = _interpolated(RCP + (fraction >> 16), fraction & 0xFFFF, 16)
    return _encoded(sign, 2 * BIAS - 1 - field, total >> 15)


def approximate_rsqrt(x: float) -> float:
    """1 / sqrt(x)."""
    bits = bits_from_f32(x)
    sign, field, fraction = bits & SIGN, bits >> 23 & 255, bits & FRACTION
    if field == 0:
        return f32_from_bits(sign | 255 << 23)
    if sign or x != x:
        return nan
    if field == 255:
        return 0.0
    half, odd = (field - BIAS) >> 1, (field - BIAS) & 1
    if fraction | odd == 0:
        return _encoded(0, BIAS - half, ONE)
    total = _interpolated(RSQ + (odd << 6) + (fraction >> 17), fraction & 0x1FFFF, 17)
    return _encoded(0, BIAS - 1 - half, total >> 16)


def approximate_sqrt(x: float) -> float:
    """The square root."""
    bits = bits_from_f32(x)
    sign, field, fraction = bits & SIGN, bits >> 23 & 255, bits & FRACTION
    if field == 0:
        return f32_from_bits(sign)
    if sign or x != x:
        return nan
    if field == 255:
        return inf
    half, odd = (field - BIAS) >> 1, (field - BIAS) & 1
    total = _interpolated(SQRT + (odd << 6) + (fraction >> 17), fraction & 0x1FFFF, 17)
    return _encoded(0, BIAS + half, total >> 17)


def approximate_ex2(x: float) -> float:
    """2**x of x cut to 23 digits after the point; 0 where that is subnormal."""
    if x != x:
        return nan
    bits = bits_from_f32(x)
    shift, fraction = (bits >> 23 & 255) - BIAS, bits & FRACTION
    negative = bits & SIGN != 0
    if shift >= 7:
        return 0.0 if negative else inf
    if shift >= 0:
        fixed = (ONE | fraction) << shift
    else:
        fixed = (ONE | fraction) >> min(-shift, 31)
    whole, part = fixed >> 23, fixed & FRACTION
    if negative:
        whole = -whole
        if part:
            whole, part = whole - 1, part ^ FRACTION
    total = _interpolated(EX2 + (part >> 17), part & 0x1FFFF, 17)
    return _encoded(0, BIAS + whole, total >> 15)


def approximate_lg2(x: float) -> float:
    """Logarithm to base 2, of 36 digits after the point the first 24; -inf for zeros."""
    bits = bits_from_f32(x)
    field, fraction = bits >> 23 & 255, bits & FRACTION
    if field == 0:
        return -inf
    if bits & SIGN or x != x:
        return nan
    if field == 255:
        return inf
    if fraction == 0 and field == BIAS:
        return 0.0
    total = _interpolated(LG2 + (fraction >> 17), fraction & 0x1FFFF, 17) >> 2
    total += (field - BIAS) << 36
    return -_cut(float(~total) * 2.0**-36) if total < 0 else _cut(float(total) * 2.0**-36)


def _sine_of_turns(x: float, cosine: int) -> float:
    """Sine of x turns, or of a quarter more; x is cut to 25 digits after the point."""
    if x != x:
        return nan
    bits = bits_from_f32(x)
    field, fraction = bits >> 23 & 255, bits & FRACTION
    sign = 0 if cosine else bits & SIGN
    if field == 255:
        return nan
    shift = field - BIAS + 2
    if shift >= 0:
        fixed = (ONE | fraction) << shift if shift < 25 else 0
    else:
        fixed = (ONE | fraction) >> min(-shift, 31)
    quarter, part = (fixed >> 23) + cosine, fixed & FRACTION
    if quarter & 1:
        part ^= FRACTION
    if quarter & 2:
        sign ^= SIGN
    total = _interpolated(SIN + (part >> 17), part & 0x1FFFF, 17)
    sine = _cut(float(total) * 2.0**-37)
    return -sine if sign else sine


def approximate_sin(x: float) -> float:
    """Sine of x turns; NaN for an infinity."""
    return _sine_of_turns(x, 0)


def approximate_cos(x: float) -> float:
    """Cosine of x turns; NaN for an infinity."""
    return _sine_of_turns(x, 1)


def approximate_tanh(x: float) -> float:
    """Hyperbolic tangent; x itself below 2**-8, subnormal or not."""
    if x != x:
        return nan
    bits = bits_from_f32(x)
    sign, field, fraction = bits & SIGN, bits >> 23 & 255, bits & FRACTION
    if field < BIAS - 8:
        return x
    if field >= BIAS + 3:
        return f32_from_bits(sign | BIAS << 23)
    octave = field - (BIAS - 8)
    chosen = octave_bits(octave)
    row = TANH + octave_start(octave) + (fraction >> (23 - chosen))
    total = _interpolated(row, fraction >> (6 - chosen) & 0x1FFFF, 17)
    tangent = _cut(float(total) * 2.0**-39)
    return -tangent if sign else tangent


# What ptxas makes of the instructions of ptx -------------------------------------------------


def scaled_rcp(x: float) -> float:
    """rcp.approx.f32: subnormal numbers kept."""
    scale = 2.0**24 if abs(x) < LEAST_NORMAL else (0.25 if abs(x) > LARGE else 1.0)
    return round_f32(approximate_rcp(round_f32(x * scale)) * scale)


def scaled_rsqrt(x: float) -> float:
    """rsqrt.approx.f32: a subnormal number times 2**24."""
    small = abs(x) < LEAST_NORMAL
    root = approximate_rsqrt(x * 2.0**24 if small else x)
    return root * 2.0**12 if small else root


def scaled_sqrt(x: float) -> float:
    """sqrt.approx.f32: a subnormal number times 2**24."""
    small = abs(x) < LEAST_NORMAL
    root = approximate_sqrt(x * 2.0**24 if small else x)
    return root * 2.0**-12 if small else root


def scaled_ex2(x: float) -> float:
    """ex2.approx.f32: below -126 the square of the half's power."""
    small = x < -126.0
    power = approximate_ex2(x * 0.5 if small else x)
    return round_f32(power * power) if small else power


def scaled_lg2(x: float) -> float:
    """lg2.approx.f32: a subnormal number times 2**24."""
    small = abs(x) < LEAST_NORMAL
    logarithm = approximate_lg2(x * 2.0**24 if small else x)
    return round_f32(logarithm - 24.0) if small else logarithm


def _turns(x: float) -> float:
    """x / (2 pi), the factor rounded to f32 and the product towards zero."""
    return _cut(x * TURNS) if x == x else nan


def turned_sin(x: float) -> float:
    """sin.approx.f32."""
    return approximate_sin(_turns(x))


def turned_cos(x: float) -> float:
    """cos.approx.f32."""
    return approximate_cos(_turns(x))


def scaled_division(a: float, b: float) -> float:
    """div.approx.f32: a * (1 / b), both times 2**24 if b is subnormal; 0 for a large b."""
    if abs(b) < LEAST_NORMAL:
        a, b = round_f32(a * 2.0**24), b * 2.0**24
    return round_f32(approximate_rcp(b) * a)


def full_division(a: float, b: float) -> float:
    """div.full.f32: div.approx.f32, and both operands times 1/4 if b is large."""
    if abs(b) > LARGE:
        a, b = round_f32(a * 0.25), b * 0.25
    return scaled_division(a, b)


# f64: the unit takes and gives the upper 32 bits ---------------------------------------------

HIGH_FRACTION = 0xF_FFFF


def _encoded_high(sign: int, field: int, significand: int) -> float:
    """The f64 of an exponent field and a significand as `_encoded`'s, cut to 20 digits."""
    bits = (field << 20) + (significand - ONE >> 3)
    return f64_from_bits((sign | (bits if bits >= 1 << 20 else 0)) << 32)


def approximate_rcp_f64(x: float) -> float:
    """rcp.approx.ftz.f64, that is MUFU.RCP64H."""
    if x != x:
        return nan
    high = bits_from_f64(x) >> 32
    sign, field, fraction = high & -SIGN, high >> 20 & 2047, high & HIGH_FRACTION
    if field == 0:
        return f64_from_bits((sign | 2047 << 20) << 32)
    if field == 2047:
        return f64_from_bits(sign << 32)
    total = _interpolated(RCP + (fraction >> 13), (fraction & 0x1FFF) << 3, 16)
    return _encoded_high(sign, 2045 - field, total >> 15)


def approximate_rsqrt_f64(x: float) -> float:
    """rsqrt.approx.ftz.f64, that is MUFU.RSQ64H."""
    high = bits_from_f64(x) >> 32
    sign, field, fraction = high & -SIGN, high >> 20 & 2047, high & HIGH_FRACTION
    if field == 0:
        return f64_from_bits((sign | 2047 << 20) << 32)
    if sign or x != x:
        return nan
    if field == 2047:
        return 0.0
    half, odd = (field - 1023) >> 1, (field - 1023) & 1
    if fraction | odd == 0:
        return _encoded_high(0, 1023 - half, ONE)
    total = _interpolated(RSQ + (odd << 6) + (fraction >> 14), (fraction & 0x3FFF) << 3, 17)
    return _encoded_high(0, 1022 - half, total >> 16)


def refined_rsqrt_f64(x: float) -> float:
    """rsqrt.approx.f64: one step of third order from the unit's; a subnormal number times 2**54."""
    if not (x > 0.0 and x < inf):
        return approximate_rsqrt_f64(x)
    small = x < 2.0**-1022
    if small:
        x = x * 2.0**54
    first = approximate_rsqrt_f64(x)
    rest = fma_f64(x, -(first * first), 1.0)
    result = fma_f64(fma_f64(rest, 0.375, 0.5), first * rest, first)
    return result * 2.0**27 if small else result


FUNCTIONS = (
    approximate_rcp, approximate_rsqrt, approximate_sqrt, approximate_ex2, approximate_lg2,
    approximate_sin, approximate_cos, approximate_tanh, scaled_rcp, scaled_rsqrt, scaled_sqrt,
    scaled_ex2, scaled_lg2, turned_sin, turned_cos, scaled_division, full_division,
    approximate_rcp_f64, approximate_rsqrt_f64, refined_rsqrt_f64,
)  # fmt: skip
