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
    """F(b) of every block, as sets."""
    return [behind << block + 1 for block, behind in enumerate(_waiting_behind(graph))]


def frontier_markers(graph: LayoutGraph) -> int:
    """The blocks to mark, as a set, so that no running group passes one that waits."""
    marked = []
    for block, behind in enumerate(_waiting_behind(graph)):
        if behind:
            first = block + _lowest(behind)
            marked += [target for target in graph.successors[block] if first <= target]
    return bits_of(marked)


def _waiting_behind(graph: LayoutGraph) -> list[int]:
    """F(b) of every block as a set of distances: bit 0 is the block next behind b.

    So told, sets are as long as the code that they reach over, not as the function.  Of the blocks
    of X = F(b) and successors, only those t are looked at that are not behind b, and the first t'
    behind it: the others are in F(t'), so that the rule for t' is theirs as well.  Blocks are
    visited in sweeps over the reverse post-order: of loops in loops, all exits then come to the
    inner blocks together.
    """
    frontier = [0] * len(graph.names)
    order = reverse_postorder(0, graph.successors)
    turn = {block: k for k, block in enumerate(order)}
    pending = [(0, k) for k in range(len(order))]
    waiting = set(order)
    while pending:
        sweep, number = heappop(pending)
        block = order[number]
        waiting.discard(block)
        targets = graph.successors[block]
        may_run = frontier[block] | bits_of(t - block - 1 for t in targets if t > block)
        back = [target for target in targets if target <= block]
        gained = [
            (target, may_run << block - target | bits_of(t - target - 1 for t in back[k:]))
            for k, target in enumerate(back, 1)
        ]
        if may_run:
            first = _lowest(may_run)
            gained.append((block + first, may_run >> first))
        for target, behind in gained:
            if behind & ~frontier[target]:
                frontier[target] |= behind
                if target not in waiting:
                    waiting.add(target)
                    heappush(pending, (sweep + (turn[target] <= number), turn[target]))
    return frontier


def _lowest(distances: int) -> int:
    """The least distance of a set that is not empty."""
    return (distances & -distances).bit_length()
