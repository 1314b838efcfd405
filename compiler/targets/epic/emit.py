"""From a bundled function to a `Program`: rows of numbers, templates, symbols, the line table."""

from __future__ import annotations

import numpy as np

from compiler.ir.module import Function, Instruction, Module
from compiler.targets.epic.calling import argument_registers, result_register
from compiler.targets.epic.spilling import stack_bytes
from machines.isa import Label, RegisterKind, Symbol
from machines.kinds.epic import Epic
from machines.program import (
    COLUMNS,
    CONTINUATION,
    FIRST_OPERAND,
    GUARD,
    OPERATION,
    Parameter,
    Program,
    ProgramBuffer,
)
from machines.types import I64

SLOTS = 3
STACK = "stack"


def emit_program(function: Function, module: Module, description: Epic) -> Program:
    """The program of one bundled function and its module's buffers."""
    code = [_bundles(block.instructions) for block in function.blocks.values()]
    heads: dict[str, int] = {}
    for name in function.blocks:
        heads[name] = sum(map(len, code[: len(heads)]))
    bundles = [bundle for block in code for bundle in block]
    table = _Encoder(heads)
    rows = np.zeros((SLOTS * len(bundles), COLUMNS), dtype=np.int64)
    templates = np.zeros(len(bundles), dtype=np.uint8)
    locations = []
    for index, bundle in enumerate(bundles):
        templates[index] = description.templates[bundle[0].attributes["template"]].code
        for slot in range(SLOTS):
            syllable = SLOTS * index + slot
            instruction = bundle[slot] if slot < len(bundle) else None
            locations.append(instruction.location if instruction else None)
            if instruction:
                table.encode(instruction, rows[syllable])
            else:
                rows[syllable, OPERATION] = CONTINUATION
    buffers = [ProgramBuffer(b.name, b.dtype, b.count, b.data) for b in module.buffers.values()]
    stack = stack_bytes(function)
    if stack:
        buffers.append(ProgramBuffer(STACK, I64, stack // I64.bytes))
    registers = argument_registers(function, description)
    result = result_register(function, description)
    return Program(
        kind=description.kind,
        name=function.name,
        operations=list(table.operations),
        code=rows,
        templates=templates,
        symbols=list(table.symbols),
        buffers=buffers,
        parameters=[
            Parameter(name, t, register)
            for (name, t), register in zip(function.parameters, registers, strict=True)
        ],
        result=(result, function.result) if result else None,
        entry=0,
        locations=locations,
        labels={index: name for name, index in reversed(heads.items())},
    )


def _bundles(instructions: list[Instruction]) -> list[list[Instruction]]:
    """The instructions of a block, a list for each bundle (two if the second is long)."""
    found: list[list[Instruction]] = []
    for instruction in instructions:
        if "template" in instruction.attributes:
            found.append([])
        found[-1].append(instruction)
    return found


class _Encoder:
    """Numbers for operations and symbols, given out in order of appearance."""

    def __init__(self, heads: dict[str, int]):
        self._heads = heads
        self.operations: dict[str, int] = {}
        self.symbols: dict[str, int] = {}

    def encode(self, instruction: Instruction, row: np.ndarray) -> None:
        """Fill a row of `Program.code`."""
        operation = instruction.operation
        row[OPERATION] = self.operations.setdefault(operation.name, len(self.operations))
        row[GUARD] = int(instruction.guard.name[1:]) if instruction.guard else 0
        results, operands = iter(instruction.results), iter(instruction.operands)
        for column, operand in enumerate(operation.operands, start=FIRST_OPERAND):
            value = next(results) if operand.is_written else None
            if operand.is_read:
                value = next(operands)
            row[column] = self._number(value, operand.kind)

    def _number(self, value: object, kind: object) -> int:
        if isinstance(kind, RegisterKind):
            return int(str(value)[1:])
        if isinstance(kind, Label):
            return self._heads[str(value)]
        if isinstance(kind, Symbol):
            return self.symbols.setdefault(str(value), len(self.symbols))
        return int(value)
