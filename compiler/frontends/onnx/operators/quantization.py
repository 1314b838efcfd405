"""Quantized numbers: whole numbers q that stand for (q - zero point) * scale.

Products of them are products of whole numbers, exact in i32, however they are said.  Where the
weights are i8 with zero point 0, as nearly all are, they are products of i8: a u8 is an i8 once 128
is taken from it and its zero point, and what the zero point of the left side adds, it times the sum
of the weights, is taken away afterwards, together with the bias.  Otherwise both sides are i16 with
their zero points taken away before.
"""

from __future__ import annotations

import numpy as np

from compiler.frontends.onnx.emitting.call import (
    BF16,
    E4M3,
    E5M2,
    F16,
    F32,
    I8,
    I16,
    I32,
    U8,
    Call,
    Family,
)
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value
from compiler.frontends.onnx.operators.convolution import convolved, kernel_windows
from compiler.frontends.onnx.operators.matrix import product
from machines.types import I4, U4, Type

FAMILY = Family("quantization")
row = FAMILY.row
_QUANTIZED = (I8, U8, I16, I4, U4, E4M3, E5M2)
_BYTES = (I8, U8)


def _spread(code: Code, given: Value, x: Value, axis: int, block: int) -> Value:
    """A scale or zero point so that it is broadcast over x: one for all, one for each place along
    an axis, or one for each block of places."""
    if given.count == 1:
        return code.reshape(given, ())
    if block:
        extent = x.shape[axis]
        if given.rank != x.rank or -(-extent // block) != given.shape[axis]:
            raise Refusal("malformed", f"blocks of {block} of {list(x.shape)}")
        wide = code.reshape(given, (*given.shape[: axis + 1], 1, *given.shape[axis + 1 :]))
        wide = code.broadcast(wide, (*given.shape[: axis + 1], block, *given.shape[axis + 1 :]))
        flat = (*given.shape[:axis], given.shape[axis] * block, *given.shape[axis + 1 :])
        return code.cut(code.reshape(wide, flat), axis, 0, extent)
    if given.rank != 1 or given.count != x.shape[axis]:
        raise Refusal("malformed", f"a scale {list(given.shape)} along axis {axis} of {x.type}")
    return code.reshape(given, (given.count, *(1,) * (x.rank - axis - 1)))


def _axis_of(call: Call, x: Value) -> tuple[int, int]:
    axis, block = call.attribute("axis", 1), call.attribute("block_size", 0)
    per_tensor = call[1].count == 1
    return (0 if per_tensor else call.axis(axis, x.rank)), block


@row("QuantizeLinear", 28, (F32, F16, BF16, I32), "Divided in f32, rounded to nearest even.")
def quantize_linear(call: Call) -> Value:
    code, x = call.code, call[0]
    axis, block = _axis_of(call, x)
    call.ignore("precision")
    scale, zero = call[1], call.optional(2)
    target = call.attribute("output_dtype") or (U8 if zero is None else zero.element)
    if zero is not None and zero.element is not target:
        raise Refusal("malformed", f"a zero point of {zero.element} for results of {target}")
    if target not in _QUANTIZED:
        raise Refusal("element type", f"results of {target}")
    wide = x if x.element is F32 else code.convert(x, F32)
    scale = code.convert(_spread(code, scale, x, axis, block), F32)
    zero = None if zero is None else _spread(code, zero, x, axis, block)
    return quantized(code, code.div(wide, scale), zero, target, call.attribute("saturate", 1))


def quantized(code: Code, x: Value, zero: Value | None, target: Type, saturate: int = 1) -> Value:
    """Numbers (f32) rounded to whole ones of a type, the zero point added, saturated."""
    if target.is_float:
        if zero is not None and not _is_zero(zero):
            x = code.add(x, code.convert(zero, F32))
        return code.convert(x, target, "saturate" if saturate else "plain")
    whole = code.unary("round", x)
    if zero is not None and not _is_zero(zero):
        whole = code.add(whole, code.convert(zero, F32))
    return code.convert(whole, target)


def _is_zero(zero: Value) -> bool:
    return zero.is_known and not np.any(zero.array.astype(np.float32))


@row("DequantizeLinear", 28, (*_QUANTIZED, I32), "Multiplied in f32.")
def dequantize_linear(call: Call) -> Value:
    code, x = call.code, call[0]
    axis, block = _axis_of(call, x)
    scale, zero = call[1], call.optional(2)
    target = call.attribute("output_dtype") or scale.element
    if zero is not None and not _is_zero(zero):
        zero = _spread(code, zero, x, axis, block)
        if x.element is I32:
            x = code.sub(x, zero)
        else:
            x = code.sub(code.convert(x, F32), code.convert(zero, F32))
    scale = code.convert(_spread(code, scale, x, axis, block), F32)
    return code.convert(code.mul(code.convert(x, F32), scale), target)


# ---- Products -----------------------------------------------------------------------------------


def _as_i8(code: Code, x: Value, zero: int) -> tuple[Value, int]:
    """A u8 as an i8 that stands for the same number, and its zero point."""
    if x.element is I8:
        return x, zero
    return code.convert(code.binary("xor", x, 128), I8), zero - 128


def _less(code: Code, x: Value, zero: Value | None) -> Value:
    """Whole numbers less their zero point, in i16."""
    wide = code.convert(x, I16)
    if zero is None or _is_zero(zero):
        return wide
    return code.sub(wide, code.convert(zero, I16))


def _is_plain(w: Value, zero: Value | None) -> bool:
    """Whether weights are i8 whose zero point is 0."""
    return w.element is I8 and (zero is None or _is_zero(zero))


def _one_known(zero: Value | None) -> int | None:
    """A zero point that is known and the same for all."""
    if zero is None:
        return 0
    if not zero.is_known or zero.count != 1:
        return None
    return int(zero.array.reshape(()))


def _matrix_product(
    code: Code, a: Value, a_zero: Value | None, b: Value, b_zero: Value | None
) -> Value:
    """Of the numbers that a and b stand for, without their scales: i32."""
    zero = _one_known(a_zero)
    if zero is not None and _is_plain(b, b_zero) and b.rank >= 2:
        left, zero = _as_i8(code, a, zero)
        found = product(code, left, b, I32)
        if not zero:
            return found
        sums = code.reduce("sum", code.convert(b, I32), [b.rank - 2])
        sums = code.reshape(sums, (*b.shape[:-2], 1, b.shape[-1]) if a.rank > 1 else sums.shape)
        return code.sub(found, code.mul(sums, zero))
    left = _less(code, a, None if a_zero is None else _of_rows(code, a_zero, a))
    return product(code, left, _less(code, b, b_zero), I32)


def _of_rows(code: Code, given: Value, a: Value) -> Value:
    """A scale or zero point of a's rows, so that it is broadcast over its elements."""
    if given.count == 1:
        return code.reshape(given, ())
    return code.reshape(given, (given.count, 1)) if given.rank == 1 else given


@row("MatMulInteger", 10, _BYTES)
def matmul_integer(call: Call) -> Value:
    return _matrix_product(call.code, call[0], call.optional(2), call[1], call.optional(3))


@row("QLinearMatMul", 21, _BYTES, "Scaled in f32.")
def qlinear_matmul(call: Call) -> Value:
    code, a, b = call.code, call[0], call[3]
    found = _matrix_product(code, a, call[2], b, call[5])
    scale = code.mul(code.convert(_of_rows(code, call[1], a), F32), code.convert(call[4], F32))
    return _requantized(code, found, scale, call[6], call[7])


def _requantized(code: Code, found: Value, scale: Value, y_scale: Value, y_zero: Value) -> Value:
    factor = code.div(scale, code.convert(y_scale, F32))
    wide = code.mul(code.convert(found, F32), factor)
    return quantized(code, wide, y_zero, y_zero.element)


def _convolution(
    call: Call,
    x: Value,
    x_zero: Value | None,
    w: Value,
    w_zero: Value | None,
    bias: Value | None,
) -> Value:
    """Of the numbers that x and w stand for, without their scales: i32."""
    code, groups = call.code, call.attribute("group", 1)
    found = kernel_windows(call, x, w)
    zero = _one_known(x_zero)
    if zero is None or not _is_plain(w, w_zero):
        if w_zero is not None and w_zero.count > 1:
            w_zero = code.reshape(w_zero, (w_zero.count, *(1,) * (w.rank - 1)))
        left, right = _less(code, x, x_zero), _less(code, w, w_zero)
        return convolved(code, left, right, bias, found, groups, I32)
    left, zero = _as_i8(code, x, zero)
    if zero:
        # The border stands for 0, too.
        left = code.pad(left, (0, 0, *found.before), (0, 0, *found.after), zero)
        found = found.without_border()
        sums = code.reduce("sum", code.convert(w, I32), list(range(1, w.rank)))
        less = code.mul(sums, -zero)
        bias = less if bias is None else code.add(bias, less)
    return convolved(code, left, w, bias, found, groups, I32)


@row("ConvInteger", 10, _BYTES)
def conv_integer(call: Call) -> Value:
    return _convolution(call, call[0], call.optional(2), call[1], call.optional(3), None)


@row("QLinearConv", 10, _BYTES, "Scaled in f32.")
def qlinear_conv(call: Call) -> Value:
    code, x, w = call.code, call[0], call[3]
    found = _convolution(call, x, call[2], w, call[5], call.optional(8))
    w_scale = call[4]
    if w_scale.count > 1:
        w_scale = code.reshape(w_scale, (w_scale.count, *(1,) * (x.rank - 2)))
    else:
        w_scale = code.reshape(w_scale, ())
    scale = code.mul(code.reshape(call[1], ()), w_scale)
    return _requantized(code, found, scale, code.reshape(call[6], ()), call[7])
