"""Runs at rest: kept in a file, taken up again, and the state that is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sim.rests import IN_EVERY_RUN, WORKLOADS, check_every_rest, check_state

ALL = [
    pytest.param(name, marks=() if name in IN_EVERY_RUN else pytest.mark.campaign)
    for name in WORKLOADS
]


@pytest.mark.parametrize("name", ALL)
def test_the_same_bytes_from_every_point_of_rest(name: str, tmp_path: Path):
    assert check_every_rest(WORKLOADS[name](), tmp_path) >= 2


@pytest.mark.parametrize("name", ALL)
def test_what_is_taken_up_holds_what_it_held(name: str, tmp_path: Path):
    assert check_state(WORKLOADS[name](), tmp_path) >= 2
