"""Random kernels without races: one memory, whatever the reconvergence policy."""

from __future__ import annotations

import pytest

from tests.campaign.seeds import short_form
from tests.sim.simt.random_kernel_runs import check


@pytest.mark.parametrize("seed", short_form(range(24), 5))
def test_all_policies_give_the_same_memory(seed):
    check(seed)
