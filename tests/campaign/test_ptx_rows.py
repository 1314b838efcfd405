"""Every ptx row that computes something, jitted, on the hand-computed operands.

pytest -m campaign -n 2 tests/campaign/test_ptx_rows.py
"""

from __future__ import annotations

import pytest

from tests.machines.instructions.test_ptx_cases import MEANINGS, check, compiled, source


@pytest.mark.campaign
@pytest.mark.parametrize("row", MEANINGS, ids=str)
def test_campaign(row):
    check(row, compiled(source(row)))
