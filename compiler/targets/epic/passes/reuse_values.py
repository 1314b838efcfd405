"""Within a block, use a value again instead of computing it twice, and read originals of copies.

    %1 = dep.z %i, 3, 61               %1 = dep.z %i, 3, 61
    %q = add %p, %1             ->     %q = add %p, %1
    %2 = dep.z %i, 3, 61               %2 = adds 0, %1
    %r = add %s, %2                    %r = add %s, %1

A value is known by its operation and the versions of its operands.  Only operations without
effects, implicit resources and guards are looked at.  What this leaves unread is for
`remove_unread_results`.  A copy of what is already there is left out.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Guard, Instruction, Value
from compiler.machine_code.operands import is_virtual
from compiler.targets.epic.local_values import LocalValues, Version, is_value
from compiler.targets.epic.registers.operands import (
    FILE_OF_KIND,
    copies_onto_itself,
    move_source,
    register_operands,
)
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.instructions import operations


def reuse(function: Function) -> Changes:
    """Reuse values in all blocks."""
    changes, builder = Changes(), Builder(function)
    for block in function.blocks.values():
        values = LocalValues()
        holders: dict[tuple, Version] = {}
        code = []
        for instruction in block.instructions:
            _read_originals(instruction, values, changes)
            key = _key(instruction, values) if is_value(instruction) else None
            holder = holders.get(key)
            if holder is not None and holder == values.now(holder[0]):
                instruction = _move(instruction, holder[0])
                changes.count("values reused")
            if copies_onto_itself(instruction):
                continue
            code.append(instruction)
            values.pass_over(instruction)
            if key is not None and holder is None:
                holders[key] = values.now(instruction.results[0])
        builder.set_instructions(block, code)
    return changes


def _key(instruction: Instruction, values: LocalValues) -> tuple:
    operands = (values.now(v) if isinstance(v, str) else v for v in instruction.operands)
    return instruction.operation.name, *operands


def _read_originals(instruction: Instruction, values: LocalValues, changes: Changes) -> None:
    operands = list(instruction.operands)
    for position, operand in register_operands(instruction.operation)[1]:
        if operand.mode == "r":
            operands[position] = _original(operands[position], values)
    if tuple(operands) != instruction.operands:
        instruction.operands = tuple(operands)
        changes.count("originals read")
    if instruction.guard is not None:
        instruction.guard = Guard(str(_original(instruction.guard.name, values)))


def _original(value: Value, values: LocalValues) -> Value:
    """The virtual register that `value` is a copy of, or itself."""
    maker = values.maker(value)
    source = move_source(maker) if maker is not None else None
    return source if is_virtual(source) else value


def _move(instruction: Instruction, source: str) -> Instruction:
    file = FILE_OF_KIND[instruction.operation.writes[0].kind.name]
    name, operands = ("fmerge.s", (source, source)) if file == "floating" else ("adds", (0, source))
    return Instruction(
        operations()["ia64", name],
        instruction.results,
        operands,
        attributes=dict(instruction.attributes),
        location=instruction.location,
    )


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return reuse(function)


PLUGIN = Pass(
    "reuse_values",
    "Within a block, use values again and read the originals of copies.",
    run,
    forms={"virtual": "virtual"},
    kinds=("epic",),
)
