"""Loops of launches do what the same loops do in Python."""

from __future__ import annotations

import tempfile
from pathlib import Path

import sim
from tests.campaign.seeds import campaign, check_all
from tests.sim.simt.random_hosts import random_host


def check_log(seed: int) -> None:
    """What the launches log, in order, is what Python's loops log."""
    made = random_host(seed)
    with tempfile.TemporaryDirectory() as folder:
        result = sim.run(made.write(Path(folder)))
    assert result.status == "done", result.fault
    got = result.outputs["log"][: len(made.log)].tolist()
    assert got == made.log, seed


def test_logs():
    check_all(check_log, range(6))


@campaign(part=250, first=1000, end=3000)
def test_logs_of_many(seeds):
    check_all(check_log, seeds)
