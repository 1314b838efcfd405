"""The vocabulary of meanings: exact integer and floating-point arithmetic, in Python.

The `meaning` of a row of the operation table is written in these functions.  The jitted cores have
twins of the same names in `sim/cores/numbers.py`; a test holds that both agree.  What the functions
mean is told in compiler/NUMBERS.md.

Integers are signed 64-bit values unless a name says `unsigned`: then the 64 bits are read as an
unsigned number, and results are given back as the signed value of the same bits.  Floats are f64;
an f32 value is an f64 that is exactly an f32.  NaN has neither sign nor payload.
"""

from __future__ import annotations

import ctypes
import math
import struct

_MASK = (1 << 64) - 1
_SIGN = 1 << 63

NAN_BITS_F64 = 0x7FF8_0000_0000_0000
NAN_BITS_F32 = 0x7FC0_0000


# Integers ------------------------------------------------------------------------------------


def wrap(a: int) -> int:
    """The signed 64-bit value of the low 64 bits of `a`."""
    return ((a + _SIGN) & _MASK) - _SIGN


def sign_extend(a: int, bits: int) -> int:
    """The low `bits` bits (1 to 64) of `a` as a signed number."""
    sign = 1 << (bits - 1)
    return ((a + sign) & ((sign << 1) - 1)) - sign


def zero_extend(a: int, bits: int) -> int:
    """The low `bits` bits (1 to 64) of `a` as an unsigned number (64 bits: held signed)."""
    return a & ((1 << bits) - 1) if bits < 64 else wrap(a)


def below(a: int, b: int) -> bool:
    """Whether `a` is less than `b`, both read as unsigned."""
    return a & _MASK < b & _MASK


def shift_left(a: int, n: int) -> int:
    """`a` shifted left by the unsigned count `n`; 64 and more give 0."""
    n &= _MASK
    return wrap(a << n) if n < 64 else 0


def shift_right(a: int, n: int) -> int:
    """`a` shifted right, the sign moving in; counts of 64 and more give 0 or -1."""
    return a >> min(n & _MASK, 63)


def shift_right_unsigned(a: int, n: int) -> int:
    """The bits of `a` shifted right, zeros moving in; counts of 64 and more give 0."""
    n &= _MASK
    return wrap((a & _MASK) >> n) if n < 64 else 0


def multiply_high(a: int, b: int) -> int:
    """The high 64 bits of the signed 128-bit product."""
    return (a * b) >> 64


def multiply_high_unsigned(a: int, b: int) -> int:
    """The high 64 bits of the unsigned 128-bit product."""
    return wrap(((a & _MASK) * (b & _MASK)) >> 64)


def divide(a: int, b: int) -> int:
    """Quotient, truncated; MIN / -1 wraps to MIN.  `b` is not 0."""
    quotient = abs(a) // abs(b)
    return wrap(quotient if (a < 0) == (b < 0) else -quotient)


def remainder(a: int, b: int) -> int:
    """a - b * divide(a, b): has the sign of `a`.  `b` is not 0."""
    rest = abs(a) % abs(b)
    return -rest if a < 0 else rest


