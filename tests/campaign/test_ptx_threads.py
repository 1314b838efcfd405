"""Random ptx rows: the translated thread does what the meanings say.

pytest -m campaign -n 2 tests/campaign/test_ptx_threads.py
"""

from __future__ import annotations

from tests.campaign.seeds import campaign, check_all
from tests.compiler.targets.test_simt_interpret_random import check


@campaign(200, end=3000)
def test_campaign(seeds: range):
    check_all(check, seeds)
