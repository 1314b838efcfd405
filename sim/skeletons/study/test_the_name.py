"""All points of the study run, and a slower cache costs cycles."""

from pathlib import Path

import sim

STUDY = Path(__file__).with_name("the_name.yaml")


def test_every_point_runs():
    found = sim.study(STUDY, jobs=1)
    assert [row.status for row in found.rows] == ["done"] * 3
    assert all(row.figures["slowdown"] >= 1 for row in found.rows)
