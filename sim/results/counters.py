"""What a counter is, and those of all kinds of machine: each is declared once, with its unit, a
sentence and how it adds up.

A kind of core declares its counters over the tally that its runs leave.  What a machine does not
model is absent from its results, never 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

CYCLES, INSTRUCTIONS, ACCESSES, LINES, BYTES, EVENTS = (
    "cycles", "instructions", "accesses", "lines", "bytes", "events",
)  # fmt: skip
"""Units."""

Headline = tuple[str, Callable[[dict[str, int], int], tuple[str, str, str]]]
"""A line of figures: the counter that must be there, and what makes (label, value, note) of the
counters and the cycles."""


@dataclass(frozen=True, slots=True)
class Counter:
    """One counter.

    aggregation  how values of several cores or runs are combined: 'sum' or 'maximum'
    law          the sum that the counter takes part in, checked in every run, if any
    value        its value in a run, or None where the machine does not model it
    """

    name: str
    unit: str
    sentence: str
    value: Callable[[Any], int | None]
    aggregation: str = "sum"
    law: str | None = None


class LawBroken(AssertionError):
    """A sum that must hold does not: the simulator is wrong."""


def share(part: int, whole: int) -> str:
    """A part as text: '12.5 %', '-' of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def shown(value: int) -> str:
    """A number as text: '1 234 567'."""
    return f"{value:,}".replace(",", " ")
