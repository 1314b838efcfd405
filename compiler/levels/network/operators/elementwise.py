"""Operators that make each element of a result of one element of each operand."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache

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
    converted,
    elements,
    maximum,
    minimum,
    numbers,
)
from compiler.levels.network.operators.type_rules import (
    Values,
    broadcast_shape,
    operator,
    require_one_element,
    require_row,
)
from machines.types import E4M3, E5M2, Type

FAMILY = "elementwise"
Function = Callable[..., np.ndarray]


def _relu(x: np.ndarray) -> np.ndarray:
    return np.where(x > 0, x, x.dtype.type(0))


def _reciprocal_root(x: np.ndarray) -> np.ndarray:
    return 1.0 / np.sqrt(x.astype(np.float64))


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def _silu(x: np.ndarray) -> np.ndarray:
    x = np.maximum(x, x.dtype.type(-700.0))
    return x / (1 + np.exp(-x))


@cache
def _erf_series() -> np.polynomial.Chebyshev:
    """erf(x) / x of t = x**2 / 8 - 1, for x from 0 to 4."""

    def quotient(t: np.ndarray) -> np.ndarray:
        roots = np.sqrt(8 * (t + 1))
        return np.array([math.erf(x) / x for x in roots])

    return np.polynomial.Chebyshev(np.polynomial.chebyshev.chebinterpolate(quotient, 24))


def _error_function(x: np.ndarray) -> np.ndarray:
    wide = x.astype(np.float64)
    inside = np.clip(np.where(np.isnan(wide), 0.0, wide), -4.0, 4.0)
    near = inside * _erf_series()(inside * inside / 8 - 1)
    return np.where(np.abs(wide) < 4.0, near, np.where(np.isnan(wide), wide, np.sign(wide)))


def _gelu(x: np.ndarray) -> np.ndarray:
    wide = np.maximum(x.astype(np.float64), -700.0)
    return 0.5 * wide * (1.0 + _error_function(wide * math.sqrt(0.5)))


UNARY: dict[str, tuple[Function, str]] = {
    "abs": (np.abs, "Magnitudes; MIN wraps."),
    "neg": (np.negative, "Negations; MIN wraps."),
    "relu": (_relu, "Maxima with 0; of NaN 0."),
    "square": (lambda x: x * x, "Products with themselves."),
    "recip": (lambda x: 1 / x, "Reciprocals."),
    "sqrt": (np.sqrt, "Square roots; of negative numbers NaN."),
    "rsqrt": (_reciprocal_root, "Reciprocals of square roots."),
    "floor": (np.floor, "The largest whole numbers that are not larger."),
    "ceil": (np.ceil, "The smallest whole numbers that are not smaller."),
    "round": (np.rint, "The nearest whole numbers, ties to even."),
    "exp": (np.exp, "e to the power of each element."),
    "log": (np.log, "Natural logarithms; of negative numbers NaN."),
    "sin": (np.sin, "Sines of radians."),
    "cos": (np.cos, "Cosines of radians."),
    "tanh": (np.tanh, "Hyperbolic tangents."),
    "sigmoid": (_sigmoid, "1 / (1 + e ** -x)."),
    "erf": (_error_function, "The error function."),
    "gelu": (_gelu, "x / 2 * (1 + erf(x / root of 2))."),
    "silu": (_silu, "x * sigmoid(x)."),
    "not": (np.invert, "Bitwise complements."),
}


def _shift(function: Function) -> Function:
    """A shift whose counts, read as unsigned, are at most one less than the width."""

    def shift(x: np.ndarray, count: np.ndarray) -> np.ndarray:
        bits = 8 * x.dtype.itemsize
        wide = count.astype(np.int64)
        too_far = (wide < 0) | (wide >= bits)
        return function(x, np.where(too_far, 0, wide), too_far)

    return shift


def _left(x: np.ndarray, count: np.ndarray, too_far: np.ndarray) -> np.ndarray:
    return np.where(too_far, 0, x.astype(np.int64) << count)


def _right_signed(x: np.ndarray, count: np.ndarray, too_far: np.ndarray) -> np.ndarray:
    return x.astype(np.int64) >> np.where(too_far, 63, count)


def _right_unsigned(x: np.ndarray, count: np.ndarray, too_far: np.ndarray) -> np.ndarray:
    bits = x.view(f"u{x.dtype.itemsize}").astype(np.uint64)
    return np.where(too_far, np.uint64(0), bits >> count.astype(np.uint64)).view(np.int64)


BINARY: dict[str, tuple[Function, str]] = {
    "add": (np.add, "Sums."),
    "sub": (np.subtract, "Differences."),
    "mul": (np.multiply, "Products."),
    "div": (np.divide, "Quotients."),
    "max": (maximum, "The larger; the other one if one is NaN; +0 is larger than -0."),
    "min": (minimum, "The smaller; the other one if one is NaN; -0 is smaller than +0."),
    "pow": (np.power, "x to the power of y."),
    "and": (np.bitwise_and, "Bitwise and."),
    "or": (np.bitwise_or, "Bitwise or."),
    "xor": (np.bitwise_xor, "Bitwise exclusive or."),
    "shl": (_shift(_left), "Shift left; counts at or past the width give 0."),
    "shr_s": (_shift(_right_signed), "Arithmetic shift right; a count past the width: the sign."),
    "shr_u": (_shift(_right_unsigned), "Logical shift right; a count past the width: 0."),
    "eq": (np.equal, "1 where equal, else 0."),
    "ne": (np.not_equal, "1 where not equal, else 0."),
    "lt": (np.less, "1 where less, else 0."),
    "le": (np.less_equal, "1 where less or equal, else 0."),
    "gt": (np.greater, "1 where greater, else 0."),
    "ge": (np.greater_equal, "1 where greater or equal, else 0."),
}


def _broadcast(types: Types, row: str) -> TensorType:
    element = require_one_element(types)
    require_row(types[0], row)
    return TensorType(element, broadcast_shape(type.shape for type in types))


def _each(name: str, function: Function, sentence: str, operands: str) -> Operator:
    """An operator that is a tensor row of its name, broadcast."""

    def types(given: Types, attributes: Attributes) -> TensorType:
        return _broadcast(given, f"tensor.{name}")

    def evaluate(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
        found = function(*map(numbers, arrays))
        if found.dtype == np.bool_:
            found = found.astype(np.float32 if results[0].element.is_float else np.int8)
        return elements(found, results[0].element)

    return operator(FAMILY, name, sentence, operands, types, evaluate)


# Those that are more -------------------------------------------------------------------------


def _select_types(types: Types, attributes: Attributes) -> TensorType:
    return _broadcast(types, "tensor.select")


def _select(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    p, x, y = arrays
    return np.where(numbers(p) != 0, x, y)


def lowest(types: Types, attributes: Attributes) -> int | float:
    """The least number of the elements, as a default."""
    element = types[0].element
    return -math.inf if element.is_float else element.lowest


def highest(types: Types, attributes: Attributes) -> int | float:
    """The greatest number of the elements, as a default."""
    element = types[0].element
    return math.inf if element.is_float else element.highest


def require_number(value: int | float, element: Type, name: str) -> None:
    """An attribute that is a number of a type of elements; one of floats is rounded."""
    if element.is_float or (isinstance(value, int) and element.lowest <= value <= element.highest):
        return
    raise Unfit(f"'{name}' is {value}, which is no number of {element}")


def _clip_types(types: Types, attributes: Attributes) -> TensorType:
    require_row(types[0], "tensor.clip")
    for name in ("low", "high"):
        require_number(attributes[name], types[0].element, name)
        if attributes[name] != attributes[name]:
            raise Unfit(f"'{name}' is NaN, which is no bound")
    return types[0]


def _clip(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    x = numbers(arrays[0])
    low, high = (np.asarray(attributes[name], x.dtype) for name in ("low", "high"))
    return elements(minimum(maximum(x, low), high), results[0].element)


def _convert_types(types: Types, attributes: Attributes) -> TensorType:
    (x,) = types
    to, mode = attributes["to"], attributes["mode"]
    if x.element is to:
        raise Unfit(f"elements are of {to} already")
    require_row(x, "tensor.copy")
    require_row(TensorType(to, ()), "tensor.copy")
    if mode not in ("plain", "round", "saturate"):
        raise Unfit(f"'mode' is plain, round or saturate, not '{mode}'")
    if mode == "round" and not (x.element.is_float and not to.is_float):
        raise Unfit(f"'round' is for floats that become integers, not for {x.element} as {to}")
    is_small = x.element.is_float and to in (E4M3, E5M2)
    if mode == "saturate" and not is_small and (x.element.is_float or to.is_float):
        raise Unfit(
            "'saturate' is for integers, and for floats that become e4m3 or e5m2, not for"
            f" {x.element} as {to}"
        )
    return TensorType(to, x.shape)


def _convert(arrays: Values, attributes: Attributes, results: Types) -> np.ndarray:
    return converted(arrays[0], attributes["to"], attributes["mode"])


def _operators() -> Iterator[Operator]:
    for name, (function, sentence) in UNARY.items():
        yield _each(name, function, sentence, "x")
    for name, (function, sentence) in BINARY.items():
        yield _each(name, function, sentence, "x y")
    yield operator(FAMILY, "select", "x where p is not 0, else y.", "p x y", _select_types, _select)
    yield operator(
        FAMILY, "clip", "The maximum with `low`, then the minimum with `high`.", "x", _clip_types,
        _clip,
        low=AttributeKind(int | float, "The least that is left.", lowest),
        high=AttributeKind(int | float, "The greatest that is left.", highest),
    )  # fmt: skip
    yield operator(
        FAMILY, "convert", "The elements as those of another type.", "x", _convert_types, _convert,
        to=AttributeKind(Type, "The type of the result's elements."),
        mode=AttributeKind(str, "plain, round (to nearest even) or saturate.", "plain"),
    )  # fmt: skip


OPERATORS = tuple(_operators())
