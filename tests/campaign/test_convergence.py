"""What warps issue on random graphs under the four policies: 20 000 graphs.

pytest -m campaign -n 2 tests/campaign/test_convergence.py
CAMPAIGN=100000:104000 pytest -m campaign -n 2 tests/campaign/test_convergence.py     other seeds
"""

from __future__ import annotations

import pytest

from tests.campaign.seeds import campaign, check_all
from tests.compiler.convergence_graphs import KINDS, check


@pytest.mark.parametrize("kind", KINDS)
@campaign(500, first=1000, end=5000)
def test_campaign(kind: str, seeds: range):
    check_all(lambda seed: check(seed, kind), seeds)
