"""What lies between a branch and the block where its ways meet again.

    head: branch p, A, B          region of head: A, B, C, with join J
    A:    branch q, B, C
    B:    jump J                  of A no region: the way from A to B is not the only one to B
    C:    jump J
    J:    …

A region is entered over its head only, left to its join only, and has no cycle.  Its join is the
immediate postdominator of its head.  It grows by the block that comes first in reverse post-order,
before which all others of the region on a way to it have come.  The whole of an innermost loop is
one too, with several ways out: back to its header, and to where it is left.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.analyses.loops import Loop
from compiler.ir.module import Function, Instruction


@dataclass(frozen=True, slots=True)
class BranchRegion:
    """`blocks` are those behind the head, each behind those that lead to it; `ways` are the blocks
    outside that control goes to from there: the join, or the header of a loop and its exits."""

    head: str
    blocks: tuple[str, ...]
    ways: tuple[str, ...]


def branch_region(function: Function, head: str) -> BranchRegion | None:
    """The region of a block that ends in a branch, None if there is none."""
    if not _is_decided(function.blocks[head].terminator):
        return None
    flow, order = control_flow(function), _order(function)
    if head not in order:
        return None
    inside: dict[str, None] = {head: None}
    pending = set(flow.successors[head])
    while len(pending) > 1:
        name = min(pending, key=order.__getitem__)
        entered = name == function.entry.name or not inside.keys() >= set(flow.predecessors[name])
        last = function.blocks[name].terminator
        if entered or name in inside or not (last.operation.name == "jump" or _is_decided(last)):
            return None
        inside[name] = None
        pending.remove(name)
        pending.update(flow.successors[name])
    (join,) = pending
    return BranchRegion(head, tuple(inside)[1:], (join,))


@cached_by_version
def _order(function: Function) -> dict[str, int]:
    return {name: number for number, name in enumerate(control_flow(function).reverse_postorder)}


def _is_decided(last: Instruction) -> bool:
    """Whether a terminator goes one of two ways by a variable."""
    is_branch = last.operation.name == "branch" and isinstance(last.operands[0], str)
    return is_branch and last.operands[1] != last.operands[2]


def body_regions(function: Function, loop: Loop) -> list[BranchRegion] | str:
    """The regions that stand one behind another from the header of an innermost loop to the only
    block that goes back, or why the body is no such row."""
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
        region = branch_region(function, block)
        if region is None:
            return "branches that are not nested"
        found.append(region)
        (block,) = region.ways
    return found


def loop_region(function: Function, loop: Loop) -> BranchRegion | None:
    """The whole of an innermost loop, None if a condition in it is unknown or it has no exit."""
    last = [function.blocks[name].terminator for name in loop.members]
    exits = tuple(dict.fromkeys(target for _, target in loop.exits))
    if loop.is_irreducible or not exits:
        return None
    if not all(i.operation.name == "jump" or _is_decided(i) for i in last):
        return None
    return BranchRegion(loop.header, loop.members[1:], (loop.header, *exits))
