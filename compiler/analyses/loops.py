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
which the graph is walked.  Natural loops of one header are one loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.analyses.components import cyclic_components
from compiler.analyses.control_flow import control_flow, reverse_postorder
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
    parents: dict[str, str | None] = {}
    members: dict[str, list[str]] = {}
    pending: list[tuple[str | None, list[str]]] = [(None, list(graph.number))]
    while pending:
        parent, blocks = pending.pop()
        for part in graph.cyclic_parts(blocks, parent):
            header = part[0]  # the first block that a walk from the entry meets is an entry
            parents[header], members[header] = parent, part
            pending.append((header, part))

    found: dict[str, Loop] = {}
    innermost: dict[str, str | None] = dict.fromkeys(graph.number)
    depth = dict.fromkeys(graph.number, 0)
    for header in sorted(parents, key=graph.number.__getitem__):
        parent = parents[header]
        children = tuple(h for h in members[header] if h in parents and parents[h] == header)
        level = found[parent].depth + 1 if parent is not None else 1
        found[header] = graph.loop(members[header], parent, children, level)
        for block in members[header]:
            innermost[block], depth[block] = header, level
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
