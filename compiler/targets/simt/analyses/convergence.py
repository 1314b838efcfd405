"""All that helps the threads of a warp to meet again: markers, meeting blocks, barriers."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.layout_graph import LayoutGraph
from compiler.targets.simt.analyses.convergence_barriers import Barrier, convergence_barriers
from compiler.targets.simt.analyses.convergence_queue import queue_markers
from compiler.targets.simt.analyses.post_dominators import immediate_post_dominators
from compiler.targets.simt.analyses.thread_frontiers import frontier_markers

RULES = ("sound", "seed")


def markers(graph: LayoutGraph, rules: str) -> int:
    """The blocks before which a convergence marker stands, as a set.

    'seed'   by the queue of path items alone
    'sound'  also where a running group could pass a waiting one: with these a warp issues the very
             blocks that it issues if it chooses again at every block
    """
    found = queue_markers(graph)
    return found | frontier_markers(graph) if rules == "sound" else found


@dataclass(frozen=True)
class Convergence:
    """Of a graph: the marked blocks, each block's immediate post-dominator (-1: none), barriers."""

    markers: int
    meets: list[int]
    barriers: list[Barrier]


def convergence(graph: LayoutGraph, rules: str) -> Convergence:
    """Everything for a graph in its layout."""
    meets = immediate_post_dominators(graph)
    return Convergence(markers(graph, rules), meets, convergence_barriers(graph))
