"""Integers of any size, as arrays: int64 as long as they fit, Python's integers beyond.

No bit is lost and nothing wraps.  How long integers may become is bounded, so that no expression
takes all memory; what would be longer raises ValueError before it is computed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from machines.elements import as_elements, as_numbers
from machines.later import Later
from machines.types import Type

np = Later("numpy")


MOST_BITS = 1 << 16  # of one integer
MOST_BYTES = 1 << 28  # of all integers of an array, where they are Python's

_LIMIT = 1 << 63  # what is smaller than this in magnitude is an int64
_OBJECT_BYTES = 40  # of a Python integer beside its digits, with the pointer that refers to it


def exact(array: np.ndarray) -> np.ndarray:
    """Integers or booleans of any numpy type, with the values they stand for."""
    if array.dtype == object:
        return _settled(array)
    if array.dtype == np.uint64 and array.size and int(array.max()) >= _LIMIT:
        return array.astype(object)
    return array.astype(np.int64)


def magnitude(array: np.ndarray) -> int:
    """The largest absolute value, 0 of an empty array."""
    return max(int(array.max()), -int(array.min())) if array.size else 0


def together(*arrays: np.ndarray) -> list[np.ndarray]:
    """The arrays in one type, int64 if all of them are."""
    if any(array.dtype == object for array in arrays):
        return [array.astype(object) for array in arrays]
    return list(arrays)


def combine(symbol: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """`a symbol b` element by element, for every operator of the language but `/` and `@`.

    Raises ValueError for a division by zero, a negative power or count of a shift, or integers
    that would be too long.
    """
    if symbol in ("//", "%") and np.any(b == 0):
        raise ValueError(f"'{symbol}' divides by zero")
    if symbol == "**" and np.any(b < 0):
        raise ValueError("an integer has a negative power")
    if symbol in ("<<", ">>") and np.any(b < 0):
        raise ValueError("a shift count is negative")
    count = int(np.prod(np.broadcast_shapes(a.shape, b.shape), dtype=object))
    fits = _fits(_bits(symbol, magnitude(a), magnitude(b)), count)
    if fits and a.dtype == b.dtype == np.int64:
        b = np.minimum(b, 63) if symbol == ">>" else b
        return np.asarray(_OPERATORS[symbol](a, b))
    return _settled(_OPERATORS[symbol](a.astype(object), b.astype(object)))


def negative(a: np.ndarray) -> np.ndarray:
    """-a."""
    return combine("-", np.zeros_like(a), a)


def absolute(a: np.ndarray) -> np.ndarray:
    """|a|."""
    return np.maximum(*together(a, negative(a)))


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product of matrices or vectors; raises ValueError if the shapes do not fit."""
    count = a.size * b.size // max(1, a.shape[-1])
    bits = (magnitude(a) * magnitude(b) * max(1, a.shape[-1])).bit_length()
    if not _fits(bits, count) or a.dtype != b.dtype:
        a, b = a.astype(object), b.astype(object)
    return _settled(np.asarray(a @ b))


def add_up(sums: Callable[..., np.ndarray], a: np.ndarray, axis: int | None) -> np.ndarray:
    """`np.sum` or `np.cumsum` along an axis, or of all elements."""
    bits = (magnitude(a) * max(1, a.size)).bit_length()
    if not _fits(bits, a.size):
        a = a.astype(object)
    return _settled(np.asarray(sums(a, axis=axis)))


def wrapped(a: np.ndarray, type: Type) -> np.ndarray:
    """The integers modulo the number of values of an integer type, as values of that type."""
    if a.dtype == object:
        a = np.asarray(a & ((1 << 64) - 1), dtype=object).astype(np.uint64)
    return exact(as_numbers(as_elements(a, type)))


def from_floats(a: np.ndarray) -> np.ndarray:
    """Floats without a fraction as integers; raises ValueError at one that is not finite."""
    if not np.all(np.isfinite(a)):
        raise ValueError("a value is no number, or infinite")
    if np.all(np.abs(a) < _LIMIT):
        return a.astype(np.int64)
    return np.asarray(np.frompyfunc(int, 1, 1)(a), dtype=object)


def to_floats(a: np.ndarray) -> np.ndarray:
    """The nearest f64 of each; raises ValueError where there is none."""
    try:
        return np.asarray(a.astype(np.float64))
    except OverflowError:
        raise ValueError("an integer is too large for a float") from None


def written(number: int) -> str:
    """An integer for a message, which a long one would fill."""
    number = int(number)
    bits = number.bit_length()
    return str(number) if bits <= 128 else f"an integer of {bits} bits"


_OPERATORS: dict[str, Callable] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}


def _bits(symbol: str, a: int, b: int) -> int:
    """How long the result can be, of operands whose largest magnitudes are `a` and `b`."""
    match symbol:
        case "+" | "-":
            return (a + b).bit_length()
        case "*":
            return (a * b).bit_length()
        case "**":
            return a.bit_length() * b if a > 1 else 1
        case "<<":
            return a.bit_length() + b
        case ">>":
            return a.bit_length()
        case _:
            return max(a, b).bit_length()


def _fits(bits: int, count: int) -> bool:
    """Whether int64 holds the results; raises ValueError if not even memory does."""
    if bits < 64:
        return True
    if bits > MOST_BITS:
        raise ValueError(f"an integer may become longer than {MOST_BITS} bits")
    if count * (bits // 8 + _OBJECT_BYTES) > MOST_BYTES:
        raise ValueError(f"{count} integers of up to {bits} bits are too many")
    return False


def _settled(array: np.ndarray) -> np.ndarray:
    """In int64, if all of them fit."""
    array = np.asarray(array, dtype=getattr(array, "dtype", object))  # numpy gives bare integers
    if array.dtype == object and magnitude(array) < _LIMIT:
        return array.astype(np.int64)
    return array
