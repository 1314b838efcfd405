"""Memory dependence on random programs: no dynamic pair missing, as precise as byte by byte; the
rules 'seed' on all small programs: what the figures say.

pytest -m campaign -n 2 tests/campaign/test_memory_dependence.py
CAMPAIGN=100000:105000 pytest -m campaign -n 2 tests/campaign/test_memory_dependence.py  other seeds
"""

from __future__ import annotations

from tests.campaign.seeds import campaign, check_all
from tests.compiler.analyses.memory_programs import SMALL_PROGRAMS, check, small_program
from tests.compiler.analyses.seed_reference import check_seed


@campaign(100)
def test_campaign(seeds: range):
    check_all(check, seeds)


@campaign(1000, 0, SMALL_PROGRAMS)
def test_seed_on_small_programs(seeds: range):
    check_all(lambda number: check_seed(small_program(number)), seeds)
