"""Memory dependence on random programs: a few in every test run, thousands in the campaign."""

from __future__ import annotations

import pytest

from compiler.analyses.memory_dependence import MemoryOptions
from tests.compiler.analyses.memory_programs import (
    LONG,
    SMALL_PROGRAMS,
    check,
    common_program,
    dense_program,
    dynamic_pairs,
    small_program,
    static_pairs,
)
from tests.compiler.analyses.seed_reference import check_seed


@pytest.mark.parametrize("seed", range(10))
def test_sound_misses_nothing_and_is_as_precise_as_bytes(seed):
    check(seed)


@pytest.mark.parametrize("seed", range(0, 60, 10))
def test_seed_is_its_letter(seed):
    for number in range(seed, seed + 10):
        check_seed(dense_program(number).function)


def test_seed_is_its_letter_on_small_programs():
    """Every so manieth of all; the campaign takes each."""
    for number in range(0, SMALL_PROGRAMS, 211):
        check_seed(small_program(number))


def test_the_programs_are_worth_it():
    """They read what they wrote, from several stores each, and 'seed' misses some of it."""
    programs = [dense_program(seed) for seed in range(40)]
    happened = [dynamic_pairs(program) for program in programs]
    seed = [static_pairs(program.function, MemoryOptions(rules="seed")) for program in programs]
    assert sum(map(len, happened)) > 400
    missed = [pairs - found for pairs, found in zip(happened, seed, strict=True)]
    assert 3 < sum(map(bool, missed)) < 30
    assert sum(len(dynamic_pairs(common_program(number), LONG)) for number in range(15)) > 60
