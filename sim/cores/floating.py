"""The floating registers of IA-64, jitted: twins of `machines/vocabulary/floating.py` of the same
names.

What the functions mean, and the triple (double, significand, tag), is told there.  Here the
128-bit products and 192-bit sums are made by hand from unsigned 64-bit words.  Wherever all
operands have tag 0 the work is a few instructions on doubles; the rest is exact and slow.
"""

from __future__ import annotations

import math

import numpy as np

from machines.vocabulary import floating as _exact
from sim.cores.jit import apart, inlined, jitted
from sim.cores.numbers import (
    bits_from_f64,
    f32_from_bits,
    f64_from_bits,
    fma_f32,
    fma_f64,
    multiply_high,
    multiply_high_unsigned,
    round_f32,
)

BIAS = _exact.BIAS
INTEGER_TAG = _exact.INTEGER_TAG
INFINITE_EXPONENT = _exact.INFINITE_EXPONENT
DENORMAL_EXPONENT = _exact.DENORMAL_EXPONENT
INDEFINITE = _exact.INDEFINITE
LOWEST_24, HIGHEST_24 = _exact.EXPONENT_RANGE[24]
LOWEST_53, HIGHEST_53 = _exact.EXPONENT_RANGE[53]
LOWEST_64, HIGHEST_64 = _exact.EXPONENT_RANGE[64]
LOWEST_WIDE, HIGHEST_WIDE = _exact.WIDE_RANGE
LAST_ASSISTED = _exact.LAST_ASSISTED
LEAST_NORMAL = 2.0**-1022
LEAST_SINGLE = 2.0**-149

ZERO, ONE = np.uint64(0), np.uint64(1)
TOP_BIT = np.uint64(1 << 63)
NAN_SIGNIFICAND = np.uint64(_exact.NAN_SIGNIFICAND)
FRACTION_MASK = np.uint64((1 << 52) - 1)
WORD = np.uint64(64)


# Fields and values ---------------------------------------------------------------------------


@jitted
def _leading_zeros(m):
    """Leading zeros of a word that is not 0."""
    count = 0
    for step in (32, 16, 8, 4, 2, 1):
        if m >> np.uint64(64 - step) == ZERO:
            m <<= np.uint64(step)
            count += step
    return count


@apart
def _fields(a):
    """(sign, biased exponent, significand word)."""
    x, significand, tag = a
    if tag != 0:
        return tag >> 1 & 1, tag >> 2, np.uint64(significand)
    if x != x:
        return 0, INFINITE_EXPONENT, NAN_SIGNIFICAND
    bits = np.uint64(bits_from_f64(x))
    sign = np.int64(bits >> np.uint64(63))
    exponent = np.int64(bits >> np.uint64(52)) & 0x7FF
    fraction = (bits & FRACTION_MASK) << np.uint64(11)
    if exponent == 0x7FF:
        return sign, INFINITE_EXPONENT, TOP_BIT
    if exponent == 0:
        return sign, (1 - 1023 + BIAS if fraction != ZERO else 0), fraction
    return sign, exponent - 1023 + BIAS, TOP_BIT | fraction


@inlined
def _signed_double(x, sign):
    return -x if sign else x


@apart
def _from_fields(sign, exponent, significand):
    if exponent == INFINITE_EXPONENT:
        return _signed_double(math.inf, sign) if significand == TOP_BIT else math.nan, 0, 0
    if exponent == 0 and significand == ZERO:
        return _signed_double(0.0, sign), 0, 0
    power = exponent - BIAS
    whole = significand >> np.uint64(63) != ZERO and significand & np.uint64(0x7FF) == ZERO
    if whole and -1022 <= power <= 1023:
        fraction = np.int64(significand >> np.uint64(11) & FRACTION_MASK)
        return _signed_double(f64_from_bits((power + 1023) << 52 | fraction), sign), 0, 0
    return 0.0, np.int64(significand), 1 | sign << 1 | exponent << 2


@apart
def _normal(a):
    """(sign, word with the top bit set or 0, exponent of that bit) of a finite register."""
    sign, exponent, significand = _fields(a)
    power = (DENORMAL_EXPONENT if exponent == 0 else exponent) - BIAS
    if significand == ZERO:
        return sign, significand, power
    zeros = _leading_zeros(significand)
    return sign, significand << np.uint64(zeros), power - zeros


@inlined
def _is_special(a):
    return a[2] == 0 and not math.isfinite(a[0])


@jitted
def _stand_in(a):
    """A double of the same sign and class: any finite value but zero becomes 1 or -1."""
    if _is_special(a):
        return a[0]
    sign, _, significand = _fields(a)
    return _signed_double(0.0 if significand == ZERO else 1.0, sign)


