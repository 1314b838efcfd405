"""A few random expectations; thousands are in `tests/campaign/test_expectations.py`."""

from __future__ import annotations

import pytest

from tests.sim.workload.random_expectations import check_cases


@pytest.mark.parametrize("seeds", [range(800)])
def test_right_outputs_are_accepted_and_others_are_not(seeds):
    outcomes = check_cases(seeds)
    assert outcomes["judged"] > 0.93 * len(seeds)
    if len(seeds) > 500:
        assert outcomes["would accept"] and outcomes["depends on how"]
