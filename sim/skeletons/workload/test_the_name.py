"""The workload gives what it should, in as many cycles twice."""

from pathlib import Path

import sim

WORKLOAD = Path(__file__).with_name("workload.yaml")


def test_outputs_are_right_and_cycles_do_not_change():
    first, again = sim.run(WORKLOAD), sim.run(WORKLOAD)
    assert first.ok, first.checks
    assert first.cycles == again.cycles > 0
