"""The functions of the expression language, each with the rule of its error.

A function is a row of `FUNCTIONS`; it takes how the program rounds and quantities, gives a
quantity, and raises ValueError where it has no value.  Those that numpy has are named, since the
table is read where nothing is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from machines.elements import rounded
from machines.later import Later
from machines.types import ELEMENTS, F32, F64, Type
from sim.workload.integers import absolute, add_up, from_floats, wrapped
from sim.workload.operators import chosen, matrix_product
from sim.workload.quantities import (
    MOST_ELEMENTS,
    Quantity,
    Rounding,
    alike,
    elements,
    integer,
    integers,
    jump,
    like,
    real,
    real_unless,
    shape_text,
    single_integer,
)

np = Later("numpy")


@dataclass(frozen=True)
class Function:
    """A function of the language: how many arguments it takes, and what it computes."""

    apply: Callable[..., Quantity]
    fewest: int
    most: int
    sentence: str


def _each(name: str, own: Callable) -> Callable[[Rounding, Quantity], Quantity]:
    """A function of every element that never falls; `own(result, x)` is what it rounds itself."""

    def apply(rounding: Rounding, x: Quantity) -> Quantity:
        function = getattr(np, name)
        x = rounding.as_float(x)
        value = function(x.value)
        error = jump(function, x) + rounding.once(own(np.abs(value), np.abs(x.value)))
        return real_unless(_is_unsettled(function, value, x), value, error)

    return apply


def _is_unsettled(function: Callable, value: np.ndarray, x: Quantity) -> np.ndarray:
    """Where a function has no finite value, and would have one if x were rounded otherwise."""
    return ~np.isfinite(value) & np.isfinite(function(x.value + x.error))


def _wave(name: str) -> Callable[[Rounding, Quantity], Quantity]:
    """A sine or cosine, which loses of a large argument what the argument's type does not have."""

    def apply(rounding: Rounding, x: Quantity) -> Quantity:
        function = getattr(np, name)
        x = rounding.as_float(x)
        value = np.asarray(function(x.value))
        return real(value, x.error + rounding.once(np.abs(value) + np.abs(x.value)))

    return apply


def _step(name: str) -> Callable[[Rounding, Quantity], Quantity]:
    """A function that rounds to integers: off only where its operand may pass a jump."""

    def apply(rounding: Rounding, x: Quantity) -> Quantity:
        function = getattr(np, name)
        x = rounding.as_float(x)
        return real(function(x.value), jump(function, x))

    return apply


def _root(rounding: Rounding, x: Quantity) -> Quantity:
    x = rounding.as_float(x)
    value = np.asarray(np.sqrt(x.value))
    lowest = np.sqrt(np.maximum(x.value - x.error, 0.0))
    away = np.maximum(np.sqrt(x.value + x.error) - value, value - lowest)
    return real_unless(_is_unsettled(np.sqrt, value, x), value, away + rounding.once(value))


def _absolute(rounding: Rounding, x: Quantity) -> Quantity:
    if x.is_integer:
        return integer(absolute(x.value), x.error)
    return Quantity(np.abs(x.value), x.error)


def _to_integer(rounding: Rounding, x: Quantity) -> Quantity:
    if x.is_integer:
        return x
    return integer(from_floats(np.trunc(x.value)), jump(np.trunc, x))


def _wrapped(type: Type) -> Callable[[Rounding, Quantity], Quantity]:
    """Integers modulo the values of a type."""
    return lambda rounding, x: integer(wrapped(integers(x), type))


def _to_float(rounding: Rounding, x: Quantity) -> Quantity:
    return rounding.as_float(x)


def _rounded(type: Type, saturate: bool = False) -> Callable[[Rounding, Quantity], Quantity]:
    """Floats as the nearest ones of a type."""

    def nearest(x: np.ndarray) -> np.ndarray:
        return rounded(x, type, saturate)

    def apply(rounding: Rounding, x: Quantity) -> Quantity:
        x = rounding.as_float(x)
        return real(nearest(x.value), jump(nearest, x))

    return apply


def _along(name: str) -> Callable[..., Quantity]:
    """A sum over everything, or along one axis, in any order."""

    def apply(rounding: Rounding, x: Quantity, axis: Quantity | None = None) -> Quantity:
        function = getattr(np, name)
        along = None if axis is None else single_integer(axis)
        error = np.asarray(function(x.error, axis=along))
        if x.is_integer:
            return integer(add_up(function, x.value, along), error)
        error = error + rounding.unit * function(np.abs(x.value), axis=along)
        return real(function(x.value, axis=along), error)

    return apply


def _extreme(name: str) -> Callable[..., Quantity]:
    """The extreme of all elements, or of two arrays element by element; NaN loses."""

    def apply(rounding: Rounding, x: Quantity, y: Quantity | None = None) -> Quantity:
        function = getattr(np, name)
        if y is None:
            if not x.value.size:
                raise ValueError("there are no elements")
            return like(x, function.reduce(x.value, axis=None), np.max(x.error))
        x, y = alike(rounding, x, y)
        return like(x, function(x.value, y.value), np.maximum(x.error, y.error))

    return apply


