"""Remove blocks nothing reaches, join blocks that follow each other, skip blocks that only jump.

    A: jump B        B has one predecessor           A: (A's code, then B's)
    B: jump C        B holds nothing else     ->     jumps to B go to C
    branch p, B, B                                   jump B
    branch 1, A, B                                   jump A

The order of the blocks that remain does not change.  For functions in variable form.
"""

from __future__ import annotations

from compiler.analyses.control_flow import control_flow
from compiler.ir.builder import Builder
from compiler.ir.module import Function
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.instructions import operations
from machines.operations.row import Label


def simplify(function: Function) -> Changes:
    """Apply all simplifications until none is left."""
    changes = Changes()
    while (
        _decide_branches(function, changes)
        or _skip_jumps(function, changes)
        or _remove_unreachable(function, changes)
        or _join(function, changes)
    ):
        pass
    return changes


def _decide_branches(function: Function, changes: Changes) -> bool:
    """Branches whose condition is a literal, or whose targets are one, become jumps."""
    builder, jump = Builder(function), operations()["ir", "jump"]
    decided = 0
    for block in function.blocks.values():
        last = block.terminator
        if last.operation.name == "branch":
            condition, then, other = last.operands
            if then == other or not isinstance(condition, str):
                target = then if then == other or condition else other
                builder.change(last, operation=jump, operands=(target,))
                decided += 1
    if decided:
        function.loop_distances.clear()  # an outer loop may have become an innermost one
    changes.count("branches decided", decided)
    return decided > 0


def _skip_jumps(function: Function, changes: Changes) -> bool:
    """Send what goes to a block that only jumps straight to where that one goes."""
    forward = {}
    for name, block in function.blocks.items():
        only = block.instructions[0]
        if only.operation.name == "jump" and block is not function.entry:
            forward[name] = str(only.operands[0])
    builder, skipped = Builder(function), 0
    for block in function.blocks.values():
        last = block.terminator
        kinds = [operand.kind for operand in last.operation.reads]
        if not any(isinstance(kind, Label) for kind in kinds):
            continue
        operands = tuple(
            _final(str(value), forward) if isinstance(kind, Label) else value
            for kind, value in zip(kinds, last.operands, strict=True)
        )
        if operands != last.operands:
            builder.change(last, operands=operands)
            skipped += 1
    changes.count("jumps skipped", skipped)
    return skipped > 0


def _final(label: str, forward: dict[str, str]) -> str:
    """Where a chain of jumps ends; a chain that closes on itself stays as it is."""
    seen = {label}
    target = label
    while target in forward and forward[target] not in seen:
        target = forward[target]
        seen.add(target)
    return label if target in forward else target


def _remove_unreachable(function: Function, changes: Changes) -> bool:
    builder, unreachable = Builder(function), control_flow(function).unreachable
    for name in unreachable:
        builder.remove_block(name)
        changes.count("unreachable blocks removed")
    return bool(unreachable)


def _join(function: Function, changes: Changes) -> bool:
    """Append blocks with a single predecessor that only jumps to them."""
    predecessors = control_flow(function).predecessors
    follows = {}
    for name, block in function.blocks.items():
        if block.terminator.operation.name == "jump":
            target = str(block.terminator.operands[0])
            if predecessors[target] == (name,) and target != function.entry.name:
                follows[name] = target
    builder, inside = Builder(function), set(follows.values())
    for name in follows:
        if name in inside:
            continue
        target = follows.get(name)
        while target is not None:
            builder.join(function.blocks[name], function.blocks[target])
            changes.count("blocks joined")
            target = follows.get(target)
    return bool(follows)


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return simplify(function)


PLUGIN = Pass(
    "simplify_control_flow",
    "Remove unreachable blocks, join blocks that follow each other, skip empty ones.",
    run,
)
