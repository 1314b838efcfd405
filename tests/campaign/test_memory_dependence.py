"""Memory dependence on random programs: no dynamic pair missing, as precise as byte by byte.

pytest -m campaign -n 2 tests/campaign/test_memory_dependence.py
CAMPAIGN=100000:105000 pytest -m campaign -n 2 tests/campaign/test_memory_dependence.py  other seeds
"""

from __future__ import annotations

import os

import pytest

from tests.compiler.analyses.memory_programs import check

PART = 100


def campaign_parts() -> list[range]:
    """The seeds of the campaign, in parts for several processes; three programs a seed."""
    first, _, end = os.environ.get("CAMPAIGN", "1000:6000").partition(":")
    seeds = range(int(first), int(end))
    return [seeds[k : k + PART] for k in range(0, len(seeds), PART)]


@pytest.mark.campaign
@pytest.mark.parametrize("seeds", campaign_parts(), ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}")
def test_campaign(seeds: range):
    """Reports every failing seed, not just the first."""
    failed = {}
    for seed in seeds:
        try:
            check(seed)
        except Exception as error:
            failed[seed] = f"{type(error).__name__}: {str(error)[:200]}"
    assert not failed
