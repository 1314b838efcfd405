"""Quantized numbers: whole numbers q that stand for (q - zero point) * scale."""

from __future__ import annotations

from dataclasses import replace

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
from compiler.frontends.onnx.emitting.values import Quantized, Value
from compiler.frontends.onnx.operators.integer_products import (
    integer_convolution,
    integer_product,
    is_zero,
    of_rows,
)
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
        if zero is not None and not is_zero(zero):
            x = code.add(x, code.convert(zero, F32))
        return code.convert(x, target, "saturate" if saturate else "plain")
    whole = code.unary("round", x)
    if zero is not None and not is_zero(zero):
        whole = code.add(whole, code.convert(zero, F32))
    return code.convert(whole, target)


@row("DequantizeLinear", 28, (*_QUANTIZED, I32), "Multiplied in f32.")
def dequantize_linear(call: Call) -> Value:
    code, x = call.code, call[0]
    axis, block = _axis_of(call, x)
    scale, zero = call[1], call.optional(2)
    target = call.attribute("output_dtype") or scale.element
    numbers = None if block else Quantized(x, scale, zero, axis)
    if zero is not None and not is_zero(zero):
        zero = _spread(code, zero, x, axis, block)
        if x.element is I32:
            x = code.sub(x, zero)
        else:
            x = code.sub(code.convert(x, F32), code.convert(zero, F32))
    scale = code.convert(_spread(code, scale, x, axis, block), F32)
    found = code.convert(code.mul(code.convert(x, F32), scale), target)
    return replace(found, quantized=numbers)


@row("MatMulInteger", 10, _BYTES)
def matmul_integer(call: Call) -> Value:
    return integer_product(call.code, call[0], call.optional(2), call[1], call.optional(3))


@row("QLinearMatMul", 21, _BYTES, "Scaled in f32.")
def qlinear_matmul(call: Call) -> Value:
    code, a, b = call.code, call[0], call[3]
    found = integer_product(code, a, call[2], b, call[5])
    scale = code.mul(code.convert(of_rows(code, call[1]), F32), code.convert(call[4], F32))
    return _requantized(code, found, scale, call[6], call[7])


def _requantized(code: Code, found: Value, scale: Value, y_scale: Value, y_zero: Value) -> Value:
    factor = code.div(scale, code.convert(y_scale, F32))
    wide = code.mul(code.convert(found, F32), factor)
    return quantized(code, wide, y_zero, y_zero.element)


@row("ConvInteger", 10, _BYTES)
def conv_integer(call: Call) -> Value:
    zeros = call.optional(2), call.optional(3)
    return integer_convolution(call, call[0], zeros[0], call[1], zeros[1], lambda image: image)


@row("QLinearConv", 10, _BYTES, "Scaled in f32.")
def qlinear_conv(call: Call) -> Value:
    code, x, w = call.code, call[0], call[3]
    w_scale, bias, y_zero = call[4], call.optional(8), code.reshape(call[7], ())
    w_scale = code.reshape(w_scale, () if w_scale.count == 1 else (w_scale.count,))
    scale, y_scale = code.mul(code.reshape(call[1], ()), w_scale), code.reshape(call[6], ())

    def requantized(image: Value) -> Value:
        whole = image if bias is None else code.add(image, bias)
        return _requantized(code, whole, scale, y_scale, y_zero)

    return integer_convolution(call, x, call[2], w, call[5], requantized)
