"""Random expectations accept what another evaluator computes, and nothing else."""

from __future__ import annotations

from tests.campaign.seeds import campaign
from tests.sim.workload.random_expectations import check_cases


@campaign(part=1000, first=10_000, end=30_000)
def test_right_outputs_are_accepted_and_others_are_not(seeds: range):
    assert check_cases(seeds)["judged"] > 0.93 * len(seeds)
