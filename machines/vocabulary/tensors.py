"""The vocabulary of the tensor rows beyond `machines/vocabulary/numbers.py`: half precision, and
functions of one number.

    round_bf16(1.00390625)     1.0: the nearest bf16, held as an f64 as all floats are
    bf16_encoding(1.0)         0x3F80

The functions are polynomials of ours, worked out in f64 with nothing but sums, products and
quotients that are rounded each, so that they give the same bits on every computer: no C library has
a say.  Their error is below 2**-40 of the result, but that `error_function` is 1 from 4 on, as it
is in f32 (2**-25), that of `gelu` is below 2**-26 of its argument, and that of `power` below 2**-30
of the result.  A row rounds them to f32.

All is written so that numba compiles the same text (`sim/cores/tensor_vocabulary.py`).
"""

from __future__ import annotations

import math

from machines.types import BF16, E4M3, E5M2, F16, F64
from machines.vocabulary.numbers import (
    bits_from_f32,
    bits_from_f64,
    f32_from_bits,
    f64_from_bits,
)

FRACTION = (1 << 52) - 1
ONE = 1023 << 52
"""The encoding of 1.0."""
LOG2_E = 1.4426950408889634
LN_2 = 0.6931471805599453
LN_2_HIGH = 0.6931471805592082
"""LN_2 in 40 bits: its product with a small integer is exact."""
LN_2_LOW = 7.371002565167799e-13
HALF_PI = 1.5707963267948966
ROOT_2 = 1.4142135623730951
SIGNIFICANDS = 52
"""Bits of the fraction of an f64."""
TINY_F16 = 2.0 ** (F64.format.bias - F16.format.bias)
TINY_E5M2 = 2.0 ** (F64.format.bias - E5M2.format.bias)
TINY_E4M3 = 2.0 ** (F64.format.bias - E4M3.format.bias)
"""A number of these over the f64 whose exponent field is the same number."""
OF_F16 = (F16.format.digits, F16.format.least, F16.format.largest, F16.format.too_large)
OF_BF16 = (BF16.format.digits, BF16.format.least, BF16.format.largest, BF16.format.too_large)
OF_E5M2 = (E5M2.format.digits, E5M2.format.least, E5M2.format.largest, E5M2.format.too_large)
OF_E4M3 = (E4M3.format.digits, E4M3.format.least, E4M3.format.largest, E4M3.format.too_large)
"""What rounding to a type needs of it."""
WHOLE = 1.5 * 2.0**52
"""A number of which the last bit is 1: to add it and take it away rounds to a whole number."""


# Rounding ------------------------------------------------------------------------------------


def round_nearest(x: float) -> float:
    """The whole number nearest to `x`, ties to even; from 2**52 on every number is whole."""
    return math.copysign((abs(x) + 2.0**52) - 2.0**52, x) if abs(x) < 2.0**52 else x


def round_down(x: float) -> float:
    """The largest whole number that is not larger than `x`; zeros keep its sign."""
    n = round_nearest(x)
    return math.copysign(n - 1.0, x) if n > x else n


def round_up(x: float) -> float:
    """The smallest whole number that is not smaller than `x`; zeros keep its sign."""
    n = round_nearest(x)
    return math.copysign(n + 1.0, x) if n < x else n


def _rounded(x: float, digits: int, least: float, largest: float, too_large: float) -> float:
    """`x` rounded to nearest even: `digits` binary digits, less below `least`; `too_large` if it is
    more than the `largest` number then."""
    size = abs(x)
    if not size < 2.0 * largest:
        return x if x != x else math.copysign(too_large, x)
    power = f64_from_bits(bits_from_f64(size) & ~FRACTION)
    unit = (power if power > least else least) * f64_from_bits((1024 - digits) << SIGNIFICANDS)
    whole = size / unit  # exact: unit is a power of 2
    found = ((whole + WHOLE) - WHOLE) * unit
    return math.copysign(found if found <= largest else too_large, x)


def round_f16(x: float) -> float:
    """`x` rounded to the nearest f16, ties to even; too large gives an infinity."""
    return _rounded(x, *OF_F16)


