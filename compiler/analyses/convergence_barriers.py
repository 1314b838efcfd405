"""Where convergence barriers begin, meet and are given up, for hardware that waits by them.

    a: branch p, b, c          a: bssy 0, d; branch p, b, c
    b: … jump d                b: … jump d
    c: … branch q, d, e        c: … branch q, d, e
    d: …                       d: bsync 0; …
    e: …                       e: break 0; …

For every block at which some branch's ways meet (its immediate post-dominator) there is a barrier.
It begins at the end of the nearest block that dominates those branches and does not lie in a loop
without the meeting block (a barrier of a loop begins in front of it); its *region* is what leads
from there to the meeting block.  Where control leaves the region otherwise, the barrier is broken,
which means nothing to lanes that do not take part.

Two barriers share a number if their regions are disjoint; inner ones come first, and a region for
which no number is left goes without.  So does one that would close a circle of barriers each of
which has its meeting block in the next one's region: lanes could wait for each other for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from compiler.analyses.control_flow import reverse_postorder
from compiler.analyses.dominators import immediate_dominators, tree_intervals
from compiler.analyses.layout_graph import LayoutGraph, bits_of, members
from compiler.analyses.loops import Loops, find_loops
from compiler.analyses.post_dominators import NONE

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
    blocks: int
    breaks: tuple[int, ...] = ()
    following: list[_Region] = field(default_factory=list)
    """Regions that hold its meeting block."""

    @property
    def touched(self) -> int:
        ends = (self.start, self.meet, *self.breaks)
        return self.blocks | bits_of(block for block in ends if block != OUTSIDE)


def convergence_barriers(graph: LayoutGraph, post_dominators: list[int]) -> list[Barrier]:
    """The barriers of a graph, by their starts, outer ones first where they start together."""
    used = [0] * NUMBERS
    kept: list[_Region] = []
    found: list[tuple[int, Barrier]] = []
    for size, region in sorted(_regions(graph, post_dominators), key=_by_size):
        touched = region.touched
        number = next((k for k in range(NUMBERS) if not used[k] & touched), None)
        if number is None or _closes_a_circle(region, kept):
            continue
        used[number] |= touched
        kept.append(region)
        found.append((size, Barrier(number, region.start, region.meet, region.breaks)))
    found.sort(key=lambda one: (one[1].start, -one[0]))
    return [barrier for _, barrier in found]


def _by_size(sized: tuple[int, _Region]) -> tuple[int, int, int]:
    return sized[0], sized[1].start, sized[1].meet


def _regions(graph: LayoutGraph, post_dominators: list[int]) -> list[tuple[int, _Region]]:
    """A region for each meeting block that has one, with its size in blocks."""
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
    for meet, branches in _branches_by_meet(graph, post_dominators).items():
        start = branches[0]
        for block in branches:
            while not first[start] <= first[block] <= last[start]:
                start = parent[start]
        around = set(_loops_around(loops, graph.names[meet]))
        while start == meet or (
            start != OUTSIDE and loops.innermost[graph.names[start]] not in around
        ):
            start = parent.get(start, OUTSIDE)
        regions.append(_region(graph, start, meet))
    return [(region.blocks.bit_count(), region) for region in regions]


def _branches_by_meet(graph: LayoutGraph, post_dominators: list[int]) -> dict[int, list[int]]:
    """By meeting block the branches that the entry reaches whose ways meet there."""
    found: dict[int, list[int]] = {}
    for block in sorted(reverse_postorder(0, graph.successors)):
        meet = post_dominators[block]
        if len(graph.successors[block]) > 1 and meet != NONE:
            found.setdefault(meet, []).append(block)
    return found


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
    blocks = after & _reach(graph.predecessors[meet], graph.predecessors, start, within=after)
    inside = [*members(blocks)] if start == OUTSIDE else [start, *members(blocks)]
    held = blocks | 1 << meet
    breaks = {t for b in inside for t in graph.successors[b] if not held >> t & 1}
    return _Region(start, meet, blocks, tuple(sorted(breaks)))


def _reach(
    first: tuple[int, ...], follow: tuple[tuple[int, ...], ...], stop: int, within: int = -1
) -> int:
    """What some blocks lead to, themselves included, over paths that do not pass `stop`."""
    found, pending = 0, list(first)
    while pending:
        block = pending.pop()
        if block != stop and within >> block & 1 and not found >> block & 1:
            found |= 1 << block
            pending += follow[block]
    return found


def _closes_a_circle(region: _Region, kept: list[_Region]) -> bool:
    """Whether waiting at the region's meeting block could be, over other barriers, waiting for
    itself; if not, it is linked with the others."""
    holding = [other for other in kept if other.blocks >> region.meet & 1]
    held = [other for other in kept if region.blocks >> other.meet & 1]
    ids = set(map(id, held))
    seen, pending = set(), list(holding)
    while pending:
        other = pending.pop()
        if id(other) in ids:
            return True
        if id(other) not in seen:
            seen.add(id(other))
            pending += other.following
    region.following = holding
    for other in held:
        other.following.append(region)
    return False
