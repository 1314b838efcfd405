"""Rows of a SIMT machine whose results no one reads, and blocks that no one reaches; of an atomic
the result alone goes, of a shuffle the predicate.

mul.wide.s32 %o, %i, 4        (gone: %o was read by an add that is a mad now)
mad.wide.s32 %p, %i, 4, %a
atom.shared.add.u32 %d, [%p], 1        red.shared.add.u32 [%p], 1
"""

from __future__ import annotations

from dataclasses import replace

from compiler.analyses.control_flow import control_flow
from compiler.analyses.liveness import kills, liveness
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.instructions import operations


def remove_dead(function: Function) -> Changes:
    """Remove until nothing more is dead; a value that only feeds itself around a loop stays."""
    changes, builder = Changes(), Builder(function)
    for name in control_flow(function).unreachable:
        builder.remove_block(name)
        changes.count("blocks removed")
    while True:
        removed = _sweep(function, builder)
        if not removed:
            builder.forget_unused_types()
            return changes
        changes.count("rows removed", removed)


def _sweep(function: Function, builder: Builder) -> int:
    live_out, removed = liveness(function).live_out, 0
    for name, block in function.blocks.items():
        written = [result for i in block.instructions for result in i.results]
        live, kept, quieted = set(live_out.among(name, written)), [], False
        for instruction in reversed(block.instructions):
            if _is_pure(instruction) and live.isdisjoint(instruction.results):
                removed += 1
                continue
            quiet = _without_results(instruction)
            if quiet is not None and live.isdisjoint({*instruction.results} - {*quiet.results}):
                instruction, quieted = quiet, True
            if kills(instruction):
                live.difference_update(instruction.results)
            live.update(instruction.variables_read)
            kept.append(instruction)
        if quieted or len(kept) < len(block.instructions):
            builder.set_instructions(block, kept[::-1])
    return removed


def _is_pure(instruction: Instruction) -> bool:
    """Whether nothing happens but that its results are written.  Parameters are always there."""
    row = instruction.operation
    is_parameter = any(access.space == "param" for access in row.accesses)
    return bool(row.writes) and (is_parameter or not row.has_effect)


def _without_results(instruction: Instruction) -> Instruction | None:
    """The same with only some of its results or none, if there is a row for it."""
    row = instruction.operation
    if row.quiet is None:
        return None
    less = operations()["ptx", row.quiet]
    left = {operand.name for operand in less.writes}
    pairs = zip(row.writes, instruction.results, strict=True)
    results = tuple(name for operand, name in pairs if operand.name in left)
    return replace(instruction, operation=less, results=results)


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return remove_dead(function)


PLUGIN = Pass(
    "remove_dead_lanes",
    "Remove rows of a SIMT machine whose results no one reads, and blocks that no one reaches.",
    run,
    forms={"virtual": "virtual"},
    kinds=("simt",),
)
