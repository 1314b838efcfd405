"""Values of the expression language: arrays, and how far a program's may be from them.

Integers are exact and have no error.  Floats are f64 here; the program computes them in a type of
its own, in an order of its own.  `error` is a running bound on what that makes: each operation that
has something to round adds `unit` times its magnitudes, and hands on what its operands have
(Higham, Accuracy and Stability of Numerical Algorithms, section 3.3).

Where a function jumps (floor, int, %, //, comparisons) the bound is the jump, at those elements
whose operand is no farther from it than its own error, and nothing elsewhere.  So a comparison
that depends on rounding makes an integer with an error of 1; a function of exact integers raises
ValueError at one, and an output of integers cannot be judged by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from machines.elements import as_numbers, rounded, spacing, type_of
from machines.later import Later
from machines.types import F32, Type
from sim.workload.integers import exact, to_floats, together

np = Later("numpy")

MOST_ELEMENTS = 1 << 24  # elements of any intermediate array: 128 MiB of f64
SLACK = 4
"""Machine epsilons that an operation may be off: libraries differ, and sums are made in any order.
"""


class Quantity(NamedTuple):
    """A value (int64, Python's integers, or f64) and, of the same shape, the bound on its error.

    terms  of a float that is a sum, the magnitudes of all its terms together: a program may add
           them in another order
    """

    value: np.ndarray
    error: np.ndarray
    terms: np.ndarray | None = None

    @property
    def magnitude(self) -> np.ndarray:
        """How large the numbers are that it is added up of."""
        return np.abs(self.value) if self.terms is None else self.terms

    @property
    def is_integer(self) -> bool:
        return self.value.dtype.kind in "iO"

    @property
    def is_exact(self) -> bool:
        """Whether no element has an error."""
        return not np.any(self.error)


@dataclass(frozen=True)
class Rounding:
    """The type of floats that the program computes in."""

    type: Type

    @property
    def unit(self) -> float:
        return SLACK * self.type.format.epsilon

    @property
    def is_single(self) -> bool:
        return self.type is F32

    def once(self, magnitudes: np.ndarray) -> np.ndarray:
        """The error of numbers that have been rounded; of halves many are subnormal, and have the
        error of the smallest normal one."""
        least = self.type.format.least
        return self.unit * np.where((magnitudes > 0) & (magnitudes < least), least, magnitudes)

    def of(self, value: np.ndarray, rest: np.ndarray | float = 0.0) -> np.ndarray | float:
        """The error of rounding `value` + `rest` to the type.

        None if there is nothing to round in any element.  What is exact in one element by chance
        is not in a program that comes to the same in another way.
        """
        if np.all(rounded(value, self.type) == value) and np.all(rest == 0):
            return 0.0
        return self.once(np.abs(value))

    def of_sum(self, terms: np.ndarray, *operands: np.ndarray) -> np.ndarray | float:
        """The error of adding operands, where all terms together have magnitudes `terms`.

        None if the sum is exact in any order, in every element: then all are multiples of what the
        type's numbers as large as `terms` are multiples of.
        """
        step = spacing(rounded(terms, self.type), self.type)
        if all(np.all(np.fmod(operand, step) == 0) for operand in operands):
            return 0.0
        return self.unit * terms

    def given(self, array: np.ndarray | float | int) -> Quantity:
        """An input or a constant."""
        array = np.asarray(array)
        value = as_numbers(array)
        if value.dtype.kind != "f":
            return integer(value)
        value = value.astype(np.float64)
        is_own = type_of(array.dtype) is self.type
        return real(value, 0.0 if is_own else self.of(value))

    def rounded(self, array: np.ndarray | float | int) -> Quantity:
        """What somebody else computed, or wrote in decimal: it has been rounded once."""
        value = as_numbers(np.asarray(array))
        if value.dtype.kind != "f":
            return integer(value)
        value = value.astype(np.float64)
        return real(value, self.once(np.abs(value)))

    def as_float(self, q: Quantity) -> Quantity:
        """Integers as floats."""
        if not q.is_integer:
            return q
        value = to_floats(q.value)
        return real(value, q.error + self.of(value))


def real(value: np.ndarray | float, error: np.ndarray | float) -> Quantity:
    """A float; what is infinite or NaN has no error, and an error that is NaN no bound."""
    value = np.asarray(value)
    if not np.any(error):  # NaN is not nothing
        return Quantity(value, np.broadcast_to(0.0, value.shape))
    error = np.where(np.isnan(error), np.inf, error)
    return Quantity(value, np.where(np.isfinite(value), error, 0.0))


def real_unless(unsettled: np.ndarray, value: np.ndarray, error: np.ndarray | float) -> Quantity:
    """A float; anything where it is `unsettled` whether there is one: 1 / (0.1 * 3 - 0.3)."""
    return real(np.where(unsettled, 0.0, value), np.where(unsettled, np.inf, error))


def integer(value: np.ndarray | int, error: np.ndarray | float = 0.0) -> Quantity:
    """An integer; it has an error only if it depends on how a float was rounded."""
    value = exact(np.asarray(value))
    return Quantity(value, np.broadcast_to(error, value.shape))


def like(q: Quantity, value: np.ndarray, error: np.ndarray) -> Quantity:
    """A quantity of the kind of `q`."""
    return integer(value, error) if q.is_integer else real(value, np.asarray(error))


def jump(function: Callable, q: Quantity) -> np.ndarray:
    """How far a function that never falls goes while its operand is within its error."""
    if q.is_exact:
        return q.error
    here = function(q.value)
    away = np.maximum(function(q.value + q.error) - here, here - function(q.value - q.error))
    return np.where(q.error == 0, 0.0, away)


def integers(q: Quantity) -> np.ndarray:
    """The value, which must be integers that depend on no rounding."""
    if not q.is_integer:
        raise ValueError("integers are needed here; int(x) truncates")
    if not q.is_exact:
        raise ValueError(f"{unsure(q)} depends on how a float is rounded")
    return q.value


def unsure(q: Quantity) -> str:
    """The first integer with an error, for a message: 'element [3]'."""
    index = np.argwhere(q.error)[0]
    return f"element [{', '.join(map(str, index))}]" if len(index) else "the value"


def single_integer(q: Quantity) -> int:
    """The value, which must be one integer."""
    if q.value.ndim:
        raise ValueError("a single integer is needed here")
    return int(integers(q))


def alike(rounding: Rounding, *parts: Quantity) -> list[Quantity]:
    """The quantities all as integers of one type, or else all as floats."""
    if all(part.is_integer for part in parts):
        values = together(*(part.value for part in parts))
        return [Quantity(value, q.error) for value, q in zip(values, parts, strict=True)]
    return [rounding.as_float(part) for part in parts]


def elements(shape: Iterable[int]) -> int:
    """How many elements an array of this shape has."""
    total = 1
    for extent in shape:
        total *= max(0, extent)
    return total


def shape_text(q: Quantity) -> str:
    """The shape for a message: '3×4'."""
    return "×".join(map(str, q.value.shape)) or "of a single number"
