"""Jitted twins of `machines/lanes.py`, and the whole vocabulary of the ptx rows for the core.

Every function has the name, the parameters and the results of its Python twin; there the meaning is
told, here only what makes it fast.  Integers are int64, floats float64; a lane loop over registers
of 32 bits is narrowed by LLVM where the meaning allows it (`round_f32(a + b)` of two f32 values
becomes one f32 addition).  Directed rounding works on 128-bit integers held in two halves.
"""

from __future__ import annotations

from math import inf, nan

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from machines.lanes import FUNCTIONS, LEAST_NORMAL_F32, NAN_F16, NAN_F32, NAN_F64
from sim.cores import numbers
from sim.cores.numbers import (
    below,
    divide_f64,
    f64_from_bits,
    fma_f64,
    multiply_high_unsigned,
    shift_right_unsigned,
    sqrt_f64,
)
from sim.jit import inlined, jitted

_DOUBLE, _WORD = ir.DoubleType(), ir.IntType(64)


# Single instructions of LLVM, functions of the C library -------------------------------------


def _unary(result, argument, build):
    """An intrinsic of one value; `build(builder, value)` emits it."""

    def typed(typing_context, a):
        def generate(context, builder, signature, values):
            return build(builder, context.cast(builder, values[0], signature.args[0], argument))

        return result(argument), generate

    return intrinsic(typed)


def _llvm(name, kind):
    def build(builder, value):
        function = builder.module.declare_intrinsic(name, [kind])
        return builder.call(function, [value])

    return build


def _library(name):
    """A call of a function of the C library: double to double."""

    def build(builder, value):
        kind = ir.FunctionType(_DOUBLE, [_DOUBLE])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [value])

    return build


def _of_floats(build):
    return _unary(types.float64, types.float64, build)


round_even = _of_floats(_llvm("llvm.roundeven", _DOUBLE))
truncate = _of_floats(_llvm("llvm.trunc", _DOUBLE))
floor = _of_floats(_llvm("llvm.floor", _DOUBLE))
ceiling = _of_floats(_llvm("llvm.ceil", _DOUBLE))
exponential_2 = _of_floats(_library("exp2"))
_logarithm = _of_floats(_library("log2"))
sine = _of_floats(_library("sin"))
cosine = _of_floats(_library("cos"))
hyperbolic_tangent = _of_floats(_library("tanh"))
reverse_bits = _unary(types.int64, types.int64, _llvm("llvm.bitreverse", _WORD))