def round_bf16(x: float) -> float:
    """`x` rounded to the nearest bf16, ties to even; too large gives an infinity."""
    return _rounded(x, *OF_BF16)


def round_e5m2(x: float) -> float:
    """`x` rounded to the nearest e5m2, ties to even; too large gives an infinity."""
    return _rounded(x, *OF_E5M2)


def round_e4m3(x: float) -> float:
    """`x` rounded to the nearest e4m3, ties to even; too large gives NaN."""
    return _rounded(x, *OF_E4M3)


def bf16_from_signed(a: int) -> float:
    """The bf16 nearest to an integer, rounded once: of what an f64 does not hold, the last bit that
    it does hold says that there was more."""
    if not -(1 << 53) <= a <= 1 << 53:
        a = (a >> 11 | (1 if a & 0x7FF != 0 else 0)) << 11
    return round_bf16(float(a))


# Encodings -----------------------------------------------------------------------------------


def f16_value(bits: int) -> float:
    """The f16 of an encoding: its exponent and fraction are those of a tiny f64."""
    size = f64_from_bits((bits & 0x7FFF) << 42) * TINY_F16
    if bits & 0x7C00 == 0x7C00:
        size = math.inf if bits & 0x3FF == 0 else math.nan
    return -size if bits & 0x8000 else size


def f16_encoding(x: float) -> int:
    """The encoding of an f16; NaN gives the canonical one."""
    if x != x:
        return 0x7E00
    size = abs(x)
    bits = 0x7C00 if size == math.inf else bits_from_f64(size * (1.0 / TINY_F16)) >> 42
    return bits | 0x8000 if math.copysign(1.0, x) < 0.0 else bits


def e5m2_value(bits: int) -> float:
    """The e5m2 of an encoding."""
    size = f64_from_bits((bits & 0x7F) << 50) * TINY_E5M2
    if bits & 0x7C == 0x7C:
        size = math.inf if bits & 3 == 0 else math.nan
    return -size if bits & 0x80 else size


def e5m2_encoding(x: float) -> int:
    """The encoding of an e5m2; NaN gives the canonical one."""
    if x != x:
        return 0x7E
    size = abs(x)
    bits = 0x7C if size == math.inf else bits_from_f64(size * (1.0 / TINY_E5M2)) >> 50
    return bits | 0x80 if math.copysign(1.0, x) < 0.0 else bits


def e4m3_value(bits: int) -> float:
    """The e4m3 of an encoding."""
    size = math.nan if bits & 0x7F == 0x7F else f64_from_bits((bits & 0x7F) << 49) * TINY_E4M3
    return -size if bits & 0x80 else size


def e4m3_encoding(x: float) -> int:
    """The encoding of an e4m3; NaN gives the canonical one."""
    if x != x:
        return 0x7F
    bits = bits_from_f64(abs(x) * (1.0 / TINY_E4M3)) >> 49
    return bits | 0x80 if math.copysign(1.0, x) < 0.0 else bits


def bf16_value(bits: int) -> float:
    """The bf16 of an encoding."""
    return f32_from_bits((bits & 0xFFFF) << 16)


def bf16_encoding(x: float) -> int:
    """The encoding of a bf16; NaN gives the canonical one."""
    return bits_from_f32(x) >> 16


# Functions -----------------------------------------------------------------------------------


def exponential(x: float) -> float:
    """e to the power of `x`; from 700 on, and below -700, that of 700 and of -700."""
    if x != x:
        return x
    x = 700.0 if x > 700.0 else (-700.0 if x < -700.0 else x)
    n = round_nearest(x * LOG2_E)
    r = (x - n * LN_2_HIGH) - n * LN_2_LOW
    p = r * (1.0 / 479001600.0) + 1.0 / 39916800.0
    p = p * r + 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    return p * f64_from_bits(int(n) + 1023 << 52)