def _dot(rounding: Rounding, x: Quantity, y: Quantity) -> Quantity:
    if x.value.ndim != 1 or x.value.shape != y.value.shape:
        raise ValueError(f"shapes {shape_text(x)} and {shape_text(y)} have no dot product")
    return matrix_product(rounding, x, y)


def _arange(rounding: Rounding, *ends: Quantity) -> Quantity:
    numbers = range(*map(single_integer, ends))
    if len(numbers) > MOST_ELEMENTS:
        raise ValueError(f"more than {MOST_ELEMENTS} elements")
    return rounding.given(np.array(numbers) if len(numbers) else np.zeros(0, np.int64))


def _zeros(rounding: Rounding, *extents: Quantity) -> Quantity:
    shape = tuple(map(single_integer, extents))
    if elements(shape) > MOST_ELEMENTS:
        raise ValueError(f"more than {MOST_ELEMENTS} elements")
    return rounding.given(np.zeros(shape))


def _reshape(rounding: Rounding, x: Quantity, *extents: Quantity) -> Quantity:
    shape = tuple(map(single_integer, extents))
    return Quantity(x.value.reshape(shape), x.error.reshape(shape))


def _transpose(rounding: Rounding, x: Quantity) -> Quantity:
    return Quantity(x.value.T, x.error.T)


def _concatenate(rounding: Rounding, *parts: Quantity) -> Quantity:
    parts = alike(rounding, *parts)
    return Quantity(
        np.concatenate([np.atleast_1d(part.value) for part in parts]),
        np.concatenate([np.atleast_1d(part.error) for part in parts]),
    )


def _length(rounding: Rounding, x: Quantity) -> Quantity:
    if not x.value.ndim:
        raise ValueError("a single number has no length")
    return integer(len(x.value))


def _conversions() -> Iterator[tuple[str, Function]]:
    """To every element type but f64 and booleans, by its name."""
    for name, type in ELEMENTS.items():
        if type.is_integer:
            words = f"{name}(x): the low {type.bits} bits" + (", signed" if type.signed else "")
            yield name, Function(_wrapped(type), 1, 1, words)
        elif type.is_float and type is not F64:
            yield name, Function(_rounded(type), 1, 1, f"{name}(x): rounded to {name}")
            words = f"{name}_saturated(x): the same, at most {type.format.largest:g}"
            if type.bits < F32.bits:
                yield f"{name}_saturated", Function(_rounded(type, True), 1, 1, words)


FUNCTIONS: dict[str, Function] = {
    "sum": Function(_along("sum"), 1, 2, "sum(x) of all elements, sum(x, axis) along one axis"),
    "cumsum": Function(_along("cumsum"), 1, 2, "cumsum(x), cumsum(x, axis): running sums"),
    "min": Function(_extreme("fmin"), 1, 2, "min(x) of all elements, min(x, y) of each pair"),
    "max": Function(_extreme("fmax"), 1, 2, "max(x) of all elements, max(x, y) of each pair"),
    "dot": Function(_dot, 2, 2, "dot(x, y) of two vectors"),
    "where": Function(chosen, 3, 3, "where(condition, x, y): x where the condition is not 0"),
    "arange": Function(_arange, 1, 3, "arange(start = 0, end, step = 1)"),
    "zeros": Function(_zeros, 1, 4, "zeros(extent, …): an array of 0.0"),
    "reshape": Function(_reshape, 2, 5, "reshape(x, extent, …): in another shape"),
    "transpose": Function(_transpose, 1, 1, "transpose(x): axes in reverse order"),
    "concatenate": Function(_concatenate, 1, 8, "concatenate(x, y, …): one after the other"),
    "length": Function(_length, 1, 1, "length(x): extent of the first axis"),
    "abs": Function(_absolute, 1, 1, "abs(x)"),
    "int": Function(_to_integer, 1, 1, "int(x): truncated towards zero"),
    "float": Function(_to_float, 1, 1, "float(x): as f64"),
    "sqrt": Function(_root, 1, 1, "sqrt(x)"),
    "exp": Function(_each("exp", lambda r, x: r * (1 + x)), 1, 1, "exp(x)"),
    "log": Function(_each("log", lambda r, x: r + 1), 1, 1, "log(x), natural"),
    "sin": Function(_wave("sin"), 1, 1, "sin(x), radians"),
    "cos": Function(_wave("cos"), 1, 1, "cos(x), radians"),
    "floor": Function(_step("floor"), 1, 1, "floor(x), as f64"),
    "ceil": Function(_step("ceil"), 1, 1, "ceil(x), as f64"),
    **dict(_conversions()),
}
