"""Strength reduction of random programs and loop nests keeps values, memory and faults.

pytest -m campaign -n 2 tests/campaign/test_reduce_strength.py
CAMPAIGN=10000:15000 pytest -m campaign -n 2     other seeds
"""

from __future__ import annotations

from collections import Counter

from compiler.ir.copy import copy_function
from compiler.ir.module import Function, Module
from compiler.pass_lists import passes
from compiler.text_form import parse
from compiler.transformation import make_options
from compiler.verify.ir import findings_of
from tests.campaign.seeds import campaign, check_all
from tests.compiler.behaviour import behaviour
from tests.programs.random_loops import RandomLoops, arguments
from tests.programs.random_programs import Options, generate

SHORT = range(6)


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


def check(seed: int, counts: Counter) -> None:
    module, function, given = program(seed)
    changed = copy_function(function)
    for name, options in order(seed):
        plugin = passes()[name]
        changes = plugin.run(changed, None, make_options(plugin, options))
        assert findings_of(Module({changed.name: changed}, module.buffers)) == []
    counts.update(changes.counts)
    assert behaviour(changed, module, given) == behaviour(function, module, given)


def test_a_few_programs_do_the_same():
    counts = Counter()
    for seed in SHORT:
        check(seed, counts)
    assert counts["address reduced"] > 4
    assert counts["value reduced"] > 0


@campaign(250)
def test_campaign(seeds: range):
    check_all(lambda seed: check(seed, Counter()), seeds)
