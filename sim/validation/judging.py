"""How far simulated figures are from measured ones: by group, and in the order of ladders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sim.validation.benchmarks import CLASSES, Benchmark, Suite

RESAMPLES, SEED, COVERAGE = 10_000, 0, 0.95
"""Of the interval of a mean."""


@dataclass(frozen=True)
class Compared:
    """One benchmark's figures; `measured` is published or from hardware, whose runs were from `low`
    to `high`, and whose arrays named in `differing` are not the simulated ones."""

    benchmark: Benchmark
    simulated: float
    measured: float
    low: float
    high: float
    differing: tuple[str, ...] = ()

    @property
    def error(self) -> float:
        """Signed, as a fraction of what was measured."""
        return (self.simulated - self.measured) / self.measured


@dataclass(frozen=True)
class Summary:
    """Absolute errors of a group in percent of what was measured; NaN where there are too few.

    interval     of the mean, by resampling the benchmarks: had others of their kind been chosen,
                 the mean would be within it in 95 of 100 choices
    correlation  Pearson's, of the logarithms (figures span five orders of magnitude)
    """

    benchmarks: int
    mean: float
    median: float
    largest: float
    interval: tuple[float, float]
    correlation: float


@dataclass(frozen=True)
class Ladder:
    """Versions of one kernel from the least figure to the largest, measured and simulated.

    pairs  those of two versions whose measured runs do not overlap; `kept` of them are simulated
           in the measured order
    """

    name: str
    measured: tuple[str, ...]
    simulated: tuple[str, ...]
    pairs: int
    kept: int


def summary(compared: Sequence[Compared]) -> Summary:
    """Of a group."""
    nothing = float("nan")
    if not compared:
        return Summary(0, nothing, nothing, nothing, (nothing, nothing), nothing)
    simulated = np.array([one.simulated for one in compared])
    measured = np.array([one.measured for one in compared])
    errors = 100 * np.abs(simulated - measured) / measured
    correlation = nothing
    if len(compared) > 1 and np.std(measured) and np.std(simulated):
        correlation = float(np.corrcoef(np.log(simulated), np.log(measured))[0, 1])
    return Summary(
        len(compared), float(errors.mean()), float(np.median(errors)), float(errors.max()),
        interval_of_mean(errors), correlation,
    )  # fmt: skip


def interval_of_mean(values: np.ndarray) -> tuple[float, float]:
    """Percentile bootstrap (Efron 1979): as many values are drawn, with repetition, RESAMPLES
    times, always the same ones; the quantiles of their means."""
    drawn = np.random.Generator(np.random.PCG64(SEED))
    chosen = drawn.integers(0, len(values), (RESAMPLES, len(values)))
    outside = 50 * (1 - COVERAGE)
    low, high = np.percentile(values[chosen].mean(axis=1), [outside, 100 - outside])
    return float(low), float(high)


def by_class(compared: Sequence[Compared]) -> dict[str, list[Compared]]:
    """All classes, in their order."""
    return {
        name: [one for one in compared if one.benchmark.form.class_ == name] for name in CLASSES
    }


def by_mechanism(suite: Suite, compared: Sequence[Compared]) -> dict[str, list[Compared]]:
    """The mechanisms of which there are benchmarks, in the order of the file."""
    groups = {
        name: [one for one in compared if one.benchmark.form.mechanism == name]
        for name in suite.mechanisms
    }
    return {name: group for name, group in groups.items() if group}


def ladders(suite: Suite, compared: Sequence[Compared]) -> Iterator[Ladder]:
    """Those of which at least two versions were compared that hardware tells apart."""
    found: Mapping[str, Compared] = {one.benchmark.name: one for one in compared}
    for name, steps in suite.ladders.items():
        there = [found[step] for step in steps if step in found]
        if len(there) < 2:
            continue
        apart = [
            (first, second) if first.measured < second.measured else (second, first)
            for first, second in combinations(there, 2)
            if first.high < second.low or second.high < first.low
        ]
        if not apart:
            continue
        yield Ladder(
            name,
            _ordered(there, [one.measured for one in there]),
            _ordered(there, [one.simulated for one in there]),
            len(apart),
            sum(less.simulated < more.simulated for less, more in apart),
        )


def _ordered(compared: Sequence[Compared], figures: Sequence[float]) -> tuple[str, ...]:
    order = np.argsort(figures, kind="stable")
    return tuple(compared[at].benchmark.name for at in order)
