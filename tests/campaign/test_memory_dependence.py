"""Memory dependence on random programs: no dynamic pair missing, as precise as byte by byte.

pytest -m campaign -n 2 tests/campaign/test_memory_dependence.py
CAMPAIGN=100000:105000 pytest -m campaign -n 2 tests/campaign/test_memory_dependence.py  other seeds
"""

from __future__ import annotations

from tests.campaign.seeds import campaign, check_all
from tests.compiler.analyses.memory_programs import check


@campaign(100)
def test_campaign(seeds: range):
    check_all(check, seeds)
