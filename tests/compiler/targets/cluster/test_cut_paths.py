"""What is said of a wait by what lies around it is what the whole function says."""

from __future__ import annotations

import random

import pytest

from compiler.analyses.memory_conflicts import (
    Pair,
    conflicts_of_queues,
    memory_conflicts,
    overwritten_by,
    readers_of,
)
from compiler.analyses.memory_dependence import memory_dependence
from compiler.ir.module import Function
from compiler.ir.printer import print_function
from compiler.targets.cluster.cut_paths import CutPaths
from compiler.targets.cluster.in_flight import InFlight
from compiler.targets.cluster.passes import place_waits
from compiler.targets.cluster.passes.place_waits import _queue_of, needs_of
from tests.campaign.seeds import campaign, check_all
from tests.compiler.targets.cluster.test_fewest_waits import CHIP, placed, small_program
from tests.programs.random_tiles import generate
from tests.programs.tile_runs import compiled, machine_named

WAITS = ("drain", "counted")


def check_cuts(seed: int) -> int:
    """Waits taken away, and moved anywhere, in any order; how many of the answers were yes."""
    stream = random.Random(f"cuts {seed}")
    function = placed(small_program(seed), none=True)
    in_flight = InFlight(function, needs_of(function))
    places = [(n, k) for n, b in function.blocks.items() for k in range(len(b.instructions))]
    places = [place for place in places if place[0] in in_flight.order]
    anywhere = [(*place, queue) for place in places for queue in in_flight.queues]
    more = stream.sample(anywhere, stream.randrange(min(len(anywhere), 8) + 1))
    paths = CutPaths(in_flight, in_flight.as_late_as_can_be() | {*more})
    taken = 0
    for _ in range(20):
        if not paths.waits:
            break
        wait, before = stream.choice(sorted(paths.waits)), set(paths.waits)
        others = [one for one in anywhere if one[2] == wait[2] and one != wait]
        instead = stream.choice(others) if others and stream.random() < 0.5 else None
        after = before - {wait} | ({instead} if instead else set())
        answer = paths.take_away(wait, instead)
        assert answer == in_flight.suffices(after), (wait, instead, small_program(seed))
        assert paths.waits == (after if answer else before)
        taken += answer
    return taken


def test_waits_are_taken_away_where_the_function_can_do_without():
    assert sum(check_cuts(seed) for seed in range(60)) > 60


@campaign(500, 100, 2100)
def test_cuts_campaign(seeds):
    check_all(check_cuts, seeds)


# Pairs of two queues, and strides that lie side by side


def _all_of_queues(function: Function, queue_of, rules: str = "sound") -> list[Pair]:
    """Those of two queues of all pairs."""
    return [
        (a, b)
        for a, b in memory_conflicts(function, rules)
        if None not in (of := (queue_of(a.instruction), queue_of(b.instruction))) and of[0] != of[1]
    ]


def check_pairs_of_queues(seed: int) -> int:
    """With the pairs that answer for all others code gets the waits that it gets with all; how many
    pairs that leaves out."""
    left_out = 0
    chip = machine_named("teaching_chip", f"waits={WAITS[seed % 2]}")
    program = generate(seed, chip)
    for rules in ("sound", "seed"):
        function = compiled(program, chip, none=True).function
        some, every = (
            [(a.number, b.number) for a, b in of(function, _queue_of, rules)]
            for of in (conflicts_of_queues, _all_of_queues)
        )
        assert set(some) <= set(every) and (rules == "sound" or some == every)
        left_out += len(every) - len(some)
    texts = []
    for conflicts in (conflicts_of_queues, _all_of_queues):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(place_waits, "conflicts_of_queues", conflicts)
            texts.append(print_function(compiled(program, chip).function))
    assert texts[0] == texts[1]
    return left_out


def test_pairs_of_two_queues_answer_for_all_pairs():
    assert sum(check_pairs_of_queues(seed) for seed in (12, 16, 18)) > 0


@campaign(100, 20, 2200)
def test_pairs_of_queues_campaign(seeds):
    check_all(check_pairs_of_queues, seeds)


def check_pairs_of_some(seed: int) -> int:
    """What is asked of some instructions is what all pairs say of them."""
    stream = random.Random(f"some {seed}")
    function = compiled(generate(seed, CHIP), CHIP, none=True).function
    code = [i for _, i in function.instructions()]
    ours = {i for i in code if stream.random() < 0.5}
    theirs = {i for i in code if stream.random() < 0.5}
    found = readers_of(function, ours.__contains__, theirs.__contains__)
    reads = [
        (store.number, load.number)
        for load, stores in memory_dependence(function).definitions.items()
        for store in stores
        if store.instruction in ours and load.instruction in theirs
    ]
    assert [(a.number, b.number) for a, b in found] == sorted(reads, key=lambda pair: pair[::-1])
    found = overwritten_by(function, ours.__contains__)
    assert [(a.number, b.number) for a, b in found] == [
        (a.number, b.number)
        for a, b in memory_conflicts(function)
        if a.kind == b.kind == "store" and a.instruction in ours
    ]
    return len(reads) + len(found)


def test_pairs_of_some_instructions_are_those_of_all():
    assert sum(check_pairs_of_some(seed) for seed in range(20)) > 200


@campaign(200, 40, 2300)
def test_pairs_of_some_campaign(seeds):
    check_all(check_pairs_of_some, seeds)


def test_strides_that_lie_side_by_side_need_no_wait():
    text = """x: f32[64] in dram
a: f32[128] in nram
func @main(n: i64) {{
entry:
    tensor.copy.f32 a[0:8, 4 by 16], x[0:32]
    tensor.abs.f32 a[{low}:{high}, 4 by 16], a[{low}:{high}, 4 by 16]
    return
}}"""
    apart, together = (placed(text.format(low=low, high=low + 8), none=True) for low in (8, 4))
    assert memory_conflicts(apart) == [] and memory_conflicts(together)
