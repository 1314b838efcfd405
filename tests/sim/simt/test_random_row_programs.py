"""A few random programs of rows, thread by thread and on the core; thousands in the campaign."""

from __future__ import annotations

import pytest

from tests.sim.simt.random_row_runs import check


@pytest.mark.parametrize("first", (0, 4))
def test_the_core_leaves_what_the_threads_leave(first):
    for seed in range(first, first + 4):
        check(seed)
