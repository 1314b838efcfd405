"""Regions of branches: those found over the dominator tree are those found by walking each."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from compiler.analyses.branch_regions import BranchRegion, branch_regions
from compiler.analyses.control_flow import control_flow
from compiler.costs import Costs
from compiler.ir.builder import Builder, add_function
from compiler.ir.module import Function, Instruction, Module
from compiler.passes import convert_branches, simplify_control_flow
from compiler.passes.convert_branches import ConvertOptions, convert
from machines.types import I1
from tests.programs.growing_programs import growing


def by_walking(function: Function, head: str) -> BranchRegion | None:
    """The region of one head: from its successors on, the block that comes first in reverse
    post-order is taken in, if all that goes to it is inside, until one is left."""
    order = {name: k for k, name in enumerate(control_flow(function).reverse_postorder)}
    flow = control_flow(function)
    if head not in order or not goes_two_ways(function.blocks[head].terminator):
        return None
    inside, pending = {head: None}, set(flow.successors[head])
    while len(pending) > 1:
        name = min(pending, key=order.__getitem__)
        last = function.blocks[name].terminator
        if name == function.entry.name or not inside.keys() >= set(flow.predecessors[name]):
            return None
        if name in inside or not (last.operation.name == "jump" or goes_two_ways(last)):
            return None
        inside[name] = None
        pending.remove(name)
        pending.update(flow.successors[name])
    return BranchRegion(head, tuple(inside)[1:], tuple(pending))


def goes_two_ways(last: Instruction) -> bool:
    return last.operation.name == "branch" and last.operands[1] != last.operands[2]


def random_graph(seed: int) -> Function:
    """Blocks that mostly go a little forward; some return, some go anywhere."""
    random = Random(seed)
    builder: Builder = add_function(Module(), "f", [("p", I1), ("q", I1)])
    names = [f"b{k}" for k in range(random.randrange(2, 12))]
    back = random.choice((0, 0, 0.1, 0.3))
    for number, name in enumerate(names):
        builder.block(name)

        def target(number: int = number) -> str:
            if random.random() < back:
                return random.choice(names)
            return names[min(len(names) - 1, number + 1 + int(random.expovariate(0.9)))]

        kind = random.random()
        if name == names[-1] or kind < 0.04:
            builder.return_()
        elif kind < 0.35:
            builder.jump(target())
        else:
            builder.branch(random.choice("pq"), target(), target())
    return builder.function


def test_regions_are_those_that_a_walk_finds():
    sizes: Counter = Counter()
    for seed in range(3000):
        function = random_graph(seed)
        found = branch_regions(function)
        sums = found.sums(dict.fromkeys(function.blocks, 1))
        for head in function.blocks:
            region = found.region(head)
            assert region == by_walking(function, head), (seed, head)
            assert region is None or sums[head] == len(region.blocks)
            sizes[len(region.blocks) if region else 0] += 1
    assert sizes[1] > 200 and sum(n for size, n in sizes.items() if size > 2) > 30


@pytest.mark.parametrize("shape", ("diamonds", "live", "webs"))
def test_a_function_is_analysed_as_often_whatever_its_size(
    shape: str, monkeypatch: pytest.MonkeyPatch
):
    class Counted(convert_branches.BranchGraph):
        made = 0

        def __init__(self, function: Function):
            Counted.made += 1
            super().__init__(function)

    monkeypatch.setattr(convert_branches, "BranchGraph", Counted)
    often = []
    for size in (500, 4000):
        function = growing(shape, size).functions["grow"]
        simplify_control_flow.simplify(function)
        Counted.made = 0
        changes = convert(function, ConvertOptions(), Costs())
        assert changes.counts["branches converted"] > size / 60
        often.append(Counted.made)
    assert often[0] == often[1] <= 3
