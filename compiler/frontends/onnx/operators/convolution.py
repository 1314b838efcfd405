"""Convolutions, and those that run backwards."""

from __future__ import annotations

from compiler.frontends.onnx.emitting.call import FLOATS, Call, Family
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value
from compiler.frontends.onnx.operators.images import planar, require_image
from compiler.frontends.onnx.operators.integer_products import (
    are_quantized,
    dequantized_convolution,
)
from compiler.frontends.onnx.operators.products import convolved, kernel_windows

FAMILY = Family("convolution")
row = FAMILY.row


@row("Conv", 22, FLOATS, "Of images of one to three axes; of dequantized numbers in whole ones.")
def conv(call: Call) -> Value:
    code, x, w, bias = call.code, call[0], call[1], call.optional(2)

    def biased(image: Value) -> Value:
        return image if bias is None else code.add(image, bias)

    if are_quantized(x, w, 0):
        return dequantized_convolution(call, x.quantized, w.quantized, biased)
    found = kernel_windows(call, x, w)
    return convolved(code, x, w, found, call.attribute("group", 1), biased)


@row(
    "ConvTranspose",
    22,
    FLOATS,
    "Of images of one or two axes: zeros between points, then a convolution.",
)
def conv_transpose(call: Call) -> Value:
    code, x, w = call.code, call[0], call[1]
    require_image(x, 3, 4)
    groups, axes = call.attribute("group", 1), x.rank - 2
    kernel = tuple(call.attribute("kernel_shape") or w.shape[2:])
    if w.rank != x.rank or kernel != w.shape[2:]:
        raise Refusal("shape or type", f"kernels {list(w.shape)} for an image {list(x.shape)}")
    strides = tuple(call.attribute("strides") or (1,) * axes)
    dilations = tuple(call.attribute("dilations") or (1,) * axes)
    before, after = _trimmed(call, x.shape[2:], kernel, strides, dilations)
    bias = call.optional(2)
    kernels = _turned(code, w, groups)
    if axes == 1:
        strides, dilations, before, after = (
            (one, *given) for one, given in ((1, strides), (1, dilations), (0, before), (0, after))
        )
        o, k, i = kernels.shape
        kernels = code.reshape(kernels, (o, 1, k, i))

    def work(image: Value) -> Value:
        spread = _spread(code, image, strides)
        spread = _with_border(code, spread, before, after)
        found = code.emit("conv", spread, kernels, dilations=dilations, groups=groups)
        return found if bias is None else code.add(found, bias)

    return planar(code, x, work)


def _trimmed(call: Call, extents, kernel, strides, dilations):
    """How much border the spread image has on both sides of each axis; negative: is cut off."""
    axes = len(extents)
    pads = list(call.attribute("pads") or (0,) * (2 * axes))
    more = list(call.attribute("output_padding") or (0,) * axes)
    wanted, how = call.attribute("output_shape"), call.attribute("auto_pad", "NOTSET")
    before, after = [], []
    for k in range(axes):
        reach = dilations[k] * (kernel[k] - 1) + 1
        whole = strides[k] * (extents[k] - 1) + more[k] + reach
        if wanted or how in ("SAME_UPPER", "SAME_LOWER"):
            target = wanted[-axes:][k] if wanted else extents[k] * strides[k]
            total = max(whole - target, 0)
            less, rest = total // 2, total - total // 2
            low, high = (less, rest) if how == "SAME_UPPER" else (rest, less)
            if wanted:
                high -= max(target - whole, 0)
        elif how == "VALID":
            low = high = 0
        else:
            low, high = pads[k], pads[k + axes]
        before.append(reach - 1 - low)
        after.append(reach - 1 - high + more[k])
    return before, after


def _turned(code: Code, w: Value, groups: int) -> Value:
    """Kernels (input channel, output channel of its group, …) as those of the convolution: output
    channel, …, input channel of its group, and each turned around."""
    inputs, outputs, *kernel = w.shape
    axes = len(kernel)
    grouped = code.reshape(w, (groups, inputs // groups, outputs, *kernel))
    order = (0, 2, *range(3, 3 + axes), 1)
    turned = code.transpose(grouped, order)
    turned = code.reshape(turned, (groups * outputs, *kernel, inputs // groups))
    for axis in range(1, 1 + axes):
        turned = code.reversed(turned, axis)
    return turned


def _spread(code: Code, image: Value, strides) -> Value:
    """Zeros between the points of an image (NHWC)."""
    if set(strides) == {1}:
        return image
    n, high, wide, c = image.shape
    down, across = strides
    boxed = code.reshape(image, (n, high, 1, wide, 1, c))
    ends = [0, 0, down - 1, 0, across - 1, 0]
    filled = code.reshape(code.pad(boxed, [0] * 6, ends), (n, high * down, wide * across, c))
    sizes = (n, (high - 1) * down + 1, (wide - 1) * across + 1, c)
    return code.slice(filled, (0,) * 4, sizes)


def _with_border(code: Code, image: Value, before, after) -> Value:
    """Zeros around an image (NHWC), or less of it."""
    pads = [[0, *(max(n, 0) for n in side), 0] for side in (before, after)]
    cuts = [[0, *(max(-n, 0) for n in side), 0] for side in (before, after)]
    image = code.pad(image, *pads)
    sizes = [n - a - b for n, a, b in zip(image.shape, *cuts, strict=True)]
    return code.slice(image, cuts[0], sizes)
