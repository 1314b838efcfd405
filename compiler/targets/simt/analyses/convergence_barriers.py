"""Where convergence barriers begin, meet and are given up, for hardware that waits by them.

    a: branch p, b, c          a: bssy 0, d; branch p, b, c
    b: … jump d                b: … jump d
    c: … branch q, d, e        c: … branch q, d, e
    d: …                       d: bsync 0; …
    e: …                       e: break 0; …

For every block at which lanes that branches part are to meet (`meeting_blocks.py` beside this)
there is a barrier.  It begins at the end of the nearest block that dominates those branches and
does not lie in a loop without the meeting block (a barrier of a loop begins in front of it); its
*region* is what leads from there to the meeting block.  Where control leaves the region otherwise,
the barrier is broken, which means nothing to lanes that do not take part.

Two barriers share a number if their regions are disjoint; inner ones come first, and a region for
which no number is left goes without.  So does one that would close a circle of barriers each of
which has its meeting block in the next one's region: lanes could wait for each other for ever.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from compiler.analyses.control_flow import reverse_postorder
from compiler.analyses.dominators import immediate_dominators, tree_intervals
from compiler.analyses.layout_graph import LayoutGraph
from compiler.analyses.loops import Loops, find_loops
from compiler.targets.simt.analyses.meeting_blocks import Meeting, meeting_blocks

NUMBERS = 15
"""Barriers alive at once: B0 … B14."""
OUTSIDE = -1
"""The start of a barrier that begins before the entry, which is in a loop."""


@dataclass(frozen=True, slots=True)
class Barrier:
    """A barrier `number` from the end of block `start` to the beginning of block `meet`, broken at
    the beginning of `breaks`."""

    number: int
    start: int
    meet: int
    breaks: tuple[int, ...]


@dataclass(slots=True)
class _Region:
    start: int
    meet: int
    blocks: tuple[int, ...]
    breaks: tuple[int, ...] = ()
    following: list[_Region] = field(default_factory=list)
    """Regions that hold its meeting block."""


class _Kept:
    """The regions that have a number: `holding` those that a block is in, `meeting` those that it
    ends, `numbers` what the regions have that touch it, as a set."""

    def __init__(self, count: int):
        self.holding: list[list[_Region]] = [[] for _ in range(count)]
        self.meeting: list[list[_Region]] = [[] for _ in range(count)]
        self.numbers = [0] * count

    def number(self, region: _Region) -> int | None:
        """The lowest number that no region has which touches this one; None if it is kept out."""
        touched = {region.start, region.meet, *region.breaks, *region.blocks} - {OUTSIDE}
        used = reduce(or_, (self.numbers[block] for block in touched))
        number = (~used & used + 1).bit_length() - 1
        if number >= NUMBERS or self._closes_a_circle(region):
            return None
        for block in touched:
            self.numbers[block] |= 1 << number
        for block in region.blocks:
            self.holding[block].append(region)
        self.meeting[region.meet].append(region)
        return number

    def _closes_a_circle(self, region: _Region) -> bool:
        """Whether waiting at the region's meeting block could be, over other barriers, waiting for
        itself; if not, it is linked with the others."""
        held = [other for block in region.blocks for other in self.meeting[block]]
        ids = set(map(id, held))
        seen, pending = set(), [*self.holding[region.meet]]
        while pending:
            other = pending.pop()
            if id(other) in ids:
                return True
            if id(other) not in seen:
                seen.add(id(other))
                pending += other.following
        region.following = [*self.holding[region.meet]]
        for other in held:
            other.following.append(region)
        return False


def convergence_barriers(
    graph: LayoutGraph, ends: Collection[int] = (), parting: Collection[int] | None = None
) -> list[Barrier]:
    """The barriers of a graph, by their starts, outer ones first where they start together; none at
    `ends`, blocks that only end the function.  `parting` are the branches that may part lanes, all
    if it is None."""
    kept = _Kept(len(graph.names))
    found: list[tuple[int, Barrier]] = []
    for region in sorted(_regions(graph, ends, parting), key=_by_size):
        number = kept.number(region)
        if number is not None:
            barrier = Barrier(number, region.start, region.meet, region.breaks)
            found.append((len(region.blocks), barrier))
    found.sort(key=lambda one: (one[1].start, -one[0]))
    return [barrier for _, barrier in found]


def _by_size(region: _Region) -> tuple[int, int, int]:
    return len(region.blocks), region.start, region.meet


def _regions(
    graph: LayoutGraph, ends: Collection[int], parting: Collection[int] | None
) -> list[_Region]:
    """A region for each meeting block."""
    order = reverse_postorder(0, graph.successors)
    known = set(order)
    before = {b: [p for p in graph.predecessors[b] if p in known] for b in order}
    parent = immediate_dominators(order, before)
    children: dict[int, list[int]] = {block: [] for block in order}
    for block in order[1:]:
        children[parent[block]].append(block)
    first, last = tree_intervals(0, children)
    loops = find_loops(graph.names[0], graph.by_name)
    regions = []
    for one in _by_block(meeting_blocks(graph, ends)):
        branches = [b for b in one.branches if parting is None or b in parting]
        if not branches:
            continue
        start = branches[0]
        for block in branches:
            while not first[start] <= first[block] <= last[start]:
                start = parent[start]
        around = set(_loops_around(loops, graph.names[one.block]))
        while (start == one.block and not one.is_next) or (
            start != OUTSIDE and loops.innermost[graph.names[start]] not in around
        ):
            start = parent.get(start, OUTSIDE)
        regions.append(_region(graph, start, one.block))
    return regions


def _by_block(meetings: list[Meeting]) -> Iterator[Meeting]:
    """Those of one block that are of one kind as one."""
    found: dict[tuple[int, bool], list[Meeting]] = {}
    for one in meetings:
        found.setdefault((one.block, one.is_next), []).append(one)
    for (block, is_next), parts in found.items():
        branches = sorted({branch for one in parts for branch in one.branches})
        yield Meeting(block, is_next, tuple(branches))


def _loops_around(loops: Loops, name: str) -> Iterator[str | None]:
    """The headers of the loops that hold a block, and None."""
    header = loops.innermost[name]
    while header is not None:
        yield header
        header = loops.by_header[header].parent
    yield None


def _region(graph: LayoutGraph, start: int, meet: int) -> _Region:
    """The region between two blocks: what the first leads to, and leads to the second."""
    first = (0,) if start == OUTSIDE else graph.successors[start]
    after = _reach(first, graph.successors, meet)
    blocks = _reach(graph.predecessors[meet], graph.predecessors, start, within=after)
    inside = blocks if start == OUTSIDE else {start, *blocks}
    held = {meet, *blocks}
    breaks = {t for b in inside for t in graph.successors[b] if t not in held}
    return _Region(start, meet, tuple(blocks), tuple(sorted(breaks)))


def _reach(
    first: tuple[int, ...],
    follow: tuple[tuple[int, ...], ...],
    stop: int,
    within: set[int] | None = None,
) -> set[int]:
    """What some blocks lead to, themselves included, over paths that do not pass `stop`."""
    found: set[int] = set()
    pending = list(first)
    while pending:
        block = pending.pop()
        if block != stop and block not in found and (within is None or block in within):
            found.add(block)
            pending += follow[block]
    return found
