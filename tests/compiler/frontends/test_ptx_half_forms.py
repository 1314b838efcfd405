"""Which forms of instructions of small floats there are, on which targets: as ptxas says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.campaign.seeds import short_form
from tests.compiler.frontends.half_forms import NOT_TAKEN, TARGETS, lines
from tests.compiler.frontends.ptxas import needs_ptxas, refused_by_ptxas, refused_here

PARTS = 12
"""Of the lines: a run of all tests takes one, for every target; the campaign all."""


def differences(asked: list[str], target: str, folder: Path) -> list[str]:
    """Lines that only one of the two takes."""
    theirs, ours = refused_by_ptxas(asked, folder, target), refused_here(asked, target)
    return [
        f"{line}   ptxas: {theirs.get(n)}   here: {ours.get(n)}"
        for n, line in enumerate(asked)
        if (n in theirs) != (n in ours) and not (NOT_TAKEN.match(line) and n in ours)
    ]


@needs_ptxas
@pytest.mark.parametrize("part", short_form(range(PARTS), 1))
@pytest.mark.parametrize("target", TARGETS)
def test_a_form_is_taken_by_both_or_by_neither(target: str, part: int, tmp_path: Path):
    asked = list(lines())
    random.Random(7).shuffle(asked)
    assert differences(asked[part::PARTS], target, tmp_path) == []
