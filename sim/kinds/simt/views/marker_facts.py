"""What convergence finds out about a function, as plain data: the facts of view `markers`.

B0: branch opaque, B1, B5     [B0]  [B1, B5]  …     the queue of path items, step by step
…                             marked: B0, B3, B4, B5
                              paths B0-B1-B3-B5, …: what a warp issues under each policy
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from compiler.analyses.layout_graph import LayoutGraph, layout_graph, members
from compiler.ir.module import Function
from compiler.targets.simt.analyses.convergence import convergence
from compiler.targets.simt.analyses.convergence_queue import ItemRecord, queue_markers
from compiler.targets.simt.analyses.thread_frontiers import thread_frontiers
from compiler.targets.simt.block_schedules import MOST_THREADS, block_schedule
from machines.diagnostics import input_error, nearest
from machines.kinds.simt.reconvergence import POLICIES


@dataclass(frozen=True, slots=True)
class BlockFacts:
    """A block: where it leads to, where its threads meet again, where others may wait while it
    runs, and whether it is marked."""

    name: str
    successors: list[str]
    predecessors: list[str]
    meets_at: str | None
    frontier: list[str]
    is_marked: bool


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """A path item: the last block, all blocks in program order, and the edges."""

    last: str
    blocks: list[str]
    edges: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class StepFacts:
    """The queue after a step, and the blocks that it marked."""

    queue: list[ItemFacts]
    marked: list[str]


@dataclass(frozen=True, slots=True)
class ScheduleFacts:
    """What a warp does under a policy: the blocks it issues, each with its threads, and counts as
    in `compiler.targets.simt.block_schedules.BlockSchedule`."""

    policy: str
    steps: list[tuple[str, list[int]]]
    checks: int
    diverged_checks: int
    divergences: int
    merges: int
    most_groups: int


@dataclass(frozen=True, slots=True)
class MarkerFacts:
    """What is known of a function; `by_frontier` are the markers that the queue has not."""

    function: str
    rules: str
    markers: list[str]
    by_frontier: list[str]
    blocks: list[BlockFacts]
    steps: list[StepFacts]
    schedules: list[ScheduleFacts]


def marker_facts(function: Function, rules: str, paths: str) -> MarkerFacts:
    """The markers of a function in the order of its blocks, and what warps do whose threads take
    these paths.  Raises InputError for paths that the function has not."""
    graph = layout_graph(function)
    placed = convergence(graph, rules)
    trace = []
    queued = queue_markers(graph, trace)
    frontiers = thread_frontiers(graph)

    def names(blocks: int) -> list[str]:
        return [graph.names[block] for block in members(blocks)]

    def item(record: ItemRecord) -> ItemFacts:
        edges = [(graph.names[a], graph.names[b]) for a, b in record.edges]
        return ItemFacts(graph.names[record.last], [graph.names[b] for b in record.blocks], edges)

    blocks = [
        BlockFacts(
            name,
            [graph.names[b] for b in graph.successors[number]],
            [graph.names[b] for b in graph.predecessors[number]],
            graph.names[placed.meets[number]] if placed.meets[number] >= 0 else None,
            names(frontiers[number]),
            bool(placed.markers >> number & 1),
        )
        for number, name in enumerate(graph.names)
    ]
    steps = [
        StepFacts([item(one) for one in step.queue], [graph.names[b] for b in step.marked])
        for step in trace
    ]
    taken = _read_paths(paths, graph) if paths else []
    schedules = [block_schedule(graph, placed, taken, p) for p in POLICIES] if taken else []
    return MarkerFacts(
        function.name,
        rules,
        names(placed.markers),
        names(placed.markers & ~queued),
        blocks,
        steps,
        [
            ScheduleFacts(
                one.policy,
                [(graph.names[step.block], list(step.threads)) for step in one.steps],
                one.checks,
                one.diverged_checks,
                one.divergences,
                one.merges,
                one.most_groups,
            )
            for one in schedules
        ],
    )


def _read_paths(text: str, graph: LayoutGraph) -> list[list[int]]:
    """Paths of threads: blocks by name, or by their position in the program, joined by '-'."""
    paths = [_read_path(part, graph) for part in text.split(",")]
    if len(paths) > MOST_THREADS:
        raise input_error(f"{len(paths)} paths: a warp has at most {MOST_THREADS} threads")
    return paths


def _read_path(text: str, graph: LayoutGraph) -> list[int]:
    numbers = {str(number): number for number in range(len(graph.names))}
    numbers |= {name: number for number, name in enumerate(graph.names)}
    path = []
    for word in text.strip().split("-"):
        if word not in numbers:
            message = f"path '{text.strip()}' names no block with '{word}'"
            raise input_error(message, hint=nearest(word, graph.names))
        path.append(numbers[word])
    _check_path(text.strip(), path, graph)
    return path


def _check_path(text: str, path: list[int], graph: LayoutGraph) -> None:
    names = graph.names
    if path[0] != 0:
        hint = f"threads start at {names[0]}"
        raise input_error(f"path '{text}' starts at {names[path[0]]}", hint=hint)
    for block, following in pairwise(path):
        if following not in graph.successors[block]:
            message = f"path '{text}': {names[block]} does not lead to {names[following]}"
            ways = " and ".join(names[b] for b in graph.successors[block])
            raise input_error(message, hint=f"it leads to {ways or 'nothing'}")
    if graph.successors[path[-1]]:
        ways = " or ".join(names[b] for b in graph.successors[path[-1]])
        message = f"path '{text}' breaks off at {names[path[-1]]}"
        raise input_error(message, hint=f"go on to {ways}")
