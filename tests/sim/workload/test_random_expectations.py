"""A few random expectations; thousands are in `tests/campaign/test_expectations.py`."""

from __future__ import annotations

from tests.sim.workload.random_expectations import check_cases

COUNT = 800


def test_right_outputs_are_accepted_and_others_are_not():
    outcomes = check_cases(range(COUNT))
    assert outcomes["judged"] > 0.93 * COUNT
    assert outcomes["would accept"] and outcomes["hangs on how"]
