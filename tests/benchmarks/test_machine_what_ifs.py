"""Every change of the what-ifs is a machine, and changes something."""

from __future__ import annotations

import pytest

from machines.description.load import load_machine
from tests.benchmarks.machine_what_ifs import BASE, CHANGES, Change


@pytest.mark.parametrize("change", CHANGES[1:], ids=lambda change: change.name)
def test_a_change_is_a_machine(change: Change):
    changed = load_machine(change.machine, change.overrides)
    assert changed.content_hash != load_machine(BASE).content_hash
