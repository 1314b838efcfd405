"""The levels of an axis: values in a list, in equal steps, by equal factors, or between two ends.

    values: [5 cycles, 8 cycles]            these
    {from: 1, to: 9, step: 2}               1, 3, 5, 7, 9
    {from: 8 KiB, to: 64 KiB, factor: 2}    8, 16, 32, 64 KiB
    {from: 1, to: 100, count: 5, scale: log}  5 of them, by equal factors
    {from: 8 KiB, to: 64 KiB}               whatever lies between: for studies that draw points

A number may have a unit behind it, as in a machine's file.  Numbers are the decimal fractions that
they are written as, so a range ends where it says and its steps are equal; levels by equal factors
have twelve digits.  What lies between two whole numbers is whole; between quantities of bytes,
cycles, hertz and bytes a second it is a whole number of these.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from machines.description.schema import BYTES, CYCLES, HERTZ, NANOSECONDS, RATE, Quantity
from machines.diagnostics import InputError, input_error

MOST_LEVELS = 100_000
"""Of an axis."""
MOST_BY_FACTOR = 1_000
"""Of an axis whose levels are found by factors, each of which has more digits than the last."""
_NUMBER = re.compile(
    r"([+-]?\d[\d_]{0,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,2})?)(?:\s*([A-Za-zµ/]+))?"
)
_QUANTITIES = (BYTES, CYCLES, HERTZ, NANOSECONDS, RATE)
_SCALES = ("linear", "log")
MOST_NUMBER = 10**60
"""Far beyond any figure, argument or seed."""
MOST_INTEGER = 1 << 63
MOST_DIGITS = 6
"""Behind the point, of a level that a range finds."""


@dataclass(frozen=True)
class Number:
    """A number as it is written: its value, its unit (None: it has none), whether it is whole."""

    value: Fraction
    unit: str | None = None
    is_whole: bool = True

    @property
    def plain(self) -> int | float | str:
        """As it is written in a file."""
        is_integer = self.value.denominator == 1 and (self.is_whole or self.unit is not None)
        number = int(self.value) if is_integer else float(self.value)
        return number if self.unit is None else f"{number} {self.unit}"

    @property
    def quantity(self) -> Quantity | None:
        """What it is a number of; None of a plain one."""
        return next((q for q in _QUANTITIES if self.unit in q.units), None)

    @property
    def exact(self) -> Fraction:
        """In the base unit: bytes, cycles, hertz, nanoseconds, bytes a second."""
        quantity = self.quantity
        return self.value if quantity is None else self.value * quantity.units[self.unit]

    @property
    def base(self) -> int | float:
        """The same for expressions: whole numbers are integers, as long as these have 64 bits."""
        number = self.exact
        is_integer = number.denominator == 1 and (self.is_whole or self.unit is not None)
        return int(number) if is_integer and abs(number) < MOST_INTEGER else float(number)

    def equals(self, other: Number) -> bool:
        """Whether both are as much of the same."""
        return self.quantity is other.quantity and self.exact == other.exact


def number_of(value: Any) -> Number | None:
    """The number that a value is, None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, int | float):
        is_float = isinstance(value, float)
        if (is_float and not math.isfinite(value)) or abs(value) > MOST_NUMBER:
            return None
        return Number(Fraction(repr(value)), None, not is_float)
    match = _NUMBER.fullmatch(value.strip())
    number = match and Number(Fraction(match[1].replace("_", "")), match[2])
    return number if number is not None and number.quantity is not None else None


@dataclass(frozen=True)
class Span:
    """What lies between two numbers of one unit."""

    low: Number
    high: Number
    is_log: bool

    def holds(self, number: Number) -> bool:
        """Whether a number lies between them."""
        is_of_it = number.quantity is self.low.quantity
        return is_of_it and self.low.exact <= number.exact <= self.high.exact

    def at(self, share: float | Fraction) -> int | float | str:
        """The number so far on the way from low to high."""
        low, high = self.low.exact, self.high.exact
        if self.is_log and 0 < share < 1:
            value = Fraction(f"{float(low) * float(high / low) ** float(share):.12g}")
        else:
            value = low + (high - low) * Fraction(share)
        return self.written(value)

    def drawn(self, share: float | Fraction) -> int | float | str:
        """The number that a share in [0, 1) draws: of whole numbers each is drawn by as much of
        that as every other one, by equal factors by as much as its part of the way to the next."""
        low, high = self.low.exact, self.high.exact
        if not self._is_whole:
            return self.at(share)
        if self.is_log:
            value = Fraction(float(low) * float((high + 1) / low) ** float(share))
        else:
            value = low + (high + 1 - low) * Fraction(share)
        return self.written(Fraction(min(max(math.floor(value), low), high)))

    @property
    def _is_whole(self) -> bool:
        """Whether what lies between is whole numbers of the base unit."""
        quantity, ends = self.low.quantity, (self.low, self.high)
        is_whole = all(end.is_whole for end in ends) if quantity is None else quantity.whole
        return is_whole and all(end.exact.denominator == 1 for end in ends)

    def written(self, value: Fraction) -> int | float | str:
        """A number in the base unit as a level: whole where such numbers are, and in the unit of
        the lower end if that writes it exactly in a few digits."""
        quantity, unit = self.low.quantity, self.low.unit
        if quantity is None:
            return round(value) if self.low.is_whole and self.high.is_whole else float(value)
        value = Fraction(round(value)) if quantity.whole else value
        number = value / quantity.units[unit]
        if any((number * 10**digits).denominator == 1 for digits in range(MOST_DIGITS + 1)):
            return Number(number, unit).plain
        return f"{int(value) if quantity.whole else float(value)} {quantity.base}"


