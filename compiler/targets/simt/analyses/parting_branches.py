"""Which branches may part the lanes of a warp.

    ld.param.b32 %n, [8]          the same in all lanes
    mov.tid.x    %t               not
    setp.lt.s32  %p, %i, %n       nor is a sum of the two, or what only some lanes have written
    bra %p, loop, done            together, if %i is counted where all lanes are

A value is the same in all lanes if what it is made of is: constants, parameters, what all threads
of a block read alike.  What stands where a branch that parts lanes leads to, up to the block behind
all its ways, is written by some lanes earlier or more often than by others, so it may differ.  What
lanes load together from one address is the same; ptxas 13.0 takes it so, too, of global memory,
volatile or not, and of shared memory.  Where a branch is a guarded exit, those that are left are
together.
"""

from __future__ import annotations

from collections.abc import Collection

from compiler.analyses.layout_graph import LayoutGraph, layout_graph
from compiler.ir.module import Block, Function, Instruction
from compiler.targets.simt.analyses.post_dominators import NONE, immediate_post_dominators
from compiler.targets.simt.combination.folding import is_computed
from compiler.targets.simt.registers.operands import reads, writes
from machines.kinds.simt.code import ENDS

OF_A_BLOCK = ("ctaid", "ntid", "nctaid", "gridid", "address")
"""Special registers that all threads of a block read alike, and addresses of buffers."""
ALIKE = ("param", "const", "global", "shared")
"""Spaces in which an address that is the same everywhere holds the same for all lanes."""


def parting_branches(function: Function) -> set[int]:
    """The blocks, by their place in the layout, whose branches may part lanes."""
    graph, blocks = layout_graph(function), list(function.blocks.values())
    behind = immediate_post_dominators(graph)
    differ = _read_only(blocks)
    found: set[int] = set()
    inside: set[int] = set()
    while True:
        before = len(differ), len(found)
        for number, block in enumerate(blocks):
            _note_values(block, number in inside, differ)
            is_known = number in found or ENDS.of(block)
            branches = len(block.successors) > 1 and not is_known
            if branches and _differs(block.terminator, differ):
                found.add(number)
                inside |= _ways(graph, number, behind[number])
        if before == (len(differ), len(found)):
            return found


def _read_only(blocks: list[Block]) -> set[str]:
    """Registers that nothing writes, of which nothing is known."""
    rows = [instruction for block in blocks for instruction in block.instructions]
    written = {name for row in rows for name, _ in writes(row)}
    return {name for row in rows for name, _ in reads(row)} - written


def _note_values(block: Block, is_inside: bool, differ: set[str]) -> None:
    for instruction in block.instructions:
        if is_inside or not _is_alike(instruction) or _differs(instruction, differ):
            differ.update(name for name, _ in writes(instruction))


def _differs(instruction: Instruction, differ: Collection[str]) -> bool:
    return any(name in differ for name, _ in reads(instruction))


def _is_alike(instruction: Instruction) -> bool:
    """Whether equal operands give all lanes equal results."""
    operation = instruction.operation
    name, *rest = operation.name.split(".")
    if name == "mov" and rest and rest[0] in OF_A_BLOCK:
        return True
    if operation.accesses:
        return all(a.kind == "load" and a.space in ALIKE for a in operation.accesses)
    return is_computed(operation)


def _ways(graph: LayoutGraph, branch: int, behind: int) -> set[int]:
    """The blocks that a branch leads to, without the one behind all its ways."""
    found: set[int] = set()
    pending = list(graph.successors[branch])
    while pending:
        block = pending.pop()
        if block not in found and (block != behind or behind == NONE):
            found.add(block)
            pending += graph.successors[block]
    return found
