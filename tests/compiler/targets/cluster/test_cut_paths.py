"""What is said of a wait by what lies around it is what the whole function says."""

from __future__ import annotations

import random

from compiler.analyses.memory.strides import are_apart
from compiler.analyses.memory_conflicts import memory_conflicts
from compiler.ir.module import Function
from compiler.targets.cluster.cut_paths import CutPaths
from compiler.targets.cluster.in_flight import InFlight
from compiler.targets.cluster.passes.place_waits import _queue_of, needs_of
from tests.campaign.seeds import campaign, check_all
from tests.compiler.targets.cluster.test_fewest_waits import CHIP, placed, small_program
from tests.programs.random_tiles import generate
from tests.programs.tile_runs import compiled


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


def _pairs(function: Function, **options) -> list[tuple[int, int]]:
    return [(a.number, b.number) for a, b in memory_conflicts(function, **options)]


def test_pairs_of_two_queues_are_those_of_all_pairs():
    left_out = 0
    for seed in range(6):
        function = compiled(generate(seed, CHIP), CHIP, none=True).function
        wanted = []
        for a, b in memory_conflicts(function):
            queues = _queue_of(a.instruction), _queue_of(b.instruction)
            if None not in queues and queues[0] != queues[1]:
                wanted.append((a.number, b.number))
            else:
                left_out += 1
            assert not are_apart(a, b)
        assert _pairs(function, queue_of=_queue_of) == wanted
    assert left_out > 20


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
    assert _pairs(apart) == [] and _pairs(together)
