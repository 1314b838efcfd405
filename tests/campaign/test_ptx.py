"""Damaged PTX of nvcc, thousands of ways: findings, or a module that verifies.

pytest -m campaign -n 2 tests/campaign/test_ptx.py
"""

from __future__ import annotations

from tests.campaign.seeds import campaign, check_all
from tests.compiler.frontends.test_ptx_mutations import check_seed


@campaign(500)
def test_damaged_kernels(seeds: range):
    check_all(check_seed, seeds)