def logarithm(x: float) -> float:
    """The natural logarithm; -inf of zeros, NaN below zero.  `x` is no subnormal f64."""
    if not 0.0 < x < math.inf:
        return x if x != x or x > 0.0 else (-math.inf if x == 0.0 else math.nan)
    bits = bits_from_f64(x)
    exponent = (bits >> 52) - 1023
    m = f64_from_bits(bits & FRACTION | ONE)
    if m > ROOT_2:
        m = m * 0.5
        exponent = exponent + 1
    f = (m - 1.0) / (m + 1.0)
    s = f * f
    p = s * (1.0 / 19.0) + 1.0 / 17.0
    p = p * s + 1.0 / 15.0
    p = p * s + 1.0 / 13.0
    p = p * s + 1.0 / 11.0
    p = p * s + 1.0 / 9.0
    p = p * s + 1.0 / 7.0
    p = p * s + 1.0 / 5.0
    p = p * s + 1.0 / 3.0
    p = p * s + 1.0
    return float(exponent) * LN_2 + 2.0 * f * p


def sigmoid(x: float) -> float:
    """1 / (1 + e ** -x)."""
    return 1.0 / (1.0 + exponential(-x))


def tangent(x: float) -> float:
    """The hyperbolic tangent."""
    size = abs(x)
    if size < 0.0625:
        s = x * x
        p = s * (62.0 / 2835.0) - 17.0 / 315.0
        p = p * s + 2.0 / 15.0
        p = p * s - 1.0 / 3.0
        return x * (1.0 + s * p)
    return math.copysign(1.0 - 2.0 / (exponential(2.0 * size) + 1.0), x) if x == x else x


def silu(x: float) -> float:
    """x * sigmoid(x)."""
    x = -700.0 if x < -700.0 else x
    return x / (1.0 + exponential(-x))


def error_function(x: float) -> float:
    """The error function: x times a polynomial of x**2, from Chebyshev's nodes between 0 and 4."""
    if not abs(x) < 4.0:
        return x if x != x else math.copysign(1.0, x)
    t = x * x * 0.125 - 1.0
    p = t * 1.4864151511406071e-06 - 4.586433644457604e-06
    p = p * t + 5.080046696482348e-06
    p = p * t - 1.2635176774191776e-05
    p = p * t + 5.049163258562544e-05
    p = p * t - 0.00012649479840553567
    p = p * t + 0.000273120323886746
    p = p * t - 0.0006048619127555237
    p = p * t + 0.0012940419939164972
    p = p * t - 0.002583030457688015
    p = p * t + 0.004853001824425255
    p = p * t - 0.008604358912724036
    p = p * t + 0.014349733432144861
    p = p * t - 0.022474029855126545
    p = p * t + 0.033060612768697796
    p = p * t - 0.045765040737939064
    p = p * t + 0.05988690658940196
    p = p * t - 0.07472787158280447
    p = p * t + 0.09020899405509547
    p = p * t - 0.10771044230297862
    p = p * t + 0.13167511689515177
    p = p * t - 0.17657623330394967
    p = p * t + 0.35353099564340695
    return x * p


def gelu(x: float) -> float:
    """x / 2 * (1 + erf(x / root of 2))."""
    x = -700.0 if x < -700.0 else x
    return 0.5 * x * (1.0 + error_function(x * 0.7071067811865476))


def _two_over_pi(k: int) -> float:
    """2 / π in ten pieces of 24 bits: the k-th counts 2**(-24 * (k + 1))."""
    if k == 0:
        return 10680707.0
    if k == 1:
        return 7228996.0
    if k == 2:
        return 1387004.0
    if k == 3:
        return 2578385.0
    if k == 4:
        return 16069853.0
    if k == 5:
        return 12639074.0
    if k == 6:
        return 9804092.0
    if k == 7:
        return 4427841.0
    if k == 8:
        return 16666979.0
    return 11263675.0


def _piece(x: float, k: int) -> float:
    """The product of an f32 and the k-th piece of 2 / π, exact."""
    return x * _two_over_pi(k) * f64_from_bits((1023 - 24 * (k + 1)) << 52)


def _below_4(x: float) -> float:
    """What is left of a positive number where multiples of 4 are taken away, exact."""
    return x - 4.0 * round_down(0.25 * x)


def _lost(a: float, b: float, total: float) -> float:
    """What a sum is less than it should be, exact."""
    back = total - a
    return (a - (total - back)) + (b - back)


