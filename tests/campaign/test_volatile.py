"""Volatile accesses happen as often, and in the order, in which the program says them.

pytest -m campaign tests/campaign/test_volatile.py
"""

from __future__ import annotations

import pytest

from machines.description.load import load_machine
from tests.campaign.seeds import campaign, check_all
from tests.compiler.volatile_programs import done, read, said

WAYS = {
    "default": ["default"],
    "always": ["default", {"modulo_schedule": {"always": True}}],
    "blocks": ["default", "-modulo_schedule", {"convert_branches": {"limit": 0}}],
    "guards": ["default", {"convert_branches": {"limit": 40}}],
}


def check(seed: int) -> None:
    module, machine = read(seed), load_machine("epic3" if seed % 3 else "itanium2")
    way = list(WAYS)[seed % len(WAYS)]
    expected = said(module, seed % 7)
    for what, a, b in zip(
        ("accesses", "result", "memory"), expected, done(module, seed % 7, machine, WAYS[way]),
        strict=True,
    ):  # fmt: skip
        assert a == b, (what, way)


@pytest.mark.parametrize("seed", range(16))
def test_a_few_programs(seed: int):
    check(seed)


def test_they_are_enough():
    """The programs do have volatile accesses, among them some in loops."""
    seen = [len(said(read(seed), 3)[0]) for seed in range(24)]
    assert sum(seen) > 200 and max(seen) > 40


@campaign(100, 0, 3000)
def test_campaign(seeds: range):
    check_all(check, seeds)
