"""Memory dependence on random programs: no dynamic pair missing, as precise as byte by byte.

pytest -m campaign -n 2 tests/campaign/test_memory_dependence.py
CAMPAIGN=100000:105000 pytest -m campaign -n 2 tests/campaign/test_memory_dependence.py  other seeds
"""

from __future__ import annotations

from tests.campaign.seeds import campaign
from tests.compiler.analyses.memory_programs import check


@campaign(100)
def test_campaign(seeds: range):
    """Reports every failing seed, not just the first."""
    failed = {}
    for seed in seeds:
        try:
            check(seed)
        except Exception as error:
            failed[seed] = f"{type(error).__name__}: {str(error)[:200]}"
    assert not failed
