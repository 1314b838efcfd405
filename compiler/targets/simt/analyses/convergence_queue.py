"""Convergence markers by a priority queue of path items (CN106257412A, EP 15386020).

    edges E>0 0>1 0>5 1>2 1>3 2>4 3>4 3>5 4>0, the number is the position in the layout

    [E0]                      the entry
    [E01, E05]                5 is marked: it is not the first
    [E012, E013, E05]         3 is marked
    [E013, E0124, E05]        4 is marked
    [E01{2,3}4, E0{13,·}5]    3 leads to 4 and to 5, which are on items: those gain its paths
    [E0{13,·}5]               4 leads to 0, which is on its path: of the loop 0 1 2 3 4, the blocks
    []                        with a way out, 0 and 3, are marked

A *path item* stands for all the paths from the entry to its last block, which is about to run; the
queue is in the order of the program.  Written as sets of blocks and of edges, items stay small:
what lies in front of a *seam*, over which no way leads back, is left out once all paths have come
to it.  And a block that has been expanded is expanded again only if blocks are new on its paths.
Of a graph in the layout of `lay_out_blocks` each block is expanded once.  Backwards laid out, k
conditions in a row would take k² steps even so: after PATIENCE steps new blocks are of account only
if they can change what is marked of loops, heads of loops around the block and blocks of them with
a way out (all blocks, if a loop has several entries).
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from compiler.analyses.control_flow import reverse_postorder
from compiler.analyses.layout_graph import LayoutGraph, bits_of, members
from compiler.analyses.loops import find_loops

PATIENCE = 1000
"""How often a block is expanded again, of all blocks, while every new block counts."""


@dataclass(slots=True)
class PathItem:
    """All paths from the last seam to `last`: the blocks and the edges on them, as sets of numbers
    in reverse post-order, counted from the seam."""

    last: int
    blocks: int
    edges: int


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """A path item as it was after a step: blocks ascending, edges as (from, to)."""

    last: int
    blocks: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class StepRecord:
    """The queue after a step, the first item first, and the blocks that the step marked."""

    queue: tuple[ItemRecord, ...]
    marked: tuple[int, ...]


def queue_markers(graph: LayoutGraph, trace: list[StepRecord] | None = None) -> int:
    """The blocks to mark, as a set; what each step leaves is added to `trace`."""
    walk = _Walk(graph)
    walk.begin()
    while True:
        if trace is not None:
            known = {block for step in trace for block in step.marked}
            trace.append(StepRecord(walk.record(), tuple(sorted(walk.marked - known))))
        if not walk.queue:
            return bits_of(walk.marked)
        walk.step()


class _Walk:
    """The queue: the last blocks of its items in order (no two end alike), and items by those."""

    def __init__(self, graph: LayoutGraph):
        self.graph = graph
        self.order = reverse_postorder(0, graph.successors)
        self.turn = {block: turn for turn, block in enumerate(self.order)}
        self.first_edge = [0, *accumulate(len(graph.successors[block]) for block in self.order)]
        self.seams = _seams(graph, self.order, self.turn)
        self.seam = 0
        self.passed: list[tuple[int, PathItem]] = []  # what was left out, each from its seam on
        self.furthest = 0  # of what was expanded
        self.marked: set[int] = set()
        self.queue: list[int] = []
        self.items: dict[int, PathItem] = {}
        self.known: dict[int, int] = {}  # by expanded block: those on the paths to it
        self.counting: list[int] | None = None
        self.patience = PATIENCE
        self.holders = _Holders(len(graph.names))

    def begin(self) -> None:
        """The step that takes the pseudo-block before the entry."""
        self._insert(PathItem(0, 1, 0))

    def step(self) -> None:
        """Take the first item and lead its paths on."""
        item = self._without_what_passed(self.items.pop(self.queue.pop(0)))
        self.holders.hold(item.last, 0)
        if not self._has_grown(item):
            return
        turn = self.turn[item.last]
        self.furthest = max(self.furthest, turn)
        edge = 1 << self.first_edge[turn] - self.first_edge[self.seam]
        for target in self.graph.successors[item.last]:
            bit = 1 << self.turn[target] - self.seam
            if item.blocks & bit:
                self._mark_exits(target, item)
            elif (holder := self._holder(target)) is not None:
                self.marked.add(target)
                holder.blocks |= item.blocks
                holder.edges |= item.edges | edge
                self.holders.hold(holder.last, holder.blocks)
            else:
                self._insert(PathItem(target, item.blocks | bit, item.edges | edge))
            edge <<= 1

    def record(self) -> tuple[ItemRecord, ...]:
        return tuple(self._record(self.items[last]) for last in self.queue)

    def _without_what_passed(self, item: PathItem) -> PathItem:
        """The only item, if no expanded block can be come to again, begins anew at its block."""
        turn = self.turn[item.last]
        if self.queue or turn <= self.furthest or not self.seams[turn]:
            return item
        self.passed.append((self.seam, item))
        self.seam = turn
        return PathItem(item.last, 1, 0)

    def _insert(self, item: PathItem) -> None:
        insort(self.queue, item.last)
        self.items[item.last] = item
        self.holders.hold(item.last, item.blocks)
        if self.queue[0] != item.last:
            self.marked.add(item.last)

    def _has_grown(self, item: PathItem) -> bool:
        """Whether the item's last block is expanded for the first time, or new blocks count."""
        known = self.known.get(item.last)
        self.known[item.last] = item.blocks | (known or 0)
        if known is None:
            return True
        new = item.blocks & ~known
        if self.patience > 0:
            self.patience -= 1
            return new != 0
        if self.counting is None:
            self.counting = _blocks_that_count(self.graph, self.turn)
        return new & self.counting[item.last] >> self.seam != 0

    def _holder(self, block: int) -> PathItem | None:
        """The first item of the queue with a block on its paths.  One that was never expanded can
        only be the last of its own."""
        if block not in self.known:
            return self.items.get(block)
        return self.items.get(self.holders.first(self.turn[block] - self.seam))

    def _mark_exits(self, head: int, item: PathItem) -> None:
        """The item's last block leads back to `head`: mark the blocks of this loop, what the head
        reaches along the item's edges, that have a way out.  (All blocks of an item reach its last
        one along its edges.)"""
        successors, first_edge = self.graph.successors, self.first_edge
        before, end = first_edge[self.seam], first_edge[self.furthest + 1]
        edges = item.edges.to_bytes((end - before) // 8 + 1, "little")
        loop, pending = {head}, [head]
        while pending:
            block = pending.pop()
            for edge, target in enumerate(successors[block], first_edge[self.turn[block]] - before):
                if target not in loop and edges[edge >> 3] >> (edge & 7) & 1:
                    loop.add(target)
                    pending.append(target)
        self.marked.update(b for b in loop if not loop.issuperset(successors[b]))

    def _record(self, item: PathItem) -> ItemRecord:
        ways = [(block, t) for block in self.order for t in self.graph.successors[block]]
        blocks, edges = set(), set()
        for seam, one in [*self.passed, (self.seam, item)]:
            blocks.update(self.order[seam + k] for k in members(one.blocks))
            edges.update(ways[self.first_edge[seam] + k] for k in members(one.edges))
        return ItemRecord(item.last, tuple(sorted(blocks)), tuple(sorted(edges)))


def _seams(graph: LayoutGraph, order: tuple[int, ...], turn: dict[int, int]) -> list[bool]:
    """By number in reverse post-order: whether no block from this one on leads in front of it."""
    earliest = len(order)
    found = []
    for number in reversed(range(len(order))):
        earliest = min(earliest, *(turn[t] for t in graph.successors[order[number]]), number)
        found.append(earliest == number)
    return found[::-1]


class _Holders:
    """Which items hold a block: a bit for each item, by its last block, and block."""

    def __init__(self, count: int):
        self.bits = np.zeros((count, -(-count // 8)), np.uint8, order="F")
        self.filled = [0] * count  # bytes of a row

    def hold(self, last: int, blocks: int) -> None:
        """An item holds these blocks; none, if it is taken from the queue."""
        size = max(self.filled[last], blocks.bit_length() + 7 >> 3)
        self.bits[last, :size] = np.frombuffer(blocks.to_bytes(size, "little"), np.uint8)
        self.filled[last] = size if blocks else 0

    def first(self, block: int) -> int | None:
        """The last block of the first item that holds a block."""
        holding = self.bits[:, block >> 3] & (1 << (block & 7)) != 0
        last = int(holding.argmax())
        return last if holding[last] else None


def _blocks_that_count(graph: LayoutGraph, turn: dict[int, int]) -> list[int]:
    """For each block the blocks whose coming onto its paths can change what is marked of loops."""
    number = {graph.names[block]: k for block, k in turn.items()}
    loops = find_loops(graph.names[0], graph.by_name)
    of_loop: dict[str | None, int] = {None: 0}
    for header, loop in loops.by_header.items():
        leaving = loop.members if loop.is_irreducible else (header, *(b for b, _ in loop.exits))
        of_loop[header] = of_loop[loop.parent] | bits_of(number[name] for name in leaving)
    return [of_loop[loops.innermost.get(name)] for name in graph.names]
