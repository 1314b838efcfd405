"""The best point of a study, looked for by Optuna's tree-structured Parzen estimator.

    search: {goal: minimise cycles, subject_to: ["cost <= 100"], trials: 60}

A trial is a point like any other: stored, found again.  Trials are asked for in batches of one
size, whatever the number of processes, and told in order, so that a search comes to the same
points in every run, and goes on where it was broken off.

Where the goal is few cycles, a run that has taken as many as the best fulfilling point so far is
ended there: it is kept as 'limit', more than so many cycles.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from machines.diagnostics import InputError, input_error, nearest
from machines.optional import optional
from sim.identity import Identity
from sim.status import DONE, LIMIT
from sim.studies.conduct import Scheduler, conduct
from sim.studies.figures import CYCLES, FIGURES, Derived, names_in, names_of_figures
from sim.studies.plan import Plan, Point, is_true
from sim.studies.point import Outcome, own_limit
from sim.studies.store import Row, Store
from sim.studies.study_file import Axis, Level, Study
from sim.studies.table import Table, TableRow, rows_of
from sim.workload.expressions import Expression, parse_node

BATCH = 4
"""Trials that are asked for together."""
_GOAL = re.compile(r"(minimise|maximise)\s+(\w+)")


@dataclass(frozen=True)
class Goal:
    """What is looked for: a figure, and what must hold."""

    figure: str
    is_least: bool
    constraints: tuple[Expression, ...]

    def value(self, row: TableRow) -> float | None:
        """The figure of a point that has a right result."""
        return row.figures.get(self.figure) if row.status == DONE else None

    def holds(self, row: TableRow) -> bool:
        """Whether a point fulfils what it must; one that lacks a figure does not.

        Raises InputError where a condition is neither true nor false.
        """
        figures = {**row.figures, **row.numbers}
        known = {name: np.asarray(one) for name, one in figures.items() if one is not None}
        return all(
            names_in(one) <= known.keys() and is_true(one, known) for one in self.constraints
        )

    def is_better(self, value: float, other: float) -> bool:
        return value < other if self.is_least else value > other


def goal_of(plan: Plan) -> Goal:
    """The goal of a search; raises InputError at what is wrong in it."""
    tree = plan.study.tree.value["search"]
    node = tree.value["goal"]
    derived, figures = Derived(plan.study), names_of_figures()
    known = [*figures, *derived.names]
    match = _GOAL.fullmatch(plan.study.form.search.goal.strip())
    if match is None:
        message = "a goal is 'minimise FIGURE' or 'maximise FIGURE'"
        raise InputError(node.finding(message, "minimise cycles"))
    if match[2] not in known:
        message = f"there is no figure '{match[2]}'"
        raise InputError(node.finding(message, nearest(match[2], known)))
    numbered = [axis.name for axis in plan.study.axes if axis.has_numbers]
    written = tree.value.get("subject_to")
    nodes = written.value if written is not None else []
    constraints = tuple(parse_node(one, [*numbered, *known], FIGURES) for one in nodes)
    for one in constraints:
        if is_a_number(one.tree, plan.study, derived):
            message = "this is a number, and neither true nor false"
            raise one.refuse(one.tree, message, "write a comparison, like cost < 9")
    return Goal(match[2], match[1] == "minimise", constraints)


def is_a_number(tree: ast.expr, study: Study, derived: Derived) -> bool:
    """Whether an expression is certainly no condition: a figure, arithmetic, or an axis with other
    levels than 0 and 1."""
    match tree:
        case ast.Name(id=name) if name in derived.expressions:
            return is_a_number(derived.expressions[name].tree, study, derived)
        case ast.Name(id=name):
            axis = next((one for one in study.axes if one.name == name), None)
            return axis is None or any(level.number not in (0, 1) for level in axis.levels)
        case ast.Constant(value=value):
            return value not in (0, 1)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.BitXor() | ast.Mult()):
            parts = (tree.left, tree.right)
            return any(is_a_number(part, study, derived) for part in parts)
        case ast.BinOp():
            return True
    return False


def run_points(plan: Plan, store: Store, scheduler: Scheduler) -> Iterator[tuple[Point, Outcome]]:
    """Have the points of a study run, or those that its search tries; yields them as they end."""
    store.begin(plan.study.name, plan.text, plan.points, plan.bases)
    yield from (search if plan.searches else conduct)(plan, store, scheduler)


def search(plan: Plan, store: Store, scheduler: Scheduler) -> Iterator[tuple[Point, Outcome]]:
    """Yields the points that are tried, and those that they are compared with, as `conduct` does.
    Raises InputError without Optuna."""
    optuna = optional("optuna", "search")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    goal, form, failed = goal_of(plan), plan.study.form.search, optuna.trial.TrialState.FAIL
    sampler = optuna.samplers.TPESampler(seed=form.seed)
    direction = "minimize" if goal.is_least else "maximize"
    found = optuna.create_study(sampler=sampler, direction=direction)
    best: float | None = None
    tried: dict[str, Point] = {}  # a point that is proposed again keeps its limit, and its result
    bases: dict[str, Point] = {}
    identities: dict[str, Identity | str | None] = {}

    def stored(name: str) -> Row | None:
        return store.row(plan.study.name, tried.get(name) or bases[name])

    for first in range(0, form.trials, BATCH):
        batch: list[tuple[Any, Point]] = []
        fresh: list[Point] = []
        for trial in [found.ask() for _ in range(min(BATCH, form.trials - first))]:
            point = plan.point({axis.name: _level(axis, trial) for axis in plan.study.axes})
            if not plan.fulfils(point.levels):
                found.tell(trial, state=failed)
                continue
            if point.name not in tried:
                tried[point.name] = _bounded(plan, point, goal, best)
                fresh.append(tried[point.name])
            batch.append((trial, tried[point.name]))
        compared = [base for base in plan.bases_of(fresh) if base.name not in {**tried, **bases}]
        bases |= {base.name: base for base in compared}
        store.add(plan.study.name, fresh, compared)
        for point, outcome in conduct(plan, store, scheduler, [*fresh, *compared]):
            identities[point.name] = outcome.stands_for
            yield point, outcome
        rows = rows_of(plan, [point for _, point in batch], stored, identities)
        for (trial, _), row in zip(batch, rows, strict=True):
            value = goal.value(row)
            holds = value is not None and goal.holds(row)
            trial.set_constraint("what must hold", 0.0 if holds else 1.0)
            told = best if value is None and row.status == LIMIT else value
            found.tell(trial, told) if told is not None else found.tell(trial, state=failed)
            if holds and (best is None or goal.is_better(value, best)):
                best = value
        store.count_trials(plan.study.name, min(BATCH, form.trials - first))
    if not tried:
        raise input_error("no point that was proposed fulfils 'where'")


def _bounded(plan: Plan, point: Point, goal: Goal, best: float | None) -> Point:
    """The point, ended where it cannot be the best any more; not one that others are compared with,
    nor past its own limit."""
    base, limit = plan.base_of(point), own_limit(point.setting)
    is_base = base is not None and base.name == point.name
    if best is None or goal.figure != CYCLES or not goal.is_least or is_base:
        return point
    if limit is None or limit <= best:
        return point
    return Point(point.levels, replace(point.setting, cycle_limit=int(best)))


def _level(axis: Axis, trial: Any) -> Level:
    """The level of an axis that a trial suggests: numbers have an order, names have none."""
    if axis.span is not None:
        return axis.level(axis.span.drawn(trial.suggest_float(axis.name, 0.0, 1.0)))
    if axis.has_numbers:
        return axis.levels[trial.suggest_int(axis.name, 0, len(axis.levels) - 1)]
    return axis.levels[trial.suggest_categorical(axis.name, range(len(axis.levels)))]


def best_row(plan: Plan, table: Table) -> TableRow | None:
    """The best point that fulfils what it must, of equals the first; None if there is none, or
    nothing is searched."""
    if not plan.searches:
        return None
    goal = goal_of(plan)
    fulfilling = [r for r in table.rows if goal.value(r) is not None and goal.holds(r)]
    if not fulfilling:
        return None
    sign = 1 if goal.is_least else -1
    return min(fulfilling, key=lambda row: sign * goal.value(row))


def best_lines(plan: Plan, table: Table) -> Iterator[str]:
    """What a search has found, for people."""
    from sim.studies.report import number

    if not plan.searches:
        return
    goal, row = goal_of(plan), best_row(plan, table)
    if row is None:
        yield "no point fulfils what it must"
        return
    where = ", ".join(f"{name}={label}" for name, label in row.coordinates.items())
    yield f"best: {goal.figure} {number(goal.value(row))} at {where}"
