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

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from compiler.analyses.control_flow import reverse_postorder
from compiler.analyses.dominators import immediate_dominators
from compiler.analyses.layout_graph import LayoutGraph
from compiler.analyses.loops import Loop, Loops, find_loops

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
    regions = [*reversed(loops.by_header.values()), None]
    found = [one for loop in regions for one in _of_region(graph, loops, loop, ends)]
    return [*_short_ways(graph, ends), *found]


def _short_ways(graph: LayoutGraph, ends: Collection[int]) -> Iterator[Meeting]:
    """The targets of branches over blocks that only the branch leads to."""
    for block in sorted(reverse_postorder(0, graph.successors)):
        targets = graph.successors[block]
        last = max(targets, default=0)
        over = range(block + 1, last)
        if len(targets) < 2 or not over or last in ends or last not in graph.successors[last - 1]:
            continue
        if all(block <= before < last for k in over for before in graph.predecessors[k]):
            yield Meeting(last, False, (block,))


def _of_region(
    graph: LayoutGraph, loops: Loops, loop: Loop | None, ends: Collection[int]
) -> Iterator[Meeting]:
    number = {name: k for k, name in enumerate(graph.names)}
    nodes = _nodes(graph, loops, loop, ends, number)
    above = _post_dominators(nodes)
    found: dict[int, list[int]] = {}
    for place, node in nodes.items():
        if len(node.ways) < (1 if node.is_loop else 2):
            continue
        meet = above[place]
        parted = [b for sources in node.ways.values() for b in sources]
        if meet != END or loop is not None:
            found.setdefault(meet, []).extend(parted)
        elif node.is_loop:
            for target, sources in node.ways.items():
                found.setdefault(target, []).extend(sources)
    for meet, branches in found.items():
        block = number[loop.header] if meet == END else meet
        yield Meeting(block, meet == END, tuple(sorted(set(branches))))


def _nodes(
    graph: LayoutGraph, loops: Loops, loop: Loop | None, ends: Collection[int],
    number: dict[str, int],
) -> dict[int, _Node]:  # fmt: skip
    """The nodes of a region by their first block; ways back to the region's entry are to END."""
    header = loop.header if loop else None
    names = loop.members if loop else tuple(loops.innermost)
    node_of = {number[name]: number[_node(loops, header, name)] for name in names}
    entries = {number[name] for name in loop.entries} if loop else set()
    nodes: dict[int, _Node] = {}
    for block, place in node_of.items():
        is_loop = loops.innermost[graph.names[block]] != header
        node = nodes.setdefault(place, _Node(is_loop))
        for target in graph.successors[block]:
            if target not in node_of or (loop is None and target in ends):
                continue
            to = END if target in entries else node_of[target]
            if to != place:
                node.ways.setdefault(to, []).append(block)
    return nodes


def _node(loops: Loops, header: str | None, name: str) -> str:
    """What stands for a block in the region of a header: itself, or the loop that it is in."""
    found, own = name, loops.innermost[name]
    while own != header:
        found, own = own, loops.by_header[own].parent
    return found


def _post_dominators(nodes: dict[int, _Node]) -> dict[int, int]:
    """The immediate post-dominator of each node; of those that only END follows, END."""
    forward = {place: [*node.ways] or [END] for place, node in nodes.items()}
    backward: dict[int, tuple[int, ...]] = {END: (), **dict.fromkeys(nodes, ())}
    for place, targets in forward.items():
        for target in targets:
            backward[target] += (place,)
    return immediate_dominators(reverse_postorder(END, backward), {**forward, END: []})
