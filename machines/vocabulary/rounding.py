"""Floating-point arithmetic rounded once, in any direction: part of the vocabulary of ptx rows.

    add_toward(1.0, 1e-30, 3, 24)   1.0000001192092896: the f32 next above

Mode 0 is to nearest even, 1 towards zero, 2 down, 3 up; `digits` is the number of significand bits
of the result: 8, 11, 24 or 53 for bf16, f16, f32, f64.  Numbers are m * 2**e with an integer m.
"""

from __future__ import annotations

import math

from machines.vocabulary.numbers import divide_f64, sqrt_f64, zero_extend

EXPONENTS = {8: (-126, 127), 11: (-14, 15), 24: (-126, 127), 53: (-1022, 1023)}
"""Digits -> exponents of the least normal and of the greatest number."""


def _parts(x: float) -> tuple[int, int]:
    """(m, e) with |x| = m * 2**e of a finite number."""
    m, e = math.frexp(abs(x))
    return int(math.ldexp(m, 53)), e - 53


def _rounded(negative: bool, m: int, e: int, mode: int, digits: int) -> float:
    """m * 2**e, m > 0, with a sign, rounded once."""
    lowest, highest = EXPONENTS[digits]
    unit = max(m.bit_length() - 1 + e, lowest) - digits + 1
    cut = max(unit - e, 0)
    kept, rest = m >> cut, m & ((1 << cut) - 1)
    away = rest != 0 and ((mode == 2 and negative) or (mode == 3 and not negative))
    if mode == 0 and cut:
        half = 1 << (cut - 1)
        away = rest > half or (rest == half and kept & 1 == 1)
    kept += away
    exponent = e + cut
    if kept.bit_length() - 1 + exponent > highest:
        finite = mode == 1 or (mode == 2 and not negative) or (mode == 3 and negative)
        size = math.ldexp((1 << digits) - 1, highest - digits + 1) if finite else math.inf
    else:
        size = math.ldexp(kept, exponent)
    return -size if negative else size


def _is_negative(x: float) -> bool:
    return math.copysign(1.0, x) < 0.0


def round_toward(x: float, mode: int, digits: int) -> float:
    """`x` rounded to a narrower type."""
    if x == 0.0 or not math.isfinite(x):
        return x
    return _rounded(x < 0.0, *_parts(x), mode, digits)


def fma_toward(a: float, b: float, c: float, mode: int, digits: int) -> float:
    """a * b + c rounded once; an exact zero that is no sum of equal zeros is -0 in mode 2."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b + c
    if not math.isfinite(c):
        return c
    (m_a, e_a), (m_b, e_b), (m_c, e_c) = _parts(a), _parts(b), _parts(c)
    negative = _is_negative(a) != _is_negative(b)
    e = min(e_a + e_b, e_c) if m_a * m_b and m_c else (e_c if m_c else e_a + e_b)
    product = m_a * m_b << (e_a + e_b - e) if m_a * m_b else 0
    addend = m_c << (e_c - e) if m_c else 0
    total = (-product if negative else product) + (-addend if c < 0.0 else addend)
    if total == 0:
        zeros = product == 0 and addend == 0
        if zeros and negative == _is_negative(c):
            return c
        return -0.0 if mode == 2 else 0.0
    return _rounded(total < 0, abs(total), e, mode, digits)


def add_toward(a: float, b: float, mode: int, digits: int) -> float:
    """a + b rounded once."""
    return fma_toward(1.0, a, b, mode, digits)


def multiply_toward(a: float, b: float, mode: int, digits: int) -> float:
    """a * b rounded once."""
    if a == 0.0 or b == 0.0 or not (math.isfinite(a) and math.isfinite(b)):
        return a * b
    return fma_toward(a, b, 0.0, mode, digits)


def divide_toward(a: float, b: float, mode: int, digits: int) -> float:
    """a / b rounded once."""
    if a == 0.0 or b == 0.0 or not (math.isfinite(a) and math.isfinite(b)):
        return divide_f64(a, b)
    (m_a, e_a), (m_b, e_b) = _parts(a), _parts(b)
    quotient, rest = divmod(m_a << 128, m_b)
    negative = (a < 0.0) != (b < 0.0)
    return _rounded(negative, quotient << 1 | (rest != 0), e_a - e_b - 129, mode, digits)


def sqrt_toward(x: float, mode: int, digits: int) -> float:
    """The square root rounded once."""
    if not (x > 0.0 and x < math.inf):
        return sqrt_f64(x)
    m, e = _parts(x)
    m, e = (m << 128, e - 128) if e % 2 == 0 else (m << 129, e - 129)
    root = math.isqrt(m)
    return _rounded(False, root << 1 | (root * root != m), e // 2 - 1, mode, digits)


def signed_toward(a: int, mode: int, digits: int) -> float:
    """An integer as a float, rounded once."""
    return _rounded(a < 0, abs(a), 0, mode, digits) if a else 0.0


def unsigned_toward(a: int, mode: int, digits: int) -> float:
    """An unsigned integer as a float, rounded once."""
    return _rounded(False, zero_extend(a, 64) % (1 << 64), 0, mode, digits) if a else 0.0


FUNCTIONS = (
    round_toward, fma_toward, add_toward, multiply_toward, divide_toward, sqrt_toward,
    signed_toward, unsigned_toward,
)  # fmt: skip
