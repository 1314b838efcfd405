"""Jitted twins of `machines/vocabulary/rounding.py`: 128-bit integers held in two halves.

Every function has the name, the parameters and the results of its Python twin, where it is told
what it means.
"""

from __future__ import annotations

from math import inf

from sim.cores.jit import inlined, jitted
from sim.cores.numbers import (
    below,
    divide_f64,
    f64_from_bits,
    fma_f64,
    multiply_high_unsigned,
    shift_right_unsigned,
    sqrt_f64,
)
from sim.cores.simt.host.encodings import bits_of_f64, count_leading_zeros


@inlined
def _is_finite(x):
    return abs(x) < inf


@inlined
def is_negative(x):
    return bits_of_f64(x) < 0


@inlined
def _parts(x):
    """(m, e) with |x| = m * 2**e of a finite number; m has 53 bits unless it is 0."""
    bits = bits_of_f64(abs(x))
    field, fraction = bits >> 52, bits & 0xF_FFFF_FFFF_FFFF
    if field:
        return fraction | 1 << 52, field - 1075
    if fraction == 0:
        return 0, 0
    shift = count_leading_zeros(fraction) - 11
    return fraction << shift, -1074 - shift


@inlined
def power_of_two(e):
    """2**e, for -1022 <= e <= 1023."""
    return f64_from_bits((e + 1023) << 52)


@inlined
def _lowest(digits):
    return -1022 if digits == 53 else (-14 if digits == 11 else -126)


@jitted
def _rounded(negative, m, e, mode, digits):
    """m * 2**e, m an unsigned word that is not 0, with a sign, rounded once.

    Its lowest bit may stand for anything lost below it, if it has two bits more than `digits`.
    """
    zeros = count_leading_zeros(m)
    m, e = m << zeros, e - zeros
    cut = 64 - digits + max(_lowest(digits) - (e + 63), 0)
    if cut > 62:
        away = min(cut - 62, 63)
        lost = m & ((1 << away) - 1)
        m = shift_right_unsigned(m, away) | (1 if lost != 0 else 0)
        e, cut = e + (cut - 62), 62
    kept, rest, half = shift_right_unsigned(m, cut), m & ((1 << cut) - 1), 1 << (cut - 1)
    if mode == 0:
        up = rest > half or (rest == half and kept & 1 == 1)
    else:
        up = rest != 0 and ((mode == 2 and negative) or (mode == 3 and not negative))
    kept += 1 if up else 0
    exponent, highest = e + cut, 1 - _lowest(digits)
    if 63 - count_leading_zeros(kept) + exponent > highest:
        finite = mode == 1 or (mode == 2 and not negative) or (mode == 3 and negative)
        size = float((1 << digits) - 1) * power_of_two(highest - digits + 1) if finite else inf
    else:
        first = exponent >> 1
        size = float(kept) * power_of_two(first) * power_of_two(exponent - first)
    return -size if negative else size


@inlined
def _shift_right_pair(high, low, n):
    """A pair shifted right, n > 0; what is lost stays in the lowest bit."""
    if n >= 128:
        return 0, 1 if high | low != 0 else 0
    if n >= 64:
        lost = low | (high & ((1 << (n - 64)) - 1))
        low, high = shift_right_unsigned(high, n - 64), 0
    else:
        lost = low & ((1 << n) - 1)
        low = shift_right_unsigned(low, n) | high << (64 - n)
        high = shift_right_unsigned(high, n)
    return high, low | (1 if lost != 0 else 0)


@inlined
def _normalised_pair(high, low, e):
    """A pair that is not 0, shifted so that its highest one is bit 126."""
    if high == 0:
        high, low, e = low, 0, e - 64
    shift = count_leading_zeros(high) - 1
    if shift < 0:
        high, low = _shift_right_pair(high, low, 1)
    elif shift > 0:
        high = high << shift | shift_right_unsigned(low, 64 - shift)
        low = low << shift
    return high, low, e - shift


