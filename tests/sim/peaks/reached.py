"""What a program that runs for longer and longer reaches of a roof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

Done = tuple[int, Mapping[str, int]]
"""Cycles of a run, and its work (see `sim.results.roofline`)."""


def part_of(name: str, peak: Fraction, run: Callable[[int], Done], short: int, long: int) -> float:
    """Of the peak a cycle; `run` takes how long the program is to be."""
    (cycles, work), (more_cycles, more_work) = run(short), run(long)
    return float((more_work[name] - work[name]) / ((more_cycles - cycles) * peak))
