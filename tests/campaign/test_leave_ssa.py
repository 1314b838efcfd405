"""Random programs through SSA form and out of it, with copy propagation in between.

pytest -m campaign -n 2 tests/campaign/test_leave_ssa.py
CAMPAIGN=100000:102000 pytest -m campaign -n 2 tests/campaign/test_leave_ssa.py     other seeds
"""

from __future__ import annotations

import os

import pytest

from tests.compiler.leaving_ssa import check, check_round_trip

PART = 100


def campaign_parts() -> list[range]:
    """The seeds of the campaign, in parts for several processes."""
    first, _, end = os.environ.get("CAMPAIGN", "1000:6000").partition(":")
    seeds = range(int(first), int(end))
    return [seeds[k : k + PART] for k in range(0, len(seeds), PART)]


@pytest.mark.campaign
@pytest.mark.parametrize("property", (check, check_round_trip), ids=("propagated", "round_trip"))
@pytest.mark.parametrize("seeds", campaign_parts(), ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}")
def test_campaign(property, seeds: range):
    """Reports every differing seed, not just the first."""
    failed = {}
    for seed in seeds:
        try:
            property(seed)
        except Exception as error:
            failed[seed] = f"{type(error).__name__}: {str(error)[:200]}"
    assert not failed
