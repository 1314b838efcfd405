"""Memory dependence on random programs: a few in every test run, thousands in the campaign."""

from __future__ import annotations

import pytest

from compiler.analyses.memory_dependence import MemoryDependence, MemoryOptions
from tests.compiler.analyses.memory_programs import (
    LONG,
    check,
    common_program,
    dense_program,
    dynamic_pairs,
    static_pairs,
)
from tests.compiler.analyses.seed_reference import SeedReference


@pytest.mark.parametrize("seed", range(10))
def test_sound_misses_nothing_and_is_as_precise_as_bytes(seed):
    check(seed)


@pytest.mark.parametrize("seed", range(0, 100, 10))
def test_seed_is_its_letter(seed):
    """The same uses and records as the plain reading of the figures."""
    for number in range(seed, seed + 10):
        for fast, everyone in ((False, False), (True, False), (False, True)):
            function = dense_program(number).function
            options = MemoryOptions(
                rules="seed",
                variant="fast" if fast else "precise",
                indirect="all" if everyone else "uncovered",
            )
            found = MemoryDependence(function, options)
            expected = SeedReference(function, fast=fast, all_candidates=everyone)
            reached = {a.number: {d.number for d in some} for a, some in found.definitions.items()}
            assert reached == {number: expected.uses.get(number, set()) for number in reached}
            for instruction, records in found.records():
                last = found.accesses_of[instruction][-1].number
                assert [descriptor.text for descriptor, _ in records] == [
                    found.memory.descriptors[d].text for d in sorted(expected.after[last])
                ]
                for (_, record), d in zip(records, sorted(expected.after[last]), strict=True):
                    definitions, kill, mark = expected.after[last][d]
                    assert set(record.definitions) == definitions
                    assert {b for low, high in record.kill for b in range(low, high + 1)} == kill
                    assert record.is_kill == mark


def test_the_programs_are_worth_it():
    """They read what they wrote, from several stores each, and 'seed' misses some of it."""
    programs = [dense_program(seed) for seed in range(40)]
    happened = [dynamic_pairs(program) for program in programs]
    seed = [static_pairs(program.function, MemoryOptions(rules="seed")) for program in programs]
    assert sum(map(len, happened)) > 400
    missed = [pairs - found for pairs, found in zip(happened, seed, strict=True)]
    assert 3 < sum(map(bool, missed)) < 30
    assert sum(len(dynamic_pairs(common_program(number), LONG)) for number in range(15)) > 60
