"""Random functions as code, against the judge of lanes: their IR, and on machines.

pytest -m campaign -n 2 tests/compiler/levels/arrays/test_lowering_random.py
CAMPAIGN=10000:15000 pytest -m campaign …     other seeds
"""

from __future__ import annotations

import pytest

from tests.campaign.seeds import campaign, check_all
from tests.programs.lowered_functions import check, check_on

CI, BLOCK = 16, 8  # a block a worker
ON_MACHINE = 2


@pytest.mark.parametrize("first", range(0, CI, BLOCK))
def test_the_ir_of_functions_does_what_every_lane_does(first):
    check_all(check, range(first, first + BLOCK))


@campaign(part=250)
def test_the_ir_of_many_functions_does_what_every_lane_does(seeds):
    check_all(check, seeds)


@pytest.mark.parametrize("machine", ["itanium2", "teaching_gpu"])
def test_machines_do_what_every_lane_does(machine):
    check_all(lambda seed: check_on(machine, seed), range(ON_MACHINE))


@campaign(part=250, first=1000, end=3000)
def test_an_itanium_does_what_every_lane_does(seeds):
    check_all(lambda seed: check_on("itanium2", seed), seeds)


@campaign(part=100, first=3000, end=3600)
def test_a_grid_of_threads_does_what_every_lane_does(seeds):
    check_all(lambda seed: check_on("teaching_gpu", seed), seeds)
