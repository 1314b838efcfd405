"""Modulo schedules of thousands of random cyclic graphs: valid by both algorithms and both
reservations, with II at the larger bound, or proved least, nearly always.

pytest -m campaign -n 2 tests/campaign/test_modulo_schedule.py
CAMPAIGN=100000:102000 pytest -m campaign -n 2 tests/campaign/test_modulo_schedule.py    other seeds
"""

from __future__ import annotations

from machines.description.load import load_machine
from tests.campaign.seeds import campaign, check_all
from tests.compiler.scheduling import scheduling_properties as properties


@campaign(250)
def test_campaign(seeds: range):
    description = load_machine("itanium2").description
    schedules = []

    def check(seed: int) -> None:
        properties.check_with_little(seed, description)
        schedules.extend(properties.check(seed, description))

    check_all(check, seeds)
    at_bound = sum(s.ii == max(s.res_mii, s.rec_mii) for s in schedules)
    proved = sum(s.ii == s.least_ii for s in schedules)
    print(f"{len(schedules)} schedules: {at_bound} at the larger bound, {proved} proved least")
    assert at_bound >= 0.95 * len(schedules)
    assert proved >= 0.99 * len(schedules)
