"""Products of matrices and convolutions of any type, before anybody asks what the numbers mean."""

from __future__ import annotations

from collections.abc import Callable

from compiler.frontends.onnx.emitting.call import Call
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value
from compiler.frontends.onnx.operators.images import (
    channels_first,
    channels_last,
    planar,
    require_image,
)
from compiler.frontends.onnx.operators.windows import Windows, part, windows
from machines.types import Type

Finish = Callable[[Value], Value]
"""What becomes of an image with channels behind: a bias is added, say."""


def product(code: Code, a: Value, b: Value, to: Type | None = None) -> Value:
    """As numpy.matmul has it: vectors are rows on the left, and columns on the right."""
    if not a.rank or not b.rank:
        raise Refusal("malformed", "one number is no matrix")
    wide_a = code.reshape(a, (1, *a.shape)) if a.rank == 1 else a
    wide_b = code.reshape(b, (*b.shape, 1)) if b.rank == 1 else b
    if wide_b.rank == 2 < wide_a.rank:  # one matrix of all rows
        *outer, k = wide_a.shape
        rows = code.reshape(wide_a, (wide_a.count // max(k, 1), k))
        found = code.reshape(code.matmul(rows, wide_b, to), (*outer, wide_b.shape[1]))
    else:
        found = code.matmul(wide_a, wide_b, to)
    shape = list(found.shape)
    if b.rank == 1:
        del shape[-1]
    if a.rank == 1:
        del shape[-1 if b.rank == 1 else -2]
    return code.reshape(found, shape)


def kernel_windows(call: Call, x: Value, w: Value) -> Windows:
    """Those of a convolution of an image with kernels, both with channels in front."""
    require_image(x)
    if w.rank != x.rank:
        raise Refusal("shape or type", f"kernels {list(w.shape)} for an image {list(x.shape)}")
    kernel = call.attribute("kernel_shape") or w.shape[2:]
    if tuple(kernel) != w.shape[2:]:
        raise Refusal("malformed", f"kernel_shape {list(kernel)} of kernels {list(w.shape)}")
    return windows(call, x.shape[2:], kernel)


def convolved(
    code: Code,
    x: Value,
    w: Value,
    found: Windows,
    groups: int,
    finish: Finish,
    to: Type | None = None,
) -> Value:
    """An image with channels in front, convolved; `finish` is applied while they are behind."""

    def plane(image: Value, kernels: Value, geometry: Windows) -> Value:
        more = {} if to is None or to is image.element else {"to": to}
        return code.emit(
            "conv", image, kernels, strides=geometry.strides, dilations=geometry.dilations,
            pads=(*geometry.before, *geometry.after), groups=groups, **more,
        )  # fmt: skip

    if x.rank == 5:
        return channels_first(code, finish(_deep(code, x, w, found, plane)))
    kernels = channels_last(code, w)
    geometry = found
    if x.rank == 3:
        o, k, i = kernels.shape
        kernels, geometry = code.reshape(kernels, (o, 1, k, i)), part(found, (None, 0))
    return planar(code, x, lambda image: finish(plane(image, kernels, geometry)))


def _deep(code: Code, x: Value, w: Value, found: Windows, plane) -> Value:
    """Of three axes: for each plane of the kernels the planes of the image that it meets, convolved
    with it, and the sum of all.  Gives channels behind."""
    image, kernels = channels_last(code, x), channels_last(code, w)
    n, _, high, wide, c = image.shape
    ends = ([0, found.before[0], 0, 0, 0], [0, found.after[0], 0, 0, 0])
    image, flat, total = code.pad(image, *ends), part(found, (1, 2)), None
    count = found.counts[0]
    for k in range(found.kernel[0]):
        first = k * found.dilations[0]
        planes = code.slice(
            image, (0, first, 0, 0, 0), (n, count, high, wide, c), (1, found.strides[0], 1, 1, 1)
        )
        kernel = code.cut(kernels, 1, k, 1)
        kernel = code.reshape(kernel, (kernels.shape[0], *kernels.shape[2:]))
        product = plane(code.reshape(planes, (n * count, high, wide, c)), kernel, flat)
        total = product if total is None else code.add(total, product)
    return code.reshape(total, (n, count, *total.shape[1:]))
