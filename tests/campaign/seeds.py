"""The seeds of a campaign, cut in parts for several processes, and how they are reported."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import pytest

LEFT_OUT = False
"""Whether the campaign is deselected, as `tests/conftest.py` finds: what is for it alone is then
not collected either, which would take a third of what collecting takes."""


def campaign(part: int, first: int = 1000, end: int = 6000) -> Callable:
    """Make a test of one argument, `seeds: range`, part of the campaign.

    It runs once for each `part` seeds of [first, end), or of what CAMPAIGN=first:end says.
    """
    given = os.environ.get("CAMPAIGN", f"{first}:{end}").split(":")
    all_seeds = range(*map(int, given))
    parts = [all_seeds[k : k + part] for k in range(0, len(all_seeds), part)]
    parts = parts[:1] if LEFT_OUT else parts
    names = [f"{seeds[0]}-{seeds[-1]}" for seeds in parts]

    def mark(test: Callable) -> Callable:
        return pytest.mark.campaign(pytest.mark.parametrize("seeds", parts, ids=names)(test))

    return mark


def short_form(values: Sequence, first: int) -> list:
    """Of a test's parameters the first few, for every run, and the others for the campaign."""
    return _chosen([(value, k < first) for k, value in enumerate(values)])


def spread(values: Sequence, step: int, first: int = 0) -> list:
    """Of a test's parameters every `step`-th from `first` on for every run, the others for the
    campaign."""
    return _chosen([(value, k % step == first) for k, value in enumerate(values)])


def cut(few: int, end: int, begin: int = 0) -> list:
    """Values of a parameter `seeds`: the first few of [begin, end) for every run, then the rest."""
    return _chosen([(range(begin, begin + few), True), (range(begin + few, end), False)])


def _chosen(values: Sequence[tuple[object, bool]]) -> list:
    """Values, with whether every run takes them."""
    return [
        value if always else pytest.param(value, marks=pytest.mark.campaign)
        for value, always in values
        if always or not LEFT_OUT
    ]


def check_all(check: Callable[[int], object], seeds: range) -> None:
    """Check every seed; fails with all that failed, not just the first."""
    failed = {}
    for seed in seeds:
        try:
            check(seed)
        except Exception as error:
            failed[seed] = f"{type(error).__name__}: {str(error)[:300]}"
    assert not failed, failed  # pytest shows nothing of a plain module by itself
