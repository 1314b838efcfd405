"""From bundled functions to a `BundleProgram`: rows of numbers, templates, symbols, the line
table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from compiler.analyses.components import cyclic_components
from compiler.ir.memory_spaces import flat_buffers, program_buffer
from compiler.ir.module import Buffer, Function, Instruction, Module
from compiler.targets.epic.bundling.bundles import bundles_of
from compiler.targets.epic.calling import Convention
from compiler.targets.epic.registers.spilling import stack_bytes
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import (
    BUNDLE_BYTES,
    CODE_BASE,
    COLUMNS,
    CONTINUATION,
    FIRST_OPERAND,
    GUARD,
    OPERATION,
    BundleProgram,
)
from machines.operations.row import Label, RegisterKind, Symbol
from machines.program import Parameter, ProgramBuffer
from machines.types import I64

SLOTS = 3
STACK = "stack"


def emit_program(functions: Sequence[Function], module: Module, description: Epic) -> BundleProgram:
    """The program of bundled functions, of which the first one runs, and their module's buffers."""
    entry, calling = functions[0], Convention(description)
    code = _Code(functions)
    table = _Encoder()
    rows = np.zeros((SLOTS * len(code.bundles), COLUMNS), dtype=np.int64)
    templates = np.zeros(len(code.bundles), dtype=np.uint8)
    locations = []
    for index, (bundle, heads) in enumerate(code.bundles):
        templates[index] = description.templates[bundle[0].attributes["template"]].code
        for slot in range(SLOTS):
            syllable = SLOTS * index + slot
            instruction = bundle[slot] if slot < len(bundle) else None
            locations.append(instruction.location if instruction else None)
            if instruction:
                table.encode(instruction, heads, rows[syllable])
            else:
                rows[syllable, OPERATION] = CONTINUATION
    flat = flat_buffers(module.buffers)
    buffers = [replace(program_buffer(b), data=code.content(b)) for b in flat]
    stack = _stack_bytes(functions)
    if stack:
        buffers.append(ProgramBuffer(STACK, I64, stack // I64.bytes, section="stack"))
    result = calling.result(entry)
    return BundleProgram(
        kind=description.kind,
        name=entry.name,
        operations=list(table.operations),
        code=rows,
        templates=templates,
        symbols=list(table.symbols),
        buffers=buffers,
        parameters=[
            Parameter(name, t, register)
            for (name, t), register in zip(entry.parameters, calling.arguments(entry), strict=True)
        ],
        result=(result, entry.result) if result else None,
        entry=0,
        locations=locations,
        labels=code.labels,
    )


class _Code:
    """The bundles of functions one behind the other.

    bundles  each with the positions that its function's labels, and `@f`, mean
    labels   names of the positions where blocks begin: those of the first function as they are, a
             callee's first block by the callee's name, its others behind that name
    """

    def __init__(self, functions: Sequence[Function]):
        self.bundles: list[tuple[list[Instruction], dict[str, int]]] = []
        self.labels: dict[int, str] = {}
        self.entries: dict[str, int] = {}
        for number, function in enumerate(functions):
            self.entries[f"@{function.name}"] = len(self.bundles)
            heads = {}
            for name, block in function.blocks.items():
                heads[name] = len(self.bundles)
                self._label(function, name, is_entry=number == 0)
                self.bundles += [(bundle, heads) for bundle in bundles_of(block)]
        for _, heads in self.bundles:
            heads |= self.entries

    def content(self, buffer: Buffer) -> bytes | None:
        """The initial bytes of a buffer; of a descriptor, the address of its function's code."""
        if buffer.function is None or f"@{buffer.function}" not in self.entries:
            return buffer.data
        address = CODE_BASE + BUNDLE_BYTES * self.entries[f"@{buffer.function}"]
        return address.to_bytes(8, "little").ljust(buffer.size, b"\0")

    def _label(self, function: Function, block: str, is_entry: bool) -> None:
        label = block
        if not is_entry:
            is_first = block == function.entry.name
            label = function.name if is_first else f"{function.name}.{block}"
        while label in self.labels.values():
            label += "$"
        self.labels.setdefault(len(self.bundles), label)


RECURSIVE_STACK = 1 << 20
"""Bytes of the stack if functions that spill call themselves."""


def _stack_bytes(functions: Sequence[Function]) -> int:
    """Enough for all functions at once, or what there is if they call themselves."""
    total = sum(map(stack_bytes, functions))
    described = {buffer.function for buffer in functions[0].buffers.values()}
    pointed = [f"@{function.name}" for function in functions if function.name in described]
    calls = {
        f"@{function.name}": called(function) + (pointed if _calls_through(function) else [])
        for function in functions
    }
    is_recursive = bool(cyclic_components(list(calls), calls.__getitem__))
    return RECURSIVE_STACK if total and is_recursive else total


def called(function: Function) -> list[str]:
    """What the machine code of a function calls or takes the address of, each `@f` once."""
    found: dict[str, None] = {}
    for _, i in function.instructions():
        kinds = [operand.kind for operand in i.operation.reads]
        for kind, value in zip(kinds, i.operands, strict=False):
            if isinstance(kind, Label) and i.operation.control == "call":
                found[str(value)] = None
            elif isinstance(kind, Symbol) and value in function.buffers:
                described = function.buffers[str(value)].function
                found |= {} if described is None else {f"@{described}": None}
    return list(found)


def _calls_through(function: Function) -> bool:
    return any(i.operation.name == "br.call.indirect" for _, i in function.instructions())


class _Encoder:
    """Numbers for operations and symbols, given out in order of appearance."""

    def __init__(self) -> None:
        self.operations: dict[str, int] = {}
        self.symbols: dict[str, int] = {}

    def encode(self, instruction: Instruction, heads: dict[str, int], row: np.ndarray) -> None:
        """Fill a row of `BundleProgram.code`; `heads` says where labels are."""
        operation = instruction.operation
        row[OPERATION] = self.operations.setdefault(operation.name, len(self.operations))
        row[GUARD] = int(instruction.guard.name[1:]) if instruction.guard else 0
        results, operands = iter(instruction.results), iter(instruction.operands)
        for column, operand in enumerate(operation.operands, start=FIRST_OPERAND):
            value = next(results) if operand.is_written else None
            if operand.is_read:
                value = next(operands)
            row[column] = self._number(value, operand.kind, heads)

    def _number(self, value: object, kind: object, heads: dict[str, int]) -> int:
        if isinstance(kind, RegisterKind):
            return int(str(value)[1:])
        if isinstance(kind, Label):
            return heads[str(value)]
        if isinstance(kind, Symbol):
            return self.symbols.setdefault(str(value), len(self.symbols))
        return int(value)
