"""Strongly connected components of a graph of names (`compiler.analyses.graphs`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import accumulate, chain

from compiler.analyses import graphs
from compiler.analyses.rows import Rows


def cyclic_components(
    nodes: Iterable[str], successors: Callable[[str], Iterable[str]]
) -> list[list[str]]:
    """The components that hold a cycle: several nodes, or one with an edge to itself.

    `successors` may only name nodes of `nodes`.  A component stands before those it reaches, its
    nodes in no particular order.

    >>> edges = {"a": ["b"], "b": ["c", "b"], "c": ["d"], "d": ["c"], "e": []}
    >>> cyclic_components(edges, edges.get)
    [['b'], ['d', 'c']]
    """
    names = list(nodes)
    number = {name: k for k, name in enumerate(names)}
    targets = [[number[target] for target in successors(name)] for name in names]
    start = [0, *accumulate(map(len, targets))]
    parts = Rows(*graphs.components((start, list(chain.from_iterable(targets)))))
    return [
        [names[k] for k in part]
        for part in reversed(parts)
        if len(part) > 1 or part[0] in targets[part[0]]
    ]
