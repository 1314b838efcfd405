"""One row of a SIMT machine in place of two, by the rules of `combination.combining`.

    cvt.s64.s32   %w, %i
    mul.lo.s64    %o, %w, 4
    add.s64       %p, %a, %o      ->      mad.wide.s32  %p, %i, 4, %a
    ld.global.b32 %x, [%p+0]              ld.global.b32 %x, [%p+0]

What the assembler behind nvcc does to PTX too.  What is no longer read is left for
`remove_dead_lanes`.
"""

from __future__ import annotations

from compiler.ir.module import Function, Instruction
from compiler.targets.simt.combination import combine_sums  # noqa: F401  (its rules register themselves)
from compiler.targets.simt.combination.combine_addresses import address_rule, stored_narrow
from compiler.targets.simt.combination.combine_predicates import guarded_by_opposite
from compiler.targets.simt.combination.combining import RULES, Rule, apply
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def combine(function: Function) -> Changes:
    """Apply the rules of this pass."""
    return apply(function, _rules)


def _rules(instruction: Instruction) -> list[Rule]:
    row = instruction.operation
    found = list(RULES.get(row.name, ()))
    if any(access.offset is not None for access in row.accesses):
        found.append(address_rule)
    if [access.kind for access in row.accesses] == ["store"] and row.accesses[0].bytes < 4:
        found.append(stored_narrow)
    if instruction.guard is not None:
        found.append(guarded_by_opposite)
    return found


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return combine(function)


PLUGIN = Pass(
    "combine_lanes",
    "One row of a SIMT machine in place of two: products and sums, addresses, opposite predicates.",
    run,
    forms={"virtual": "virtual"},
    kinds=("simt",),
)
