"""Figures matter: for each in `witnesses/KIND.txt` some program notices another value.

`python -m tests.sim.fields.find_witnesses` finds programs for figures that have none yet.
"""

from __future__ import annotations

import pytest

from tests.campaign.seeds import short_form
from tests.sim.fields.configurations import CONFIGURATIONS
from tests.sim.fields.witnesses import FOLDER, configured, is_witness, read_witnesses

KINDS = [kind for kind in CONFIGURATIONS if (FOLDER / f"{kind}.txt").exists()]
PARTS = 12


@pytest.mark.parametrize("part", short_form(range(PARTS), 3))
@pytest.mark.parametrize("kind", KINDS)
def test_a_program_notices_every_change(kind: str, part: int):
    witnesses = sorted(read_witnesses(kind).items())[part::PARTS]
    assert [path for path, one in witnesses if not is_witness(kind, path, one)] == []


OPEN = {
    "dispersal.begins_group_after.MMF", "kind", "memory.l3.bank_bytes", "ports.M4.accepts",
    "ports.M5.accepts", "registers.branch.reserved", "templates.BBB.slots", "templates.BBB;.slots",
}  # fmt: skip
"""Figures of EPIC machines for which none is found yet."""


def test_every_other_figure_of_epic_machines_has_a_witness():
    """A figure of a configuration that reads it; one that only describes needs none."""
    figures = {
        field.path
        for configuration in CONFIGURATIONS["epic"]
        for field in configured("epic", configuration).fields()
        if not field.unread
    }
    assert figures - set(read_witnesses("epic")) <= OPEN
