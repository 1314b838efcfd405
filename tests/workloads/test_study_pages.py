"""What pages say of studies comes out: `python -m tests.workloads.study_pages` writes it.

In every run: tables have all points and the pictures are of these tables, of the models of today;
what is a run that a baseline holds is as that says; one point of each study runs.  The campaign
runs all.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from machines.cache.results import kept_results
from machines.description.load import machine_names
from sim.baselines.accepted import read_baseline
from sim.baselines.checking import baseline_path
from sim.studies.plan import Point
from sim.studies.point import run_point
from sim.studies.table import Table, TableRow
from tests.campaign.seeds import short_form
from tests.workloads.study_pages import (
    FOLDER,
    MODELS,
    PAGE,
    PICTURES,
    ROOT,
    Shown,
    models,
    plan,
    written,
)
from tests.workloads.study_pages import shown as shown_in

TEXT = PAGE.read_text(encoding="utf-8")
AGAIN = "if this fails: python -m tests.workloads.study_pages"
FIRST = {"issue_width": ("crc32", "one", "fixed"), "ping_pong": ("two", "4", "16 KiB"),
         "reconvergence": ("two_breaks", "markers", "4 cycles")}  # fmt: skip
"""A point of each study that runs in every run."""
ROWS = {name: shown_in(name, TEXT) for name in PICTURES}
RUN = sorted(((name, row) for name, rows in ROWS.items() for row in rows),
             key=lambda one: one[1].labels != FIRST[one[0]])  # fmt: skip


def point_of(name: str, row: Shown) -> Point:
    """The point of a row."""
    known = {tuple(map(str, point.coordinates.values())): point for point in plan(name).points}
    return known[row.labels]


@pytest.mark.parametrize("name", PICTURES)
def test_tables_have_all_points_and_pictures_are_of_them(name: str):
    points = plan(name).points
    labels = [tuple(map(str, point.coordinates.values())) for point in points]
    assert [row.labels for row in ROWS[name]] == labels, AGAIN
    rows = [
        TableRow(point.coordinates, {}, "", {} if row.cycles is None else {"cycles": row.cycles})
        for point, row in zip(points, ROWS[name], strict=True)
    ]
    digest = Table([], [], [], rows).digest
    assert f"table {digest}" in (FOLDER / f"{name}.svg").read_text(), AGAIN


def test_the_page_is_of_the_models_of_today():
    assert MODELS.search(TEXT)[1] == models(), AGAIN


def test_what_baselines_hold_is_as_they_say():
    """A point without changes is a run of a workload on a machine, or on its own."""
    compared = 0
    for name, rows in ROWS.items():
        for row in rows:
            setting = point_of(name, row).setting
            is_plain = not (setting.overrides or setting.arguments or setting.base)
            machine = setting.machine
            if is_plain and (machine is None or machine in machine_names()):
                file = Path(setting.workload) / "workload.yaml"
                baseline = read_baseline(baseline_path(file, machine or "itanium2"))
                if baseline is not None:
                    [held] = baseline.cases.values()
                    assert row.cycles == held.cycles, (name, row, AGAIN)
                    compared += 1
    assert compared >= 8


@pytest.mark.parametrize("of", short_form(RUN, len(FIRST)), ids=str)
def test_points_come_to_what_the_page_says(of: tuple[str, Shown]):
    name, row = of
    with kept_results():
        outcome = run_point(point_of(name, row).setting)
    if row.cycles is None:
        assert outcome.status == "refused", AGAIN
    else:
        cycles = re.search(r'"cycles": (\d+)', outcome.document)[1]
        assert (outcome.status, int(cycles)) == ("done", row.cycles), AGAIN


def test_points_that_pages_compare_have_results():
    """A command of a page names two points of a study that run."""
    pages = [ROOT / "sim" / "studies" / "README.md", PAGE]
    named = [one for page in pages for one in written(page.read_text(encoding="utf-8"))]
    assert named
    for file, point in named:
        name = Path(file).stem
        labels = tuple(map(str, plan(name).point_at(point).coordinates.values()))
        [row] = [row for row in ROWS[name] if row.labels == labels]
        assert row.cycles is not None, f"{file}: '{point}' has no result"
