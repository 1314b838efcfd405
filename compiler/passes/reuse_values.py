"""Within a block, use a value again instead of computing it twice, and read originals of copies.

    %1 = dep.z %i, 3, 61               %1 = dep.z %i, 3, 61
    %q = add %p, %1             ->     %q = add %p, %1
    %2 = dep.z %i, 3, 61               %2 = adds 0, %1
    %r = add %s, %2                    %r = add %s, %1

A value is known by its operation and the versions of its operands; every write of a register makes
a new version of it.  Only operations without effects, implicit resources and guards are looked at.
What this leaves unread is for `remove_dead_code`.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Guard, Instruction, Value
from compiler.targets.epic.colouring import move_source
from compiler.targets.epic.registers import (
    FILE_OF_KIND,
    is_virtual,
    register_operands,
    writes,
)
from compiler.transformation import Changes, NoOptions, Pass
from machines.instructions import operations
from machines.load import Machine

Version = tuple[str, int]


class _Block:
    """What is known at a point of a block.

    versions   how often each register has been written so far
    values     (operation, operands with versions) -> register that holds it, with its version
    copies     register, with its version -> the register it is a copy of, with its version
    """

    def __init__(self) -> None:
        self.versions: dict[str, int] = {}
        self.values: dict[tuple, Version] = {}
        self.copies: dict[Version, Version] = {}

    def now(self, name: str) -> Version:
        return name, self.versions.get(name, 0)

    def original(self, value: Value) -> Value:
        """The register to read in place of `value`."""
        if not is_virtual(value):
            return value
        source = self.copies.get(self.now(value))
        return source[0] if source is not None and source == self.now(source[0]) else value

    def key(self, instruction: Instruction) -> tuple:
        operands = tuple(self.now(v) if isinstance(v, str) else v for v in instruction.operands)
        return (instruction.operation.name, operands)


def reuse(function: Function) -> Changes:
    changes, builder = Changes(), Builder(function)
    for block in function.blocks.values():
        known = _Block()
        code = [_reuse(instruction, known, changes) for instruction in block.instructions]
        builder.set_instructions(block, code)
    return changes


def _reuse(instruction: Instruction, known: _Block, changes: Changes) -> Instruction:
    _read_originals(instruction, known, changes)
    replacement = instruction
    key = None
    if _is_value(instruction):
        key = known.key(instruction)
        holder = known.values.get(key)
        if holder is not None and holder == known.now(holder[0]):
            replacement = _move(instruction, holder[0])
            changes.count("values reused")
    for name, _ in writes(instruction):
        known.versions[name] = known.versions.get(name, 0) + 1
    if key is not None:
        result = known.now(replacement.results[0])
        source = move_source(replacement)
        if source is not None and is_virtual(source) and source != result[0]:
            known.copies[result] = known.now(source)
        if replacement is instruction and instruction.results[0] not in instruction.operands:
            known.values[key] = result
    return replacement


def _read_originals(instruction: Instruction, known: _Block, changes: Changes) -> None:
    operands = list(instruction.operands)
    for position, operand in register_operands(instruction.operation)[1]:
        if operand.mode == "r":
            operands[position] = known.original(operands[position])
    if tuple(operands) != instruction.operands:
        instruction.operands = tuple(operands)
        changes.count("originals read")
    if instruction.guard is not None:
        instruction.guard = Guard(str(known.original(instruction.guard.name)))


def _is_value(instruction: Instruction) -> bool:
    """True if the instruction does nothing but compute one register from its operands."""
    operation = instruction.operation
    return (
        instruction.guard is None
        and len(instruction.results) == 1
        and is_virtual(instruction.results[0])
        and operation.access is None
        and not operation.has_effect
        and not operation.implicit_reads
        and not operation.implicit_writes
    )


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
)