@jitted
def fma_toward(a, b, c, mode, digits):
    if not (_is_finite(a) and _is_finite(b)):
        return a * b + c
    if not _is_finite(c):
        return c
    m_a, e_a = _parts(a)
    m_b, e_b = _parts(b)
    m_c, e_c = _parts(c)
    negative, negative_c = is_negative(a) != is_negative(b), is_negative(c)
    no_product, no_addend = m_a == 0 or m_b == 0, m_c == 0
    if no_product and no_addend:
        return c if negative == negative_c else (-0.0 if mode == 2 else 0.0)
    if no_product:
        return _rounded(negative_c, m_c, e_c, mode, digits)
    high, low, e = _normalised_pair(multiply_high_unsigned(m_a, m_b), m_a * m_b, e_a + e_b)
    if no_addend:
        return _rounded(negative, high | (1 if low != 0 else 0), e + 64, mode, digits)
    high_c, low_c, e_c = _normalised_pair(m_c, 0, e_c - 64)
    if e > e_c:
        high_c, low_c = _shift_right_pair(high_c, low_c, e - e_c)
    elif e < e_c:
        high, low = _shift_right_pair(high, low, e_c - e)
        e = e_c
    if negative == negative_c:
        total = low + low_c
        high = high + high_c + (1 if below(total, low) else 0)
        low = total
    else:
        if below(high, high_c) or (high == high_c and below(low, low_c)):
            high, low, high_c, low_c = high_c, low_c, high, low
            negative = negative_c
        high = high - high_c - (1 if below(low, low_c) else 0)
        low = low - low_c
    if high | low == 0:
        return -0.0 if mode == 2 else 0.0
    high, low, e = _normalised_pair(high, low, e)
    return _rounded(negative, high | (1 if low != 0 else 0), e + 64, mode, digits)


@jitted
def add_toward(a, b, mode, digits):
    return fma_toward(1.0, a, b, mode, digits)


@jitted
def multiply_toward(a, b, mode, digits):
    if a == 0.0 or b == 0.0 or not (_is_finite(a) and _is_finite(b)):
        return a * b
    return fma_toward(a, b, 0.0, mode, digits)


@inlined
def _with_rest(negative, m, rest, e, mode, digits):
    """m * 2**e, m of 53 bits, and a rest of which only the sign counts."""
    sign = 1 if rest > 0.0 else (-1 if rest < 0.0 else 0)
    return _rounded(negative, (m << 3) + sign, e - 3, mode, digits)


@jitted
def divide_toward(a, b, mode, digits):
    if a == 0.0 or b == 0.0 or not (_is_finite(a) and _is_finite(b)):
        return divide_f64(a, b)
    m_a, e_a = _parts(a)
    m_b, e_b = _parts(b)
    x, y = float(m_a), float(m_b)
    quotient = x / y
    m, e = _parts(quotient)
    rest = fma_f64(-quotient, y, x)
    return _with_rest((a < 0.0) != (b < 0.0), m, rest, e + e_a - e_b, mode, digits)


@jitted
def sqrt_toward(x, mode, digits):
    if not (x > 0.0 and x < inf):
        return sqrt_f64(x)
    m, e = _parts(x)
    if e & 1:
        m, e = m << 1, e - 1
    y = float(m)
    root = sqrt_f64(y)
    m_root, e_root = _parts(root)
    rest = fma_f64(-root, root, y)
    return _with_rest(False, m_root, rest, e_root + (e >> 1), mode, digits)


@jitted
def round_toward(x, mode, digits):
    if x == 0.0 or not _is_finite(x):
        return x
    m, e = _parts(x)
    return _rounded(x < 0.0, m << 8, e - 8, mode, digits)


@jitted
def signed_toward(a, mode, digits):
    if a == 0:
        return 0.0
    return _rounded(a < 0, -a if a < 0 else a, 0, mode, digits)


@jitted
def unsigned_toward(a, mode, digits):
    return _rounded(False, a, 0, mode, digits) if a != 0 else 0.0
