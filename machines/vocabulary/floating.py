"""The floating registers of IA-64, exact in Python: the vocabulary of the ia64 floating rows.

A register is a triple (double, significand, tag):

* tag 0: the double is the value, significand 0.
* otherwise tag = 1 | sign << 1 | exponent << 2 with the 17-bit biased exponent, and the value is
  significand * 2**(exponent - 0xFFFF - 63); the 64-bit significand is held as a signed integer and
  the double is 0.0.  An integer in a register (setf.sig, ldf8, xma, fcvt.fx) has exponent 0x1003E.

The choice is made by the value alone, so equal registers are equal triples: arithmetic gives tag 0
for NaN, infinities, zeros and whatever is a normal double (or, rounded to the range of a double, a
subnormal one), and a normalised extended triple otherwise.  Integers keep their exponent.

`sim/cores/floating.py` holds jitted twins of the same names; a test holds that both agree.  What
is simplified: NaN has no sign or payload, rounding is always to nearest even, and no operation
traps (the setting of ar.fpsr under Linux).  A single that is subnormal keeps its normalised double,
so that getf.exp of it shows a smaller exponent than the hardware would.
"""

from __future__ import annotations

import math

from machines.vocabulary.numbers import bits_from_f64, f32_from_bits, f64_from_bits, fma_f64, wrap

Register = tuple[float, int, int]

BIAS = 0xFFFF
INTEGER_EXPONENT = 0x1003E  # biased exponent that makes the significand an integer
INTEGER_TAG = 1 | INTEGER_EXPONENT << 2
INFINITE_EXPONENT = 0x1FFFF
DENORMAL_EXPONENT = 0xC001  # what exponent field 0 stands for (double-extended denormals)
TOP_BIT = 1 << 63
NAN_SIGNIFICAND = 0xC000_0000_0000_0000
INDEFINITE = -TOP_BIT  # result of a conversion to an integer that it does not fit
_MASK = (1 << 64) - 1

EXPONENT_RANGE = {24: (-126, 127), 53: (-1022, 1023), 64: (-16382, 16383)}
WIDE_RANGE = (-65534, 65535)
LAST_ASSISTED = 64 - BIAS
"""The greatest exponent, without bias, of an operand too small for frcpa and frsqrta: of values
whose last place is worth less than any value."""
_NAN: Register = (math.nan, 0, 0)


# Fields and values ---------------------------------------------------------------------------


def _fields(a: Register) -> tuple[int, int, int]:
    """(sign, biased 17-bit exponent, unsigned significand) as the hardware would hold them."""
    x, significand, tag = a
    if tag:
        return tag >> 1 & 1, tag >> 2, significand & _MASK
    if x != x:
        return 0, INFINITE_EXPONENT, NAN_SIGNIFICAND
    bits = bits_from_f64(x) & _MASK
    sign, exponent, fraction = bits >> 63, bits >> 52 & 0x7FF, bits & ((1 << 52) - 1)
    if exponent == 0x7FF:
        return sign, INFINITE_EXPONENT, TOP_BIT
    if exponent == 0:
        return sign, (1 - 1023 + BIAS if fraction else 0), fraction << 11
    return sign, exponent - 1023 + BIAS, TOP_BIT | fraction << 11


def _from_fields(sign: int, exponent: int, significand: int) -> Register:
    """The register with these fields: a double where it is one (see the module's docstring)."""
    if exponent == INFINITE_EXPONENT:
        return (-math.inf if sign else math.inf, 0, 0) if significand == TOP_BIT else _NAN
    if exponent == 0 and significand == 0:
        return -0.0 if sign else 0.0, 0, 0
    power = exponent - BIAS
    if significand & TOP_BIT and significand & 0x7FF == 0 and -1022 <= power <= 1023:
        x = math.ldexp(significand >> 11, power - 52)
        return -x if sign else x, 0, 0
    return 0.0, wrap(significand), 1 | sign << 1 | exponent << 2


def _finite(a: Register) -> tuple[int, int, int]:
    """(sign, m, e) with value m * 2**e of a register that is neither NaN nor infinite."""
    sign, exponent, significand = _fields(a)
    return sign, significand, (exponent or DENORMAL_EXPONENT) - BIAS - 63


