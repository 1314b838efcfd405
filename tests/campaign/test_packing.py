"""The automaton and the microscheduler against an exhaustive search, on every machine."""

from __future__ import annotations

import random

import pytest

from machines.description.load import load_machine
from tests.campaign.seeds import campaign, check_all
from tests.compiler.packing import check_microscheduled, check_row


@campaign(part=500, first=1000, end=3000)
@pytest.mark.parametrize("name", ["itanium2", "itanium", "epic3"])
def test_rows_are_packed_exactly_where_they_can_be(seeds, name):
    description = load_machine(name).description

    def check(seed: int) -> None:
        check_row(random.Random(seed), description)
        check_microscheduled(random.Random(seed), description)

    check_all(check, seeds)
