"""Values of the expression language, and its functions.

A function is a row of `FUNCTIONS`; it takes and gives quantities and raises ValueError where it has
no value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

MOST_ELEMENTS = 1 << 26  # elements of any intermediate array: 512 MiB of f64


class Quantity(NamedTuple):
    """A value and, of the same shape, the sum of the magnitudes of the terms that made it.

    The second part is the scale of rounding errors: where terms cancel, a result far smaller than
    its terms cannot be more exact than they are.
    """

    value: np.ndarray
    terms: np.ndarray


def quantity(value: np.ndarray | float | int) -> Quantity:
    """An input or a constant as a quantity."""
    array = np.asarray(value)
    if array.dtype.kind == "u":
        array = array.astype(np.uint64).view(np.int64)
    elif array.dtype.kind in "ib":
        array = array.astype(np.int64)
    else:
        array = array.astype(np.float64)
    return Quantity(array, np.abs(array.astype(np.float64)))


def integers(q: Quantity) -> np.ndarray:
    """The value, which must be integers."""
    if q.value.dtype.kind != "i":
        raise ValueError("integers are needed here; int(x) truncates")
    return q.value


def single_integer(q: Quantity) -> int:
    """The value, which must be one integer."""
    if q.value.ndim:
        raise ValueError("a single integer is needed here")
    return int(integers(q))


def elements(shape: Iterable[int]) -> int:
    """How many elements an array of this shape has."""
    total = 1
    for extent in shape:
        total *= max(0, extent)
    return total


def shape_text(q: Quantity) -> str:
    """The shape for a message: '3×4'."""
    return "×".join(map(str, q.value.shape)) or "of a single number"


@dataclass(frozen=True)
class Function:
    """A function of the language: how many arguments it takes, and what it computes."""

    apply: Callable[..., Quantity]
    fewest: int
    most: int
    sentence: str


def _each(function: Callable, scale: Callable) -> Callable[[Quantity], Quantity]:
    """An f64 function of every element; `scale(result, x, terms)` is its error scale."""

    def apply(x: Quantity) -> Quantity:
        value = np.asarray(function(x.value.astype(np.float64)))
        return Quantity(value, scale(np.abs(value), x.value, x.terms))

    return apply


def _absolute(x: Quantity) -> Quantity:
    return Quantity(np.abs(x.value), x.terms)


def _to_integer(x: Quantity) -> Quantity:
    if x.value.dtype.kind == "i":
        return quantity(x.value)
    whole = np.trunc(x.value)
    if not np.all((whole >= -(2.0**63)) & (whole < 2.0**63)):
        raise ValueError("a value does not fit into 64 bits")
    return quantity(whole.astype(np.int64))


def _wrapped(dtype: type[np.integer]) -> Callable[[Quantity], Quantity]:
    """Integers modulo the values of a narrower type."""
    return lambda x: quantity(integers(x).astype(dtype))


def _to_float(x: Quantity) -> Quantity:
    return Quantity(x.value.astype(np.float64), x.terms)


def _to_f32(x: Quantity) -> Quantity:
    return Quantity(x.value.astype(np.float32).astype(np.float64), x.terms)


def _along(function: Callable) -> Callable[..., Quantity]:
    """A sum over everything, or along one axis."""

    def apply(x: Quantity, axis: Quantity | None = None) -> Quantity:
        along = None if axis is None else single_integer(axis)
        return Quantity(*(np.asarray(function(part, axis=along)) for part in x))

    return apply


def _extreme(function: np.ufunc) -> Callable[..., Quantity]:
    """The extreme of all elements, or of two arrays element by element; NaN loses."""

    def apply(x: Quantity, y: Quantity | None = None) -> Quantity:
        if y is None:
            if not x.value.size:
                raise ValueError("there are no elements")
            return Quantity(np.asarray(function.reduce(x.value, axis=None)), np.max(x.terms))
        return Quantity(np.asarray(function(x.value, y.value)), np.maximum(x.terms, y.terms))

    return apply


def _dot(x: Quantity, y: Quantity) -> Quantity:
    if x.value.ndim != 1 or x.value.shape != y.value.shape:
        raise ValueError(f"shapes {shape_text(x)} and {shape_text(y)} have no dot product")
    return Quantity(np.asarray(x.value @ y.value), np.asarray(x.terms @ y.terms))


def _where(condition: Quantity, x: Quantity, y: Quantity) -> Quantity:
    chosen = condition.value != 0
    return Quantity(
        np.where(chosen, x.value, y.value),
        np.where(chosen, x.terms, y.terms),
    )


def _arange(*ends: Quantity) -> Quantity:
    numbers = range(*map(single_integer, ends))
    if len(numbers) > MOST_ELEMENTS:
        raise ValueError(f"more than {MOST_ELEMENTS} elements")
    return quantity(np.arange(numbers.start, numbers.stop, numbers.step))


def _zeros(*extents: Quantity) -> Quantity:
    shape = tuple(map(single_integer, extents))
    if elements(shape) > MOST_ELEMENTS:
        raise ValueError(f"more than {MOST_ELEMENTS} elements")
    return quantity(np.zeros(shape))


def _reshape(x: Quantity, *extents: Quantity) -> Quantity:
    shape = tuple(map(single_integer, extents))
    return Quantity(x.value.reshape(shape), x.terms.reshape(shape))


def _transpose(x: Quantity) -> Quantity:
    return Quantity(x.value.T, x.terms.T)


def _concatenate(*parts: Quantity) -> Quantity:
    return Quantity(
        np.concatenate([np.atleast_1d(part.value) for part in parts]),
        np.concatenate([np.atleast_1d(part.terms) for part in parts]),
    )


def _length(x: Quantity) -> Quantity:
    if not x.value.ndim:
        raise ValueError("a single number has no length")
    return quantity(len(x.value))


FUNCTIONS: dict[str, Function] = {
    "sum": Function(_along(np.sum), 1, 2, "sum(x) of all elements, sum(x, axis) along one axis"),
    "cumsum": Function(_along(np.cumsum), 1, 2, "cumsum(x), cumsum(x, axis): running sums"),
    "min": Function(_extreme(np.fmin), 1, 2, "min(x) of all elements, min(x, y) of each pair"),
    "max": Function(_extreme(np.fmax), 1, 2, "max(x) of all elements, max(x, y) of each pair"),
    "dot": Function(_dot, 2, 2, "dot(x, y) of two vectors"),
    "where": Function(_where, 3, 3, "where(condition, x, y): x where the condition is not 0"),
    "arange": Function(_arange, 1, 3, "arange(start = 0, end, step = 1)"),
    "zeros": Function(_zeros, 1, 4, "zeros(extent, …): an array of 0.0"),
    "reshape": Function(_reshape, 2, 5, "reshape(x, extent, …): in another shape"),
    "transpose": Function(_transpose, 1, 1, "transpose(x): axes in reverse order"),
    "concatenate": Function(_concatenate, 1, 8, "concatenate(x, y, …): one after the other"),
    "length": Function(_length, 1, 1, "length(x): extent of the first axis"),
    "abs": Function(_absolute, 1, 1, "abs(x)"),
    "int": Function(_to_integer, 1, 1, "int(x): truncated towards zero"),
    "i8": Function(_wrapped(np.int8), 1, 1, "i8(x): the low 8 bits, signed"),
    "i16": Function(_wrapped(np.int16), 1, 1, "i16(x): the low 16 bits, signed"),
    "i32": Function(_wrapped(np.int32), 1, 1, "i32(x): the low 32 bits, signed"),
    "u8": Function(_wrapped(np.uint8), 1, 1, "u8(x): the low 8 bits"),
    "u16": Function(_wrapped(np.uint16), 1, 1, "u16(x): the low 16 bits"),
    "u32": Function(_wrapped(np.uint32), 1, 1, "u32(x): the low 32 bits"),
    "float": Function(_to_float, 1, 1, "float(x): as f64"),
    "f32": Function(_to_f32, 1, 1, "f32(x): rounded to f32"),
    "sqrt": Function(_each(np.sqrt, lambda r, x, t: np.sqrt(t)), 1, 1, "sqrt(x)"),
    "exp": Function(_each(np.exp, lambda r, x, t: r * (1 + t)), 1, 1, "exp(x)"),
    "log": Function(_each(np.log, lambda r, x, t: r + t / np.abs(x)), 1, 1, "log(x), natural"),
    "sin": Function(_each(np.sin, lambda r, x, t: r + t), 1, 1, "sin(x), radians"),
    "cos": Function(_each(np.cos, lambda r, x, t: r + t), 1, 1, "cos(x), radians"),
    "floor": Function(_each(np.floor, lambda r, x, t: r), 1, 1, "floor(x), as f64"),
    "ceil": Function(_each(np.ceil, lambda r, x, t: r), 1, 1, "ceil(x), as f64"),
}
