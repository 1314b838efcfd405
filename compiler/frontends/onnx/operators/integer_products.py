"""Products of whole numbers q that stand for (q - zero point), exact in i32.

Where the weights are i8 with zero point 0, as nearly all are, they are products of i8: a u8 is an
i8 once 128 is taken from it and from its zero point, and what the zero point of the left side adds,
it times the sum of the weights, is taken away afterwards.  Otherwise both sides are i16 with their
zero points taken away before.

A product of dequantized numbers is that of the whole numbers, times both scales: what a model in
QDQ form says in floats is done so.
"""

from __future__ import annotations

import numpy as np

from compiler.frontends.onnx.emitting.call import Call
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.values import Quantized, Value
from compiler.frontends.onnx.operators.products import (
    Finish,
    convolved,
    kernel_windows,
    product,
)
from machines.types import F32, I8, I16, I32, U8


def are_quantized(x: Value, w: Value, axis: int) -> bool:
    """Whether both are dequantized bytes: x with one scale for all, w with one for all or one for
    each place along an axis."""
    a, b = x.quantized, w.quantized
    if a is None or b is None or x.element is not F32:
        return False
    if not {a.numbers.element, b.numbers.element} <= {I8, U8}:
        return False
    return a.scale.count == 1 and (b.scale.count == 1 or b.axis == axis)


def dequantized_product(
    code: Code, a: Quantized, b: Quantized, turn_a: bool = False, turn_b: bool = False
) -> Value:
    """The product of matrices of what both stand for, f32."""
    left = code.transpose(a.numbers, (1, 0)) if turn_a else a.numbers
    right = code.transpose(b.numbers, (1, 0)) if turn_b else b.numbers
    found = integer_product(code, left, a.zero, right, b.zero)
    return _scaled(code, found, a, b)


def dequantized_convolution(call: Call, x: Quantized, w: Quantized, finish: Finish) -> Value:
    """The convolution of what both stand for, f32."""

    def scaled(image: Value) -> Value:
        return finish(_scaled(call.code, image, x, w))

    return integer_convolution(call, x.numbers, x.zero, w.numbers, w.zero, scaled)


def _scaled(code: Code, found: Value, a: Quantized, b: Quantized) -> Value:
    """Times both scales, of which the second may be one for each place along the last axis."""
    scales = [code.reshape(q.scale, () if q.scale.count == 1 else q.scale.shape) for q in (a, b)]
    return code.mul(code.convert(found, F32), code.mul(*scales))


def is_zero(zero: Value | None) -> bool:
    """Whether a zero point is known to be 0."""
    if zero is None:
        return True
    return zero.is_known and not np.any(zero.array.astype(np.float32))


def _as_i8(code: Code, x: Value, zero: int) -> tuple[Value, int]:
    """A u8 as an i8 that stands for the same number, and its zero point."""
    if x.element is I8:
        return x, zero
    return code.convert(code.binary("xor", x, 128), I8), zero - 128


def _less(code: Code, x: Value, zero: Value | None) -> Value:
    """Whole numbers less their zero point, in i16."""
    wide = code.convert(x, I16)
    return wide if is_zero(zero) else code.sub(wide, code.convert(zero, I16))


def _is_plain(w: Value, zero: Value | None) -> bool:
    """Whether weights are i8 whose zero point is 0."""
    return w.element is I8 and is_zero(zero)


def _one_known(zero: Value | None) -> int | None:
    """A zero point that is known and the same for all."""
    if zero is None:
        return 0
    if not zero.is_known or zero.count != 1:
        return None
    return int(zero.array.reshape(()))


def integer_product(
    code: Code, a: Value, a_zero: Value | None, b: Value, b_zero: Value | None
) -> Value:
    """As numpy.matmul has it; zero points of a are one for all or one a row."""
    zero = _one_known(a_zero)
    if zero is not None and _is_plain(b, b_zero) and b.rank >= 2:
        left, zero = _as_i8(code, a, zero)
        found = product(code, left, b, I32)
        if not zero:
            return found
        sums = code.reduce("sum", code.convert(b, I32), [b.rank - 2])
        sums = code.reshape(sums, (*b.shape[:-2], 1, b.shape[-1]) if a.rank > 1 else sums.shape)
        return code.sub(found, code.mul(sums, zero))
    left = _less(code, a, None if a_zero is None else of_rows(code, a_zero))
    return product(code, left, _less(code, b, b_zero), I32)


def of_rows(code: Code, given: Value) -> Value:
    """A scale or zero point of rows, so that it is broadcast over the elements of a matrix."""
    if given.count == 1:
        return code.reshape(given, ())
    return code.reshape(given, (given.count, 1)) if given.rank == 1 else given


def integer_convolution(
    call: Call,
    x: Value,
    x_zero: Value | None,
    w: Value,
    w_zero: Value | None,
    finish: Finish,
) -> Value:
    """Of an image with channels in front; the border stands for 0.  `finish` is given i32."""
    code, groups = call.code, call.attribute("group", 1)
    found = kernel_windows(call, x, w)
    zero = _one_known(x_zero)
    if zero is None or not _is_plain(w, w_zero):
        if w_zero is not None and w_zero.count > 1:
            w_zero = code.reshape(w_zero, (w_zero.count, *(1,) * (w.rank - 1)))
        left, right = _less(code, x, x_zero), _less(code, w, w_zero)
        return convolved(code, left, right, found, groups, finish, I32)
    left, zero = _as_i8(code, x, zero)
    if not zero:
        return convolved(code, left, w, found, groups, finish, I32)
    left = code.pad(left, (0, 0, *found.before), (0, 0, *found.after), zero)
    sums = code.reduce("sum", code.convert(w, I32), list(range(1, w.rank)))
    less = code.mul(sums, -zero)

    def corrected(image: Value) -> Value:
        return finish(code.add(image, less))

    return convolved(code, left, w, found.without_border(), groups, corrected, I32)
