"""A study of the small workload, and a way to have its points run in this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from machines.cache import results, software
from machines.cache.cache_folder import cache_folder
from sim.studies import conduct
from sim.studies.conduct import Scheduler, identities_now
from sim.studies.plan import Plan
from sim.studies.point import Outcome
from sim.studies.search import run_points
from sim.studies.store import Store
from sim.studies.study_file import read_study
from sim.studies.table import Table, points_of, tabulate

AXES = """
  l2: {set: memory.l2.latency, values: [5 cycles, 8 cycles]}
  a: {argument: a, values: [2.5, 3.5]}
"""


@pytest.fixture(autouse=True)
def kept(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of its own, behind which compiled cores are found; the software is what this process
    runs, and no test is part of it."""
    compiled = os.environ.get("SIMRUN_CACHE") or str(cache_folder())
    own = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("SIMRUN_CACHE", f"{own}{os.pathsep}{compiled}")
    monkeypatch.setattr(software, "STARTED", 4e9)
    monkeypatch.setattr(results, "_modules", lambda known: [])


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `simrun study` runs, it runs here: to start a process takes longer than all points."""

    def here(jobs: int) -> Scheduler:
        return lambda work, tasks: ((task, work(task)) for task in tasks)

    monkeypatch.setattr(conduct, "local", here)


@contextmanager
def _own_store() -> Iterator[None]:
    with results.kept_results():
        yield


class Studied:
    """A study's file, run by a scheduler of this process.

    asked  the coordinates of the points that a worker was asked for
    ran    of those that it ran
    """

    def __init__(self, path: Path, store: Path | None = None):
        self.path, self.store = path, store or path.with_suffix(".sqlite")
        self.asked: list[dict[str, Any]] = []
        self.ran: list[dict[str, Any]] = []

    def run(
        self, change: Callable[[Any], Any] = lambda outcome: outcome, trust: bool = False
    ) -> list[Outcome]:
        """What the points came to; `change` is what becomes of a worker's answer."""
        plan = Plan(read_study(self.path), trust)

        def scheduler(work: Callable, tasks: Iterator) -> Iterator:
            while (task := next(tasks, None)) is not None:
                self.asked.append(task.coordinates)
                outcome = work(task)
                self.ran += [] if outcome.is_known else [task.coordinates]
                yield task, change(outcome)

        with _own_store(), Store.open(self.store) as store:
            return [outcome for _, outcome in run_points(plan, store, scheduler)]

    def table(self) -> Table:
        plan = Plan(read_study(self.path))
        with _own_store(), Store.open(self.store, writes=False) as store:
            return tabulate(plan, store, identities_now(points_of(plan, store)))


@pytest.fixture
def studied(tiny: Path) -> Callable[..., Studied]:
    """Writes a study of the small workload, and gives it."""

    def write(axes: str = AXES, **keys: str) -> Studied:
        path = tiny.with_name("study.yaml")
        lines = ["study: mine", "workload: .", *(f"{k}: {v}" for k, v in keys.items())]
        path.write_text("\n".join(lines) + f"\naxes:{axes}\n")
        return Studied(path)

    return write
