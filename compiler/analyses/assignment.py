"""Which variables are certainly assigned where: the forward fixpoint over bit sets.

A variable is certainly assigned at a point if every path from the entry to it passes an unguarded
definition of it (parameters are defined at the entry).  In SSA form that is the same as "its
definition dominates the point".
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.ir.module import Function, Instruction


@cached_by_version
def certainly_assigned(function: Function) -> dict[str, frozenset[str]]:
    """For every block the entry reaches: the variables certainly assigned at its head."""
    numbers = {name: index for index, name in enumerate(function.types)}
    flow = control_flow(function)
    everything = (1 << len(numbers)) - 1
    assigned = {}
    for name in flow.reverse_postorder:
        assigned[name] = 0
        for instruction in function.blocks[name].instructions:
            for result in _certain_results(instruction):
                assigned[name] |= 1 << numbers[result]

    entry = flow.reverse_postorder[0]
    at_head = dict.fromkeys(flow.reverse_postorder, everything)
    at_head[entry] = sum(1 << numbers[name] for name, _ in function.parameters)
    changed = True
    while changed:
        changed = False
        for name in flow.reverse_postorder:
            mask = at_head[name]
            for source in flow.predecessors[name]:
                if source in at_head:
                    mask &= at_head[source] | assigned[source]
            changed |= mask != at_head[name]
            at_head[name] = mask
    return {
        block: frozenset(name for name, number in numbers.items() if mask >> number & 1)
        for block, mask in at_head.items()
    }


def uncertain_reads(function: Function) -> Iterator[tuple[str, Instruction, tuple[str, ...]]]:
    """Reads of variables that may be unassigned: block, instruction, names, in block order.

    Phi operands are read at the end of their predecessor.
    """
    heads = certainly_assigned(function)
    tails = {}
    for name, head in heads.items():
        known = set(head)
        for instruction in function.blocks[name].instructions:
            if not instruction.is_phi:
                missing = tuple(
                    dict.fromkeys(v for v in instruction.variables_read if v not in known)
                )
                if missing:
                    yield name, instruction, missing
            known.update(_certain_results(instruction))
        tails[name] = known
    for name in heads:
        for instruction in function.blocks[name].instructions:
            if instruction.is_phi:
                pairs = zip(instruction.operands[::2], instruction.operands[1::2], strict=True)
                missing = tuple(
                    value
                    for label, value in pairs
                    if isinstance(value, str) and label in tails and value not in tails[label]
                )
                if missing:
                    yield name, instruction, missing


def _certain_results(instruction: Instruction) -> tuple[str, ...]:
    """A tied previous value makes even a guarded definition certain."""
    return instruction.results if instruction.guard is None or instruction.otherwise else ()
