"""Comparisons, tests of bits and logic of predicates as the rows that hardware has for them.

    %p = setp.lt.s32 %a, %b
    %q = setp.ge.s32 %c, %d        ->     %p = setp.lt.s32     %a, %b
    %r = and.pred    %p, %q               %r = setp.ge.and.s32 %c, %d, %p

By the rules of `compiler.targets.simt.combination.machine_predicates`.  What is no longer read is
left for `remove_dead_lanes`.  ptxas does it for all chips that have these instructions; so this is
done for machines that have a compute capability, unless another wish is told:
`--passes default,-join_predicates`, or `{join_predicates: {always: true}}`.
"""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.targets.simt.as_ptxas import AsPtxasOptions, is_wanted
from compiler.targets.simt.combination.combining import apply
from compiler.targets.simt.combination.machine_predicates import LOGIC, PREDICATE_RULES
from compiler.transformation import Changes, Pass
from machines.description.load import Machine


def join(function: Function) -> Changes:
    names = {instruction.operation.name for _, instruction in function.instructions()}
    tests_logic = not names.isdisjoint(LOGIC) and not names.isdisjoint(
        ("setp.eq.s32", "setp.ne.s32")
    )
    if not tests_logic and names.isdisjoint(("and.pred", "or.pred", "xor.pred")):
        return Changes()
    return apply(function, lambda i: PREDICATE_RULES.get(i.operation.name, ()))


def run(function: Function, machine: Machine, options: AsPtxasOptions) -> Changes:
    return join(function) if is_wanted(machine, options) else Changes()


PLUGIN = Pass(
    "join_predicates",
    "Comparisons, tests of bits and logic of predicates as the rows that hardware has for them.",
    run,
    forms={"virtual": "virtual"},
    options=AsPtxasOptions,
    kinds=("simt",),
)
