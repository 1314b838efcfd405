"""Operators that make one element of many along axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from compiler.levels.network.network import (
    AttributeKind,
    Attributes,
    Operator,
    TensorType,
    Types,
    Unfit,
)
from compiler.levels.network.operators.numbers import (
    elements,
    largest,
    numbers,
    smallest,
    total,
)
from compiler.levels.network.operators.type_rules import (
    Shape,
    Values,
    operator,
    require_axis,
    require_row,
    shown,
)
from machines.types import I32

FAMILY = "reduction"


def _product(x: np.ndarray, axes: Shape) -> np.ndarray:
    return np.prod(x, axis=axes, dtype=np.float64 if x.dtype.kind == "f" else x.dtype)


REDUCTIONS: dict[str, tuple[Callable[[np.ndarray, Shape], np.ndarray], str]] = {
    "sum": (total, "The sum along axes."),
    "max": (largest, "The maximum along axes; NaN is passed over."),
    "min": (smallest, "The minimum along axes; NaN is passed over."),
    "prod": (_product, "The product along axes."),
}


def _without(x: TensorType, axes: Shape) -> Shape:
    return tuple(extent for k, extent in enumerate(x.shape) if k not in axes)


def _reduction(name: str, function: Callable[[np.ndarray, Shape], np.ndarray], sentence: str):
    def types(given: Types, attributes: Attributes) -> TensorType:
        (x,), axes = given, attributes["axes"]
        require_row(x, f"tensor.reduce_{name}")
        if not axes:
            raise Unfit("'axes' has no axis")
        for axis in axes:
            require_axis(axis, len(x.shape), "axes")
        if sorted(set(axes)) != list(axes):
            raise Unfit(f"'axes' are in ascending order, each once, not {shown(axes)}")
        return TensorType(x.element, _without(x, axes))

    def evaluate(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
        return elements(function(numbers(arrays[0]), attributes["axes"]), results[0].element)

    axes = AttributeKind(tuple, "The axes that are gone afterwards, ascending.")
    return operator(FAMILY, f"reduce_{name}", sentence, "x", types, evaluate, axes=axes)


def _place(name: str, function: Callable, last: float):
    """argmax, argmin: the first one; NaN only if all are."""

    def types(given: Types, attributes: Attributes) -> TensorType:
        (x,), axis = given, attributes["axis"]
        require_axis(axis, len(x.shape))
        # The rows give places as i32: 'tensor.reduce_argmax.f32.i32'.
        require_row(x, "tensor.reduce_max")
        return TensorType(I32, _without(x, (axis,)))

    def evaluate(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
        x, axis = numbers(arrays[0]), attributes["axis"]
        if x.dtype.kind != "f" or not np.isnan(x).any():
            return function(x, axis=axis).astype(np.int32)
        unknown = np.isnan(x)
        found = function(np.where(unknown, last, x), axis=axis)
        chosen = np.take_along_axis(unknown, np.expand_dims(found, axis), axis).squeeze(axis)
        return np.where(chosen, np.argmin(unknown, axis=axis), found).astype(np.int32)

    what = f"The place of the first {name[3:]}imum along an axis; NaN only if all are."
    axis = AttributeKind(int, "The axis that is gone afterwards.")
    return operator(FAMILY, name, what, "x", types, evaluate, axis=axis)


def _cumulative_types(types: Types, attributes: Attributes) -> TensorType:
    require_row(types[0], "tensor.reduce_sum")
    require_axis(attributes["axis"], len(types[0].shape))
    return types[0]


def _cumulative(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    x, axis = numbers(arrays[0]), attributes["axis"]
    if attributes["reverse"]:
        x = np.flip(x, axis)
    found = np.cumsum(x, axis=axis, dtype=np.float64 if x.dtype.kind == "f" else x.dtype)
    if attributes["exclusive"]:
        first, rest = np.split(np.roll(found, 1, axis), [1], axis)
        found = np.concatenate([np.zeros_like(first), rest], axis)
    found = np.flip(found, axis) if attributes["reverse"] else found
    return elements(found, results[0].element)


def _operators() -> Iterator[Operator]:
    for name, (function, sentence) in REDUCTIONS.items():
        yield _reduction(name, function, sentence)
    yield _place("argmax", np.argmax, -np.inf)
    yield _place("argmin", np.argmin, np.inf)
    yield operator(
        FAMILY, "cumulative_sum", "Sums of all elements up to each one, along an axis.", "x",
        _cumulative_types, _cumulative,
        axis=AttributeKind(int, "Along which axis."),
        exclusive=AttributeKind(bool, "Whether an element is not in its own sum.", False),
        reverse=AttributeKind(bool, "Whether the sums begin at the end.", False),
    )  # fmt: skip


OPERATORS = tuple(_operators())
