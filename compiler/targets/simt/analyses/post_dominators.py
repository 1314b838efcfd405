"""Immediate post-dominators: where all the ways out of a block first meet.

    entry: branch p, a, b            a: … jump both
    b: … jump both                   both: return        entry's is `both`

Dominance in the graph with every edge turned round, from a node behind all blocks that end the
function.  Blocks that reach no such end, and those whose ways meet only there, have none.
"""

from __future__ import annotations

from compiler.analyses.control_flow import reverse_postorder
from compiler.analyses.dominators import immediate_dominators
from compiler.analyses.layout_graph import LayoutGraph

NONE = -1


def immediate_post_dominators(graph: LayoutGraph) -> list[int]:
    """The immediate post-dominator of each block, NONE if it has none."""
    end = len(graph.names)
    ends = tuple(b for b, targets in enumerate(graph.successors) if not targets)
    backward = {**dict(enumerate(graph.predecessors)), end: ends}
    order = reverse_postorder(end, backward)
    forward = {block: [*graph.successors[block]] or [end] for block in range(end)}
    known = set(order)
    forward = {b: [t for t in targets if t in known] for b, targets in forward.items()}
    above = immediate_dominators(order, {**forward, end: []})
    return [NONE if above.get(b, end) == end else above[b] for b in range(end)]
