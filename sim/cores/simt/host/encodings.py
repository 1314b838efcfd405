"""Instructions of LLVM as words of the vocabulary of ptx rows.

Every function has the name, the parameters and the results of its twin in
`machines/vocabulary/lanes.py`.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from machines.vocabulary.lanes import LEAST_NORMAL_F32, NAN_F32, NAN_F64

_DOUBLE, _WORD = ir.DoubleType(), ir.IntType(64)


# Single instructions of LLVM -----------------------------------------------------------------


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


def _of_floats(build):
    return _unary(types.float64, types.float64, build)


round_even = _of_floats(_llvm("llvm.roundeven", _DOUBLE))
truncate = _of_floats(_llvm("llvm.trunc", _DOUBLE))
floor = _of_floats(_llvm("llvm.floor", _DOUBLE))
ceiling = _of_floats(_llvm("llvm.ceil", _DOUBLE))
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
