"""The levels of an axis: values in a list, in equal steps, by equal factors, or between two ends.

    values: [5 cycles, 8 cycles]            these
    {from: 1, to: 9, step: 2}               1, 3, 5, 7, 9
    {from: 8 KiB, to: 64 KiB, factor: 2}    8, 16, 32, 64 KiB
    {from: 1, to: 100, count: 5, scale: log}  5 of them, by equal factors
    {from: 8 KiB, to: 64 KiB}               whatever lies between: for studies that draw points

A number may have a unit behind it, as in a machine's file; a range keeps the unit of its `from`.
Numbers are the decimal fractions that they are written as, so a range ends where it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from machines.description.schema import BYTES, CYCLES, HERTZ, NANOSECONDS, RATE
from machines.diagnostics import InputError, input_error

MOST_LEVELS = 100_000
"""Of an axis."""
_NUMBER = re.compile(r"([+-]?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:\s*([A-Za-zµ/]+))?")
_QUANTITIES = (BYTES, CYCLES, HERTZ, NANOSECONDS, RATE)
_SCALES = ("linear", "log")


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
    def base(self) -> float:
        """In the base unit: bytes, cycles, hertz, nanoseconds, bytes a second."""
        factor = next((q.units[self.unit] for q in _QUANTITIES if self.unit in q.units), 1)
        return float(self.value * factor)


def number_of(value: Any) -> Number | None:
    """The number that a value is, None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, int | float):
        is_finite = value == value and abs(value) != float("inf")
        return Number(Fraction(repr(value)), None, isinstance(value, int)) if is_finite else None
    match = _NUMBER.fullmatch(value.strip())
    if match is None or not any(match[2] in quantity.units for quantity in _QUANTITIES):
        return None
    return Number(Fraction(match[1].replace("_", "")), match[2])


@dataclass(frozen=True)
class Span:
    """What lies between two numbers of one unit."""

    low: Number
    high: Number
    is_log: bool

    def at(self, share: float) -> int | float | str:
        """The number so far on the way from low to high; a whole one if both ends are."""
        low, high = float(self.low.value), float(self.high.value)
        value = low * (high / low) ** share if self.is_log else low + (high - low) * share
        if self.low.is_whole and self.high.is_whole and self._are_integers:
            return Number(Fraction(round(value)), self.low.unit).plain
        return Number(Fraction(value), self.low.unit, False).plain

    @property
    def _are_integers(self) -> bool:
        return self.low.value.denominator == self.high.value.denominator == 1


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
        quantity = _quantity(low)
        if _quantity(high) is not quantity:
            raise input_error(f"{self.first!r} and {self.last!r} are not of one unit")
        if quantity is not None:
            rate = quantity.units[high.unit] / quantity.units[low.unit]
            high = Number(high.value * rate, low.unit, high.is_whole)
        if low.value > high.value:
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
        if self.factor is not None and self.scale == "linear":
            raise input_error("'factor' is of a range whose scale is log")
        span = self.span()
        if not given:
            return None
        if self.count is not None:
            if not 1 <= self.count <= MOST_LEVELS:
                raise input_error(f"'count' is between 1 and {MOST_LEVELS}")
            shares = [k / max(1, self.count - 1) for k in range(self.count)]
            return list(dict.fromkeys(span.at(share) for share in shares))
        return list(self._stepped(span))

    def _stepped(self, span: Span) -> Iterator[int | float | str]:
        name = "step" if self.step is not None else "factor"
        by = number_of(getattr(self, name))
        if by is None or by.value <= (0 if name == "step" else 1):
            raise input_error(f"'{name}' is a number above {0 if name == 'step' else 1}")
        if by.unit is not None and (name == "factor" or _quantity(by) is not _quantity(span.low)):
            raise input_error(f"'{name}' ({getattr(self, name)}) is not of the unit of 'from'")
        rate = _quantity(by).units[by.unit] / _quantity(by).units[span.low.unit] if by.unit else 1
        value = span.low.value
        is_whole = span.low.is_whole and by.is_whole
        if name == "step" and (span.high.value - value) / (by.value * rate) >= MOST_LEVELS:
            raise input_error(f"the range has more than {MOST_LEVELS} levels")
        while value <= span.high.value:
            yield Number(value, span.low.unit, is_whole).plain
            value = value + by.value * rate if name == "step" else value * by.value


_END = {"from": "first", "to": "last"}


def _quantity(number: Number) -> Any:
    return next((q for q in _QUANTITIES if number.unit in q.units), None)


def located(error: InputError, node: Any, key: str | None = None) -> InputError:
    """An error of a range at the place where the range stands."""
    one = error.diagnostics[0]
    return InputError(node.finding(one.message, one.hint, key))
