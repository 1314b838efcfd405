"""Hand-written loops take the cycles that are published for such loops, or that manuals imply."""

from __future__ import annotations

import pytest

from tests.benchmarks.hand_tuned import FIGURES, FOLDER, measure


@pytest.mark.parametrize("name", FIGURES)
def test_cycles_of_a_unit(name: str):
    assert measure(name) == pytest.approx(FIGURES[name].cycles, rel=0.1), FIGURES[name].source


def test_every_loop_has_its_figure():
    assert {path.parent.name for path in FOLDER.glob("*/workload.yaml")} == set(FIGURES)
