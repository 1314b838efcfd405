"""Operators along the last axis that scale each row by what the whole of it is."""

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
    operator,
    require_axis,
    require_one_element,
    require_row,
    shown,
)

FAMILY = "normalizing"
_EPSILON = AttributeKind(float, "What is added to the mean square.", 1e-5)


def _types_of(row: str):
    """The type of x; further operands are one row."""

    def types(given: Types, attributes: Attributes) -> TensorType:
        x, *rows = given
        require_one_element(given)
        require_row(x, row)
        require_axis(len(x.shape) - 1, len(x.shape), "the last axis")
        for name, type in zip(("scale", "shift"), rows, strict=False):
            if type.shape != x.shape[-1:]:
                raise Unfit(f"'{name}' is {shown(type.shape)}, not {shown(x.shape[-1:])}")
        return x

    return types


def _exponentials(array: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Elements less the largest of their row, their exponentials, and the sum of those."""
    x = numbers(array)
    x = x - np.fmax.reduce(x, axis=-1, keepdims=True)
    found = np.exp(x)
    return x, found, np.sum(found, axis=-1, keepdims=True)


def _softmax(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    _, found, total = _exponentials(arrays[0])
    return elements(found / total, results[0].element)


def _log_softmax(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    x, _, total = _exponentials(arrays[0])
    return elements(x - np.log(total), results[0].element)


def _scaled(x: np.ndarray, rows: list[np.ndarray], epsilon: float) -> np.ndarray:
    """Divided by the root of the mean square, times the first row, plus the second."""
    mean = np.mean(x * x, axis=-1, keepdims=True)
    found = x / np.sqrt(mean + x.dtype.type(epsilon)) * rows[0]
    return found + rows[1] if len(rows) > 1 else found


def _layer_norm(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    x, *rows = map(numbers, arrays)
    x = x - np.mean(x, axis=-1, keepdims=True)
    return elements(_scaled(x, rows, attributes["epsilon"]), results[0].element)


def _rms_norm(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    x, *rows = map(numbers, arrays)
    return elements(_scaled(x, rows, attributes["epsilon"]), results[0].element)


OPERATORS = (
    operator(
        FAMILY, "softmax", "Exponentials of a row, divided by their sum.", "x",
        _types_of("tensor.exp"), _softmax,
    ),
    operator(
        FAMILY, "log_softmax", "Logarithms of the softmax.", "x",
        _types_of("tensor.log"), _log_softmax,
    ),
    operator(
        FAMILY, "layer_norm", "A row less its mean, divided by its standard deviation, times"
        " scale, plus shift.", "x scale shift?",
        _types_of("tensor.rsqrt"), _layer_norm, epsilon=_EPSILON,
    ),
    operator(
        FAMILY, "rms_norm", "A row divided by the root of its mean square, times scale.", "x scale",
        _types_of("tensor.rsqrt"), _rms_norm, epsilon=_EPSILON,
    ),
)  # fmt: skip
