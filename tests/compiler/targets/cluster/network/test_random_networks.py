"""Random networks on chips leave what the operators of the level say, and no command races."""

from __future__ import annotations

from functools import lru_cache

import pytest

from machines.description.load import Machine, load_machine
from tests.campaign.seeds import campaign, check_all
from tests.programs.network_runs import check
from tests.programs.random_networks import generate

CHIPS = {
    "mlu370": (True, 6000, 3),
    "teaching_chip": (True, 1500, 3),
    "mlu_single": (True, 6000, 1),
    "systolic_32": (True, 6000, 1),
    "mlu270": (False, 6000, 1),
}
"""Whether they are given floats, how large tensors are at most, and how many are run each time."""


@lru_cache
def chip(name: str) -> Machine:
    return load_machine(name, [])


def run(name: str, seed: int, few: bool = False) -> None:
    floats, elements, _ = CHIPS[name]
    network, inputs, exact = generate(seed, floats, elements, few=few)
    if seed % 3:
        check(network, chip(name), inputs, exact)
    else:  # passes over networks may round otherwise
        check(network, chip(name), inputs, all_passes=True)


@pytest.mark.parametrize("name", CHIPS)
def test_few(name):
    for seed in range(CHIPS[name][2]):
        run(name, seed, few=True)


@campaign(50, 1000, 1300)
@pytest.mark.parametrize("name", CHIPS)
def test_campaign(name, seeds):
    check_all(lambda seed: run(name, seed), seeds)