@intrinsic
def count_leading_zeros(typing_context, a):
    def generate(context, builder, signature, values):
        return builder.ctlz(values[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


def _encoding(kind, bits, canonical):
    """The encoding of a value of a float type, NaN being `canonical`."""

    def build(builder, value):
        narrow = value if kind is _DOUBLE else builder.fptrunc(value, kind)
        raw = builder.bitcast(narrow, bits)
        unordered = builder.fcmp_unordered("uno", narrow, narrow)
        word = builder.select(unordered, ir.Constant(bits, canonical), raw)
        return word if bits is _WORD else builder.zext(word, _WORD)

    return build


bits_of_f32 = _unary(types.int64, types.float64, _encoding(ir.FloatType(), ir.IntType(32), NAN_F32))
bits_of_f64 = _unary(types.int64, types.float64, _encoding(_DOUBLE, _WORD, NAN_F64))


# Floating point ------------------------------------------------------------------------------


def _flush(builder, value):
    """In f32, so that LLVM can leave the arithmetic around it there."""
    kind = ir.FloatType()
    x = builder.fptrunc(value, kind)
    size = builder.call(builder.module.declare_intrinsic("llvm.fabs", [kind]), [x])
    copy_sign = builder.module.declare_intrinsic(
        "llvm.copysign", [kind], ir.FunctionType(kind, [kind, kind])
    )
    zero = builder.call(copy_sign, [ir.Constant(kind, 0.0), x])
    small = builder.fcmp_ordered("<", size, ir.Constant(kind, LEAST_NORMAL_F32))
    return builder.fpext(builder.select(small, zero, x), _DOUBLE)


flush = _of_floats(_flush)


@inlined
def saturate(x):
    return (x if x < 1.0 else 1.0) if x > 0.0 else 0.0


@inlined
def logarithm_2(x):
    return _logarithm(x) if x > 0.0 else (-inf if x == 0.0 else nan)


@inlined
def _is_finite(x):
    return abs(x) < inf


@inlined
def _is_negative(x):
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
def _power(e):
    """2**e, for -1022 <= e <= 1023."""
    return f64_from_bits((e + 1023) << 52)


@inlined
def _lowest(digits):
    return -1022 if digits == 53 else (-126 if digits == 24 else -14)


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
        size = float((1 << digits) - 1) * _power(highest - digits + 1) if finite else inf
    else:
        first = exponent >> 1
        size = float(kept) * _power(first) * _power(exponent - first)
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
    negative, negative_c = _is_negative(a) != _is_negative(b), _is_negative(c)
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


# Half precision ------------------------------------------------------------------------------


@inlined
def f16_from_bits(a):
    field, fraction = a >> 10 & 31, a & 0x3FF
    if field == 31:
        size = nan if fraction != 0 else inf
    elif field == 0:
        size = float(fraction) * 2.0**-24
    else:
        size = float(fraction | 1 << 10) * _power(field - 25)
    return -size if a & 0x8000 else size


@inlined
def bits_of_f16(x):
    if x != x:
        return NAN_F16
    sign = 0x8000 if _is_negative(x) else 0
    size = abs(x)
    if size == inf:
        return sign | 0x7C00
    if size < 2.0**-14:
        return sign | int(size * 2.0**24)
    bits = bits_of_f64(size)
    return sign | ((bits >> 52) - 1008) << 10 | bits >> 42 & 0x3FF


# Bits ----------------------------------------------------------------------------------------


@jitted
def find_set_bit(mask, base, offset):
    step = -1 if offset < 0 else 1
    left = max(abs(offset), 1)
    place = base
    while 0 <= place < 32:
        left -= mask >> place & 1
        if left == 0:
            return place
        if offset == 0:
            break
        place += step
    return 0xFFFF_FFFF


@inlined
def look_up_bits(a, b, c, table):
    with_a = (
        (-(table >> 4 & 1) & ~b & ~c)
        | (-(table >> 5 & 1) & ~b & c)
        | (-(table >> 6 & 1) & b & ~c)
        | (-(table >> 7 & 1) & b & c)
    )
    without_a = (
        (-(table & 1) & ~b & ~c)
        | (-(table >> 1 & 1) & ~b & c)
        | (-(table >> 2 & 1) & b & ~c)
        | (-(table >> 3 & 1) & b & c)
    )
    return (a & with_a) | (~a & without_a)


@inlined
def _chosen_byte(pair, nibble):
    byte = shift_right_unsigned(pair, 8 * (nibble & 7)) & 255
    return -(byte >> 7) & 255 if nibble & 8 else byte


@inlined
def permute_bytes(a, b, selector):
    pair = b << 32 | a
    low = _chosen_byte(pair, selector & 15) | _chosen_byte(pair, selector >> 4 & 15) << 8
    high = _chosen_byte(pair, selector >> 8 & 15) | _chosen_byte(pair, selector >> 12 & 15) << 8
    return low | high << 16


# Shuffles ------------------------------------------------------------------------------------


@inlined
def _last_lane(lane, c):
    segment = c >> 8 & 31
    return (lane & ~31) | (lane & segment) | (c & 31 & ~segment)


@inlined
def shuffle_up(lane, b, c):
    source = lane - (b & 31)
    return source if source >= _last_lane(lane, c) else -1


@inlined
def shuffle_down(lane, b, c):
    source = lane + (b & 31)
    return source if source <= _last_lane(lane, c) else -1


@inlined
def shuffle_bfly(lane, b, c):
    source = lane ^ (b & 31)
    return source if source <= _last_lane(lane, c) else -1


@inlined
def shuffle_idx(lane, b, c):
    segment = c >> 8 & 31
    source = (lane & ~31) | (lane & segment) | (b & 31 & ~segment)
    return source if source <= _last_lane(lane, c) else -1


VOCABULARY = {
    **numbers.VOCABULARY,
    **{function.__name__: globals()[function.__name__] for function in FUNCTIONS},
    "inf": inf,
    "nan": nan,
}
"""All that a meaning of a ptx row may name; a function without a twin is an error at import."""
