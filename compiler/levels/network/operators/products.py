"""Products of matrices, and convolutions."""

from __future__ import annotations

import numpy as np

from compiler.levels.network.network import (
    AttributeKind,
    Attributes,
    TensorType,
    Types,
    Unfit,
)
from compiler.levels.network.operators.numbers import elements, numbers
from compiler.levels.network.operators.type_rules import (
    Values,
    accumulated,
    broadcast_shape,
    given_element,
    operator,
    require_rank,
)
from compiler.levels.network.operators.window_geometry import WINDOW_ATTRIBUTES, Windows, windows
from machines.types import Type

FAMILY = "product"
CHUNK = 1 << 21
"""Points of windows that are laid out at once."""
_TO = AttributeKind(Type, "The type in which it is accumulated, and that it gives.", given_element)


def _product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Products of matrices; those of integers are exact, but for what i64 wraps.

    There is no fast product of integers: what an f64 holds is computed in f64.
    """
    if a.dtype.kind == "f":
        return np.matmul(a, b)
    bits = 8 * a.dtype.itemsize
    if 2 * (bits - a.dtype.kind.count("i")) + int(a.shape[-1]).bit_length() <= 53:
        return np.matmul(a.astype(np.float64), b.astype(np.float64)).astype(np.int64)
    return np.matmul(a.astype(np.int64), b.astype(np.int64))


def _matmul_types(types: Types, attributes: Attributes) -> TensorType:
    a, b = types
    target = accumulated(types, attributes, "tensor.matmul")
    for name, type in (("a", a), ("b", b)):
        require_rank(type, name, range(2, 33), "a matrix or a tensor of matrices")
    (m, k), (rows, n) = a.shape[-2:], b.shape[-2:]
    if attributes["transposed"]:
        rows, n = n, rows
    if k != rows:
        raise Unfit(f"'a' has {k} columns, and 'b' {rows} rows: a product takes as many")
    return TensorType(target, (*broadcast_shape((a.shape[:-2], b.shape[:-2])), m, n))


def _matmul(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    a, b = map(numbers, arrays)
    b = np.swapaxes(b, -1, -2) if attributes["transposed"] else b
    return elements(_product(a, b), results[0].element)


def _conv_windows(x: TensorType, w: TensorType, attributes: Attributes) -> Windows:
    return windows(*x.shape[1:3], w.shape[1:3], attributes)


def _conv_types(types: Types, attributes: Attributes) -> TensorType:
    x, w = types
    target = accumulated(types, attributes, "tensor.conv")
    require_rank(x, "x", (4,), "[images, height, width, channels]")
    require_rank(w, "w", (4,), "[output channels, rows, columns, input channels / groups]")
    (n, _, _, channels), (out, _, _, each) = x.shape, w.shape
    groups = attributes["groups"]
    if groups < 1 or channels % groups or out % groups:
        raise Unfit(f"'groups' is {groups}, which does not divide {channels} and {out} channels")
    if channels != each * groups:
        raise Unfit(f"'x' has {channels} channels, and 'w' is for {each * groups}")
    found = _conv_windows(x, w, attributes)
    return TensorType(target, (n, found.high, found.wide, out))


def _conv(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    x, w = map(numbers, arrays)
    found = windows(*x.shape[1:3], w.shape[1:3], attributes)
    x, groups = np.ascontiguousarray(found.padded(x, 0)), attributes["groups"]
    if w.shape[3] == 1 and groups == w.shape[0]:
        return elements(_depthwise(x, w, found), results[0].element)
    return elements(_grouped(x, w, found, groups), results[0].element)


def _depthwise(x: np.ndarray, w: np.ndarray, found: Windows) -> np.ndarray:
    """Each channel with a kernel of its own: sums over points of windows."""
    if x.dtype.kind != "f":
        x, w = x.astype(np.int64), w.astype(np.int64)
    total = np.zeros((x.shape[0], found.high, found.wide, x.shape[3]), x.dtype)
    for row in range(found.rows):
        for column in range(found.columns):
            total += found.point(x, row, column) * w[:, row, column, 0]
    return total


def _grouped(x: np.ndarray, w: np.ndarray, found: Windows, groups: int) -> np.ndarray:
    """Windows laid out as rows of matrices, some rows of an image at a time, times kernels."""
    n, out, each = x.shape[0], w.shape[0], w.shape[3]
    size = found.rows * found.columns * each
    kernels = np.ascontiguousarray(w.reshape(groups, out // groups, size).transpose(0, 2, 1))
    all = _in_groups(found.all(x), groups)
    total = None
    step = max(1, CHUNK // (found.wide * size * groups))
    for image in range(n):
        for low in range(0, found.high, step):
            part = all[image, low : low + step]
            laid = part.transpose(4, 0, 1, 2, 3, 5).reshape(groups, -1, size)
            product = _product(laid, kernels)
            if total is None:
                total = np.empty((n, found.high, found.wide, groups, out // groups), product.dtype)
            into = total[image, low : low + step]
            into[...] = product.reshape(groups, *into.shape[:2], -1).transpose(1, 2, 0, 3)
    return total.reshape(n, found.high, found.wide, out)


def _in_groups(all: np.ndarray, groups: int) -> np.ndarray:
    """The last axis of a view as groups and what is in each, still a view."""
    *shape, channels = all.shape
    *strides, last = all.strides
    each = channels // groups
    return np.lib.stride_tricks.as_strided(
        all, (*shape, groups, each), (*strides, each * last, last), writeable=False
    )


OPERATORS = (
    operator(
        FAMILY, "matmul", "Products of matrices; batches are broadcast.", "a b",
        _matmul_types, _matmul,
        to=_TO,
        transposed=AttributeKind(bool, "Whether b is […, n, k].", False),
    ),
    operator(
        FAMILY, "conv", "Convolutions of images (NHWC) with kernels (output channel, row, column,"
        " input channel).", "x w", _conv_types, _conv,
        **WINDOW_ATTRIBUTES,
        groups=AttributeKind(int, "Groups of channels, each of which sees its own.", 1),
        to=_TO,
    ),
)  # fmt: skip