def _normal(a: Register) -> tuple[int, int, int]:
    """(sign, m, power) with value m * 2**(power - 63), m of 64 bits, of a finite one, not 0."""
    sign, m, e = _finite(a)
    shift = 64 - m.bit_length()
    return sign, m << shift, e - shift + 63


def _is_special(a: Register) -> bool:
    """NaN or infinite: always a tag-0 triple."""
    return a[2] == 0 and not math.isfinite(a[0])


def _stand_in(a: Register) -> float:
    """A double of the same sign and class: any finite value but zero becomes 1 or -1."""
    if _is_special(a):
        return a[0]
    sign, m, _ = _finite(a)
    return math.copysign(1.0 if m else 0.0, -1.0 if sign else 1.0)


def _sign(a: Register) -> int:
    """1 for a negative sign; NaN has none."""
    return _fields(a)[0]


def _with_sign(a: Register, sign: int) -> Register:
    x, significand, tag = a
    if tag:
        return 0.0, significand, tag & ~2 | sign << 1
    return math.copysign(x, -1.0 if sign else 1.0) if x == x else x, 0, 0


def _negated(a: Register) -> Register:
    return _with_sign(a, 1 - _sign(a))


def _round(sign: int, m: int, e: int, bits: int, wide: int) -> Register:
    """(-1)**sign * m * 2**e, m > 0, rounded once to `bits` bits in the given exponent range."""
    lowest, highest = WIDE_RANGE if wide else EXPONENT_RANGE[bits]
    unit = max(m.bit_length() - 1 + e, lowest) - bits + 1
    shift = unit - e
    if shift > 0:
        kept, rest, half = m >> shift, m & ((1 << shift) - 1), 1 << (shift - 1)
        kept += rest > half or (rest == half and kept & 1)
    else:
        kept = m << -shift
    power = kept.bit_length() - 1 + unit
    if kept == 0:
        return -0.0 if sign else 0.0, 0, 0
    if power > highest:
        return -math.inf if sign else math.inf, 0, 0
    if power < lowest and bits == 64 and not wide:
        return _from_fields(sign, 0, kept)
    if power < lowest and wide:
        return _from_fields(sign, lowest + BIAS, kept << (64 - bits))
    if power < -1022 and not wide and bits <= 53:
        x = math.ldexp(kept, unit)
        return -x if sign else x, 0, 0
    length = kept.bit_length()
    significand = kept << (64 - length) if length <= 64 else kept >> (length - 64)
    return _from_fields(sign, power + BIAS, significand)


# Loads, stores, transfers --------------------------------------------------------------------


def fr_from_f64(x: float) -> Register:
    """The register that holds a double."""
    return x, 0, 0


def fr_from_significand(n: int) -> Register:
    """setf.sig, ldf8: the integer `n` as a significand."""
    return 0.0, n, INTEGER_TAG


def fr_from_sign_exponent(n: int) -> Register:
    """setf.exp: sign and exponent from the low 18 bits, significand 1.0."""
    return _from_fields(n >> 17 & 1, n & INFINITE_EXPONENT, TOP_BIT)


def fr_from_bits32(n: int) -> Register:
    """setf.s, ldfs: the single encoded in the low 32 bits."""
    return f32_from_bits(n), 0, 0


def fr_from_bits64(n: int) -> Register:
    """setf.d, ldfd: the double encoded in `n`."""
    return f64_from_bits(n), 0, 0


def fr_from_bits80(low: int, high: int) -> Register:
    """ldfe: the double-extended with significand `low` and sign and exponent in `high`."""
    exponent = high & 0x7FFF
    if exponent == 0x7FFF:
        wide = INFINITE_EXPONENT
    else:
        wide = exponent - 16383 + BIAS if exponent else 0
    return _from_fields(high >> 15 & 1, wide, low & _MASK)


def fr_significand(a: Register) -> int:
    """getf.sig, stf8: the significand."""
    return wrap(_fields(a)[2])


def fr_sign_exponent(a: Register) -> int:
    """getf.exp: sign in bit 17 over the biased exponent."""
    sign, exponent, _ = _fields(a)
    return sign << 17 | exponent


def fr_bits64(a: Register) -> int:
    """getf.d, stfd: the fields cut to a double's; what does not fit is lost, not rounded."""
    if a[2] == 0:
        return bits_from_f64(a[0])
    sign, exponent, significand = _fields(a)
    field = (exponent >> 6 & 0x400 | exponent & 0x3FF) if significand & TOP_BIT else 0
    return wrap(sign << 63 | field << 52 | significand >> 11 & ((1 << 52) - 1))


