"""The dominator tree and the dominance frontiers of a control-flow graph, by the names of blocks.

`compiler.analyses.graphs` finds them.  Blocks the entry does not reach appear nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain

from compiler.analyses import graphs
from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import Block, control_flow, reverse_postorder
from compiler.ir.module import Function


@dataclass(frozen=True)
class Dominators:
    """Dominance among the blocks that the entry reaches.

    order     these blocks, in reverse post-order; others stand in it
    parent    each block's immediate dominator; the entry has none and is not a key
    children  the other way round
    """

    order: tuple[str, ...]
    parent: dict[str, str]
    children: dict[str, tuple[str, ...]]
    _first: dict[str, int]
    _last: dict[str, int]
    _above: Sequence[int]
    _before: graphs.Rows

    @cached_property
    def frontier(self) -> dict[str, tuple[str, ...]]:
        """For each block where its dominance ends; in nests of loops that is much for all together.
        An entry that is jumped back to counts as a join, of that jump and the function's call."""
        order = self.order
        ends, frontier = graphs.frontiers(range(len(order)), self._above, self._before)
        return {
            name: tuple([order[k] for k in frontier[ends[place] : ends[place + 1]]])
            for place, name in enumerate(order)
        }

    def dominates(self, a: str, b: str) -> bool:
        """Whether every path from the entry to `b` passes `a`; a block dominates itself."""
        return self._first[a] <= self._first[b] and self._last[b] <= self._last[a]

    def strictly_dominates(self, a: str, b: str) -> bool:
        return a != b and self.dominates(a, b)


@cached_by_version
def dominators(function: Function) -> Dominators:
    """Dominance in a function whose blocks all end in a terminator."""
    return dominators_of_graph(function.entry.name, control_flow(function).successors)


def dominators_of_graph(entry: str, successors: Mapping[str, tuple[str, ...]]) -> Dominators:
    """Dominance in the graph that `successors` describes."""
    order = reverse_postorder(entry, successors)
    number = {name: k for k, name in enumerate(order)}
    rows = graph_rows([[number[target] for target in successors[name]] for name in order])
    preorder, _, come_from = graphs.depth_first(0, rows)
    before = graphs.predecessors(preorder, rows)
    above = graphs.immediate_dominators(preorder, come_from, before)
    first, last = graphs.intervals(preorder, above)
    children: dict[str, list[str]] = {name: [] for name in order}
    for k, name in enumerate(order[1:], 1):
        children[order[above[k]]].append(name)
    return Dominators(
        order,
        {name: order[above[k]] for k, name in enumerate(order) if k},
        {name: tuple(below) for name, below in children.items()},
        dict(zip(order, first, strict=True)),
        dict(zip(order, last, strict=True)),
        above,
        before,
    )


def graph_rows(successors: list[list[int]]) -> graphs.Rows:
    """The rows of a graph over integers."""
    return [0, *accumulate(map(len, successors))], list(chain.from_iterable(successors))


def immediate_dominators(
    order: tuple[Block, ...], predecessors: Mapping[Block, list[Block]]
) -> dict[Block, Block]:
    """The immediate dominator of each block but the entry (`order` is a reverse post-order)."""
    number = {name: k for k, name in enumerate(order)}
    before = graph_rows([[number[p] for p in predecessors[name]] for name in order])
    after = graphs.grouped(before[1], graphs.row_of_each(before[0]), len(before[1]), len(order))
    preorder, _, come_from = graphs.depth_first(0, after)
    above = graphs.immediate_dominators(preorder, come_from, before)
    return {order[k]: order[above[k]] for k in range(1, len(order))}


def tree_intervals(
    entry: Block, children: Mapping[Block, list[Block]]
) -> tuple[dict[Block, int], dict[Block, int]]:
    """For each block the first and the last number that its subtree has in a walk of the tree."""
    first, last, walk = {}, {}, []
    stack = [entry]
    while stack:
        name = stack.pop()
        first[name] = len(walk)
        walk.append(name)
        stack += reversed(children[name])
    for name in reversed(walk):
        last[name] = max((last[child] for child in children[name]), default=first[name])
    return first, last
