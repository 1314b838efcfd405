"""Test at the end of a loop instead of at its head, by copying the test.

    head: c = lt_s.i64 i, n                  head: c = lt_s.i64 i, n        (once, on entry)
          branch c, body, exit                     branch c, body, exit
    body: …                           ->     body: …
          jump head                                c = lt_s.i64 i, n
                                                   branch c, body, exit

An iteration then ends in one branch, and the body and its test are scheduled together.  A block is
copied if it heads a loop, is short, and ends in a branch; the copies do exactly what the head did,
in variable form without any renaming.  They belong to the iteration before, so they lose what
`relate_accesses` has said of them.  The ways back of an innermost loop become one before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from compiler.analyses.loops import loops
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function
from compiler.passes.relate_accesses import without
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine


def rotate(function: Function, limit: int) -> Changes:
    """Copy loop heads of at most `limit` instructions into the blocks that jump back to them."""
    changes = Changes()
    builder = Builder(function)
    for loop in loops(function).by_header.values():
        if loop.is_irreducible:
            changes.count("regions without a single head")
            continue
        block = function.blocks[loop.header]
        backward = [
            function.blocks[name]
            for name in loop.latches
            if function.blocks[name].terminator.operation.name == "jump"
        ]
        if not backward:
            continue
        if not _leaves_the_loop(block, frozenset(loop.members)):
            changes.count("heads without an exit")
            continue
        if len(block.instructions) > limit:
            changes.count("heads too long")
            continue
        if any(i.operation.is_convergent for i in block.instructions):
            changes.count("heads where threads meet")
            continue
        if len(backward) > 1 and not loop.children:
            backward = [_one_way_back(builder, loop.header, backward)]
        for source in backward:
            copied = [replace(i, attributes=without(i)) for i in block.instructions]
            builder.set_instructions(source, [*source.instructions[:-1], *copied])
            changes.count("heads copied")
    return changes


def _one_way_back(builder: Builder, header: str, backward: list[Block]) -> Block:
    """A block between the header and those that jump back to it (`continue`)."""
    way = builder.block(builder.fresh_block(f"{header}.back"), backward[0].terminator.location)
    builder.emit("jump", header, location=way.location)
    for block in backward:
        builder.change(block.terminator, operands=(way.name,))
    return way


def _leaves_the_loop(block: Block, members: frozenset[str]) -> bool:
    """True if the block ends in a branch of which one way stays in the loop and one does not."""
    ways = [target in members for target in block.successors]
    return block.terminator.operation.name == "branch" and any(ways) and not all(ways)


@dataclass(frozen=True, slots=True)
class RotateOptions:
    limit: int = option(12, "Longest loop head that is copied, in instructions.")


def run(function: Function, machine: Machine, options: RotateOptions) -> Changes:
    return rotate(function, options.limit)


PLUGIN = Pass(
    "rotate_loops",
    "Test at the end of a loop instead of at its head.",
    run,
    options=RotateOptions,
)
