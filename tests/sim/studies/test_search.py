"""A search finds what a grid finds, with fewer runs, and the same in every process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from machines.cache.results import kept_results
from machines.diagnostics import InputError
from sim.studies.plan import Plan
from sim.studies.search import best_row, goal_of, run_points
from sim.studies.store import Store
from sim.studies.study_file import read_study, study_of
from sim.studies.table import Table, tabulate

AXES = """
  l2: {set: memory.l2.latency, from: 5 cycles, to: 9 cycles, step: 2 cycles}
  width: {levels: {one: {set: {dispersal.bundles_per_cycle: 1}}, two: {}}}
  a: {argument: a, values: [2.5, 3.5]}
"""


def searched(path: Path) -> tuple[Table, Plan, int]:
    """The table of a search, and how many points a worker was asked for."""
    plan, asked = Plan(read_study(path)), []

    def scheduler(work: Callable, tasks: Iterator) -> Iterator:
        while (task := next(tasks, None)) is not None:
            asked.append(task)
            yield task, work(task)

    with kept_results(), Store.open(path.with_suffix(".sqlite")) as store:
        ran = {point.name: one.identity for point, one in run_points(plan, store, scheduler)}
        return tabulate(plan, store, ran), plan, len(asked)


def test_it_finds_what_a_grid_finds(studied: Callable):
    pytest.importorskip("optuna")
    goal = '{goal: minimise cycles, subject_to: ["cost <= 3", "a > 3"], trials: 16, seed: 1}'
    path = studied(AXES, search=goal, derive='{cost: "20 / l2"}').path
    table, plan, asked = searched(path)
    best = best_row(plan, table)
    again = searched(path)
    assert (again[2], again[0].rows) == (0, table.rows)
    assert asked <= 20

    path.with_suffix(".sqlite").unlink()
    grid = studied(AXES, derive='{cost: "20 / l2"}', where="a > 3")
    grid.run()
    fulfilling = [row for row in grid.table().rows if row.figures["cost"] <= 3]
    assert best.figures["cycles"] == min(row.figures["cycles"] for row in fulfilling)


def test_a_run_past_the_best_is_ended(studied: Callable, tiny: Path):
    """Its figures are none of the table."""
    pytest.importorskip("optuna")
    path = studied(AXES, search="{goal: minimise cycles, trials: 12, seed: 2}").path
    table, plan, _ = searched(path)
    ended = [row for row in table.rows if row.status == "limit"]
    best = best_row(plan, table).figures["cycles"]
    assert ended
    assert all(row.more_than >= best and not row.figures for row in ended)
    assert min(row.more_than for row in ended) == best  # there the last of them were ended


@pytest.mark.parametrize(
    "search, message",
    [
        ("{goal: least cycles, trials: 2}", "a goal is 'minimise FIGURE'"),
        ("{goal: minimise cycle, trials: 2}", "there is no figure 'cycle'"),
        ("{goal: minimise cycles, trials: 2, subject_to: [costs < 2]}", "'costs' is not a figure"),
        ("{goal: minimise cycles}", "'trials' is missing"),
    ],
)
def test_what_is_wrong_in_a_goal(studied: Callable, search: str, message: str):
    path = studied(AXES, search=search).path
    with pytest.raises(InputError, match=message):
        goal_of(Plan(read_study(path)))


@pytest.mark.parametrize(
    ("condition", "is_one"),
    [("n > 1", True), ("(n > 1) & (cost < 9)", True), ("on", True), ("small", True), ("1", True),
     ("n", False), ("cycles", False), ("cost", False), ("cost + 1", False), ("5", False),
     ("(n > 1) & cost", False), ("cycles / 2", False)],
)  # fmt: skip
def test_conditions_that_are_numbers_are_refused_before_anything_runs(condition: str, is_one: bool):
    axes = {"n": {"argument": "n", "values": [1, 2, 3]}, "on": {"argument": "x", "values": [0, 1]}}
    search = {"goal": "minimise cycles", "subject_to": [condition], "trials": 4}
    derive = {"cost": "n * 2", "small": "n < 2"}
    content = {"study": "s", "workload": "w", "axes": axes, "search": search, "derive": derive}
    plan = Plan(study_of(content, Path()))
    if is_one:
        assert goal_of(plan).constraints
    else:
        with pytest.raises(InputError, match="this is a number, and neither true nor false"):
            goal_of(plan)
