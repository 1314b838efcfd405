"""Loops whose ways meet where they like do the same after if-conversion.

pytest -m campaign -n 2 tests/campaign/test_convert_branches.py
CAMPAIGN=10000:15000 pytest -m campaign -n 2     other seeds
"""

from __future__ import annotations

from tests.campaign.seeds import campaign, check_all
from tests.compiler.passes.test_convert_branches import bodies


@campaign(250)
def test_campaign(seeds: range):
    check_all(bodies, seeds)
    check_all(lambda seed: bodies(seed, exits=True), seeds)
