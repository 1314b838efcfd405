"""Order the blocks for the warps of a SIMT machine.

The order says which of a warp's threads go first, those at the earlier
block:

    head: … branch p, body, exit              head:       branch p, body, exit
    exit: …                                   body:       branch q, head.latch, more
    body: … branch q, head, more       ->     more:       jump head.latch
    more: … jump head                         head.latch: jump head
                                              exit:       …

Every loop is in one piece and ends in its one *latch*, the block that leads back to its head; what
it leads to comes after it.  A branch is followed by one of its ways, so that no other instruction
is needed for it.
"""

from __future__ import annotations

from compiler.analyses.control_flow import control_flow
from compiler.analyses.loops import Loop, loops
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction
from compiler.rewriting.block_order import reorder
from compiler.targets.simt.analyses.loop_order import loop_order
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.instructions import operations
from machines.operations.row import Label

JUMPS = {"ir": "jump", "ptx": "bra.uni"}
"""The row that goes to a block, by family."""


def lay_out_for_warps(function: Function) -> Changes:
    """Order the blocks for threads that run in lockstep, with the blocks that this needs."""
    changes = Changes()
    builder = Builder(function)
    _give_latches(function, builder, changes)
    flow = control_flow(function)
    order = loop_order(function.entry.name, flow.successors)
    reorder(function, builder, [*order, *flow.unreachable], changes)
    _follow_branches(function, builder, changes)
    return changes


def _give_latches(function: Function, builder: Builder, changes: Changes) -> None:
    """One way back for every loop with a single head, which is in no loop inside it."""
    inner = loops(function).innermost
    for loop in loops(function).by_header.values():
        if loop.is_irreducible:
            continue
        if len(loop.latches) > 1 or inner[loop.latches[0]] != loop.header:
            latch = _jumping_block(builder, f"{loop.header}.latch", loop.header)
            _redirect(function, builder, loop, latch)
            changes.count("latches made")


def _redirect(function: Function, builder: Builder, loop: Loop, latch: Block) -> None:
    for name in loop.latches:
        _replace_label(builder, function.blocks[name].terminator, loop.header, latch.name)


def drop_empty_blocks(function: Function, changes: Changes) -> None:
    """Drop blocks that only jump to the one behind them, for which no code is made: what leads
    there leads on."""
    builder = Builder(function)
    before = control_flow(function).predecessors
    following = ""  # it stays, so what leads there is not asked again
    for name in reversed(list(function.blocks)):
        block = function.blocks[name]
        if following and len(block.instructions) == 1 and block.successors == (following,):
            for other in before[name]:
                _replace_label(builder, function.blocks[other].terminator, name, following)
            builder.remove_block(name)
            changes.count("empty blocks dropped")
        else:
            following = name


def _follow_branches(function: Function, builder: Builder, changes: Changes) -> None:
    """Behind a branch of which neither way follows, a block that jumps to one: to that in more
    loops, else the second."""
    depth = loops(function).depth
    names = list(function.blocks)
    order: list[str] = []
    for name, following in zip(names, [*names[1:], ""], strict=True):
        order.append(name)
        block = function.blocks[name]
        if len(block.successors) < 2 or following in block.successors:
            continue
        first, second = block.successors
        target = first if depth.get(first, 0) > depth.get(second, 0) else second
        way = _jumping_block(builder, f"{name}.on", target)
        way.location = block.terminator.location
        _replace_label(builder, block.terminator, target, way.name)
        order.append(way.name)
        changes.count("ways on made")
    builder.order(order)


def _jumping_block(builder: Builder, hint: str, target: str) -> Block:
    function = builder.function
    family = function.entry.terminator.operation.family
    location = function.blocks[target].location
    block = builder.block(builder.fresh_block(hint), location)
    builder.emit(operations()[family, JUMPS[family]], target, location=location)
    return block


def _replace_label(builder: Builder, terminator: Instruction, old: str, new: str) -> None:
    operands = tuple(
        new if isinstance(operand.kind, Label) and value == old else value
        for operand, value in zip(terminator.operation.reads, terminator.operands, strict=True)
    )
    builder.change(terminator, operands=operands)


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return lay_out_for_warps(function)


PLUGIN = Pass(
    "lay_out_for_warps",
    "Order the blocks of warps' code: loops in one piece, branches followed by one of their ways.",
    run,
    forms={"virtual": "virtual"},
    kinds=("simt",),
)
