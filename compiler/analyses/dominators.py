"""The dominator tree and the dominance frontiers of a control-flow graph.

Immediate dominators by the iteration of Cooper, Harvey and Kennedy, *A Simple, Fast Dominance
Algorithm*, 2001; frontiers as there.  Blocks the entry does not reach appear nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import Block, control_flow, reverse_postorder
from compiler.ir.module import Function


@dataclass(frozen=True, slots=True)
class Dominators:
    """Dominance among the blocks that the entry reaches.

    parent    each block's immediate dominator; the entry has none and is not a key
    children  the other way round, in reverse post-order
    frontier  for each block: where its dominance ends, in reverse post-order.  An entry that is
              jumped back to counts as a join, of that jump and the function's call.
    """

    parent: dict[str, str]
    children: dict[str, tuple[str, ...]]
    frontier: dict[str, tuple[str, ...]]
    _first: dict[str, int]
    _last: dict[str, int]

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
    predecessors: dict[str, list[str]] = {name: [] for name in order}
    for name in order:
        for target in successors[name]:
            predecessors[target].append(name)
    parent = immediate_dominators(order, predecessors)
    children: dict[str, list[str]] = {name: [] for name in order}
    for name in order[1:]:
        children[parent[name]].append(name)
    first, last = tree_intervals(entry, children)
    return Dominators(
        parent,
        {name: tuple(below) for name, below in children.items()},
        _frontiers(order, predecessors, parent),
        first,
        last,
    )


def immediate_dominators(
    order: tuple[Block, ...], predecessors: Mapping[Block, list[Block]]
) -> dict[Block, Block]:
    """The immediate dominator of each block but the entry (`order` is a reverse post-order)."""
    number = {name: k for k, name in enumerate(order)}
    above = [-1] * len(order)
    above[0] = 0
    numbered = [[number[p] for p in predecessors[name]] for name in order]
    changed = True
    while changed:
        changed = False
        for block in range(1, len(order)):
            best = -1
            for other in numbered[block]:
                if above[other] >= 0:
                    best = other if best < 0 else _meet(best, other, above)
            changed |= above[block] != best
            above[block] = best
    return {order[block]: order[above[block]] for block in range(1, len(order))}


def _meet(a: int, b: int, above: list[int]) -> int:
    while a != b:
        while a > b:
            a = above[a]
        while b > a:
            b = above[b]
    return a


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


def _frontiers(
    order: tuple[str, ...], predecessors: Mapping[str, list[str]], parent: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {name: [] for name in order}
    for name in order:
        ways_in = len(predecessors[name]) + (name == order[0])
        if ways_in < 2:
            continue
        for source in predecessors[name]:
            runner: str | None = source
            while runner is not None and runner != parent.get(name):
                if not found[runner] or found[runner][-1] != name:
                    found[runner].append(name)
                runner = parent.get(runner)
    return {name: tuple(frontier) for name, frontier in found.items()}
