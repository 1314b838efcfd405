"""Amounts that the text writes: numbers, and sums of i64 variables with factors.

    i * 64 + 64 - i * 64      is 64, whatever i is

So the size of an interval is known though its bounds are not.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Linear:
    """`constant` + factor · variable + …; at least one factor, none is 0, sorted by variable."""

    terms: tuple[tuple[str, int], ...]
    constant: int = 0

    @property
    def variable(self) -> str | None:
        """The variable that it is, if it is nothing else."""
        (name, factor), *others = self.terms
        return name if factor == 1 and not others and not self.constant else None


Amount = int | Linear
"""A whole number, or what becomes one while the program runs."""


def variable(name: str) -> Linear:
    return Linear(((name, 1),))


def plus(a: Amount, b: Amount, factor: int = 1) -> Amount:
    """a + factor · b"""
    if isinstance(a, int) and isinstance(b, int):
        return a + factor * b
    factors = dict(_terms(a))
    for name, own in _terms(b):
        factors[name] = factors.get(name, 0) + factor * own
    terms = tuple(sorted((name, own) for name, own in factors.items() if own))
    constant = _constant(a) + factor * _constant(b)
    return Linear(terms, constant) if terms else constant


def minus(a: Amount, b: Amount) -> Amount:
    return plus(a, b, -1)


def scaled(a: Amount, factor: int) -> Amount:
    return plus(0, a, factor)


def _terms(a: Amount) -> tuple[tuple[str, int], ...]:
    return a.terms if isinstance(a, Linear) else ()


def _constant(a: Amount) -> int:
    return a.constant if isinstance(a, Linear) else a