def divide_unsigned(a: int, b: int) -> int:
    """Quotient of unsigned numbers.  `b` is not 0."""
    return wrap((a & _MASK) // (b & _MASK))


def remainder_unsigned(a: int, b: int) -> int:
    """Remainder of unsigned numbers.  `b` is not 0."""
    return wrap((a & _MASK) % (b & _MASK))


def population_count(a: int) -> int:
    """How many of the 64 bits are set."""
    return (a & _MASK).bit_count()


# Floating point ------------------------------------------------------------------------------


def round_f32(x: float) -> float:
    """`x` rounded to the nearest f32, ties to even; too large gives an infinity."""
    return ctypes.c_float(x).value


def fma_f64(a: float, b: float, c: float) -> float:
    """a * b + c, rounded once.

    Exact integers do it, since Python has no fma before 3.13: the true quotient of two integers is
    correctly rounded by CPython, subnormals included.
    """
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b + c
    if not math.isfinite(c):
        return c
    (an, ad), (bn, bd), (cn, cd) = (x.as_integer_ratio() for x in (a, b, c))
    numerator = an * bn * cd + cn * ad * bd
    if numerator == 0:
        # An exact zero: of two zeros of one sign that sign, else +0.
        zero = math.copysign(0.0, a) * math.copysign(1.0, b)
        return zero + math.copysign(0.0, c) if an * bn == 0 else 0.0
    try:
        return numerator / (ad * bd * cd)
    except OverflowError:
        return math.inf if numerator > 0 else -math.inf


def fma_f32(a: float, b: float, c: float) -> float:
    """a * b + c of f32 values, rounded once to f32.

    The f64 product is exact; the f64 sum is rounded to odd (inexact and even: one step towards the
    lost part), so that the final rounding to 24 bits cannot see a tie that is none.
    """
    product = a * b
    total = product + c
    if not math.isfinite(total):
        return round_f32(total)
    back = total - product
    lost = (product - (total - back)) + (c - back)
    if lost != 0.0 and struct.unpack("<q", struct.pack("<d", total))[0] % 2 == 0:
        total = math.nextafter(total, math.inf if lost > 0 else -math.inf)
    return round_f32(total)


def sqrt_f64(x: float) -> float:
    """Square root; NaN for numbers below zero, -0 for -0."""
    return math.sqrt(x) if not x < 0.0 else math.nan


def divide_f64(a: float, b: float) -> float:
    """Quotient; x / 0 is an infinity (NaN for 0 / 0)."""
    if b != 0.0:
        return a / b
    if a == 0.0 or a != a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def minimum(a: float, b: float) -> float:
    """The smaller; the other one if one is NaN; -0 is smaller than +0."""
    if a == b:
        return a if math.copysign(1.0, a) < 0.0 else b
    return a if a < b or b != b else b


def maximum(a: float, b: float) -> float:
    """The larger; the other one if one is NaN; +0 is larger than -0."""
    if a == b:
        return b if math.copysign(1.0, a) < 0.0 else a
    return a if a > b or b != b else b


# Conversions ---------------------------------------------------------------------------------


def truncate_signed(x: float, bits: int) -> int:
    """`x` truncated to a signed integer of `bits` bits, saturating; NaN gives 0."""
    if x != x:
        return 0
    limit = 1 << (bits - 1)
    if x >= limit:
        return limit - 1
    return int(x) if x > -limit else -limit


def truncate_unsigned(x: float, bits: int) -> int:
    """`x` truncated to an unsigned integer of `bits` bits, saturating; NaN gives 0."""
    if not x > 0.0:
        return 0
    limit = 1 << bits
    return wrap(int(x) if x < limit else limit - 1)


def f64_from_signed(a: int) -> float:
    """The nearest f64, ties to even."""
    return float(a)


def f64_from_unsigned(a: int) -> float:
    """The f64 nearest to the unsigned number `a`, ties to even."""
    return float(a & _MASK)


def f32_from_signed(a: int) -> float:
    """The nearest f32, ties to even, rounded once."""
    return round_f32(float(_round_to_odd(a)))


def f32_from_unsigned(a: int) -> float:
    """The f32 nearest to the unsigned number `a`, ties to even, rounded once."""
    return round_f32(float(_round_to_odd(a & _MASK)))


def _round_to_odd(a: int) -> int:
    """`a` cut to what an f64 holds, the last bit standing for all that was cut off.

    Without it the rounding to f64 could make a tie that the rounding to f32 then gets wrong.
    """
    if -(1 << 53) <= a <= 1 << 53:
        return a
    return (a >> 11 | (a & 0x7FF != 0)) << 11


def f64_from_bits(a: int) -> float:
    """The f64 whose encoding is the 64 bits of `a`."""
    return struct.unpack("<d", struct.pack("<q", a))[0]


def bits_from_f64(x: float) -> int:
    """The encoding of `x`; every NaN gives the canonical one."""
    return struct.unpack("<q", struct.pack("<d", x))[0] if x == x else NAN_BITS_F64


def f32_from_bits(a: int) -> float:
    """The f32 whose encoding is the low 32 bits of `a`."""
    return struct.unpack("<f", struct.pack("<I", a & 0xFFFF_FFFF))[0]


def bits_from_f32(x: float) -> int:
    """The 32-bit encoding (unsigned) of the f32 value `x`; every NaN gives the canonical one."""
    return struct.unpack("<I", struct.pack("<f", x))[0] if x == x else NAN_BITS_F32


FUNCTIONS = (
    wrap, sign_extend, zero_extend, below, shift_left, shift_right, shift_right_unsigned,
    multiply_high, multiply_high_unsigned, divide, remainder, divide_unsigned, remainder_unsigned,
    population_count, round_f32, fma_f64, fma_f32, sqrt_f64, divide_f64, minimum, maximum,
    truncate_signed, truncate_unsigned, f64_from_signed, f64_from_unsigned, f32_from_signed,
    f32_from_unsigned, f64_from_bits, bits_from_f64, f32_from_bits, bits_from_f32,
)  # fmt: skip

VOCABULARY = {function.__name__: function for function in FUNCTIONS}
"""What a meaning may call, by name (with the built-in `abs`)."""