@inlined
def _with_sign(a, sign):
    x, significand, tag = a
    if tag != 0:
        return 0.0, significand, (tag & ~2) | sign << 1
    return math.copysign(x, -1.0 if sign else 1.0) if x == x else x, 0, 0


@inlined
def _sign(a):
    x, _, tag = a
    if tag != 0:
        return tag >> 1 & 1
    return np.int64(1) if x == x and math.copysign(1.0, x) < 0.0 else np.int64(0)


@inlined
def _negated(a):
    return _with_sign(a, 1 - _sign(a))


@jitted
def _shift_right(high, middle, low, count):
    """A 192-bit number shifted right; what falls out is kept in the last bit."""
    lost = ZERO
    for _ in range(min(count >> 6, 3)):
        lost |= low
        high, middle, low = ZERO, high, middle
    if count < 192 and count & 63:
        right = np.uint64(count & 63)
        left = WORD - right
        lost |= low << left
        low = low >> right | middle << left
        middle = middle >> right | high << left
        high >>= right
    return high, middle, low | (ONE if lost != ZERO else ZERO)


@apart
def _round(sign, high, middle, low, power, bits, wide):
    """A 192-bit number with its top bit set, worth 2**power, rounded to `bits` bits."""
    lowest, highest = LOWEST_WIDE, HIGHEST_WIDE
    if wide == 0:
        if bits == 24:
            lowest, highest = LOWEST_24, HIGHEST_24
        elif bits == 53:
            lowest, highest = LOWEST_53, HIGHEST_53
        else:
            lowest, highest = LOWEST_64, HIGHEST_64
    if power < lowest:
        high, middle, low = _shift_right(high, middle, low, lowest - power)
        power = lowest
    drop = np.uint64(64 - bits)
    kept, cut, rest = high, middle, low
    if drop != ZERO:
        kept, cut, rest = high >> drop, high << (WORD - drop), middle | low
    if cut & TOP_BIT != ZERO and (cut << ONE | rest != ZERO or kept & ONE != ZERO):
        kept += ONE
        if kept << drop == ZERO:  # carried out of the top
            kept = TOP_BIT >> drop
            power += 1
    significand = kept << drop
    if kept == ZERO:
        return _signed_double(0.0, sign), 0, 0
    if power > highest:
        return _signed_double(math.inf, sign), 0, 0
    if significand & TOP_BIT == ZERO and wide == 0:  # subnormal
        if bits == 64:
            return _from_fields(sign, 0, kept)
        if bits == 53:
            return _signed_double(f64_from_bits(np.int64(kept)), sign), 0, 0
        return _signed_double(float(np.int64(kept)) * LEAST_SINGLE, sign), 0, 0
    return _from_fields(sign, power + BIAS, significand)


# Loads, stores, transfers --------------------------------------------------------------------


@inlined
def fr_from_f64(x):
    return x, np.int64(0), np.int64(0)


@inlined
def fr_from_significand(n):
    return 0.0, n, INTEGER_TAG


@jitted
def fr_from_sign_exponent(n):
    return _from_fields(n >> 17 & 1, n & INFINITE_EXPONENT, TOP_BIT)


@inlined
def fr_from_bits32(n):
    return f32_from_bits(n & 0xFFFFFFFF), 0, 0


@inlined
def fr_from_bits64(n):
    x = f64_from_bits(n)
    return x if x == x else math.nan, 0, 0


@jitted
def fr_from_bits80(low, high):
    exponent = high & 0x7FFF
    wide = exponent - 16383 + BIAS if exponent else 0
    if exponent == 0x7FFF:
        wide = INFINITE_EXPONENT
    return _from_fields(high >> 15 & 1, wide, np.uint64(low))


@inlined
def fr_significand(a):
    if a[2] != 0:
        return a[1]
    return np.int64(_fields(a)[2])


@jitted
def fr_sign_exponent(a):
    sign, exponent, _ = _fields(a)
    return sign << 17 | exponent


@inlined
def fr_bits64(a):
    if a[2] == 0:
        return bits_from_f64(a[0])
    sign, exponent, significand = _fields(a)
    field = 0
    if significand & TOP_BIT != ZERO:
        field = (exponent >> 6 & 0x400) | (exponent & 0x3FF)
    fraction = np.int64(significand >> np.uint64(11) & FRACTION_MASK)
    return sign << 63 | field << 52 | fraction


