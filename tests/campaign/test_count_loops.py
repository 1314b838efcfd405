"""Random loop nests do the same after their innermost loops are counted.

pytest -m campaign -n 2 tests/campaign/test_count_loops.py
CAMPAIGN=10000:15000 pytest -m campaign -n 2     other seeds
"""

from __future__ import annotations

from collections import Counter

from compiler.ir.copy import copy_function
from compiler.ir.module import Module
from compiler.text_form import parse
from compiler.verify.ir import findings_of
from tests.campaign.seeds import campaign, check_all
from tests.compiler.behaviour import behaviour
from tests.compiler.one_pass import apply
from tests.programs.random_loops import RandomLoops, arguments

SHORT = range(5)


def check(seed: int, counts: Counter) -> None:
    module = parse(RandomLoops(seed).text, "loops.sir")
    (function,) = module.functions.values()
    given = arguments(seed)
    changed = copy_function(function)
    names = ["simplify_control_flow", "rotate_loops", "construct_ssa", "propagate_constants"]
    names += ["propagate_copies", "move_invariants", "reduce_strength"] if seed % 2 else []
    for name in (*names, "count_loops", "remove_dead_code", "leave_ssa"):
        changes = apply(name, changed)
        assert findings_of(Module({changed.name: changed}, module.buffers)) == []
        if name == "count_loops":
            counts.update(changes.counts)
    assert behaviour(changed, module, given) == behaviour(function, module, given)


def test_a_few_programs_do_the_same():
    counts = Counter()
    for seed in SHORT:
        check(seed, counts)
    assert counts["loop counted"] > 4


@campaign(250)
def test_campaign(seeds: range):
    check_all(lambda seed: check(seed, Counter()), seeds)
