"""Markers, frontiers, meeting blocks, barriers: against plain definitions, and on large graphs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from random import Random

import pytest

from compiler.analyses.layout_graph import LayoutGraph, members
from compiler.targets.simt.analyses.convergence import convergence
from compiler.targets.simt.analyses.convergence_barriers import OUTSIDE, convergence_barriers
from compiler.targets.simt.analyses.convergence_queue import _Walk, queue_markers
from compiler.targets.simt.analyses.meeting_blocks import Meeting, meeting_blocks
from compiler.targets.simt.analyses.post_dominators import immediate_post_dominators
from compiler.targets.simt.analyses.thread_frontiers import frontier_markers, thread_frontiers
from tests.compiler import convergence_graphs
from tests.compiler.convergence_graphs import KINDS, random_case
from tests.compiler.graphs import reached

LARGE = 10_000


def graph(*successors: tuple[int, ...]) -> LayoutGraph:
    return LayoutGraph(tuple(map(str, range(len(successors)))), successors)


def random_layout(seed: int) -> LayoutGraph:
    """Any edges at all, blocks that are not reached included."""
    random = Random(seed)
    count = random.randint(2, 12)
    near, back = random.choice((2, 4, count)), random.choice((0.1, 0.3, 0.5))
    successors = []
    for block in range(count):
        targets = {block + 1} if random.random() < 0.8 else set()
        for _ in range(random.randint(0, 2)):
            step = random.randint(1, near)
            targets.add(block - step if random.random() < back else block + step)
        successors.append(tuple(sorted(t for t in targets if 0 <= t < count))[:2])
    return graph(*successors)


def literal_markers(graph: LayoutGraph) -> set[int] | None:
    """The procedure word by word, items never left out; None if that takes too long."""
    marked: set[int] = set()
    queue: list[tuple[int, frozenset, frozenset]] = [(0, frozenset([0]), frozenset())]
    for _ in range(5000):
        if not queue:
            return marked
        last, blocks, edges = queue.pop(0)
        for target in graph.successors[last]:
            place = next((k for k, item in enumerate(queue) if target in item[1]), None)
            if target in blocks:
                forward = along(target, edges)
                loop = forward & along(last, {(b, a) for a, b in edges})
                marked |= {b for b in loop if any(t not in loop for t in graph.successors[b])}
            elif place is not None:
                marked.add(target)
                end, known, ways = queue[place]
                queue[place] = (end, known | blocks, ways | edges | {(last, target)})
            else:
                item = (target, blocks | {target}, edges | {(last, target)})
                queue = sorted([*queue, item], key=lambda item: item[0])
                if queue[0] is not item:
                    marked.add(target)
    return None


def along(start: int, edges: set | frozenset) -> set[int]:
    found, pending = {start}, [start]
    while pending:
        block = pending.pop()
        for a, b in edges:
            if a == block and b not in found:
                found.add(b)
                pending.append(b)
    return found


def least_frontiers(graph: LayoutGraph) -> list[set[int]]:
    """The definition, applied until nothing changes."""
    found: list[set[int]] = [set() for _ in graph.names]
    alive = {int(name) for name in reached(graph.by_name, "0")}
    changed = True
    while changed:
        changed = False
        for block in sorted(alive):
            may_run = found[block] | set(graph.successors[block])
            for target in sorted(may_run):
                new = {other for other in may_run if other > target} - found[target]
                found[target] |= new
                changed |= bool(new)
    return found


def test_the_queue_marks_what_the_literal_procedure_marks():
    compared = 0
    for seed in range(400):
        case = random_layout(seed)
        literal = literal_markers(case)
        if literal is not None:
            compared += 1
            assert set(members(queue_markers(case))) == literal, case.successors
    assert compared > 390


def test_frontiers_are_the_least_sets_of_their_definition():
    for seed in range(300):
        case = random_layout(seed)
        found = [set(members(f)) for f in thread_frontiers(case)]
        least = least_frontiers(case)
        assert found == least, case.successors
        marked = {
            target
            for block, waiting in enumerate(least)
            for target in case.successors[block]
            if any(other <= target for other in waiting)
        }
        assert set(members(frontier_markers(case))) == marked


def test_meeting_blocks_are_on_every_way_to_the_end():
    for seed in range(100):
        case = random_layout(seed)
        alive = reached(case.by_name, "0")
        for block, meet in enumerate(immediate_post_dominators(case)):
            if meet < 0 or str(block) not in alive:
                continue
            around = reached(case.by_name, str(block), without=str(meet))
            assert all(case.by_name[name] for name in around), (case.successors, block, meet)


def test_a_loop_that_tests_at_its_end_is_left_through_a_marker():
    loop = graph((1,), (2,), (1, 3), ())  # pre, body, latch, after
    assert list(members(convergence(loop, "seed").markers)) == [2]
    assert list(members(convergence(loop, "sound").markers)) == [2, 3]
    assert thread_frontiers(loop)[1] == 1 << 3


def test_who_leaves_a_loop_is_not_waited_for_in_it():
    """Two loops; 2 may go to 6, past both.  Who leaves the inner one meets at 4, its other way
    out; ends are two, and each has those that lead to it."""
    gotos = graph((1,), (2, 5), (3, 6), (2, 4), (1,), (), ())
    found = {one.block: one for one in meeting_blocks(gotos)}
    assert found[4] == Meeting(4, False, (3,))
    assert found[5] == Meeting(5, False, (1,)) and found[6] == Meeting(6, False, (2,))
    assert set(found) == {4, 5, 6}
    assert {one.block for one in meeting_blocks(gotos, ends=(6,))} == {4, 5}


def test_lanes_that_go_on_at_once_meet_at_the_entry_of_their_loop():
    """1 goes back over 2 or over 3."""
    twice = graph((1,), (2, 3), (1,), (1, 4), ())
    assert Meeting(1, True, (1,)) in meeting_blocks(twice)
    starts = [(one.start, one.meet) for one in convergence_barriers(twice)]
    assert (1, 1) in starts  # it begins anew each time


def test_an_irreducible_loop_comes_back_to_any_of_its_entries():
    """1 and 2 are entered from 0; 2, which stands for the loop, goes to 1 at once or over 3."""
    knot = graph((1, 2), (2, 4), (1, 3), (1,), ())
    assert Meeting(2, True, (2,)) in meeting_blocks(knot)


def test_lanes_meet_where_a_branch_over_blocks_leads_to():
    """(p or q) and r: 0 goes over 1, which alone it leads to, to 2; 1 and 2 may go to 4."""
    tests = graph((1, 2), (2, 4), (3, 4), (5,), (5,), ())
    assert Meeting(2, False, (0,)) in meeting_blocks(tests)
    other = graph((1, 2), (2, 4), (3, 4), (1, 5), (5,), ())  # 3 leads to 1, too
    assert Meeting(2, False, (0,)) not in meeting_blocks(other)
    entered = graph((1, 2), (2, 3), (3,), ())  # 0 leads to 2, over which 1 goes
    assert Meeting(3, False, (1,)) not in meeting_blocks(entered)
    assert meeting_blocks(graph((1, 2), (2,), ()), ends=(2,)) == []


def test_barrier_of_a_loop_begins_in_front_of_it():
    loop = graph((1,), (2, 4), (3,), (1,), ())
    (barrier,) = convergence_barriers(loop)
    assert (barrier.start, barrier.meet, barrier.breaks) == (0, 4, ())


def test_barrier_of_a_loop_at_the_entry_begins_outside():
    loop = graph((1, 2), (0,), ())
    (barrier,) = convergence_barriers(loop)
    assert (barrier.start, barrier.meet) == (OUTSIDE, 2)


def test_barriers_that_nest_have_numbers_of_their_own_and_the_innermost_come_first():
    depth = 20  # conditions within each other's first arm; the arms meet one after the other
    tops = [(k + 1, 2 * depth - k) for k in range(depth)]
    joins = [(depth + k + 1,) for k in range(depth)]
    nest = graph(*tops, *joins, ())
    barriers = convergence_barriers(nest)
    assert len(barriers) == 15 and len({b.number for b in barriers}) == 15
    assert min(b.start for b in barriers) == depth - 15


def diamonds(count: int, in_loop: bool) -> LayoutGraph:
    """Conditions in a row, the last one first in the program."""
    size = 3 * count + 1
    successors: list[tuple[int, ...]] = [()] * (size + 1 + in_loop)
    successors[0] = (size,)
    for k in range(count):
        top, next_top = size - 3 * k, size - 3 * k - 3
        successors[top] = (top - 2, top - 1)
        successors[top - 1] = successors[top - 2] = (next_top,)
    if in_loop:
        successors[1] = (size, size + 1)
    return graph(*successors)


def spaghetti(count: int) -> LayoutGraph:
    random = Random(6)
    near = [(b + 1, min(max(b + random.randint(-3, 4), 0), count - 1)) for b in range(count - 1)]
    return graph(*(tuple(sorted(set(targets))) for targets in near), ())


@pytest.mark.parametrize(
    "large",
    [
        diamonds(LARGE // 3, False),
        diamonds(LARGE // 3, True),
        graph(*((b + 1, LARGE - 1) for b in range(LARGE - 2)), (LARGE - 1,), ()),
        graph(*((b + 1, b + 2) for b in range(LARGE - 2)), (LARGE - 1,), ()),
        spaghetti(LARGE),
    ],
    ids=["diamonds", "diamonds in a loop", "ladder", "short circuits", "spaghetti"],
)
def test_queue_of_large_graphs_is_quick(large: LayoutGraph):
    started = time.process_time()
    queue_markers(large)
    assert time.process_time() - started < 2


def steps(work: Callable[[], object]) -> int:
    """The lines of Python that a piece of work takes."""
    count = 0

    def note(frame: object, event: str, argument: object) -> Callable:
        nonlocal count
        count += event == "line"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def row(count: int) -> LayoutGraph:
    """Conditions in a row, in the order of the program."""
    tops = range(0, 3 * count, 3)
    return graph(*(t for k in tops for t in ((k + 1, k + 2), (k + 3,), (k + 3,))), ())


def nest(count: int) -> LayoutGraph:
    """Loops in loops: heads first, tests at the end."""
    tests = ((count - k - 1, count + k + 1) for k in range(count))
    return graph(*((k + 1,) for k in range(count)), *tests, ())


def loops(count: int) -> LayoutGraph:
    """Loops of a block each, in a row."""
    return graph(*((b, b + 1) for b in range(count)), ())


def exits(count: int) -> LayoutGraph:
    """Blocks in a row each of which may go to the end."""
    return graph(*((b + 1, count - 1) for b in range(count - 2)), (count - 1,), ())


def bits_on_items(large: LayoutGraph) -> int:
    """The size of all sets that a queue holds, step by step."""
    walk, size = _Walk(large), 0
    walk.begin()
    while walk.queue:
        walk.step()
        size += sum(item.blocks.bit_length() for item in walk.items.values())
    return size


@pytest.mark.parametrize(
    ("work", "shape"),
    [
        (bits_on_items, row),
        (lambda large: steps(lambda: thread_frontiers(large)), nest),
        (
            lambda large: steps(lambda: convergence_barriers(large)),
            row,
        ),
        (lambda large: steps(lambda: meeting_blocks(large)), loops),
        (lambda large: steps(lambda: meeting_blocks(large)), exits),
    ],
    ids=["queue", "frontiers", "barriers", "meeting blocks of loops", "meeting blocks of exits"],
)
def test_work_grows_as_the_graph_does(
    work: Callable[[LayoutGraph], int], shape: Callable[[int], LayoutGraph]
):
    assert work(shape(400)) < 5 * work(shape(100))


@pytest.mark.parametrize("kind", KINDS)
def test_schedules_of_random_graphs(kind: str):
    for seed in range(25):
        convergence_graphs.check(seed, kind)


def test_random_graphs_make_warps_diverge():
    sizes = [len(random_case(seed, kind).paths) for kind in KINDS for seed in range(5)]
    assert min(sizes) > 1
    found = [convergence_graphs.check(seed, "exits") for seed in range(25)]
    assert sum(s.by_policy["min_pc"].divergences for s in found) > 30
    assert sum(s.by_policy["min_pc"].merges for s in found) > 30
