"""Every ptx row that works on registers, on the core, on its hand-computed cases.

pytest -m campaign -n 2 tests/campaign/test_ptx_rows_on_core.py
"""

from __future__ import annotations

import pytest

from tests.sim.simt.test_ptx_rows_on_core import PART, PLAIN, check


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(0, len(PLAIN), PART))
def test_campaign(first):
    check(PLAIN[first : first + PART])
