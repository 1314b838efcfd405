"""Random programs through SSA form and out of it, with copy propagation in between.

pytest -m campaign -n 2 tests/campaign/test_leave_ssa.py
CAMPAIGN=100000:102000 pytest -m campaign -n 2 tests/campaign/test_leave_ssa.py     other seeds
"""

from __future__ import annotations

import pytest

from tests.campaign.seeds import campaign, check_all
from tests.compiler.leaving_ssa import check, check_round_trip


@pytest.mark.parametrize("property", (check, check_round_trip), ids=("propagated", "round_trip"))
@campaign(100)
def test_campaign(property, seeds: range):
    check_all(property, seeds)