@jitted
def fr_bits32(a):
    x, _, tag = a
    if tag == 0 and x != x:
        return 0x7FC00000
    sign, exponent, significand = _fields(a)
    shift = -126 - (exponent - BIAS)
    if tag == 0 and significand != ZERO and shift > 0:  # a subnormal single
        if shift > 63:
            return sign << 31
        return sign << 31 | np.int64(significand >> np.uint64(shift) >> np.uint64(40))
    field = 0
    if significand & TOP_BIT != ZERO:
        field = (exponent >> 9 & 0x80) | (exponent & 0x7F)
    return sign << 31 | field << 23 | (np.int64(significand >> np.uint64(40)) & 0x7FFFFF)


@jitted
def fr_bits80_high(a):
    sign, exponent, _ = _fields(a)
    return sign << 15 | (exponent >> 2 & 0x4000) | (exponent & 0x3FFF)


# Arithmetic ----------------------------------------------------------------------------------


@inlined
def fr_fma(a, b, c, bits, wide):
    if a[2] | b[2] | c[2] == 0:
        if bits == 53:
            x = fma_f64(a[0], b[0], c[0])
            if wide == 0 or LEAST_NORMAL < abs(x) < math.inf:
                return x, 0, 0
        elif bits == 24 and wide == 0:
            x, y, z = a[0], b[0], c[0]
            if x == round_f32(x) and y == round_f32(y) and z == round_f32(z):
                return fma_f32(x, y, z), 0, 0
    return _fma(a, b, c, bits, wide)


@apart
def _fma(a, b, c, bits, wide):
    """The general case, with 192-bit words."""
    if _is_special(a) or _is_special(b) or _is_special(c):
        return _stand_in(a) * _stand_in(b) + _stand_in(c), 0, 0
    sign_a, m_a, power_a = _normal(a)
    sign_b, m_b, power_b = _normal(b)
    sign_c, m_c, power_c = _normal(c)
    sign = sign_a ^ sign_b
    if m_a == ZERO or m_b == ZERO:
        if m_c == ZERO:
            return _stand_in(a) * _stand_in(b) + _stand_in(c), 0, 0
        return _round(sign_c, m_c, ZERO, ZERO, power_c, bits, wide)
    high = np.uint64(multiply_high_unsigned(np.int64(m_a), np.int64(m_b)))
    middle, low = m_a * m_b, ZERO
    power = power_a + power_b + 1
    if high & TOP_BIT == ZERO:
        high, middle = high << ONE | middle >> np.uint64(63), middle << ONE
        power -= 1
    if m_c == ZERO:
        return _round(sign, high, middle, low, power, bits, wide)

    other, other_middle, other_low = m_c, ZERO, ZERO
    if power_c > power or (power_c == power and m_c > high):
        other, other_middle, high, middle = high, middle, m_c, ZERO
        power, power_c, sign, sign_c = power_c, power, sign_c, sign
    other, other_middle, other_low = _shift_right(other, other_middle, other_low, power - power_c)
    if sign == sign_c:
        middle += other_middle
        carry = ONE if middle < other_middle else ZERO
        other += carry  # no overflow: with both middle words in use, `other` was shifted right
        high += other
        if high < other:
            high, middle, low = _shift_right(high, middle, other_low, 1)
            return _round(sign, high | TOP_BIT, middle, low, power + 1, bits, wide)
        return _round(sign, high, middle, other_low, power, bits, wide)
    low = ZERO - other_low
    borrow = ONE if other_low != ZERO else ZERO
    difference = middle - other_middle - borrow
    borrow = ONE if middle < other_middle or (middle == other_middle and borrow) else ZERO
    high = high - other - borrow
    middle = difference
    if high | middle | low == ZERO:
        return 0.0, 0, 0
    while high == ZERO:
        high, middle, low = middle, low, ZERO
        power -= 64
    zeros = _leading_zeros(high)
    if zeros:
        left, right = np.uint64(zeros), np.uint64(64 - zeros)
        high = high << left | middle >> right
        middle = middle << left | low >> right
        low <<= left
    return _round(sign, high, middle, low, power - zeros, bits, wide)


@inlined
def fr_fms(a, b, c, bits, wide):
    return fr_fma(a, b, _negated(c), bits, wide)


@inlined
def fr_fnma(a, b, c, bits, wide):
    return fr_fma(_negated(a), b, c, bits, wide)


@inlined
def fr_xma_low(a, b, c):
    return fr_from_significand(fr_significand(a) * fr_significand(b) + fr_significand(c))


@jitted
def _carry(product_low, c):
    """The carry out of the low words' sum."""
    return 1 if np.uint64(product_low) + np.uint64(c) < np.uint64(c) else 0


