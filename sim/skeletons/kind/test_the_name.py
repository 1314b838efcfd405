"""A program runs in the cycles that its comment works out, and slower on a slower machine."""

from pathlib import Path

import pytest

import sim

WORKLOAD = Path(__file__).with_name("workload.yaml")


def test_cycles_worked_out_by_hand():
    result = sim.run(WORKLOAD)
    assert result.ok, result.checks
    assert result.cycles == 9
    assert result.breakdown == {"issuing": 4, "load": 2, "long": 3}
    assert sim.run(WORKLOAD, overrides="load=5 cycles").cycles == 11


def test_a_figure_out_of_bounds_is_refused():
    with pytest.raises(sim.InputError, match="less than or equal to 1000"):
        sim.load_machine("the_name", "load=1001 cycles")