@dataclass(frozen=True)
class Range:
    """A range as a study writes it; raises InputError, of the whole, for what is none."""

    first: Any
    last: Any
    step: Any = None
    factor: Any = None
    count: int | None = None
    scale: str | None = None

    def span(self) -> Span:
        """The ends, in the unit of the first."""
        low, high = number_of(self.first), number_of(self.last)
        for name, end in (("from", low), ("to", high)):
            if end is None:
                raise input_error(f"'{name}' is no number: {getattr(self, _END[name])!r}")
        if high.quantity is not low.quantity:
            raise input_error(f"{self.first!r} and {self.last!r} are not of one unit")
        if low.exact > high.exact:
            raise input_error(f"'from' ({self.first}) must not exceed 'to' ({self.last})")
        is_log = self.scale == "log" or self.factor is not None
        if is_log and low.value <= 0:
            raise input_error("a range by factors begins above 0")
        return Span(low, high, is_log)

    def levels(self) -> list[int | float | str] | None:
        """The levels of the range; None if it says only what lies between."""
        if self.scale is not None and self.scale not in _SCALES:
            raise input_error(f"'scale' is one of {', '.join(_SCALES)}")
        given = [n for n in ("step", "factor", "count") if getattr(self, n) is not None]
        if len(given) > 1:
            raise input_error(f"'{given[0]}' and '{given[1]}' exclude each other")
        for name, scale in (("factor", "log"), ("step", "linear")):
            if getattr(self, name) is not None and self.scale not in (None, scale):
                raise input_error(f"'{name}' is of a range whose scale is {scale}")
        span = self.span()
        if not given:
            return None
        if self.count is not None:
            if not 1 <= self.count <= MOST_LEVELS:
                raise input_error(f"'count' is between 1 and {MOST_LEVELS}")
            shares = [Fraction(k, max(1, self.count - 1)) for k in range(self.count)]
            found = list(dict.fromkeys(span.at(share) for share in shares))
            if len(found) < self.count:
                message = (
                    f"there are not {self.count} whole numbers from {self.first} to {self.last}"
                )
                raise input_error(message, hint="write ends like 0.0, or a smaller 'count'")
            return found
        return list(self._stepped(span))

    def _stepped(self, span: Span) -> Iterator[int | float | str]:
        name = "step" if self.step is not None else "factor"
        by = number_of(getattr(self, name))
        if by is None or by.value <= (0 if name == "step" else 1):
            raise input_error(f"'{name}' is a number above {0 if name == 'step' else 1}")
        if by.unit is not None and (name == "factor" or by.quantity is not span.low.quantity):
            raise input_error(f"'{name}' ({getattr(self, name)}) is not of the unit of 'from'")
        low, high, unit = span.low.exact, span.high.exact, span.low.unit
        factor = span.low.quantity.units[unit] if unit is not None else 1
        by_exact = by.exact if by.unit is not None or name == "factor" else by.value * factor
        steps = (high - low) / by_exact if name == "step" else math.log(high / low, by_exact)
        most = MOST_LEVELS if name == "step" else MOST_BY_FACTOR
        if steps >= most:
            raise input_error(f"the range has more than {most} levels")
        value = low
        while value <= high:
            yield Number(value / factor, unit, span.low.is_whole and by.is_whole).plain
            value = value + by_exact if name == "step" else value * by_exact


_END = {"from": "first", "to": "last"}


def located(error: InputError, node: Any, key: str | None = None) -> InputError:
    """An error of a range at the place where the range stands."""
    one = error.diagnostics[0]
    return InputError(node.finding(one.message, one.hint, key))
