"""The machine code of every workload on every machine through its text, and damaged code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.same_results import cases
from tests.compiler.forms import again_from_text, compiled_for
from tests.compiler.test_damaged_forms import CASES, check, check_words


@pytest.mark.campaign
def test_machine_code_of_every_workload_is_read_back():
    differing, compared = [], 0
    for workload, machine in sorted({(file, machine) for file, _, machine in cases(Path())}):
        compiled = compiled_for(workload, machine)
        if compiled.compilation.module is not None:
            compared += 1
            again = again_from_text(compiled).content_hash
            if again != compiled.compilation.program.content_hash:
                differing.append(f"{workload} on {machine}")
    assert not differing and compared > 200


@pytest.mark.campaign
def test_damage_is_refused_at_its_line():
    for machine, form, damage in CASES:
        check(machine, form, damage, seeds=100)


@pytest.mark.campaign
def test_words_in_disorder_are_refused_or_mean_something():
    check_words(range(1000, 6000))
