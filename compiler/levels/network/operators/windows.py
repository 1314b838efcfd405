"""Pools: one number of each window of an image, channel by channel."""

from __future__ import annotations

import numpy as np

from compiler.levels.network.network import AttributeKind, Attributes, TensorType, Types
from compiler.levels.network.operators.numbers import elements, maximum, numbers
from compiler.levels.network.operators.type_rules import (
    Values,
    operator,
    require_rank,
    require_row,
)
from compiler.levels.network.operators.window_geometry import WINDOW_ATTRIBUTES, Windows, windows
from machines.elements import type_of

FAMILY = "window"
_KERNEL = AttributeKind(tuple, "Rows and points of a window.")


def _windows(shape: tuple[int, ...], attributes: Attributes) -> Windows:
    return windows(*shape[1:3], attributes["kernel"], attributes)


def _types_of(row: str):
    def types(given: Types, attributes: Attributes) -> TensorType:
        (x,) = given
        require_row(x, row)
        require_rank(x, "x", (4,), "[images, height, width, channels]")
        found = _windows(x.shape, attributes)
        return TensorType(x.element, (x.shape[0], found.high, found.wide, x.shape[3]))

    return types


def _points(x: np.ndarray, found: Windows):
    return (found.point(x, r, c) for r in range(found.rows) for c in range(found.columns))


def _maximum(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    (array,), element = arrays, type_of(arrays[0].dtype)
    least = -np.inf if element.is_float else element.lowest
    found = _windows(array.shape, attributes)
    x = found.padded(numbers(array), least)
    total = np.full((x.shape[0], found.high, found.wide, x.shape[3]), least, x.dtype)
    for point in _points(x, found):
        total = maximum(total, point)
    return elements(total, element)


def _average(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    x = numbers(arrays[0])
    found = _windows(x.shape, attributes)
    count = found.rows * found.columns
    if not attributes["borders"]:
        inside = found.padded(np.ones((1, *x.shape[1:3], 1), x.dtype), 0)
        count = sum(_points(inside, found))
    total = sum(_points(found.padded(x, 0), found))
    return elements((total / count).astype(x.dtype), results[0].element)


OPERATORS = (
    operator(
        FAMILY, "pool_max", "The maximum of each window; NaN and the border are passed over.", "x",
        _types_of("tensor.pool_max"), _maximum, kernel=_KERNEL, **WINDOW_ATTRIBUTES,
    ),
    operator(
        FAMILY, "pool_average", "The mean of each window.", "x",
        _types_of("tensor.pool_average"), _average, kernel=_KERNEL, **WINDOW_ATTRIBUTES,
        borders=AttributeKind(bool, "Whether points beyond the image count, as zeros.", True),
    ),
)  # fmt: skip
