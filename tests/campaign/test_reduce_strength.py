"""Strength reduction of random programs and loop nests keeps values, memory and faults.

pytest -m campaign -n 2 tests/campaign/test_reduce_strength.py
CAMPAIGN=10000:15000 pytest -m campaign -n 2     other seeds
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from compiler.ir.copy import copy_function
from compiler.ir.interpret import interpret, memory_for
from compiler.ir.module import Function, Module
from compiler.ir.random_programs import Options, generate
from compiler.ir.text import parse
from compiler.ir.verify import findings_of
from compiler.pipelines import passes
from compiler.transformation import make_options
from tests.compiler.random_loops import RandomLoops, arguments

SHORT = range(40)
PART = 250
STEPS = 2_000_000


def campaign_parts() -> list[range]:
    first, _, end = os.environ.get("CAMPAIGN", "1000:6000").partition(":")
    seeds = range(int(first), int(end))
    return [seeds[k : k + PART] for k in range(0, len(seeds), PART)]


def program(seed: int) -> tuple[Module, Function, dict[str, object]]:
    """A loop nest, or a program of any kind; every third of these may fault."""
    if seed % 2:
        module = parse(RandomLoops(seed).text, "loops.sir")
        (function,) = module.functions.values()
        return module, function, arguments(seed)
    options = Options(size=8 + seed % 48, faults=seed % 3 == 0, unassigned=seed % 5 == 0)
    made = generate(seed, options)
    return made.module, made.function, made.arguments


def order(seed: int) -> list[tuple[str, dict]]:
    """The pass after others, or nearly alone."""
    before = ["simplify_control_flow", "rotate_loops"] if seed % 4 < 2 else []
    inside = ["move_invariants"] if seed % 3 else []
    chosen = [(name, {}) for name in (*before, "construct_ssa", *inside)]
    return [*chosen, ("reduce_strength", {"limit": 1 + seed % 9})]


def result(function: Function, module: Module, given: dict) -> tuple:
    """How a run ends, and all memory."""
    memory = memory_for(module, given)
    outcome = interpret(function, given, memory, limit=STEPS)
    fault = outcome.fault and (outcome.fault.kind, outcome.fault.location, outcome.fault.address)
    return outcome.status, repr(outcome.value), fault, memory.bytes.tobytes()


def check(seed: int, counts: Counter) -> None:
    module, function, given = program(seed)
    changed = copy_function(function)
    for name, options in order(seed):
        plugin = passes()[name]
        changes = plugin.run(changed, None, make_options(plugin, options))
        assert findings_of(Module({changed.name: changed}, module.buffers)) == []
    counts.update(changes.counts)
    assert result(changed, module, given) == result(function, module, given)


def test_a_few_programs_do_the_same():
    counts = Counter()
    for seed in SHORT:
        check(seed, counts)
    assert counts["address reduced"] > 40
    assert counts["value reduced"] > 10


@pytest.mark.campaign
@pytest.mark.parametrize("seeds", campaign_parts(), ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}")
def test_campaign(seeds: range):
    failed = {}
    for seed in seeds:
        try:
            check(seed, Counter())
        except Exception as error:
            failed[seed] = f"{type(error).__name__}: {str(error)[:200]}"
    assert not failed
