"""The binary operators of the expression language, each with the rule of its error.

Integers stay integers under all of them but `/`.  Operands of the others have shapes that fit
together; what has no value raises ValueError.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from machines.later import Later
from sim.workload.integers import combine, product
from sim.workload.quantities import (
    Quantity,
    Rounding,
    alike,
    integer,
    integers,
    jump,
    like,
    real,
    real_unless,
    shape_text,
)

np = Later("numpy")

_ONLY_INTEGERS = ("&", "|", "^", "<<", ">>")
_COMPARE = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def binary(rounding: Rounding, symbol: str, a: Quantity, b: Quantity) -> Quantity:
    """`a symbol b`."""
    if symbol in _COMPARE:
        return _compared(rounding, symbol, a, b)
    if symbol == "@":
        return matrix_product(rounding, a, b)
    if a.is_integer and b.is_integer and symbol != "/":
        return _of_integers(symbol, a, b)
    if symbol in _ONLY_INTEGERS:
        raise ValueError(f"'{symbol}' takes integers")
    a, b = rounding.as_float(a), rounding.as_float(b)
    return _OF_FLOATS[symbol](rounding, a, b)


def _of_integers(symbol: str, a: Quantity, b: Quantity) -> Quantity:
    if a.is_exact and b.is_exact:
        return integer(combine(symbol, a.value, b.value))
    if symbol in ("+", "-"):
        return integer(combine(symbol, a.value, b.value), a.error + b.error)
    if symbol == "*":
        return integer(combine(symbol, a.value, b.value), _error_of_product(a, b))
    return integer(combine(symbol, integers(a), integers(b)))


def _compared(rounding: Rounding, symbol: str, a: Quantity, b: Quantity) -> Quantity:
    """0 or 1; either may come out where the operands are no farther apart than their errors."""
    if a.is_integer != b.is_integer:
        a, b = rounding.as_float(a), rounding.as_float(b)
    value = _COMPARE[symbol](a.value, b.value).astype(np.int64)
    if a.is_exact and b.is_exact:
        return integer(value)
    error = a.error + b.error
    near = np.abs(np.asarray(a.value - b.value, np.float64)) <= error
    return integer(value, np.where(near & (error > 0), 1.0, 0.0))


def _added(rounding: Rounding, a: Quantity, b: Quantity) -> Quantity:
    value = a.value + b.value
    terms = a.magnitude + b.magnitude
    added = real(value, a.error + b.error + rounding.of_sum(terms, a.value, b.value))
    return added._replace(terms=terms)


def _subtracted(rounding: Rounding, a: Quantity, b: Quantity) -> Quantity:
    return _added(rounding, a, b._replace(value=-b.value))


def _multiplied(rounding: Rounding, a: Quantity, b: Quantity) -> Quantity:
    value = a.value * b.value
    own = rounding.of(value, _left_over(rounding, a.value, b.value, value))
    return real(value, _error_of_product(a, b) + own)


def _left_over(
    rounding: Rounding, a: np.ndarray, b: np.ndarray, product: np.ndarray
) -> np.ndarray | float:
    """a·b - product without rounding (Dekker's product of two); NaN where it overflows.

    Products of f32 fit into f64.
    """
    if rounding.is_single:
        return 0.0
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    return a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2)


def _halves(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The upper and the lower bits of each, which add up to it (Veltkamp's split)."""
    c = a * 134217729.0  # 2**27 + 1
    high = c - (c - a)
    return high, a - high


def _error_of_product(a: Quantity, b: Quantity) -> np.ndarray | float:
    """What the errors of a and b make of a · b."""
    if a.is_exact and b.is_exact:
        return 0.0
    x, y = (np.abs(np.asarray(q.value, np.float64)) for q in (a, b))
    error = x * b.error + y * a.error + a.error * b.error
    return np.where((a.error == 0) & (b.error == 0), 0.0, error)


def _divided(rounding: Rounding, a: Quantity, b: Quantity) -> Quantity:
    value = a.value / b.value
    product = value * b.value
    rest = (product - a.value) + _left_over(rounding, value, b.value, product)
    return real_unless(_may_be_zero(b), value, _handed_on(a, b, value) + rounding.of(value, rest))


def _may_be_zero(b: Quantity) -> np.ndarray:
    """Where a divisor is 0, and would not be if it were rounded in another way."""
    return (b.value == 0) & (b.error > 0)


def _handed_on(a: Quantity, b: Quantity, quotient: np.ndarray) -> np.ndarray | float:
    """What the errors of a and b make of a / b; no bound if b may be 0."""
    if a.is_exact and b.is_exact:
        return 0.0
    least = np.abs(b.value) - b.error
    error = (a.error + np.abs(quotient) * b.error) / least
    error = np.where((a.error == 0) & (b.error == 0), 0.0, error)
    return np.where((least <= 0) & (b.error > 0), np.inf, error)


def _to_the_power(rounding: Rounding, a: Quantity, b: Quantity) -> Quantity:
    value = np.power(a.value, b.value)
    error = np.zeros(value.shape)
    if not (a.is_exact and b.is_exact):
        for x in (a.value - a.error, a.value + a.error):
            for y in (b.value - b.error, b.value + b.error):
                error = np.maximum(error, np.abs(np.power(x, y) - value))
    unsettled = _may_be_zero(a) & (b.value < 0)
    return real_unless(unsettled, value, error + rounding.once(np.abs(value)))


def _floor_divided(rounding: Rounding, a: Quantity, b: Quantity) -> Quantity:
    value = np.floor_divide(a.value, b.value)
    return real_unless(_may_be_zero(b), value, _jump_of_quotient(rounding, a, b))


def _remainder(rounding: Rounding, a: Quantity, b: Quantity) -> Quantity:
    """a - b·⌊a / b⌋: where the quotient may jump, the remainder jumps by b."""
    value = np.mod(a.value, b.value)
    floor = np.where(b.error > 0, np.abs(np.floor(a.value / b.value)), 0.0)
    steady = a.error + floor * b.error + rounding.once(np.abs(value))
    jumps = _jump_of_quotient(rounding, a, b)
    error = steady + np.where(jumps, jumps * (np.abs(b.value) + b.error), 0.0)
    return real_unless(_may_be_zero(b), value, error)


def _jump_of_quotient(rounding: Rounding, a: Quantity, b: Quantity) -> np.ndarray:
    """By how many integers the floor of the quotient may be off."""
    quotient = a.value / b.value
    error = _handed_on(a, b, quotient)
    # A quotient of exact numbers that is an integer is found exactly.
    rounds = (error > 0) | (np.mod(a.value, b.value) != 0)
    error = error + np.where(rounds, rounding.once(np.abs(quotient)), 0.0)
    return jump(np.floor, real(quotient, error))


_OF_FLOATS: dict[str, Callable[[Rounding, Quantity, Quantity], Quantity]] = {
    "+": _added,
    "-": _subtracted,
    "*": _multiplied,
    "/": _divided,
    "//": _floor_divided,
    "%": _remainder,
    "**": _to_the_power,
}


def matrix_product(rounding: Rounding, a: Quantity, b: Quantity) -> Quantity:
    """Sums of products, in any order; also of two vectors."""
    if not _have_a_product(a.value.shape, b.value.shape):
        raise ValueError(f"'@' cannot multiply shapes {shape_text(a)} and {shape_text(b)}")
    if a.is_integer and b.is_integer:
        return integer(product(integers(a), integers(b)))
    a, b = rounding.as_float(a), rounding.as_float(b)
    x, y = np.abs(a.value), np.abs(b.value)
    error = x @ b.error + a.error @ y + a.error @ b.error + 2 * rounding.once(x @ y)
    return real(a.value @ b.value, error)


def _have_a_product(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    return 1 <= len(left) <= 2 and 1 <= len(right) <= 2 and left[-1] == right[0]


def chosen(rounding: Rounding, condition: Quantity, x: Quantity, y: Quantity) -> Quantity:
    """x where the condition is not 0, else y; both may come out where that depends on rounding."""
    if not condition.is_integer:
        condition = _compared(rounding, "!=", condition, integer(0))
    x, y = alike(rounding, x, y)
    is_x = condition.value != 0
    error = np.where(is_x, x.error, y.error)
    if not condition.is_exact:
        apart = np.abs(np.asarray(x.value - y.value, np.float64))
        both = np.maximum(x.error, y.error) + np.where(x.value == y.value, 0.0, apart)
        error = np.where(condition.error > 0, both, error)
    value = np.where(is_x, x.value, y.value)
    return like(x, value, error)