@jitted
def fr_xma_high(a, b, c):
    x, y = fr_significand(a), fr_significand(b)
    return fr_from_significand(multiply_high(x, y) + _carry(x * y, fr_significand(c)))


@jitted
def fr_xma_high_unsigned(a, b, c):
    x, y = fr_significand(a), fr_significand(b)
    return fr_from_significand(multiply_high_unsigned(x, y) + _carry(x * y, fr_significand(c)))


@jitted
def _rounded_integer(sign, n, power, bits, wide):
    """The signed integer n > 0 times 2**power, rounded."""
    word = np.uint64(n)
    zeros = _leading_zeros(word)
    return _round(sign, word << np.uint64(zeros), ZERO, ZERO, power + 63 - zeros, bits, wide)


needs_assistance = jitted(_exact.needs_assistance)
reciprocal_entry = jitted(_exact.reciprocal_entry)


@jitted
def reciprocal_root_entry(index, odd):
    """As the exact one: the root of a number below 2**53 is exact when it is cut."""
    middle = (257 + 2 * index) << odd
    return (np.int64(math.sqrt(float((1 << 32) // middle))) + 1) // 2


@apart
def fr_reciprocal(a, b, wide):
    x, y = _stand_in(a), _stand_in(b)
    if not (math.isfinite(x) and math.isfinite(y) and x != 0.0 and y != 0.0):
        return (_special_quotient(x, y), 0, 0), 0
    sign_a, m_a, power_a = _normal(a)
    sign_b, m_b, power_b = _normal(b)
    if needs_assistance(power_a, power_b):
        return _quotient(sign_a ^ sign_b, m_a, m_b, power_a - power_b, wide), 0
    entry = reciprocal_entry(np.int64(m_b >> np.uint64(55)) - 256)
    return _rounded_integer(sign_b, entry, -11 - power_b, 64, 1), 1


@apart
def _quotient(sign, m_a, m_b, power, wide):
    """m_a / m_b * 2**power of words with their top bits set: 128 bits, one at a time."""
    high, low, rest, is_beyond = ZERO, ZERO, m_a, False  # is_beyond: a bit 64 of the rest
    if m_a < m_b:
        rest, is_beyond, power = m_a << ONE, True, power - 1
    for _ in range(128):
        high, low = high << ONE | low >> np.uint64(63), low << ONE
        if is_beyond or rest >= m_b:
            rest -= m_b
            low |= ONE
        is_beyond = rest & TOP_BIT != ZERO
        rest <<= ONE
    is_inexact = is_beyond or rest != ZERO
    return _round(sign, high, low, ONE if is_inexact else ZERO, power, 64, wide)


@jitted
def _special_quotient(x, y):
    sign = math.copysign(1.0, x) * math.copysign(1.0, y)
    if x != x or y != y or (x == 0.0 and y == 0.0) or (math.isinf(x) and math.isinf(y)):
        return math.nan
    return math.copysign(0.0 if x == 0.0 or math.isinf(y) else math.inf, sign)


@apart
def fr_reciprocal_root(a, wide):
    x = _stand_in(a)
    if x == 0.0 or x == math.inf:
        return (x, 0, 0), 0
    if not x > 0.0:
        return (math.nan, 0, 0), 0
    _, m, power = _normal(a)
    odd = power & 1
    if power <= LAST_ASSISTED:
        return _root(m, odd, (power - odd) // 2, wide), 0
    entry = reciprocal_root_entry(np.int64(m >> np.uint64(56)) - 128, odd)
    return _rounded_integer(0, entry, -11 - (power - odd) // 2, 64, 1), 1


@apart
def _root(m, odd, power, wide):
    """The root of m * 2**(odd - 63), a word with its top bit set, times 2**power."""
    high, low = (m, ZERO) if odd else (m >> ONE, m << np.uint64(63))  # its root has 64 bits
    root = ZERO
    for place in range(63, -1, -1):
        more = root | ONE << np.uint64(place)
        square_high = np.uint64(multiply_high_unsigned(np.int64(more), np.int64(more)))
        if square_high < high or (square_high == high and more * more <= low):
            root = more
    square_high = np.uint64(multiply_high_unsigned(np.int64(root), np.int64(root)))
    rest_low = low - root * root
    rest_high = high - square_high - (ONE if low < root * root else ZERO)
    cut = TOP_BIT if rest_high != ZERO or rest_low > root else ZERO  # beyond (root + 1/2)**2
    is_inexact = rest_high | rest_low != ZERO
    return _round(0, root, cut, ONE if is_inexact else ZERO, power, 64, wide)


# Comparisons, selection ----------------------------------------------------------------------


@inlined
def fr_less(a, b):
    if a[2] | b[2] == 0:
        return a[0] < b[0]
    return _less(a, b)


@apart
def _less(a, b):
    if _is_special(a) or _is_special(b):
        return _stand_in(a) < _stand_in(b)
    sign_a, m_a, power_a = _normal(a)
    sign_b, m_b, power_b = _normal(b)
    if m_a == ZERO or m_b == ZERO or sign_a != sign_b:
        return _stand_in(a) < _stand_in(b)
    if power_a == power_b:
        return m_b < m_a if sign_a else m_a < m_b
    return (power_a < power_b) != (sign_a == 1)


@inlined
def fr_unordered(a, b):
    return a[0] != a[0] or b[0] != b[0]


@inlined
def fr_less_equal(a, b):
    if a[2] | b[2] == 0:
        return a[0] <= b[0]
    return not fr_unordered(a, b) and not _less(b, a)


@inlined
def fr_equal(a, b):
    if a[2] | b[2] == 0:
        return a[0] == b[0]
    return not fr_unordered(a, b) and not _less(b, a) and not _less(a, b)


@jitted
def fr_min(a, b):
    return a if fr_less(a, b) else b


@jitted
def fr_max(a, b):
    return a if fr_less(b, a) else b


@jitted
def fr_amin(a, b):
    return a if fr_less(_with_sign(a, 0), _with_sign(b, 0)) else b


@jitted
def fr_amax(a, b):
    return a if fr_less(_with_sign(b, 0), _with_sign(a, 0)) else b


@inlined
def fr_merge_sign(a, b):
    return _with_sign(b, _sign(a))


@inlined
def fr_merge_negative(a, b):
    return _with_sign(b, 1 - _sign(a))


@jitted
def fr_merge_exponent(a, b):
    sign, exponent, _ = _fields(a)
    return _from_fields(sign, exponent, _fields(b)[2])


@inlined
def fr_select(a, b, c):
    mask = fr_significand(c)
    return fr_from_significand((fr_significand(a) & mask) | (fr_significand(b) & ~mask))


@jitted
def fr_class(a, mask):
    sign, exponent, significand = _fields(a)
    if fr_unordered(a, a):
        return mask & 128 != 0
    if mask & (2 if sign else 1) == 0:
        return False
    if exponent == INFINITE_EXPONENT:
        return mask & 32 != 0
    if exponent == 0 and significand == ZERO:
        return mask & 4 != 0
    return mask & (16 if significand & TOP_BIT != ZERO else 8) != 0


# Conversions ---------------------------------------------------------------------------------


@inlined
def fr_from_signed_integer(a):
    n = fr_significand(a)
    if n == 0:
        return 0.0, 0, 0
    return _rounded_integer(np.int64(n < 0), abs(n), 0, 64, 1)


@apart
def _integer(a, truncate):
    """(sign, word, fits): the magnitude as a 64-bit word, truncated or to nearest even."""
    if _is_special(a):
        return np.int64(0), ZERO, False
    sign, m, power = _normal(a)
    if m == ZERO or power < -1:
        return sign, ZERO, True
    if power > 63:
        return sign, ZERO, False
    if power == -1:  # from a half to one
        return sign, (ONE if not truncate and m > TOP_BIT else ZERO), True
    shift = np.uint64(63 - power)
    kept = m >> shift
    if not truncate and shift != ZERO:
        rest = m << (WORD - shift)
        if rest > TOP_BIT or (rest == TOP_BIT and kept & ONE != ZERO):
            kept += ONE  # cannot carry out: the shift is at least one
    return sign, kept, True


@inlined
def _signed(a, truncate):
    sign, n, fits = _integer(a, truncate)
    if not fits or n > TOP_BIT or (n == TOP_BIT and not sign):
        return fr_from_significand(INDEFINITE)
    return fr_from_significand(-np.int64(n) if sign else np.int64(n))


@jitted
def _unsigned(a, truncate):
    sign, n, fits = _integer(a, truncate)
    if not fits or (sign and n != ZERO):
        return fr_from_significand(INDEFINITE)
    return fr_from_significand(np.int64(n))


@inlined
def fr_to_signed(a):
    return _signed(a, False)


@inlined
def fr_to_signed_truncate(a):
    return _signed(a, True)


@jitted
def fr_to_unsigned(a):
    return _unsigned(a, False)


@jitted
def fr_to_unsigned_truncate(a):
    return _unsigned(a, True)


VOCABULARY = {name: globals()[name] for name in _exact.VOCABULARY if name in globals()}
"""The vocabulary of meanings by name."""
