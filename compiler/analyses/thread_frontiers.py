"""Where threads may wait while a block runs (Diamos et al., "SIMD Re-convergence at Thread
Frontiers", MICRO 2011), and the edges over which a running group could pass them.

    pre:   … jump body
    body:  … jump latch            body's frontier: after, from the last round
    latch: branch p, body, after
    after: …

While a block b runs, the others wait at blocks of its frontier F(b), all behind it in the layout:
the least sets with F(t) containing every w > t of F(b) and the successors of b, for every block b
and every t among those.  On an edge b > t with a w <= t in F(b), the group that runs on over it may
pass one that waits at w, or miss one that waits at t: t is marked.
"""

from __future__ import annotations

from heapq import heappop, heappush

from compiler.analyses.control_flow import reverse_postorder
from compiler.analyses.layout_graph import LayoutGraph, bits_of


def thread_frontiers(graph: LayoutGraph) -> list[int]:
    """F(b) of every block, as sets.

    Of the blocks of X = F(b) and successors, only those t are looked at that are not behind b, and
    the first t' behind it: the others are in F(t'), so that the rule for t' is theirs as well.
    """
    count = len(graph.names)
    frontier = [0] * count
    following = [bits_of(targets) for targets in graph.successors]
    order = reverse_postorder(0, graph.successors)
    turn = {block: k for k, block in enumerate(order)}
    pending = list(range(len(order)))
    waiting = set(order)
    while pending:
        block = order[heappop(pending)]
        waiting.discard(block)
        may_run = frontier[block] | following[block]
        first = _first(may_run >> block + 1) + block + 1
        back = [target for target in graph.successors[block] if target <= block]
        for target in [*back, first] if first > block else back:
            behind = may_run >> target + 1 << target + 1
            if behind & ~frontier[target]:
                frontier[target] |= behind
                if target not in waiting:
                    waiting.add(target)
                    heappush(pending, turn[target])
    return frontier


def frontier_markers(graph: LayoutGraph) -> int:
    """The blocks to mark, as a set, so that no running group passes one that waits."""
    marked = 0
    for block, frontier in enumerate(thread_frontiers(graph)):
        if frontier:
            first = _first(frontier)
            marked |= bits_of(t for t in graph.successors[block] if first <= t)
    return marked


def _first(blocks: int) -> int:
    """The lowest block of a set; of none, a number below every block's."""
    return (blocks & -blocks).bit_length() - 1 if blocks else -(1 << 62)
