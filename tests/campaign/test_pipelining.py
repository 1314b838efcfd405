"""Random loops of one block, all pipelined, against the interpreter for many trip counts.

pytest -m campaign -n 2 tests/campaign/test_pipelining.py
CAMPAIGN=10000:15000 pytest -m campaign -n 2     other seeds
"""

from __future__ import annotations

from tests.campaign.seeds import campaign, check_all
from tests.compiler.passes.test_modulo_schedule import ALWAYS, wrong_runs
from tests.programs.random_bodies import RandomBody, arguments

TRIPS = (*range(10), 13, 40)


def check(seed: int) -> None:
    text = RandomBody(seed, statements=4 + seed % 20, faults=seed % 5 == 0).text
    assert wrong_runs(text, [arguments(seed, n) for n in TRIPS], ALWAYS) == []


@campaign(part=250)
def test_pipelined_loops_compute_what_loops_do(seeds):
    check_all(check, seeds)
