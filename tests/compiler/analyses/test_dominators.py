"""Dominators and dominance frontiers, by hand and against their definitions."""

from __future__ import annotations

from random import Random

import pytest

from compiler.analyses.control_flow import reverse_postorder
from compiler.analyses.dominators import dominators, dominators_of_graph
from compiler.text_form import parse
from tests.compiler.graphs import Graph, random_graph, reached

ENTRY = "b0"


def strict_dominators(graph: Graph) -> dict[str, set[str]]:
    """By definition: `a` dominates `b` if the entry does not reach `b` once `a` is taken out."""
    blocks = reached(graph, ENTRY)
    found: dict[str, set[str]] = {b: set() for b in blocks}
    for a in blocks:
        rest = reached(graph, ENTRY, without=a)
        for b in blocks - rest - {a}:
            found[b].add(a)
    return found


def frontier(graph: Graph, above: dict[str, set[str]], a: str) -> set[str]:
    """By definition: blocks that `a` does not strictly dominate, with a predecessor that it does
    dominate.  The entry is one if it is jumped back to.
    """
    return {
        target
        for source in above
        if a == source or a in above[source]
        for target in graph[source]
        if a not in above[target]
    }


def check(graph: Graph) -> None:
    above, found = strict_dominators(graph), dominators_of_graph(ENTRY, graph)
    order = reverse_postorder(ENTRY, graph)
    assert set(found.parent) == set(above) - {ENTRY}
    for b, dominating in above.items():
        assert {a for a in above if found.strictly_dominates(a, b)} == dominating
        assert {a for a in above if found.dominates(a, b)} == dominating | {b}
        if b != ENTRY:
            parent = found.parent[b]
            assert dominating == above[parent] | {parent}
        children = [c for c in order if found.parent.get(c) == b]
        assert found.children[b] == tuple(children)
        expected = frontier(graph, above, b)
        assert found.frontier[b] == tuple(c for c in order if c in expected)


@pytest.mark.parametrize("size", (1, 2, 3, 5, 9, 16))
def test_dominance_is_that_of_its_definition(size):
    for seed in range(60):
        check(random_graph(Random(seed), size))


def test_the_classic_diamond_with_a_loop():
    text = """
    func @f(p: i1) {
    entry:
        jump head
    head:
        branch p, left, right
    left:
        jump join
    right:
        jump join
    join:
        branch p, head, end
    end:
        return
    }
    """
    found = dominators(parse(text).functions["f"])
    assert found.parent == {
        "head": "entry", "left": "head", "right": "head", "join": "head", "end": "join",
    }  # fmt: skip
    assert found.children["head"] == ("left", "right", "join")
    assert found.frontier == {
        "entry": (), "head": ("head",), "left": ("join",), "right": ("join",),
        "join": ("head",), "end": (),
    }  # fmt: skip


def test_an_entry_that_is_jumped_back_to_is_a_join():
    found = dominators_of_graph("a", {"a": ("a", "b"), "b": ("a",)})
    assert found.frontier == {"a": ("a",), "b": ("a",)}
