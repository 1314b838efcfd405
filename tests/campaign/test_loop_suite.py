"""Every loop of the suite on every machine, at every trip count up to well past its pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

from machines.description.load import machine_names
from tests.workloads.loop_trips import NAMES
from tests.workloads.test_loop_suite import check_trips, suite_program, trip_counts

PAST = 10
"""Trips beyond the deepest pipeline."""


@pytest.mark.campaign
@pytest.mark.parametrize("machine", machine_names("epic"))
@pytest.mark.parametrize("name", NAMES)
def test_every_trip_count(name: str, machine: str, tmp_path: Path):
    compiled = suite_program(name, machine)
    for trips in range(max(trip_counts(compiled)) + PAST):
        check_trips(compiled, name, trips, tmp_path)
