"""What a study found, as a table: a row a point, or a row for all repetitions of a point.

table = tabulate(plan, store, identities)
table.rows                  # coordinates, status, figures
table.means()               # with the half of a 95 % interval, where an axis is a seed
"""

from __future__ import annotations

import hashlib
import json
import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sim.identity import Identity
from sim.status import DONE, LIMIT
from sim.studies.figures import CYCLES, Derived, Figures, figures_of, names_of_figures
from sim.studies.plan import Plan, Point
from sim.studies.point import DIED, OUTDATED, REFUSED, WAITING
from sim.studies.store import Row, Store

CONFIDENCE = 0.95


NOT_REFUSED = "it ran, and 'refused' of the study says that it is refused"


@dataclass(frozen=True)
class TableRow:
    """A point: figures are empty where it has no right result.

    more_than  cycles after which its run was ended at a limit
    is_good    whether it ended well
    key        of its result
    workload   and `machine`: names of what ran; '' where nothing did
    breakdown  where its cycles went, by reason
    """

    coordinates: Mapping[str, Any]
    numbers: Mapping[str, float]
    status: str
    figures: Figures
    diagnostics: str = ""
    more_than: int | None = None
    is_good: bool = True
    key: str | None = None
    workload: str = ""
    machine: str = ""
    breakdown: Mapping[str, int] = field(default_factory=dict)

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
    """The points of a study, and which figures are shown.

    bases  points that are none of the study's, with which these are compared
    left   trials that a search has still to make
    """

    axes: Sequence[str]
    replicates: Sequence[str]
    shown: Sequence[str]
    rows: Sequence[TableRow]
    bases: Sequence[TableRow] = ()
    left: int = 0

    @property
    def is_good(self) -> bool:
        """Whether all have ended, and well."""
        return not self.left and all(row.is_good for row in (*self.rows, *self.bases))

    @property
    def is_behind(self) -> bool:
        """Whether some points have yet to be run, or to be run again."""
        return bool(self.left) or any(row.status in (WAITING, OUTDATED) for row in self.rows)

    @property
    def cycles(self) -> dict[str, int | None]:
        """Of all points by name, those that others are compared with too."""
        return {row.name: row.figures.get(CYCLES) for row in (*self.rows, *self.bases)}

    @property
    def digest(self) -> str:
        """SHA-256 of which points took how many cycles."""
        taken = [[str(label) for label in row.coordinates.values()] for row in self.rows]
        content = [taken, [row.figures.get(CYCLES) for row in self.rows]]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    @property
    def figures(self) -> list[str]:
        """Those that are shown, and all others that some row has."""
        present = dict.fromkeys(name for row in self.rows for name in row.figures)
        of_results = [name for name in names_of_figures() if name in present]
        derived = [name for name in present if name not in of_results]
        return list(dict.fromkeys([*self.shown, *derived, *of_results]))

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


Identities = Mapping[str, Identity | str | None]
"""By a point's name, what its result would be one of now, or why it cannot be run."""


def tabulate(plan: Plan, store: Store, identities: Identities) -> Table:
    """The table of what a store has of a study's points, as far as that is what they say now."""
    study, axes = plan.study, plan.study.axes
    stored = {row.name: row for row in store.rows(study.name)}
    text, trials = store.begun(study.name)
    if plan.searches and text != plan.text:
        why = "its result is of another search: the study has changed"
        stored = {name: _outdated(row, why) for name, row in stored.items()}
        trials = 0
    rows = rows_of(plan, points_of(plan, store), stored.get, identities)
    bases = {point.name for point in plan.bases}
    if plan.searches:
        bases = {row.name for row in stored.values() if row.is_base}
    return Table(
        [axis.name for axis in axes],
        [axis.name for axis in axes if axis.is_replicate],
        Derived(study).shown,
        [row for row in rows if row.name not in bases],
        [row for row in rows if row.name in bases],
        plan.count - trials if plan.searches else 0,
    )


