"""Where the lanes that a branch parts are to meet again, if those that leave are not waited for.

    for (a …)                    outer: for each a
        for (b …) {              inner: for each b
            if (p) goto bad;            p -> bad, else q
            if (q) break;               q -> next, else inner
        }
        next                     next:  -> outer, else done

Every way of the inner loop that stays in the outer one leads to `next`, so there they meet, though
`bad` is no part of it: lanes that go there leave both loops and are waited for outside.  An
immediate post-dominator knows no such place, and the lanes of a warp would stay apart until the
function's end.

A function is taken apart into its loops.  In the graph of one, whose nodes are its own blocks and
the loops directly inside it, edges that leave it are left out, and edges back to its entry lead to
its end; lanes meet at the immediate post-dominator of the node that parts them, at the entry if
that is the end.  In the graph of the whole function there is no entry to come back to: a loop
there whose ways lead to different ends of the function has a meeting block at the beginning of
each.

    if ((p || q) && r) A else B      p -> r, q     q -> r, B    r -> A, B

Nor is all of a chain of tests waited for: where a branch goes forward over blocks that only it
leads to, and the last of which runs on into its target, lanes meet at the target already: those
that `p` sends to the test of `r` and those that `q` does, without those that are on their way to B.

ptxas does both, as the machine code of workloads/gpu/exception and short_circuit shows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from compiler.analyses.control_flow import reverse_postorder
from compiler.analyses.dominators import immediate_dominators
from compiler.analyses.layout_graph import LayoutGraph
from compiler.analyses.loops import Edge, Loops, find_loops

END = -1
"""The end of a region: of a loop, its entry the next time."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A block at which lanes meet that the named branches part.

    is_next   it is the entry of a loop that the branches are in: they meet there the next time
    """

    block: int
    is_next: bool
    branches: tuple[int, ...]


@dataclass(slots=True)
class _Node:
    """A block, or a loop, of a region: the edges over which it is left within the region."""

    is_loop: bool
    ways: dict[int, list[int]] = field(default_factory=dict)
    """By the node they lead to, or END, the blocks they come from."""


def meeting_blocks(graph: LayoutGraph, ends: Collection[int] = ()) -> list[Meeting]:
    """Where lanes are to meet, innermost loops first; `ends` are blocks at which it is not worth
    while: they only end the function."""
    loops = find_loops(graph.names[0], graph.by_name)
    regions = _regions(graph, loops, ends)
    found = [one for header in reversed(regions) for one in _of_region(regions[header], header)]
    return [*_short_ways(graph, ends), *found]


def _short_ways(graph: LayoutGraph, ends: Collection[int]) -> Iterator[Meeting]:
    """The targets of branches over blocks that only the branch leads to."""
    before = graph.predecessors
    first = _Extremes([min(some, default=len(before)) for some in before], np.minimum)
    last = _Extremes([max(some, default=-1) for some in before], np.maximum)
    for block in sorted(reverse_postorder(0, graph.successors)):
        targets = graph.successors[block]
        target = max(targets, default=0)
        over = block + 1, target
        if len(targets) < 2 or target <= block + 1 or target in ends:
            continue
        runs_on = target in graph.successors[target - 1]
        if runs_on and first.among(*over) >= block and last.among(*over) < target:
            yield Meeting(target, False, (block,))


class _Extremes:
    """The least or greatest of any stretch of numbers: of 1, 2, 4 … of them from each on."""

    def __init__(self, numbers: list[int], choose: np.ufunc):
        self.choose, self.levels = choose, [np.array(numbers)]
        while len(self.levels[-1]) > 1 << len(self.levels) - 1:
            half, level = 1 << len(self.levels) - 1, self.levels[-1]
            self.levels.append(choose(level[:-half], level[half:]))

    def among(self, begin: int, end: int) -> int:
        """Of those from `begin` to in front of `end`."""
        level = (end - begin).bit_length() - 1
        stretch = self.levels[level]
        return int(self.choose(stretch[begin], stretch[end - (1 << level)]))


def _of_region(nodes: dict[int, _Node], header: int | None) -> Iterator[Meeting]:
    """Where the ways of a region's nodes meet; `header` of the loop that it is, None: no loop."""
    above = _post_dominators(nodes)
    found: dict[int, list[int]] = {}
    for place, node in nodes.items():
        if len(node.ways) < (1 if node.is_loop else 2):
            continue
        meet = above[place]
        if meet != END or header is not None:
            parted = [b for sources in node.ways.values() for b in sources]
            found.setdefault(meet, []).extend(parted)
        elif node.is_loop:
            for target, sources in node.ways.items():
                found.setdefault(target, []).extend(sources)
    for meet, branches in found.items():
        block = header if meet == END else meet
        yield Meeting(block, meet == END, tuple(sorted(set(branches))))


def _regions(
    graph: LayoutGraph, loops: Loops, ends: Collection[int]
) -> dict[int | None, dict[int, _Node]]:
    """By header (None: the function, which comes first), outer loops before inner ones, the nodes
    of each region by their first block; ways back to a loop's entries are to END."""
    number = {name: k for k, name in enumerate(graph.names)}
    regions: dict[int | None, dict[int, _Node]] = {None: {}}
    regions |= {number[header]: {} for header in loops.by_header}

    def add_ways(around: str | None, place: str, is_loop: bool, edges: Iterable[Edge]) -> None:
        loop = loops.by_header[around] if around is not None else None
        entries = loop.entries if loop else ()
        node = _Node(is_loop)
        regions[number[around] if loop else None][number[place]] = node
        for source, target in edges:
            inside = _node(loops, around, target)
            if inside is None or (loop is None and number[target] in ends):
                continue
            to = END if target in entries else number[inside]
            node.ways.setdefault(to, []).append(number[source])

    for name, around in loops.innermost.items():
        add_ways(around, name, False, [(name, target) for target in graph.by_name[name]])
    for header, loop in loops.by_header.items():
        add_ways(loop.parent, header, True, loop.exits)
    return regions


def _node(loops: Loops, around: str | None, name: str) -> str | None:
    """What stands for a block in the region of a header: itself, or the loop that it is in; None if
    it is outside."""
    found, inner = name, loops.innermost[name]
    while inner not in (around, None):
        found, inner = inner, loops.by_header[inner].parent
    return found if inner == around else None


def _post_dominators(nodes: dict[int, _Node]) -> dict[int, int]:
    """The immediate post-dominator of each node; of those that only END follows, END."""
    forward = {place: [*node.ways] or [END] for place, node in nodes.items()}
    backward: dict[int, list[int]] = {END: [], **{place: [] for place in nodes}}
    for place, targets in forward.items():
        for target in targets:
            backward[target].append(place)
    return immediate_dominators(reverse_postorder(END, backward), {**forward, END: []})
