"""Kill sets, trees of sets, the interval index and shared tables against plain Python."""

from __future__ import annotations

import doctest
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.analyses.memory import (
    interval_index,
    interval_trees,
    intervals,
    kill_sets,
    member_sets,
    relations,
    waiting,
)
from compiler.analyses.memory.block_numbers import partners
from compiler.analyses.memory.interval_index import IntervalIndex
from compiler.analyses.memory.persistent_table import Tables

BYTES = range(24)
spans = st.tuples(st.integers(0, 23), st.integers(0, 23)).map(lambda pair: tuple(sorted(pair)))


def members(some: intervals.Intervals) -> set[int]:
    return {byte for low, high in some for byte in range(low, high + 1)}


def made(some: list[tuple[int, int]]) -> intervals.Intervals:
    found = intervals.NONE
    for low, high in some:
        found = intervals.united(found, low, high)
    return found


@pytest.mark.parametrize("module", [intervals, interval_index])
def test_examples(module):
    found = doctest.testmod(module)
    assert found.attempted and not found.failed


@given(st.lists(spans), st.lists(spans), spans)
def test_intervals(some, others, span):
    a, b, (low, high) = made(some), made(others), span
    assert members(a) == {byte for low, high in some for byte in range(low, high + 1)}
    assert all(x[1] + 1 < y[0] for x, y in pairwise(a))  # merged, ordered
    assert members(intervals.intersected(a, b)) == members(a) & members(b)
    inside = set(range(low, high + 1))
    assert intervals.covers(a, low, high) == (inside <= members(a))
    assert intervals.meets(a, low, high) == bool(inside & members(a))
    assert members(intervals.removed(low, high, a)) == inside - members(a)


@given(st.lists(spans), spans)
def test_index(some, span):
    low, high = span
    expected = [k for k, (start, end) in enumerate(some) if start <= high and low <= end]
    assert IntervalIndex(some).overlapping(low, high) == expected


@pytest.mark.parametrize("cells", [1, 2, 7, 8, 24])
def test_trees_of_sets(cells):
    """Ten states at a time, changed and joined at random, beside lists of sets; what no state has
    is dropped now and then."""
    random, span = Random(cells), 1 << max(cells - 1, 0).bit_length()
    trees, sets = interval_trees.trees_of(100_000), member_sets.sets_of(9, 600)
    states, lists = [0] * 10, [[frozenset()] * cells for _ in range(10)]
    packs = 0
    for step in range(1500):
        k, other = random.randrange(10), random.randrange(10)
        low = random.randrange(cells)
        high = random.randrange(low, cells) + 1
        single = random.randrange(9)
        state, mark = list(lists[k]), trees[interval_trees.NEXT]
        how = random.randrange(6)
        if how == 0:
            tree = interval_trees.erased(trees, *sets, states[k], span, low, high)
            state[low:high] = [frozenset()] * (high - low)
        elif how < 3:
            tree = interval_trees.changed(
                trees, *sets, states[k], span, low, high, single + 1, how == 1, mark
            )
            state[low:high] = [
                frozenset([single]) if how == 1 else s | {single} for s in state[low:high]
            ]
        elif how == 3:
            tree = interval_trees.joined(trees, *sets, states[k], states[other])
            state = [a | b for a, b in zip(state, lists[other], strict=True)]
            assert interval_trees.joined(trees, *sets, tree, states[other]) == tree
        elif how == 4:
            left = interval_trees.without(trees, *sets, states[k], states[other])
            both = interval_trees.joined(trees, *sets, states[other], left)
            assert _sets(trees, sets, both, span, cells) == [
                a | b for a, b in zip(state, lists[other], strict=True)
            ]
            assert interval_trees.without(trees, *sets, states[k], states[k]) == 0
            continue
        else:
            found = _members(trees, sets, states[k], span, low, high)
            assert found == sorted(set().union(*state[low:high]))
            continue
        states[k], lists[k] = tree, state
        assert _sets(trees, sets, tree, span, cells) == state
        if step % 100 == 0:
            before = trees[interval_trees.NEXT]
            interval_trees.packed(trees, states, [])
            packs += trees[interval_trees.NEXT] < before
    assert not trees[interval_trees.SHORT] and packs > 3
    assert [_sets(trees, sets, tree, span, cells) for tree in states] == lists


def _sets(trees, sets, tree: int, span: int, cells: int) -> list[frozenset[int]]:
    return [frozenset(_members(trees, sets, tree, span, k, k + 1)) for k in range(cells)]


def _members(trees, sets, tree: int, span: int, low: int, high: int) -> list[int]:
    found, seen = [0] * 10, [0] * 9
    interval_trees.collected(trees, sets[0], sets[1], tree, span, low, high, found, seen, 1)
    return sorted(found[1 : found[0] + 1])


