"""Kill sets, trees of sets, the interval index and shared tables against plain Python."""

from __future__ import annotations

import doctest
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.analyses.memory import interval_index, intervals
from compiler.analyses.memory.interval_index import IntervalIndex
from compiler.analyses.memory.interval_sets import Line, joined, without
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
    """Ten states at a time, changed and joined at random, beside lists of sets."""
    random, line = Random(cells), Line(cells)
    trees = [None] * 10
    lists = [[frozenset()] * cells for _ in trees]
    for _ in range(1500):
        k, other = random.randrange(10), random.randrange(10)
        low = random.randrange(cells)
        high = random.randrange(low, cells) + 1
        new = frozenset(random.sample(range(9), random.randrange(1, 3)))
        how = random.randrange(6)
        state = list(lists[k])
        if how == 0:
            tree, state[low:high] = line.erase(trees[k], low, high), [frozenset()] * (high - low)
        elif how == 1:
            tree, state[low:high] = line.assign(trees[k], low, high, new), [new] * (high - low)
        elif how == 2:
            tree = line.add(trees[k], low, high, new)
            state[low:high] = [s | new for s in state[low:high]]
        elif how == 3:
            tree = joined(trees[k], trees[other])
            state = [a | b for a, b in zip(state, lists[other], strict=True)]
            assert joined(tree, trees[other]) is tree  # it adds nothing more
        elif how == 4:
            left = without(trees[k], trees[other])
            assert _sets(line, joined(trees[other], left), cells) == [
                a | b for a, b in zip(state, lists[other], strict=True)
            ]
            assert without(trees[k], trees[k]) is None
            continue
        else:
            assert line.members(trees[k], low, high) == set().union(*state[low:high])
            continue
        trees[k], lists[k] = tree, state
        assert _sets(line, tree, cells) == state


def _sets(line: Line, tree, cells: int) -> list[frozenset[int]]:
    found = [frozenset()] * cells
    for (low, high), some in line.pieces(tree):
        found[low : min(high, cells)] = [some] * (min(high, cells) - low)
    return found


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
