"""Modules as text, in whatever form; `compiler.text_form` reads it back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from compiler.ir.facts import block_notes, function_notes
from compiler.ir.module import Buffer, Function, Instruction, Module, Value
from compiler.ir.reading.attribute_text import print_lines, print_value
from machines.code_facts import Note
from machines.operations.row import Lane, OperandKind
from machines.tensors.elements import array_of, numbers_of, stored_type
from machines.types import F32, Type

_VALUES_PER_LINE = 16
FUNCTION_FACTS: dict[str, object] = {"loop_distances": {}, "valueless": (), "frame": None}
"""What is said of a function before its first block, beside notes, and what holds if nothing is
said."""


def print_module(module: Module) -> str:
    """The text form of a module: its form if it is not IR, buffers, then functions, in the order of
    declaration."""
    head = "" if module.form == "ir" else f"form {module.form} of {module.family}\n"
    buffers = "".join(print_buffer(buffer) + "\n" for buffer in module.buffers.values())
    functions = "\n".join(print_function(function) for function in module.functions.values())
    return "\n".join(part for part in (head, buffers, functions) if part)


def _said_of(function: Function) -> Iterator[tuple[str, Any]]:
    """What stands before the first block: what analyses found, notes, what the source said."""
    notes = _in_order(function.notes, function_notes()) if function.notes else {}
    for name, default in FUNCTION_FACTS.items():
        value = getattr(function, name)
        if value != default:
            yield name, value
        if name == "loop_distances":
            yield from notes.items()


def _in_order(notes: dict[str, Any], known: Mapping[str, Note]) -> dict[str, Any]:
    """What is noted, in the order in which it is declared."""
    return {name: notes[name] for name in known if name in notes}


def print_buffer(buffer: Buffer) -> str:
    """`name: dtype[count] in SPACE align N section NAME`, and its initial values if it has some."""
    head = f"{buffer.name}: {buffer.dtype}[{buffer.count}] in {buffer.space}"
    if buffer.alignment is not None:
        head += f" align {buffer.alignment}"
    if buffer.section is not None:
        head += f" section {buffer.section}"
    if buffer.function is not None:
        return f"{head} = @{buffer.function}"
    if buffer.data is None:
        return head
    elements = np.frombuffer(buffer.data, stored_type(buffer.dtype))
    numbers = numbers_of(elements, buffer.dtype)[: buffer.count]
    is_whole = buffer.dtype.in_byte == 1
    encodings = elements.view(f"<u{buffer.dtype.bytes}").tolist() if is_whole else numbers
    values = [print_element(*pair, buffer.dtype) for pair in zip(numbers, encodings, strict=True)]
    rows = [
        ", ".join(values[start : start + _VALUES_PER_LINE])
        for start in range(0, len(values), _VALUES_PER_LINE)
    ]
    return f"{head} = [" + ",\n    ".join(rows) + "]"


def print_function(function: Function) -> str:
    """`func @name(a: i32) -> i32 { … }`, a line an instruction."""
    parameters = ", ".join(
        f"{'noalias ' if name in function.noalias else ''}{name}: {type}"
        for name, type in function.parameters
    )
    result = f" -> {function.result}" if function.result else ""
    lines = [f"func @{function.name}({parameters}){result} {{"]
    for name, value in _said_of(function):
        lines += print_lines(value, f"    {name} = ", " " * 8)
    for block in function.blocks.values():
        facts = _in_order(block.notes, block_notes()) if block.notes else {}
        lines.append(f"{block.name}:" + (f" {print_value(facts)}" if facts else ""))
        lines += [f"    {print_instruction(i, function.result)}" for i in block.instructions]
    return "\n".join([*lines, "}"]) + "\n"


def print_instruction(instruction: Instruction, result: Type | None = None) -> str:
    """One instruction; `result` is the function's result type, for the literal of a return."""
    row = instruction.operation
    guard = f"{instruction.guard} " if instruction.guard else ""
    results = f"{', '.join(instruction.results)} = " if instruction.results else ""
    kinds: list[OperandKind | None] = [operand.kind for operand in row.reads]
    kinds += [result] * (len(instruction.operands) - len(kinds))
    if instruction.is_phi:
        labels, values = instruction.operands[::2], instruction.operands[1::2]
        pairs = zip(labels, values, strict=True)
        inside = ", ".join(f"{b}: {print_literal(v, row.writes[0].kind)}" for b, v in pairs)
        operands = f"[{inside}]"
    else:
        operands = ", ".join(map(print_literal, instruction.operands, kinds))
    if row.calls:
        callee, *arguments = instruction.operands
        operands = f"@{callee}({', '.join(print_literal(v, None) for v in arguments)})"
    if row.name == "branch.opaque":
        name, operands = "branch", f"opaque, {operands}"
    else:
        name = row.name
    tied = ""
    if instruction.otherwise:
        written = [operand.kind for operand in row.writes]
        tied = " else " + ", ".join(map(print_literal, instruction.otherwise, written))
    attributes = ""
    if instruction.attributes:
        attributes = f" {print_value(instruction.attributes)}"
    return f"{guard}{results}{name} {operands}".rstrip() + tied + attributes


def print_literal(value: Value, kind: OperandKind | None) -> str:
    """A name as it is, a number so that reading it back gives the same value."""
    if isinstance(value, float):
        return repr(_shortest(value) if float_type(kind) is F32 else value)
    return str(value)


def _shortest(value: float) -> float:
    """The number of fewest digits that an f32 is read from; how NumPy prints one, from which power
    on, differs by its version."""
    return float(np.format_float_scientific(np.float32(value)))


def float_type(kind: OperandKind | None) -> Type | None:
    """The floating type of an operand that is one."""
    held = kind.holds if isinstance(kind, Lane) else kind
    return held if isinstance(held, Type) and held.is_float else None


def print_element(value: int | float, encoding: int, kind: Type) -> str:
    """An initial value, so that reading it back gives the same bytes: `nan(0x7ff8000000000001)` is
    a NaN that no literal is."""
    if value == value:
        return print_literal(value, kind)
    is_canonical = encoding == int.from_bytes(array_of([value], kind).tobytes(), "little")
    return "nan" if is_canonical else f"nan({encoding:#x})"