def rows_of(
    plan: Plan,
    points: Iterable[Point],
    stored: Callable[[str], Row | None],
    identities: Identities,
) -> list[TableRow]:
    """The rows of points; `stored` gives what is stored under a point's name."""
    derived = Derived(plan.study)
    found = []
    for point in points:
        row, base = _present(point, stored, identities), plan.base_of(point)
        of_base = _figures(_present(base, stored, identities)) if base is not None else {}
        if of_base:
            of_base = derived.add(of_base, base.numbers, of_base)
        own, is_good = _figures(row), _is_good(row, plan, point)
        ran = "" if is_good or row.status != DONE else NOT_REFUSED
        found.append(
            TableRow(
                point.coordinates,
                point.numbers,
                row.status,
                derived.add(own, point.numbers, of_base) if own else {},
                row.diagnostics or ran,
                row.document["cycles"] if row.status == LIMIT else None,
                is_good,
                row.key if row.document is not None else None,
                *_ran(row),
            )
        )
    return found


def points_of(plan: Plan, store: Store) -> Iterator[Point]:
    """The points of a study, and those that they are compared with; of a search those that it has
    tried, with the limits that it gave them."""
    if not plan.searches:
        yield from (*plan.points, *plan.bases)
        return
    for row in store.rows(plan.study.name):
        point = plan.point_called(row.coordinates)
        if point is not None and (row.is_base or plan.fulfils(point.levels)):
            yield Point(point.levels, replace(point.setting, cycle_limit=row.cycle_limit))


def _present(point: Point, stored: Callable[[str], Row | None], identities: Identities) -> Row:
    """What is stored of a point, if that is what it says now."""
    row = stored(point.name) or Row(point.coordinates, False, None, WAITING)
    now = identities.get(point.name)
    if isinstance(now, str):
        return replace(_outdated(row, now), status=REFUSED)
    if now is None or row.key == now.key or row.status in (WAITING, OUTDATED, DIED):
        return row
    if row.identity is None:  # it was refused, and would not be any more, or for other reasons
        return replace(row, status=WAITING, diagnostics="")
    return _outdated(row, f"its result is of before a change: {now.told_since(row.identity)}")


def _outdated(row: Row, why: str) -> Row:
    """A row without the result that it had, if it had one."""
    none = {"key": None, "identity": None, "document": None}
    return replace(row, status=OUTDATED, diagnostics=why, **none)


def _is_good(row: Row, plan: Plan, point: Point) -> bool:
    """Whether a point ended well: refused if the study says so; a search ends runs that cannot be
    the best."""
    if plan.is_to_be_refused(point.levels):
        return row.status == REFUSED
    own = plan.study.form.limits.cycles if plan.study.form.limits else None
    is_given_up = row.cycle_limit is not None and row.cycle_limit != own
    return row.status == DONE or (row.status == LIMIT and plan.searches and is_given_up)


def same_runs(table: Table) -> Iterator[tuple[str, list[Any]]]:
    """Levels of an axis that are the same runs in all settings of the others: the axis, and these
    levels.  A level that changes nothing is most often a mistake."""
    for axis in table.axes:
        runs: dict[Any, dict[str, str]] = {}
        for row in table.rows:
            if row.key is not None:
                others = {k: v for k, v in row.coordinates.items() if k != axis}
                label = json.dumps(row.coordinates[axis])
                runs.setdefault(label, {})[json.dumps(others)] = row.key
        alike: dict[str, list[Any]] = {}
        for label, keys in runs.items():
            alike.setdefault(json.dumps(sorted(keys.items())), []).append(json.loads(label))
        yield from ((axis, labels) for labels in alike.values() if len(labels) > 1)


def dead_axes(table: Table) -> list[str]:
    """The axes of which no level moves a cycle, whatever the others are: of each two or more levels
    ran, and points that differ in it alone took equally long, or did not run for the same reason.
    """
    found = []
    for axis in table.axes:
        taken: dict[str, set[int | str]] = {}
        counts: Counter[str] = Counter()
        for row in table.rows:
            if row.status not in (WAITING, OUTDATED):
                others = json.dumps({k: v for k, v in row.coordinates.items() if k != axis})
                taken.setdefault(others, set()).add(row.figures.get(CYCLES, row.status))
                counts[others] += 1
        is_varied = any(count > 1 for count in counts.values())
        if is_varied and all(len(cycles) == 1 for cycles in taken.values()):
            found.append(axis)
    return found


def _ran(row: Row) -> tuple[str, str, Mapping[str, int]]:
    """What ran on what, and its breakdown."""
    if row.document is None:
        return "", "", {}
    return tuple(row.document[part] for part in ("workload", "machine", "breakdown"))


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
