"""Random functions that call each other: the machine does what the IR says, inlined or not.

pytest -m campaign -n 2 tests/campaign/test_calls.py
CAMPAIGN=10000:15000 pytest -m campaign -n 2     other seeds
"""

from __future__ import annotations

from tests.campaign.seeds import campaign, check_all
from tests.compiler.targets.test_epic_calls import check


@campaign(100)
def test_campaign(seeds: range):
    check_all(check, seeds)