def fr_bits32(a: Register) -> int:
    """getf.s, stfs: the fields cut to a single's, unsigned; what does not fit is lost."""
    x, _, tag = a
    if tag == 0 and x != x:
        return 0x7FC0_0000
    sign, exponent, significand = _fields(a)
    if tag == 0 and significand and exponent - BIAS < -126:  # a subnormal single
        significand >>= min(-126 - (exponent - BIAS), 64)
        return sign << 31 | significand >> 40
    field = (exponent >> 9 & 0x80 | exponent & 0x7F) if significand & TOP_BIT else 0
    return sign << 31 | field << 23 | significand >> 40 & 0x7F_FFFF


def fr_bits80_high(a: Register) -> int:
    """stfe: the sign and exponent half of a double-extended."""
    sign, exponent, _ = _fields(a)
    return sign << 15 | exponent >> 2 & 0x4000 | exponent & 0x3FFF


# Arithmetic ----------------------------------------------------------------------------------


def fr_fma(a: Register, b: Register, c: Register, bits: int, wide: int) -> Register:
    """a * b + c rounded once to `bits` (24, 53, 64) bits; `wide`: with the 17-bit exponent."""
    if bits == 53 and not wide and a[2] == b[2] == c[2] == 0:
        return fma_f64(a[0], b[0], c[0]), 0, 0
    if _is_special(a) or _is_special(b) or _is_special(c):
        return _stand_in(a) * _stand_in(b) + _stand_in(c), 0, 0
    (sign_a, m_a, e_a), (sign_b, m_b, e_b), (sign_c, m_c, e_c) = _finite(a), _finite(b), _finite(c)
    if m_a * m_b == 0 and m_c == 0:
        return _stand_in(a) * _stand_in(b) + _stand_in(c), 0, 0
    e = min(e_a + e_b, e_c)
    product = (m_a * m_b) << (e_a + e_b - e) if m_a * m_b else 0
    addend = m_c << (e_c - e) if m_c else 0
    total = (-product if sign_a != sign_b else product) + (-addend if sign_c else addend)
    if total == 0:
        return 0.0, 0, 0
    return _round(int(total < 0), abs(total), e, bits, wide)


def fr_fms(a: Register, b: Register, c: Register, bits: int, wide: int) -> Register:
    """a * b - c, rounded once."""
    return fr_fma(a, b, _negated(c), bits, wide)


def fr_fnma(a: Register, b: Register, c: Register, bits: int, wide: int) -> Register:
    """c - a * b, rounded once."""
    return fr_fma(_negated(a), b, c, bits, wide)


def fr_xma_low(a: Register, b: Register, c: Register) -> Register:
    """Low half of the product of the significands plus the third."""
    return fr_from_significand(wrap(fr_significand(a) * fr_significand(b) + fr_significand(c)))


def fr_xma_high(a: Register, b: Register, c: Register) -> Register:
    """High half of the signed product plus the third significand, unsigned."""
    product = fr_significand(a) * fr_significand(b)
    return fr_from_significand(wrap((product + (fr_significand(c) & _MASK)) >> 64))


def fr_xma_high_unsigned(a: Register, b: Register, c: Register) -> Register:
    """High half of the unsigned product plus the third significand."""
    m_a, m_b, m_c = _fields(a)[2], _fields(b)[2], _fields(c)[2]
    return fr_from_significand(wrap((m_a * m_b + m_c) >> 64))


def reciprocal_entry(index: int) -> int:
    """Entry `index` of frcpa's table of 256, with the leading 1 that the table leaves out.

    The reciprocal of the middle of the 1/256 interval of significands, to nearest in 11 bits: the
    256 entries that the architecture publishes (Intel Itanium Architecture Software Developer's
    Manual, volume 3, frcpa).
    """
    middle = 513 + 2 * index  # 512 times the significand
    return ((1 << 21) + middle) // (2 * middle)


