"""Random programs of ptx rows for whole grids: the core leaves what the threads leave, whatever
the policy.

    pytest -m campaign -n 2 tests/campaign/test_row_programs.py
"""

from __future__ import annotations

from tests.campaign.seeds import campaign, check_all
from tests.sim.simt.random_row_runs import POLICIES, check


@campaign(100, end=3000)
def test_campaign(seeds: range):
    check_all(lambda seed: check(seed, POLICIES), seeds)
