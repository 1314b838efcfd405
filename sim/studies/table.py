"""What a study found, as a table: a row a point, or a row for all repetitions of a point.

table = tabulate(plan, store)
table.rows                  # coordinates, status, figures
table.means()               # with the half of a 95 % interval, where an axis is a seed
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.status import DONE, LIMIT
from sim.studies.figures import Derived, Figures, figures_of, names_of_figures
from sim.studies.plan import Plan, Point
from sim.studies.store import Row, Store

CONFIDENCE = 0.95


@dataclass(frozen=True)
class TableRow:
    """A point: figures are empty where it has no right result.

    more_than  cycles after which its run was ended at a limit
    """

    coordinates: Mapping[str, Any]
    numbers: Mapping[str, float]
    status: str
    figures: Figures
    diagnostics: str = ""
    more_than: int | None = None

    @property
    def name(self) -> str:
        return json.dumps(self.coordinates)


@dataclass(frozen=True)
class Mean:
    """Of the repetitions of a point: how many, the mean, half of the interval (None of one)."""

    count: int
    mean: float
    half: float | None


@dataclass(frozen=True)
class MeanRow:
    """A point without its repetitions; figures that a repetition lacks have no mean."""

    coordinates: Mapping[str, Any]
    statuses: Mapping[str, int]
    figures: Mapping[str, Mean]
    more_than: int | None = None


@dataclass(frozen=True)
class Table:
    """The points of a study, and which figures are shown."""

    axes: Sequence[str]
    replicates: Sequence[str]
    shown: Sequence[str]
    rows: Sequence[TableRow]

    @property
    def figures(self) -> list[str]:
        """All figures that some row has, those that are shown first."""
        present = {name for row in self.rows for name in row.figures}
        return [n for n in dict.fromkeys([*self.shown, *names_of_figures()]) if n in present]

    def means(self) -> list[MeanRow]:
        """A row for all repetitions of a point."""
        groups: dict[str, list[TableRow]] = {}
        for row in self.rows:
            groups.setdefault(json.dumps(self._point(row)), []).append(row)
        return [self._mean(rows) for rows in groups.values()]

    def _point(self, row: TableRow) -> dict[str, Any]:
        return {k: v for k, v in row.coordinates.items() if k not in self.replicates}

    def _mean(self, rows: Sequence[TableRow]) -> MeanRow:
        statuses: dict[str, int] = {}
        for row in rows:
            statuses[row.status] = statuses.get(row.status, 0) + 1
        values = {name: [row.figures.get(name) for row in rows] for name in self.shown}
        means = {
            name: interval(found)
            for name, found in values.items()
            if all(value is not None for value in found)
        }
        more_than = rows[0].more_than if len(rows) == 1 else None
        return MeanRow(self._point(rows[0]), statuses, means, more_than)


def tabulate(plan: Plan, store: Store) -> Table:
    """The table of what a store has of a study's points."""
    study = plan.study
    derived = Derived(study)
    rows = {json.dumps(row.coordinates): row for row in store.rows(study.name)}
    plain = {name: _figures(row) for name, row in rows.items()}

    def figures(point: Point) -> Figures:
        base = plan.base_of(point)
        of_base = plain.get(base.name) if base is not None else None
        if of_base:
            of_base = derived.add(of_base, base.numbers, of_base)
        return derived.add(plain[point.name], point.numbers, of_base)

    found = []
    for name, row in rows.items():
        point = plan.point_called(row.coordinates)
        if point is not None:
            of_row = figures(point) if plain[name] else {}
            more_than = row.document["cycles"] if row.status == LIMIT else None
            at, why = row.coordinates, row.diagnostics
            found.append(TableRow(at, point.numbers, row.status, of_row, why, more_than))
    axes = [axis.name for axis in study.axes]
    replicates = [axis.name for axis in study.axes if axis.is_replicate]
    return Table(axes, replicates, derived.shown, found)


def _figures(row: Row) -> Figures:
    """The figures of a right result: others are no numbers of a table."""
    return figures_of(row.document) if row.status == DONE and row.document is not None else {}


def interval(values: Sequence[float]) -> Mean:
    """Mean and half of the interval in which it lies with `CONFIDENCE`, by Student's t."""
    mean = statistics.fmean(values)
    if len(values) < 2:
        return Mean(len(values), mean, None)
    error = statistics.stdev(values) / math.sqrt(len(values))
    return Mean(len(values), mean, error * t_quantile(len(values) - 1))


def t_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """The t for which |T| < t with that probability; by bisection of `t_within`."""
    low, high = 0.0, 1.0
    while t_within(high, freedom) < confidence:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if t_within(middle, freedom) < confidence else (low, middle)
    return high


def t_within(t: float, freedom: int) -> float:
    """P(|T| < t) of Student's t for whole degrees of freedom, as a finite sum (Abramowitz and
    Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4)."""
    angle = math.atan2(t, math.sqrt(freedom))
    sine, square = math.sin(angle), math.cos(angle) ** 2
    is_odd = freedom % 2 == 1
    term = total = (math.cos(angle) if is_odd else 1.0) if freedom > 1 else 0.0
    for k in range(3 if is_odd else 2, freedom - 1, 2):
        term *= square * (k - 1) / k
        total += term
    return 2 / math.pi * (angle + sine * total) if is_odd else sine * total
