"""Remove machine operations whose results nobody reads, and results nobody reads.

    %2 = adds 0, %1          (%2 unread)      ->   (gone)
    %c, %!c = cmp.lt %i, %n  (%!c unread)     ->   %c, p0 = cmp.lt %i, %n

Operations with an effect (memory, faults, control) stay.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.machine_code.operands import is_virtual
from compiler.targets.epic.registers.operands import machine_liveness, register_operands, writes
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def remove_dead(function: Function) -> Changes:
    """Remove until nothing more is dead."""
    changes = Changes()
    while _sweep(function, changes):
        pass
    return changes


def _sweep(function: Function, changes: Changes) -> bool:
    live = machine_liveness(function)
    builder, found = Builder(function), False
    for name, block in function.blocks.items():
        results = {register for i in block.instructions for register in i.results}
        alive = live.among(live.at_end[name], results)
        kept: list[Instruction] = []
        for instruction in reversed(block.instructions):
            unread = {
                register
                for register, _ in writes(instruction)
                if is_virtual(register) and register not in alive
            }
            if unread and _is_removable(instruction, unread):
                changes.count("operations removed")
                found = True
                continue
            if unread and _discards_predicates(instruction, unread):
                changes.count("results dropped")
                found = True
            live.step_back(alive, instruction, results)
            kept.append(instruction)
        if found:
            builder.set_instructions(block, kept[::-1])
    return found


def _is_removable(instruction: Instruction, unread: set[str]) -> bool:
    operation = instruction.operation
    if operation.has_effect or operation.implicit_writes or operation.access is not None:
        return False
    return all(name in unread for name in instruction.results if name != "p0")


def _discards_predicates(instruction: Instruction, unread: set[str]) -> bool:
    """Write p0 in place of unread predicates; False if there are none."""
    results = list(instruction.results)
    for position, operand in register_operands(instruction.operation)[0]:
        if operand.kind.name == "pr" and operand.mode == "w" and results[position] in unread:
            results[position] = "p0"
    if tuple(results) == instruction.results:
        return False
    instruction.results = tuple(results)
    return True


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return remove_dead(function)


PLUGIN = Pass(
    "remove_unread_results",
    "Remove machine operations whose results nobody reads.",
    run,
    forms={"virtual": "virtual"},
    kinds=("epic",),
)
