"""One row of a SIMT machine in place of two, by the rules of `combination.combining`.

    cvt.s64.s32   %w, %i
    mul.lo.s64    %o, %w, 4
    add.s64       %p, %a, %o      ->      mad.wide.s32  %p, %i, 4, %a
    ld.global.b32 %x, [%p+0]              ld.global.b32 %x, [%p+0]

What the assembler behind nvcc does to PTX too.  What is no longer read is left for
`remove_dead_lanes`.
"""

from __future__ import annotations

from compiler.analyses.control_flow import control_flow
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.targets.simt.combination import combine_sums  # noqa: F401  (its rules register themselves)
from compiler.targets.simt.combination.combine_addresses import address_rule, stored_narrow
from compiler.targets.simt.combination.combine_predicates import guarded_by_opposite
from compiler.targets.simt.combination.combining import RULES, Combiner, Rule
from compiler.targets.simt.combination.values import Values
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine

MOST_STEPS = 32
"""How often an instruction is looked at again after a rule changed it."""


def combine(function: Function) -> Changes:
    """Apply rules in an order in which what dominates comes first, to each row until none does."""
    changes = Changes()
    builder, combiner = Builder(function), Combiner(function, Values(function))
    for name in control_flow(function).reverse_postorder:
        block = function.blocks[name]
        code: list[Instruction] = []
        combiner.begin_block()
        for instruction in block.instructions:
            code += _combined(combiner, instruction, changes)
        builder.set_instructions(block, code)
    return changes


def _combined(c: Combiner, instruction: Instruction, changes: Changes) -> list[Instruction]:
    """The rows in place of an instruction; what rules put in front of it is combined too."""
    pending, done = [instruction], []
    for _ in range(MOST_STEPS):
        if not pending:
            break
        current = pending.pop(0)
        found = next((new for r in _rules(current) if (new := r(c, current))), None)
        if found is None:
            done.append(current)
            c.pass_by(current)
            continue
        changes.count(_what(current, found[-1]))
        for name in current.results:
            if c.values.origins.get(name) is current:
                c.values.origins[name] = found[-1]
        pending[:0] = found
    for left in pending:
        c.pass_by(left)
    return [*done, *pending]


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


def _what(old: Instruction, new: Instruction) -> str:
    before, after = (i.operation.name.split(".")[0] for i in (old, new))
    return f"{before} changed" if before == after else f"{before} to {after}"


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return combine(function)


PLUGIN = Pass(
    "combine_lanes",
    "One row of a SIMT machine in place of two: products and sums, addresses, opposite predicates.",
    run,
    forms={"virtual": "virtual"},
    kinds=("simt",),
)
