"""Jitted twins of `machines/vocabulary/numbers.py`: the vocabulary of meanings in the cores.

Every function has the name, the parameters and the results of its Python twin; there the meaning is
told, here only what makes it fast.  LLVM inlines them and folds constant widths.  Integers are
int64, floats float64.  What a twin forbids (a divisor of 0) is undefined behaviour here: the caller
tests `faults_if` first.
"""

from __future__ import annotations

import math

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from machines.vocabulary.numbers import FUNCTIONS, NAN_BITS_F32, NAN_BITS_F64
from sim.cores.jit import inlined


def _binary(build):
    """An intrinsic of two int64 values to an int64 value; `build(builder, a, b)` emits it."""

    def typed(typing_context, a, b):
        def generate(context, builder, signature, values):
            return build(builder, *values)

        return types.int64(types.int64, types.int64), generate

    return intrinsic(typed)


def _high_half(extend):
    def build(builder, a, b):
        wide = ir.IntType(128)
        product = builder.mul(extend(builder, a, wide), extend(builder, b, wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return build


multiply_high = _binary(_high_half(lambda builder, a, wide: builder.sext(a, wide)))
multiply_high_unsigned = _binary(_high_half(lambda builder, a, wide: builder.zext(a, wide)))
_quotient = _binary(lambda builder, a, b: builder.sdiv(a, b))
_rest = _binary(lambda builder, a, b: builder.srem(a, b))
divide_unsigned = _binary(lambda builder, a, b: builder.udiv(a, b))
remainder_unsigned = _binary(lambda builder, a, b: builder.urem(a, b))


@intrinsic
def population_count(typing_context, a):
    def generate(context, builder, signature, values):
        return builder.ctpop(values[0])

    return types.int64(types.int64), generate


@intrinsic
def fma_f64(typing_context, a, b, c):
    def generate(context, builder, signature, values):
        return builder.fma(*values)

    return types.float64(types.float64, types.float64, types.float64), generate


@intrinsic
def fma_f32(typing_context, a, b, c):
    def generate(context, builder, signature, values):
        narrow = [builder.fptrunc(value, ir.FloatType()) for value in values]
        return builder.fpext(builder.fma(*narrow), ir.DoubleType())

    return types.float64(types.float64, types.float64, types.float64), generate


@intrinsic
def f64_from_bits(typing_context, a):
    def generate(context, builder, signature, values):
        return builder.bitcast(values[0], ir.DoubleType())

    return types.float64(types.int64), generate


@intrinsic
def _raw_bits_f64(typing_context, x):
    def generate(context, builder, signature, values):
        return builder.bitcast(values[0], ir.IntType(64))

    return types.int64(types.float64), generate


@intrinsic
def f32_from_bits(typing_context, a):
    def generate(context, builder, signature, values):
        narrow = builder.trunc(values[0], ir.IntType(32))
        return builder.fpext(builder.bitcast(narrow, ir.FloatType()), ir.DoubleType())

    return types.float64(types.int64), generate


@intrinsic
def _raw_bits_f32(typing_context, x):
    def generate(context, builder, signature, values):
        narrow = builder.fptrunc(values[0], ir.FloatType())
        return builder.zext(builder.bitcast(narrow, ir.IntType(32)), ir.IntType(64))

    return types.int64(types.float64), generate


@inlined
def wrap(a):
    return a


@inlined
def sign_extend(a, bits):
    return (a << (64 - bits)) >> (64 - bits)


@inlined
def zero_extend(a, bits):
    return a & ((1 << bits) - 1) if bits < 64 else a


@inlined
def below(a, b):
    return np.uint64(a) < np.uint64(b)


@inlined
def shift_left(a, n):
    return a << n if 0 <= n < 64 else 0


@inlined
def shift_right(a, n):
    return a >> (n if 0 <= n < 64 else 63)


@inlined
def shift_right_unsigned(a, n):
    return np.int64(np.uint64(a) >> np.uint64(n)) if 0 <= n < 64 else 0


@inlined
def divide(a, b):
    return -a if b == -1 else _quotient(a, b)


@inlined
def remainder(a, b):
    return 0 if b == -1 else _rest(a, b)


@inlined
def round_f32(x):
    return np.float64(np.float32(x))


@inlined
def sqrt_f64(x):
    return math.sqrt(x)


@inlined
def divide_f64(a, b):
    return a / b


@inlined
def minimum(a, b):
    if a == b:
        return a if math.copysign(1.0, a) < 0.0 else b
    return a if a < b or b != b else b


@inlined
def maximum(a, b):
    if a == b:
        return b if math.copysign(1.0, a) < 0.0 else a
    return a if a > b or b != b else b


@inlined
def truncate_signed(x, bits):
    if x != x:
        return 0
    highest = np.int64(np.uint64(0xFFFF_FFFF_FFFF_FFFF) >> np.uint64(65 - bits))
    limit = np.float64(np.uint64(1) << np.uint64(bits - 1))
    if x >= limit:
        return highest
    return np.int64(x) if x > -limit else -highest - 1


@inlined
def truncate_unsigned(x, bits):
    if not x > 0.0:
        return 0
    limit = 2.0 * np.float64(np.uint64(1) << np.uint64(bits - 1))
    if x >= limit:
        return np.int64(np.uint64(0xFFFF_FFFF_FFFF_FFFF) >> np.uint64(64 - bits))
    return np.int64(np.uint64(x))


@inlined
def f64_from_signed(a):
    return np.float64(a)


@inlined
def f64_from_unsigned(a):
    return np.float64(np.uint64(a))


@inlined
def f32_from_signed(a):
    return np.float64(np.float32(a))


@inlined
def f32_from_unsigned(a):
    return np.float64(np.float32(np.uint64(a)))


@inlined
def bits_from_f64(x):
    return _raw_bits_f64(x) if x == x else NAN_BITS_F64


@inlined
def bits_from_f32(x):
    return _raw_bits_f32(x) if x == x else NAN_BITS_F32


VOCABULARY = {function.__name__: globals()[function.__name__] for function in FUNCTIONS}
"""The twins by name; a function of `machines.vocabulary.numbers` without one is an error at
import."""
