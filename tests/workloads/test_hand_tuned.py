"""Hand-written loops take the cycles that are published for such loops, or follow from the manuals.

A pass over data that is in the caches is the difference between three passes and two.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import sim

FOLDER = Path(__file__).parents[2] / "workloads" / "hand_tuned"

FIGURES = {
    # name: (units in a pass, cycles a unit, where the figure is from)
    "copy": (1000, 0.5, "measured: GMP copyi"),
    "add": (1000, 1.25, "measured: GMP add_n"),
    "shift": (1000, 1.0, "measured: GMP lshift"),
    "multiply_accumulate": (1000, 2.0, "measured: GMP addmul_1"),
    "daxpy": (1200, 0.5625, "nine groups for sixteen elements: OpenBLAS daxpy"),
    "ddot": (1000, 0.5, "eight groups for sixteen elements: OpenBLAS ddot"),
    "dgemm": (200 * 16, 0.5, "two fma a cycle: OpenBLAS dgemm"),
    "strlen": (1946, 6 / 8, "load 2, search 3, test and branch 1, for eight bytes"),
    "chase": (10_000, 2.0, "measured: 7-cpu.com, L1 hit"),
}


def cycles(name: str, variant: str) -> int:
    result = sim.run(FOLDER / name / "workload.yaml", machine="itanium2", variant=variant)
    assert result.ok, [str(check) for check in result.checks] or result.fault
    return result.cycles


@pytest.mark.parametrize("name", FIGURES)
def test_cycles_a_unit(name: str):
    units, expected, source = FIGURES[name]
    measured = (cycles(name, "three") - cycles(name, "two")) / units
    assert measured == pytest.approx(expected, rel=0.1), source


def test_every_loop_has_its_figure():
    assert {path.parent.name for path in FOLDER.glob("*/workload.yaml")} == set(FIGURES)
