"""The core does what the machine interpreter does, on assembly that mixes everything which renames,
moves or marks registers: in registers, memory, faults and how often each syllable runs.

    CAMPAIGN=0:20000 pytest -m campaign tests/campaign/test_random_assembly.py
"""

from __future__ import annotations

from tests.campaign.assembly_features import Run, count_pairs
from tests.campaign.seeds import campaign, check_all


def check(seed: int) -> None:
    assert Run(seed).differences == {}


def test_some_programs_and_that_they_combine_features():
    """Which pairs meet is a property of the seeds; all but a few do in thousands of programs."""
    assert count_pairs(range(40)).share > 0.5


@campaign(100, first=0, end=20_000)
def test_campaign(seeds: range):
    check_all(check, seeds)
