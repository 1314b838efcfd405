"""The loops of a function, how they are nested, and the ways in and out of them.

    entry: jump outer              outer: depth 1, entered over entry -> outer, preheader entry,
    outer: branch p, inner, exit          left over outer -> exit
    inner: branch q, inner, outer  inner: depth 2, parent outer, latch inner,
                                          left over inner -> outer

A loop is a strongly connected part of the graph.  The blocks over which control comes into it are
its entries.  A loop of one entry is a *natural* loop: the entry is its header and dominates all its
blocks.  A loop of several is an *irreducible* region; it has no header that dominates it, and its
first entry in reverse post-order stands for it.  The loops inside a loop are the strongly connected
parts that are left when the edges to its entries are taken away (Steensgaard, *Sequentializing
Program Dependence Graphs for Irreducible Programs*, 1993), so that nothing depends on the order in
which the graph is walked.  Natural loops of one header are one loop.  Where all are natural they
are found in one walk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.analyses.components import cyclic_components
from compiler.analyses.control_flow import control_flow, reverse_postorder
from compiler.analyses.dominators import tree_intervals
from compiler.ir.module import Function

Edge = tuple[str, str]
"""From a block to a block."""


@dataclass(frozen=True, slots=True)
class Loop:
    """One loop; only blocks that the entry of the function reaches are looked at.

    header     its only entry; of an irreducible region the first of its entries
    entries    the blocks over which control comes in; the function's entry counts as one
    members    its blocks, those of inner loops included
    latches    blocks in the loop that go back to one of its entries
    entering   edges from outside to its entries
    exits      edges from inside to outside
    parent     header of the loop around it, None if there is none
    children   headers of the loops directly inside
    depth      1 for an outermost loop
    preheader  the block that runs once before the header whenever the loop is entered, if there is
               one: the only block outside that goes to it, and that goes nowhere else

    Blocks stand in reverse post-order, edges in that of their source and its terminator's order.
    """

    header: str
    entries: tuple[str, ...]
    members: tuple[str, ...]
    latches: tuple[str, ...]
    entering: tuple[Edge, ...]
    exits: tuple[Edge, ...]
    parent: str | None
    children: tuple[str, ...]
    depth: int
    preheader: str | None

    @property
    def is_irreducible(self) -> bool:
        return len(self.entries) > 1


@dataclass(frozen=True, slots=True)
class Loops:
    """All loops of a graph.

    by_header   each loop by its header; a loop stands before those inside it
    innermost   for each block the header of the innermost loop that holds it, None if none does
    depth       for each block in how many loops it is
    """

    by_header: dict[str, Loop]
    innermost: dict[str, str | None]
    depth: dict[str, int]

    @property
    def irreducible(self) -> tuple[Loop, ...]:
        """The regions of several entries."""
        return tuple(loop for loop in self.by_header.values() if loop.is_irreducible)

    def of(self, block: str) -> Loop | None:
        """The innermost loop that holds a block."""
        header = self.innermost.get(block)
        return self.by_header[header] if header is not None else None


@cached_by_version
def loops(function: Function) -> Loops:
    """The loops of a function whose blocks all end in a terminator."""
    return find_loops(function.entry.name, control_flow(function).successors)


def find_loops(entry: str, successors: Mapping[str, tuple[str, ...]]) -> Loops:
    """The loops of the graph that `successors` describes."""
    graph = _Graph(entry, successors)
    parents = graph.natural()
    if parents is None:
        return graph.any_loops()
    return _natural_loops(graph, *parents)


def _natural_loops(
    graph: _Graph, parents: dict[str, str | None], innermost: dict[str, str | None]
) -> Loops:
    """The loops of a graph without irreducible regions, of which the nesting is known."""
    children: dict[str | None, list[str]] = {header: [] for header in (None, *parents)}
    for header, parent in parents.items():
        children[parent].append(header)
    first, last = tree_intervals(None, children)
    members: dict[str, list[str]] = {header: [] for header in parents}
    exits: dict[str, list[Edge]] = {header: [] for header in parents}
    depth: dict[str, int] = {}
    for block, home in innermost.items():
        header, depth[block] = home, 0
        while header is not None:
            depth[block] += 1
            members[header].append(block)
            header = parents[header]
        for target in graph.successors[block]:
            header, place = home, first[innermost[target]]
            while header is not None and not first[header] <= place <= last[header]:
                exits[header].append((block, target))
                header = parents[header]
    found = {}
    for header, parent in parents.items():
        number = graph.number[header]
        sources = sorted(graph.predecessors[header], key=graph.number.__getitem__)
        before = tuple(p for p in sources if graph.number[p] < number)
        leads_only_there = len(before) == 1 and graph.successors[before[0]] == (header,)
        found[header] = Loop(
            header=header,
            entries=(header,),
            members=tuple(members[header]),
            latches=tuple(p for p in sources if graph.number[p] >= number),
            entering=tuple((p, header) for p in before),
            exits=tuple(exits[header]),
            parent=parent,
            children=tuple(children[header]),
            depth=depth[header],
            preheader=before[0] if leads_only_there and header != graph.entry else None,
        )
    return Loops(found, innermost, depth)


class _Graph:
    """The blocks that the entry reaches, numbered in reverse post-order."""

    def __init__(self, entry: str, successors: Mapping[str, tuple[str, ...]]):
        order = reverse_postorder(entry, successors)
        self.entry = entry
        self.number = {name: k for k, name in enumerate(order)}
        self.successors = successors
        self.predecessors: dict[str, list[str]] = {name: [] for name in order}
        for name in order:
            for target in successors[name]:
                self.predecessors[target].append(name)

    def natural(self) -> tuple[dict[str, str | None], dict[str, str | None]] | None:
        """The parent of each loop, outer loops first, and the innermost loop of each block; None if
        there is an irreducible region.

        Headers are looked at from the last on.  What reaches one on ways back is in its loop; a
        loop inside has shrunk to its header by then (Havlak, *Nesting of Reducible and Irreducible
        Loops*, 1997).
        """
        inside: dict[str, str] = {}  # what has shrunk: a block, to the header of a loop around it
        parents: dict[str, str | None] = {}
        innermost: dict[str, str | None] = dict.fromkeys(self.number)

        def shrunk(name: str) -> str:
            way = []
            while name in inside:
                way.append(name)
                name = inside[name]
            inside.update(dict.fromkeys(way, name))
            return name

        for header in reversed(self.number):
            number = self.number[header]
            back = [p for p in self.predecessors[header] if self.number[p] >= number]
            if not back:
                continue
            found = {header: None}
            pending = list(dict.fromkeys(map(shrunk, back)))
            while pending:
                name = pending.pop()
                if name in found:
                    continue
                if self.number[name] < number:
                    return None
                found[name] = None
                own = self.number[name]
                sources = (p for p in self.predecessors[name] if self.number[p] < own)
                pending += map(shrunk, sources)
            for name in found:
                if name in parents:
                    parents[name] = header
                if innermost[name] is None:
                    innermost[name] = header
                if name != header:
                    inside[name] = header
            parents[header] = None
        return {h: parents[h] for h in self.number if h in parents}, innermost

    def any_loops(self) -> Loops:
        """The loops, each with those that are left in it without the edges to its entries."""
        parents: dict[str, str | None] = {}
        members: dict[str, list[str]] = {}
        pending: list[tuple[str | None, list[str]]] = [(None, list(self.number))]
        while pending:
            parent, blocks = pending.pop()
            for part in self.cyclic_parts(blocks, parent):
                header = part[0]  # the first block that a walk from the entry meets is an entry
                parents[header], members[header] = parent, part
                pending.append((header, part))

        found: dict[str, Loop] = {}
        innermost: dict[str, str | None] = dict.fromkeys(self.number)
        depth = dict.fromkeys(self.number, 0)
        for header in sorted(parents, key=self.number.__getitem__):
            parent = parents[header]
            children = tuple(h for h in members[header] if h in parents and parents[h] == header)
            level = found[parent].depth + 1 if parent is not None else 1
            found[header] = self.loop(members[header], parent, children, level)
            for block in members[header]:
                innermost[block], depth[block] = header, level
        return Loops(found, innermost, depth)

    def cyclic_parts(self, blocks: list[str], around: str | None) -> list[list[str]]:
        """The strongly connected parts of `blocks`, the loop of header `around`, without the edges
        to its entries; each in reverse post-order.
        """
        inside = set(blocks)
        cut = set(self.entries(inside, blocks)) if around is not None else set()
        follow = {
            name: [t for t in self.successors[name] if t in inside and t not in cut]
            for name in blocks
        }
        parts = cyclic_components(blocks, follow.__getitem__)
        return [sorted(part, key=self.number.__getitem__) for part in parts]

    def entries(self, inside: set[str], blocks: list[str]) -> tuple[str, ...]:
        return tuple(
            name
            for name in blocks
            if name == self.entry or any(p not in inside for p in self.predecessors[name])
        )

    def loop(
        self, blocks: list[str], parent: str | None, children: tuple[str, ...], depth: int
    ) -> Loop:
        inside = set(blocks)
        entries = self.entries(inside, blocks)
        outside = {p for e in entries for p in self.predecessors[e] if p not in inside}
        before = sorted(outside, key=self.number.__getitem__)
        leads_only_there = len(before) == 1 and self.successors[before[0]] == entries
        return Loop(
            header=blocks[0],
            entries=entries,
            members=tuple(blocks),
            latches=tuple(b for b in blocks if any(t in entries for t in self.successors[b])),
            entering=tuple((b, t) for b in before for t in self.successors[b] if t in entries),
            exits=tuple((b, t) for b in blocks for t in self.successors[b] if t not in inside),
            parent=parent,
            children=children,
            depth=depth,
            preheader=before[0] if leads_only_there and self.entry not in inside else None,
        )