def test_a_tree_that_finds_no_room_says_so():
    trees, sets = interval_trees.trees_of(3), member_sets.sets_of(2, 10)
    tree = interval_trees.changed(trees, *sets, 0, 2, 0, 1, 1, 1, trees[interval_trees.NEXT])
    assert tree and not trees[interval_trees.SHORT]
    mark = trees[interval_trees.NEXT]
    interval_trees.changed(trees, *sets, tree, 2, 0, 1, 2, 1, mark)
    assert trees[interval_trees.SHORT]
    trees[interval_trees.NEXT] = mark
    trees = interval_trees.with_more_room(trees)
    again = interval_trees.changed(trees, *sets, tree, 2, 0, 1, 2, 1, mark)
    assert not trees[interval_trees.SHORT]
    assert _members(trees, sets, tree, 2, 0, 2) == [0]
    assert _members(trees, sets, again, 2, 0, 2) == [1]


small_sets = st.sets(st.integers(0, 7))


@given(st.lists(st.tuples(small_sets, small_sets)))
def test_sets_known_by_numbers(pairs):
    """Unions and differences; equal sets have one number, though room is made again and again."""
    sets, known = member_sets.sets_of(8, 1), {}

    def asked(word, *arguments: int) -> int:
        nonlocal sets
        while True:
            found = word(*sets, *arguments)
            if not sets[3][member_sets.FULL]:
                return found
            sets = (*member_sets.with_room(*sets, 8), sets[3])

    def number(some: set[int]) -> int:
        found = 0
        for one in some:
            found = asked(member_sets.united, found, one + 1)
        assert known.setdefault(found, some) == some
        return found

    for a, b in pairs:
        numbers = number(a), number(b)
        assert asked(member_sets.united, *numbers) == number(a | b)
        assert asked(member_sets.difference, *numbers) == number(a - b)


@given(st.lists(spans), st.lists(spans), spans)
def test_kill_sets(some, others, span):
    """They say what the intervals of `intervals` say, with ends in place of last bytes."""
    sets, (low, high) = member_sets.sets_of(1, 500), span

    def number(spans: list[tuple[int, int]]) -> int:
        found = 0
        for first, last in spans:
            found = kill_sets.widened(*sets, found, first, last + 1)
        return found

    def content(number: int) -> intervals.Intervals:
        starts, items, *_ = sets
        ends = items[starts[number] : starts[number + 1]]
        return tuple(zip(ends[::2], [end - 1 for end in ends[1::2]], strict=True))

    a, b = number(some), number(others)
    assert content(a) == made(some)
    assert content(kill_sets.shared(*sets, a, b)) == intervals.intersected(made(some), made(others))
    ends = sets[0], sets[1], a, low, high + 1
    assert kill_sets.covers(*ends) == intervals.covers(made(some), low, high)
    assert kill_sets.meets(*ends) == intervals.meets(made(some), low, high)
    assert not sets[3][member_sets.FULL]


@given(st.lists(st.integers(0, 50)))
def test_waiting_numbers(numbers):
    heap, found = [0] * (len(numbers) + 1), []
    for number in numbers:
        waiting.push(heap, number)
    while heap[0]:
        found.append(waiting.pop(heap))
    assert found == sorted(numbers)


@given(st.lists(st.lists(st.integers(0, 6), unique=True)))
def test_inverse_relations(lists):
    first, others = partners(lists)
    first, others = relations.inverse(7, first, others)
    found = [others[a:b] for a, b in pairwise(first)]
    assert found == [[k for k, some in enumerate(lists) if one in some] for one in range(7)]


@pytest.mark.parametrize("size", [1, 31, 33, 2000])
def test_tables(size):
    random, tables = Random(size), Tables(size)
    table, expected = None, {}
    other, others = None, {}
    for _ in range(500):
        key = random.randrange(size)
        entry = None if random.random() < 0.3 else (random.randrange(5),)
        if random.random() < 0.5:
            table, expected = tables.set(table, key, entry), expected | {key: entry}
        else:
            other, others = tables.set(other, key, entry), others | {key: entry}
        assert tables.get(table, key) == expected.get(key)
    expected = {k: v for k, v in sorted(expected.items()) if v}
    others = {k: v for k, v in sorted(others.items()) if v}
    assert list(tables.items(table)) == list(expected.items())
    both = tables.merge(table, other, lambda a, b: (a[0] + b[0],))
    assert dict(tables.items(both)) == {
        k: (expected.get(k, (0,))[0] + others.get(k, (0,))[0],) for k in expected | others
    }
    for key in expected:
        table = tables.set(table, key, None)
    assert table is None
