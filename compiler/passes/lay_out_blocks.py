"""Order the blocks so that control mostly runs on into the next one.

    entry, head, exit, body   ->   entry, head, body, exit

A reverse post-order in which, of two ways that leave a block, the
one that stays in more loops comes first: both sides of a condition stand before what follows it,
and a loop before what comes after it.  Only the order changes.
"""

from __future__ import annotations

from compiler.analyses.control_flow import control_flow, reverse_postorder
from compiler.analyses.loops import loops
from compiler.ir.builder import Builder
from compiler.ir.module import Function
from compiler.rewriting.block_order import reorder
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def layout(function: Function) -> list[str]:
    """The names of all blocks in their new order."""
    flow = control_flow(function)
    depth = loops(function).depth
    deeper_first = {
        name: tuple(sorted(targets, key=lambda target: -depth.get(target, 0)))
        for name, targets in flow.successors.items()
    }
    return [*reverse_postorder(function.entry.name, deeper_first), *flow.unreachable]


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    changes = Changes()
    reorder(function, Builder(function), layout(function), changes)
    return changes


PLUGIN = Pass("lay_out_blocks", "Order the blocks so that control mostly runs on.", run)
