"""What a study found, for people and for Python; and how a Python process has a study run.

result = sim.study("workloads/studies/issue_width.yaml", jobs=2)
print(result); result.to_frame(); result.best; result.plot("effects")
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from machines.cache.results import are_kept, kept_results, software
from machines.diagnostics import input_error
from sim.results.html import document, table_of
from sim.studies.conduct import local
from sim.studies.plan import Plan
from sim.studies.plots import figure
from sim.studies.report import columns, lines, to_frame
from sim.studies.search import best_lines, best_row, run_points
from sim.studies.store import Store
from sim.studies.table import Table, TableRow, dead_axes, same_runs, tabulate

MOST_FAILURES = 5


@dataclass(frozen=True, repr=False)
class StudyResult:
    """What a study found.

    plan   its points, and what is said of them
    table  what they came to: `table.rows`, and of repetitions `table.means()`
    """

    plan: Plan
    table: Table

    def __repr__(self) -> str:
        ends = Counter(row.status for row in self.rows)
        how = ", ".join(f"{count} {status}" for status, count in sorted(ends.items()))
        return f"<StudyResult of {self.plan.study.name}: {len(self.rows)} points, {how}>"

    def __str__(self) -> str:
        """The table, as the command line prints it."""
        return "\n".join(told(self.plan, self.table))

    def _repr_html_(self) -> str:
        """The same, as a notebook shows it."""
        heads, cells, sides = columns(self.table)
        below = [[line] for line in _below(self.plan, self.table)]
        parts = [table_of(self.plan.study.name, cells, sides, heads)]
        return document(*parts, *([table_of("", below, "<")] if below else []))

    def page(self) -> str:
        """The same with charts, as the text of one HTML file.

        Raises InputError without the library that draws (`pip install simrun[page]`).
        """
        from sim.pages.making import page_of_study
        from sim.pages.of_study import facts_of_study

        return page_of_study(
            facts_of_study(self.plan, self.table, list(_below(self.plan, self.table)))
        )

    @property
    def rows(self) -> Sequence[TableRow]:
        """The points: `coordinates`, `status`, `figures` by name (none where there is no right
        result, and `diagnostics` says why)."""
        return self.table.rows

    @property
    def ok(self) -> bool:
        """Whether all points have right results, and a search has found something: those that it
        has given up count."""
        return self.table.is_good and (not self.plan.searches or self.best is not None)

    @property
    def best(self) -> TableRow | None:
        """Of a search the best point that fulfils what it must; None if there is none."""
        return best_row(self.plan, self.table)

    def to_frame(self) -> Any:
        """A pandas DataFrame: a row a point, columns for axes, status and all figures.

        Raises InputError without pandas.
        """
        return to_frame(self.table)

    def plot(self, kind: str = "effects") -> Any:
        """A picture as a `matplotlib.figure.Figure`: one of `simrun study --plot`.

        Raises InputError without matplotlib, or if the study has nothing for it.
        """
        return figure(kind, self.plan, self.table)


def found(
    plan: Plan, jobs: int, store: Path | None, on_progress: Callable[[int, int], None] | None
) -> StudyResult:
    """Run the points of a study that have no result in the store; without one, all.

    Raises InputError if this process is not what simrun's files say, as processes that run points
    would be.
    """
    with (
        nullcontext() if are_kept() else kept_results(),
        _store(store) as path,
        Store.open(path) as opened,
    ):
        if not software().is_what_runs():
            hint = "start this process anew (of a notebook: restart the kernel)"
            message = "files of simrun or of a plugin have changed since this process began"
            raise input_error(f"{message}: its study would run other code", hint=hint)
        identities = {}
        for number, (point, outcome) in enumerate(run_points(plan, opened, local(jobs)), 1):
            identities[point.name] = outcome.stands_for
            if on_progress is not None:
                on_progress(number, max(number, plan.count))
        return StudyResult(plan, tabulate(plan, opened, identities))


@contextmanager
def _store(path: Path | None) -> Iterator[Path]:
    """The file of a store; without a path one that is there for a while."""
    if path is not None:
        yield path
        return
    with TemporaryDirectory() as folder:
        yield Path(folder) / "study.sqlite"


def told(plan: Plan, table: Table) -> Iterator[str]:
    """What was found, for people."""
    yield from lines(table)
    yield from _below(plan, table)


def _below(plan: Plan, table: Table) -> Iterator[str]:
    """The best point of a search, what may be a mistake, and why points have no right result."""
    yield from best_lines(plan, table)
    if table.left:
        yield f"{plan.count - table.left} of {plan.count} trials were made"
    if plan.drawn_for_nothing:
        others = "are equal to others, or left out by 'where'"
        drawn = plan.study.form.combine.count
        yield f"{plan.drawn_for_nothing} of {drawn} drawn points {others}"
    for axis, labels in same_runs(table):
        yield f"note: {' and '.join(map(str, labels))} of axis '{axis}' are the same runs"
    for axis in dead_axes(table):
        yield f"note: axis '{axis}' changes nothing: no level of it moves a cycle"
    yield from _failures(table)


def _failures(table: Table) -> Iterator[str]:
    """Why points have no right result, those that fail alike together."""
    alike: dict[str, list[TableRow]] = {}
    for row in (*table.rows, *table.bases):
        if not row.is_good and row.diagnostics:
            alike.setdefault(row.diagnostics, []).append(row)
    for diagnostics, rows in list(alike.items())[:MOST_FAILURES]:
        where = ", ".join(f"{name}={label}" for name, label in rows[0].coordinates.items())
        more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
        yield f"{rows[0].status} at {where}{more}:"
        yield from (f"    {line}" for line in diagnostics.splitlines())
    if len(alike) > MOST_FAILURES:
        others = sum(len(rows) for rows in list(alike.values())[MOST_FAILURES:])
        yield f"and {others} points for other reasons: 'simrun study export' writes them"
