"""Which reads may find a variable unassigned: a forward fixpoint over bit sets.

A variable is certainly assigned at a point if every path from the entry to it passes an unguarded
definition of it (parameters are defined at the entry).  In SSA form that is the same as "its
definition dominates the point".  The sets hold only what some block reads without having assigned
it before: of all else a walk over its block knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compiler.analyses.control_flow import control_flow
from compiler.ir.module import Block, Function, Instruction


@dataclass(frozen=True, slots=True)
class _Block:
    """What a block assigns for certain, and the reads that rest on what is assigned at its head."""

    assigned: frozenset[str]
    exposed: list[tuple[Instruction, tuple[str, ...]]]


def uncertain_reads(function: Function) -> Iterator[tuple[str, Instruction, tuple[str, ...]]]:
    """Reads of variables that may be unassigned, where the entry reaches: block, instruction,
    names; in block order, first those of all that are no phis.

    Phi operands are read at the end of their predecessor.
    """
    order = control_flow(function).reverse_postorder
    facts = {name: _facts(function.blocks[name]) for name in order}
    incoming = [
        (name, phi, label, value)
        for name in order
        for phi in _phis(function.blocks[name])
        for label, value in zip(phi.operands[::2], phi.operands[1::2], strict=True)
        if isinstance(value, str) and label in facts and value not in facts[label].assigned
    ]
    crossing = {name for _, _, _, name in incoming}
    crossing.update(*(names for fact in facts.values() for _, names in fact.exposed))
    numbers = {name: number for number, name in enumerate(sorted(crossing))}
    at_head = _assigned_at_heads(function, facts, numbers)
    for block, fact in facts.items():
        for instruction, names in fact.exposed:
            missing = tuple(n for n in names if not at_head[block] >> numbers[n] & 1)
            if missing:
                yield block, instruction, missing
    of_phis: dict[Instruction, tuple[str, tuple[str, ...]]] = {}
    for block, phi, label, value in incoming:
        if not at_head[label] >> numbers[value] & 1:
            of_phis[phi] = block, (*of_phis.get(phi, (block, ()))[1], value)
    for phi, (block, missing) in of_phis.items():
        yield block, phi, missing


def _assigned_at_heads(
    function: Function, facts: dict[str, _Block], numbers: dict[str, int]
) -> dict[str, int]:
    """For each block the set of the variables with a number certainly assigned at its head."""
    flow = control_flow(function)

    def mask(names: Iterable[str]) -> int:
        return sum(1 << numbers[name] for name in names if name in numbers)

    assigned = {name: mask(fact.assigned) for name, fact in facts.items()}
    at_head = dict.fromkeys(facts, (1 << len(numbers)) - 1)
    at_head[flow.reverse_postorder[0]] = mask(name for name, _ in function.parameters)
    changed = True
    while changed:
        changed = False
        for name in flow.reverse_postorder:
            known = at_head[name]
            for source in flow.predecessors[name]:
                if source in at_head:
                    known &= at_head[source] | assigned[source]
            changed |= known != at_head[name]
            at_head[name] = known
    return at_head


def _facts(block: Block) -> _Block:
    assigned: set[str] = set()
    exposed = []
    for instruction in block.instructions:
        if not instruction.is_phi:
            names = tuple(dict.fromkeys(n for n in instruction.variables_read if n not in assigned))
            if names:
                exposed.append((instruction, names))
        assigned.update(_certain_results(instruction))
    return _Block(frozenset(assigned), exposed)


def _phis(block: Block) -> Iterator[Instruction]:
    return (instruction for instruction in block.instructions if instruction.is_phi)


def _certain_results(instruction: Instruction) -> tuple[str, ...]:
    """A tied previous value makes even a guarded definition certain."""
    return instruction.results if instruction.guard is None or instruction.otherwise else ()
