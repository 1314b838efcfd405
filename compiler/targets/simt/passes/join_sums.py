"""Sums, rotations and fields of bits as the rows that hardware has for them.

    %l = shl.b32 %x, 5
    %h = shr.u32 %x, 27         ->     %s = lea.hi.b32 %x, %c, %x, 5
    %r = add.s32 %l, %h
    %s = add.s32 %r, %c

By the rules of `compiler.targets.simt.combination.machine_rows`.  What is no longer read is left
for `remove_dead_lanes`.  ptxas does it for all chips that have these instructions; so this is done
for machines that have a compute capability, unless another wish is told:
`--passes default,-join_sums`, or `{join_sums: {always: true}}`.
"""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.targets.simt.as_ptxas import AsPtxasOptions, is_wanted
from compiler.targets.simt.combination.combining import apply
from compiler.targets.simt.combination.machine_rows import MACHINE_RULES
from compiler.transformation import Changes, Pass
from machines.description.load import Machine


def join(function: Function) -> Changes:
    return apply(function, lambda i: MACHINE_RULES.get(i.operation.name, ()))


def run(function: Function, machine: Machine, options: AsPtxasOptions) -> Changes:
    return join(function) if is_wanted(machine, options) else Changes()


PLUGIN = Pass(
    "join_sums",
    "Sums, rotations and fields of bits as the rows that hardware has for them.",
    run,
    forms={"virtual": "virtual"},
    options=AsPtxasOptions,
    kinds=("simt",),
)
