"""Random kernels without races: one memory, whatever the reconvergence policy."""

from __future__ import annotations

import pytest

from tests.sim.simt.random_kernel_runs import check


@pytest.mark.parametrize("seed", range(24))
def test_all_policies_give_the_same_memory(seed):
    check(seed)