def reciprocal_root_entry(index: int, odd: int) -> int:
    """An entry of frsqrta's table, with the leading 1 that the table leaves out.

    The reciprocal root of the middle of the 1/128 interval `index` of significands, doubled where
    the value's exponent is odd, to nearest in 11 bits: the 256 entries that the architecture
    publishes (the same manual, frsqrta; there the half of odd exponents comes first).
    """
    middle = (257 + 2 * index) << odd  # 256 times the value
    return (math.isqrt((1 << 32) // middle) + 1) // 2


def fr_reciprocal(a: Register, b: Register, wide: int) -> tuple[Register, int]:
    """frcpa: an approximation of 1 / b and 1, or a / b itself and 0 where no steps may follow.

    Those are zeros, infinities and NaN, and exponents with which the steps that refine a seed leave
    the range of a register.  There the processor faults, and the operating system's floating-point
    software assistance gives the quotient, rounded as the status field says, and a false predicate
    (the same manual, volume 1, "software assistance faults"; the limits are those of its frcpa).
    """
    x, y = _stand_in(a), _stand_in(b)
    if not (math.isfinite(x) and math.isfinite(y) and x != 0.0 and y != 0.0):
        return (_special_quotient(x, y), 0, 0), 0
    (sign_a, m_a, power_a), (sign_b, m_b, power_b) = _normal(a), _normal(b)
    if needs_assistance(power_a, power_b):
        quotient, rest = divmod(m_a << 66, m_b)
        power = power_a - power_b - 67
        return _round(sign_a ^ sign_b, 2 * quotient | (rest > 0), power, 64, wide), 0
    return _round(sign_b, reciprocal_entry((m_b >> 55) - 256), -11 - power_b, 64, 1), 1


def needs_assistance(power_a: int, power_b: int) -> bool:
    """Whether frcpa leaves operands of these exponents, without bias, to software."""
    return (
        power_b < WIDE_RANGE[0]
        or power_b >= BIAS - 2
        or power_a - power_b >= BIAS
        or power_a - power_b <= 2 - BIAS
        or power_a <= LAST_ASSISTED
    )


def _special_quotient(x: float, y: float) -> float:
    """x / y where one is NaN, zero or infinite."""
    sign = math.copysign(1.0, x) * math.copysign(1.0, y)
    if x != x or y != y or (x == 0.0 and y == 0.0) or (math.isinf(x) and math.isinf(y)):
        return math.nan
    return math.copysign(0.0 if x == 0.0 or math.isinf(y) else math.inf, sign)


def fr_reciprocal_root(a: Register, wide: int) -> tuple[Register, int]:
    """frsqrta: an approximation of 1 / sqrt(a) and 1, or the root itself and 0 (see frcpa)."""
    x = _stand_in(a)
    if x == 0.0 or x == math.inf:
        return (x, 0, 0), 0
    if not x > 0.0:
        return _NAN, 0
    _, m, power = _normal(a)
    odd = power & 1
    if power <= LAST_ASSISTED:
        square = m << (67 + odd)
        root = math.isqrt(square)
        return _round(0, 2 * root | (root * root < square), (power - odd) // 2 - 66, 64, wide), 0
    entry = reciprocal_root_entry((m >> 56) - 128, odd)
    return _round(0, entry, -11 - (power - odd) // 2, 64, 1), 1


# Comparisons, selection ----------------------------------------------------------------------


def fr_less(a: Register, b: Register) -> bool:
    """a < b; false for NaN."""
    if a[2] == b[2] == 0:
        return a[0] < b[0]
    if _is_special(a) or _is_special(b):
        return _stand_in(a) < _stand_in(b)
    (sign_a, m_a, e_a), (sign_b, m_b, e_b) = _finite(a), _finite(b)
    e = min(e_a, e_b)
    left, right = m_a << (e_a - e), m_b << (e_b - e)
    return (-left if sign_a else left) < (-right if sign_b else right)


def fr_unordered(a: Register, b: Register) -> bool:
    """Whether one is NaN."""
    return a[0] != a[0] or b[0] != b[0]


def fr_less_equal(a: Register, b: Register) -> bool:
    """a <= b; false for NaN."""
    return not fr_unordered(a, b) and not fr_less(b, a)


def fr_equal(a: Register, b: Register) -> bool:
    """a == b; false for NaN, true for zeros of both signs."""
    return fr_less_equal(a, b) and not fr_less(a, b)


def fr_min(a: Register, b: Register) -> Register:
    """a if a < b else b."""
    return a if fr_less(a, b) else b


def fr_max(a: Register, b: Register) -> Register:
    """a if b < a else b."""
    return a if fr_less(b, a) else b


def fr_amin(a: Register, b: Register) -> Register:
    """a if |a| < |b| else b."""
    return a if fr_less(_with_sign(a, 0), _with_sign(b, 0)) else b


def fr_amax(a: Register, b: Register) -> Register:
    """a if |b| < |a| else b."""
    return a if fr_less(_with_sign(b, 0), _with_sign(a, 0)) else b


def fr_merge_sign(a: Register, b: Register) -> Register:
    """The sign of a with exponent and significand of b."""
    return _with_sign(b, _sign(a))


def fr_merge_negative(a: Register, b: Register) -> Register:
    """The other sign than that of a with exponent and significand of b."""
    return _with_sign(b, 1 - _sign(a))


def fr_merge_exponent(a: Register, b: Register) -> Register:
    """Sign and exponent of a with the significand of b."""
    sign, exponent, _ = _fields(a)
    return _from_fields(sign, exponent, _fields(b)[2])


def fr_select(a: Register, b: Register, c: Register) -> Register:
    """Significand bits of a where c has ones, of b where it has zeros."""
    mask = fr_significand(c)
    return fr_from_significand((fr_significand(a) & mask) | (fr_significand(b) & ~mask))


def fr_class(a: Register, mask: int) -> bool:
    """fclass.m.  Mask: 1 positive, 2 negative, 4 zero, 8 unnormalised, 16 normal, 32 infinite,
    64 signalling NaN and 256 NaT (which do not exist here), 128 quiet NaN."""
    sign, exponent, significand = _fields(a)
    if fr_unordered(a, a):
        return mask & 128 != 0
    if not mask & (2 if sign else 1):
        return False
    if exponent == INFINITE_EXPONENT:
        return mask & 32 != 0
    if exponent == 0 and significand == 0:
        return mask & 4 != 0
    return mask & (16 if significand & TOP_BIT else 8) != 0


# Conversions ---------------------------------------------------------------------------------


def fr_from_signed_integer(a: Register) -> Register:
    """fcvt.xf: the significand, read as a signed integer, as a floating value; always exact."""
    n = fr_significand(a)
    return _round(int(n < 0), abs(n), 0, 64, 1) if n else (0.0, 0, 0)


def _integer(a: Register, truncate: bool) -> int | None:
    """The value as an integer, truncated or to nearest even; None for NaN and infinities."""
    if _is_special(a):
        return None
    sign, m, e = _finite(a)
    if e >= 0:
        n = m << min(e, 64)  # enough to be out of range
    elif e < -64:
        n = 0
    else:
        n, rest, half = m >> -e, m & ((1 << -e) - 1), 1 << (-e - 1)
        n += not truncate and (rest > half or (rest == half and n & 1))
    return -n if sign else n


def _signed(n: int | None) -> Register:
    fits = n is not None and -TOP_BIT <= n < TOP_BIT
    return fr_from_significand(n if fits else INDEFINITE)


def _unsigned(n: int | None) -> Register:
    fits = n is not None and 0 <= n <= _MASK
    return fr_from_significand(wrap(n) if fits else INDEFINITE)


def fr_to_signed(a: Register) -> Register:
    """fcvt.fx: to a signed integer, to nearest even; out of range gives -2**63."""
    return _signed(_integer(a, False))


def fr_to_signed_truncate(a: Register) -> Register:
    """fcvt.fx.trunc: to a signed integer, truncated; out of range gives -2**63."""
    return _signed(_integer(a, True))


def fr_to_unsigned(a: Register) -> Register:
    """fcvt.fxu: to an unsigned integer, to nearest even; out of range gives 2**63."""
    return _unsigned(_integer(a, False))


def fr_to_unsigned_truncate(a: Register) -> Register:
    """fcvt.fxu.trunc: to an unsigned integer, truncated; out of range gives 2**63."""
    return _unsigned(_integer(a, True))


def fr_value(a: Register) -> float:
    """The double nearest to the value, for people and for comparisons with doubles."""
    if _is_special(a):
        return a[0]
    sign, m, e = _finite(a)
    if m == 0:
        return -0.0 if sign else 0.0
    return _round(sign, m, e, 53, 0)[0]


VOCABULARY = {name: value for name, value in globals().items() if name.startswith("fr_")}
"""The vocabulary by name."""