def _quarter(x: float) -> tuple[int, float]:
    """Of a positive f32 the nearest multiple of π / 2 (the number of it, modulo 4), and how far it
    is from there.

    As Payne and Hanek have it (Radian reduction for trigonometric functions, 1983): pieces of
    2 / π whose product with the number is a multiple of 4 are left out, so that six hold all bits
    that count, however near to a multiple of π / 2 the number is.
    """
    if x < 0.5 * HALF_PI:
        return 0, x
    exponent = (bits_from_f64(x) >> 52) - 1023 - 23
    k = (exponent - 2) // 24 if exponent > 2 else 0
    high, low, lower = _below_4(_piece(x, k)), _below_4(_piece(x, k + 1)), _piece(x, k + 2)
    nearest = round_nearest((high + low) + lower)
    high = high - nearest
    total = high + low
    lost = _lost(high, low, total)
    high = total
    total = high + lower
    lost = lost + _lost(high, lower, total)
    lost = lost + ((_piece(x, k + 5) + _piece(x, k + 4)) + _piece(x, k + 3))
    return int(nearest) & 3, (total + lost) * HALF_PI


def _sine_of(a: float) -> float:
    """Between -π / 4 and π / 4."""
    s = a * a
    p = s * (1.0 / 355687428096000.0) - 1.0 / 1307674368000.0
    p = p * s + 1.0 / 6227020800.0
    p = p * s - 1.0 / 39916800.0
    p = p * s + 1.0 / 362880.0
    p = p * s - 1.0 / 5040.0
    p = p * s + 1.0 / 120.0
    p = p * s - 1.0 / 6.0
    return a + a * (s * p)


def _cosine_of(a: float) -> float:
    """Between -π / 4 and π / 4."""
    s = a * a
    p = s * (1.0 / 20922789888000.0) - 1.0 / 87178291200.0
    p = p * s + 1.0 / 479001600.0
    p = p * s - 1.0 / 3628800.0
    p = p * s + 1.0 / 40320.0
    p = p * s - 1.0 / 720.0
    p = p * s + 1.0 / 24.0
    p = p * s - 0.5
    return 1.0 + s * p


def sine(x: float) -> float:
    """The sine of `x` radians, an f32; NaN of infinities."""
    if not abs(x) < math.inf:
        return math.nan
    quarter, angle = _quarter(abs(x))
    found = _cosine_of(angle) if quarter & 1 != 0 else _sine_of(angle)
    found = -found if quarter & 2 != 0 else found
    return -found if math.copysign(1.0, x) < 0.0 else found


def cosine(x: float) -> float:
    """The cosine of `x` radians, an f32; NaN of infinities."""
    if not abs(x) < math.inf:
        return math.nan
    quarter, angle = _quarter(abs(x))
    found = _sine_of(angle) if quarter & 1 != 0 else _cosine_of(angle)
    return -found if (quarter + 1) & 2 != 0 else found


def power(x: float, y: float) -> float:
    """`x` to the power of `y`, both f32, as IEEE 754's pow has it; error below 2**-30."""
    if y == 0.0 or x == 1.0:
        return 1.0
    if x != x or y != y:
        return math.nan
    size = abs(x)
    if abs(y) == math.inf:
        if size == 1.0:
            return 1.0
        return math.inf if (size > 1.0) == (y > 0.0) else 0.0
    is_whole = round_down(y) == y
    is_odd = is_whole and round_down(0.5 * y) != 0.5 * y
    if size == 0.0 or size == math.inf:
        found = math.inf if (size > 1.0) == (y > 0.0) else 0.0
    elif x < 0.0 and not is_whole:
        return math.nan
    else:
        found = exponential(y * logarithm(size))
    return -found if is_odd and math.copysign(1.0, x) < 0.0 else found


FUNCTIONS = (
    round_nearest, round_down, round_up, round_f16, round_bf16, round_e5m2, round_e4m3,
    bf16_from_signed, f16_value, f16_encoding, bf16_value, bf16_encoding, e5m2_value, e5m2_encoding,
    e4m3_value, e4m3_encoding, exponential, logarithm, sigmoid, tangent, silu,
    error_function, gelu, sine, cosine, power,
)  # fmt: skip

VOCABULARY = {function.__name__: function for function in FUNCTIONS}
"""What a meaning of a tensor row may call, by name, beside that of `numbers`."""
