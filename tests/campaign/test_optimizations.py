"""Optimizations on SSA form keep what a program does: value, memory, faults, draws.

Each pass alone, all in order, and some in any order, on random programs with and without faults,
unknown conditions, variables that nothing has assigned, and tensor operations.  A fault must come
at the same place of the source with the same memory.

    pytest -m campaign -n 2 tests/campaign/test_optimizations.py
    CAMPAIGN=10000:15000 pytest -m campaign -n 2     other seeds
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from compiler.ir.copy import copy_function
from compiler.ir.module import Function, Module
from compiler.text_form import parse
from compiler.verify.ir import findings_of
from tests.campaign.seeds import campaign, check_all
from tests.compiler.behaviour import behaviour, random_source
from tests.compiler.one_pass import apply
from tests.programs.random_memory import RandomMemory
from tests.programs.random_programs import Options

PASSES = (
    "propagate_constants",
    "number_values",
    "propagate_copies",
    "remove_dead_code",
    "move_invariants",
    "reduce_strength",
    "relate_accesses",
    "count_loops",
    "remove_dead_stores",
)
"""The order of `all`."""
SHORT = range(10)


def source(seed: int) -> tuple[Module, Function, dict[str, object]]:
    """Every third program loads and stores the same few places over and over."""
    if seed % 3 == 0:
        program = RandomMemory(seed, faults=seed % 2 == 0)
        module = parse(program.text, "random.sir")
        (function,) = module.functions.values()
        return module, function, program.arguments
    return random_source(seed, options(seed))


def options(seed: int) -> Options:
    """Of the random programs."""
    return Options(
        size=8 + seed % 60,
        faults=seed % 2 == 0,
        unassigned=seed % 5 == 0,
        opaque=seed % 4 < 2,
        tensors=seed % 3 == 1,
        volatile=seed % 7 == 2,
        inexact=seed % 2 == 1,
        indirect=seed % 5 < 3,
        calls=seed % 7 < 3,
        aliases=seed % 5 < 2,
    )


def orders(seed: int) -> list[tuple[str, ...]]:
    anyhow = tuple(Random(seed).choices(PASSES, k=6))
    return [*((name,) for name in PASSES), PASSES, anyhow]


def check(seed: int) -> Counter:
    """Runs a program after each order of passes; what every pass did, counted."""
    module, function, arguments = source(seed)
    expected = behaviour(function, module, arguments, seed)
    apply("construct_ssa", function)
    did: Counter = Counter()
    for order in orders(seed):
        optimized = copy_function(function)
        for name in order:
            did[name] += sum(apply(name, optimized).counts.values())
            functions = module.functions | {optimized.name: optimized}
            alone = Module(functions, module.buffers, module.source)
            assert [str(f) for f in findings_of(alone)] == [], f"{name} of {order}"
        assert behaviour(optimized, module, arguments, seed) == expected, order
    return did


@pytest.mark.parametrize("seed", SHORT)
def test_a_few_programs(seed):
    check(seed)


def test_every_pass_has_something_to_do():
    did: Counter = Counter()
    for seed in range(22, 24):
        did += check(seed)
    assert {name for name in PASSES if did[name]} == set(PASSES)


@campaign(100)
def test_campaign(seeds: range):
    check_all(check, seeds)
