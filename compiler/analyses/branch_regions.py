"""What lies between a branch and the block where its ways meet again.

    head: branch p, A, B          region of head: A, B, C, with join J
    A:    branch q, B, C
    B:    jump J                  of A no region: the way from A to B is not the only one to B
    C:    jump J
    J:    …

A region is entered over its head only, left to its join only, and has no cycle.  Its join is the
immediate postdominator of its head.  The whole of an innermost loop is one too, with several ways
out: back to its header, and to where it is left.

All regions are found in one walk over the dominator tree.  The blocks of a region are those that
its head dominates, without those that the join dominates; so no other way leads in.  The join is
the last child of the head, or else what lies furthest in reverse post-order of all that the
dominated blocks go to.  Then there is a region if none of its blocks is the target of a way back or
ends in anything but a jump or a branch by a variable, and as many ways come to the join as leave.
"""

from __future__ import annotations

import operator
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.analyses.dominators import dominators, tree_intervals
from compiler.analyses.loops import Loop
from compiler.ir.module import Block, Function, Instruction

Number = TypeVar("Number")


@dataclass(frozen=True, slots=True)
class BranchRegion:
    """`blocks` are those behind the head, each behind those that lead to it; `ways` are the blocks
    outside that control goes to from there: the join, or the header of a loop and its exits."""

    head: str
    blocks: tuple[str, ...]
    ways: tuple[str, ...]


class BranchRegions:
    """The regions of all branches of a function.

    joins  for each block that is the head of a region: its join
    """

    def __init__(self, function: Function):
        flow, dominance = control_flow(function), dominators(function)
        self._parent, self._children = dominance.parent, dominance.children
        self._order = {name: number for number, name in enumerate(flow.reverse_postorder)}
        self._first, self._last = tree_intervals(function.entry.name, dominance.children)
        self._walk = sorted(self._order, key=self._first.__getitem__)
        self.joins = _Joins(self, function).found

    def region(self, head: str) -> BranchRegion | None:
        """The region of a head, None if it has none."""
        if head not in self.joins:
            return None
        join = self.joins[head]
        blocks: list[str] = []
        for child in self._children[head]:
            if child != join:
                blocks += self._walk[self._first[child] : self._last[child] + 1]
        return BranchRegion(head, tuple(sorted(blocks, key=self._order.__getitem__)), (join,))

    def sums(self, own: Mapping[str, Number]) -> dict[str, Number]:
        """For each head the sum of what the blocks of its region have."""
        below = self.below(own, operator.add)
        found = {}
        for head, join in self.joins.items():
            found[head] = below[head] - own[head]
            if self._parent.get(join) == head:
                found[head] -= below[join]
        return found

    def below(
        self, own: Mapping[str, Number], add: Callable[[Number, Number], Number]
    ) -> dict[str, Number]:
        """For each block what it and all that it dominates have together."""
        found = {name: own[name] for name in self._order}
        for name in reversed(self._order):
            if name in self._parent:
                above = self._parent[name]
                found[above] = add(found[above], found[name])
        return found

    def dominates(self, a: str, b: str) -> bool:
        return self._first[a] <= self._first[b] <= self._last[a]


class _Joins:
    """Counts for every block what the blocks that it dominates have together, and tells by these
    counts which heads have a region."""

    def __init__(self, regions: BranchRegions, function: Function):
        flow, order = control_flow(function), regions._order
        self.regions, self.names, self.sources = regions, tuple(order), flow.predecessors
        unusable, exceeding, furthest, self.forward = {}, {}, {}, {}
        for name, number in order.items():
            sources, targets = flow.predecessors[name], flow.successors[name]
            self.forward[name] = sum(order.get(source, number) < number for source in sources)
            usable = _goes_on(function.blocks[name]) and self.forward[name] == len(sources)
            unusable[name] = int(not usable)
            exceeding[name] = len(targets) - len(sources)
            furthest[name] = max((order[target] for target in targets), default=-1)
        self.own_unusable, self.unusable = unusable, regions.below(unusable, operator.add)
        self.exceeding = regions.below(exceeding, operator.add)
        self.furthest = regions.below(furthest, max)
        self.places = {
            name: sorted(regions._first[s] for s in flow.predecessors[name] if s in order)
            for name in order
        }
        self.found = {
            name: join
            for name in order
            if _is_decided(function.blocks[name].terminator)
            and (join := self.join(name)) is not None
        }

    def join(self, head: str) -> str | None:
        regions = self.regions
        inside = self.unusable[head] - self.own_unusable[head]
        leaving = self.exceeding[head] + len(self.sources[head])
        if regions._children[head]:
            join = regions._children[head][-1]
            leave_before = leaving - self.exceeding[join]
            if inside == self.unusable[join] and leave_before == self.forward[join]:
                return join
        join = self.names[self.furthest[head]]
        if inside or regions.dominates(head, join):
            return None
        places, last = self.places[join], regions._last[head]
        arriving = bisect_right(places, last) - bisect_left(places, regions._first[head])
        return join if arriving == leaving else None


@cached_by_version
def branch_regions(function: Function) -> BranchRegions:
    """The regions of a function whose blocks all end in a terminator."""
    return BranchRegions(function)


def _goes_on(block: Block) -> bool:
    return block.terminator.operation.name == "jump" or _is_decided(block.terminator)


def _is_decided(last: Instruction) -> bool:
    """Whether a terminator goes one of two ways by a variable."""
    is_branch = last.operation.name == "branch" and isinstance(last.operands[0], str)
    return is_branch and last.operands[1] != last.operands[2]


def body_regions(
    function: Function, loop: Loop, region: Callable[[str], BranchRegion | None]
) -> list[BranchRegion] | str:
    """The regions that stand one behind another from the header of an innermost loop to the only
    block that goes back, or why the body is no such row; `region` knows that of a head."""
    if loop.is_irreducible:
        return "several entries"
    if len(loop.latches) > 1:
        return "several ways back"
    (latch,) = loop.latches
    if any(source != latch for source, _ in loop.exits):
        return "left in the middle"
    found: list[BranchRegion] = []
    block = loop.header
    while block != latch:
        last = function.blocks[block].terminator
        if last.operation.name == "jump":
            block = str(last.operands[0])
            continue
        inside = region(block)
        if inside is None:
            return "branches that are not nested"
        found.append(inside)
        (block,) = inside.ways
    return found


def loop_region(function: Function, loop: Loop) -> BranchRegion | None:
    """The whole of an innermost loop, None if a condition in it is unknown or it has no exit."""
    exits = tuple(dict.fromkeys(target for _, target in loop.exits))
    if loop.is_irreducible or not exits:
        return None
    if not all(_goes_on(function.blocks[name]) for name in loop.members):
        return None
    return BranchRegion(loop.header, loop.members[1:], (loop.header, *exits))
