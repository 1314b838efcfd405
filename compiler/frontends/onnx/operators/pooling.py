"""Pools, of windows and of whole images."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from compiler.frontends.onnx.emitting.call import FLOATS, FUNCTIONS_OF, I8, U8, Call, Family
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value
from compiler.frontends.onnx.operators.images import (
    channels_first,
    channels_last,
    require_image,
)
from compiler.frontends.onnx.operators.windows import Windows, part, windows

FAMILY = Family("pooling")
row = FAMILY.row
Pool = Callable[[Value, Windows], Value]


def _over_all(call: Call, x: Value, pool: Pool) -> Value:
    """`pool` over an image (NHWC) of two axes, done for one of one to three."""
    code = call.code
    require_image(x)
    found = windows(call, x.shape[2:], call.required("kernel_shape"))
    last = channels_last(code, x)
    n, *extents, c = last.shape
    if len(extents) == 1:
        line = code.reshape(last, (n, 1, *extents, c))
        pooled = pool(line, part(found, (None, 0)))
    elif len(extents) == 2:
        pooled = pool(last, found)
    else:
        deep, high, wide = extents
        planes = pool(code.reshape(last, (n * deep, high, wide, c)), part(found, (1, 2)))
        _, high, wide, _ = planes.shape
        stack = code.reshape(planes, (n, deep, high * wide, c))
        pooled = pool(stack, part(found, (0, None)))
    return channels_first(code, code.reshape(pooled, (n, *found.counts, c)))


def _geometry(found: Windows) -> dict[str, tuple[int, ...]]:
    after = (a + rest for a, rest in zip(found.after, found.rest, strict=True))
    return {
        "kernel": found.kernel,
        "strides": found.strides,
        "dilations": found.dilations,
        "pads": (*found.before, *after),
    }


@row("MaxPool", 22, (*FLOATS, I8, U8), "Of NaN and numbers the largest number; without the places.")
def pool_max(call: Call) -> Value:
    call.ignore("storage_order")

    def pool(x: Value, found: Windows) -> Value:
        return call.code.emit("pool_max", x, **_geometry(found))

    return _over_all(call, call[0], pool)


def _counted(found: Windows, extents: tuple[int, ...]) -> np.ndarray:
    """How many points of each window lie on an image and its padding: (rows, points)."""
    axes = []
    for k, extent in enumerate(extents):
        span = extent + found.before[k] + found.after[k]
        first = np.arange(found.counts[k]) * found.strides[k]
        points = first[:, None] + np.arange(found.kernel[k]) * found.dilations[k]
        axes.append((points < span).sum(axis=1))
    return np.multiply.outer(*axes)


def average(code: Code, x: Value, found: Windows, borders: bool) -> Value:
    """The means of windows over an image (NHWC); with `borders` padding counts, as zeros."""
    pooled = code.emit("pool_average", x, **_geometry(found), borders=borders)
    if not borders or not any(found.rest):
        return pooled
    # What a last window reaches beyond the padding does not count.
    factor = math.prod(found.kernel) / _counted(found, x.shape[1:3])
    return code.mul(pooled, code.numbers(factor[:, :, None], x))


@row("AveragePool", 22, FLOATS)
def pool_average(call: Call) -> Value:
    borders = bool(call.attribute("count_include_pad", 0))
    return _over_all(call, call[0], lambda x, found: average(call.code, x, found, borders))


@row("LpPool", 22, FUNCTIONS_OF)
def pool_norm(call: Call) -> Value:
    code, p = call.code, call.attribute("p", 2)

    def pool(x: Value, found: Windows) -> Value:
        pooled = code.emit("pool_average", x, **_geometry(found), borders=True)
        return code.mul(pooled, math.prod(found.kernel))

    return norm_of(code, call[0], p, lambda x: _over_all(call, x, pool))


def norm_of(code: Code, x: Value, p: int, total: Callable[[Value], Value]) -> Value:
    """The p-th root of what `total` gives of the p-th powers of magnitudes."""
    if p == 1:
        return total(code.unary("abs", x))
    if p == 2:
        return code.unary("sqrt", total(code.unary("square", x)))
    if p < 1:
        raise Refusal("malformed", f"p = {p}")
    size = code.unary("abs", x)
    powers = size
    for _ in range(p - 1):
        powers = code.mul(powers, size)
    root = code.mul(code.unary("log", total(powers)), 1 / p)
    return code.unary("exp", root)


def _global(name: str, newest: int, types, pool: Callable[[Call, Value], Value]) -> None:
    @row(name, newest, types)
    def lower(call: Call) -> Value:
        x = call[0]
        require_image(x, 3, 32)
        found = pool(call, x)
        return call.code.reshape(found, (*x.shape[:2], *(1,) * (x.rank - 2)))


def _axes(x: Value) -> range:
    return range(2, x.rank)


def _mean(call: Call, x: Value) -> Value:
    return mean(call.code, x, list(_axes(x)))


def mean(code: Code, x: Value, axes: list[int]) -> Value:
    """The mean along axes, which are gone."""
    count = math.prod(x.shape[axis] for axis in axes)
    return code.mul(code.reduce("sum", x, axes), 1 / count) if axes else x


def _norm(call: Call, x: Value) -> Value:
    def total(powers: Value) -> Value:
        return call.code.reduce("sum", powers, list(_axes(x)))

    return norm_of(call.code, x, call.attribute("p", 2), total)


_global("GlobalAveragePool", 22, FLOATS, _mean)
_global("GlobalMaxPool", 22, FLOATS, lambda call, x: call.code.reduce("max", x, list(_axes(x))))
_global("GlobalLpPool", 22, FUNCTIONS_OF, _norm)
