"""What every function of `ptx` rows must satisfy, between any two passes; all findings at once.

add.s32 %a, %b, %f     with %f of 64 bits:  '%f' is of file b64, 'add.s32' takes a b32 register
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from compiler.ir.module import Function, Instruction, Value
from compiler.targets.simt.registers import FILES, is_virtual
from machines.diagnostics import Diagnostic, Location, nearest
from machines.operations.row import Immediate, Label, Lane, OperandKind, Symbol
from machines.types import I1, Type


def findings_of(function: Function) -> list[Diagnostic]:
    """Blocks end in one terminator, labels exist, operands are as many and of the kinds and files
    that rows declare; what registers hold agrees with `Function.types`."""
    return [Diagnostic(message, place) for message, place in _findings(function)]


def _findings(function: Function) -> Iterator[tuple[str, Location | None]]:
    if not function.blocks:
        yield f"function '{function.name}' has no block", function.location
    for block in function.blocks.values():
        yield from _terminator_findings(block.name, block.instructions, block.location)
    for _, instruction in function.instructions():
        for message in _instruction_findings(function, instruction):
            yield f"{instruction.operation}: {message}", instruction.location


def _terminator_findings(
    name: str, instructions: list[Instruction], place: Location | None
) -> Iterator[tuple[str, Location | None]]:
    if not instructions or not instructions[-1].operation.is_terminator:
        yield f"block '{name}' does not end in a terminator", place
    for instruction in instructions[:-1]:
        if instruction.operation.is_terminator:
            yield f"'{instruction.operation}' stands inside block '{name}'", instruction.location


def _instruction_findings(function: Function, instruction: Instruction) -> Iterator[str]:
    row = instruction.operation
    if row.family != "ptx":
        yield f"a row of family '{row.family}', not 'ptx'"
        return
    if instruction.guard is not None:
        if row.is_terminator:
            yield "a terminator takes no guard"
        yield from _register_findings(function, instruction.guard.name, Lane("pred"))
    for what, operands, given in (
        ("writes", row.writes, instruction.results),
        ("reads", row.reads, instruction.operands),
    ):
        if len(operands) != len(given):
            yield f"it {what} {len(operands)} operands, not {len(given)}"
            return
    written = zip(row.writes, instruction.results, strict=True)
    read = zip(row.reads, instruction.operands, strict=True)
    for operand, value in chain(written, read):
        for message in _operand_findings(function, operand.kind, value):
            yield f"operand '{operand.name}': {message}"
    for name in instruction.results:
        if not isinstance(name, str):
            yield f"{name!r} cannot be written"


def _operand_findings(function: Function, kind: OperandKind, value: Value) -> Iterator[str]:
    if isinstance(kind, Lane):
        if isinstance(value, str):
            yield from _register_findings(function, value, kind)
        else:
            yield from _constant_findings(value, kind)
    elif isinstance(kind, Immediate):
        if not isinstance(value, int) or not kind.lowest <= value <= kind.highest:
            yield f"{value!r} is no number of {kind.bits} bits"
    elif isinstance(kind, Label):
        if value not in function.blocks:
            yield f"there is no block '{value}'; {nearest(str(value), function.blocks)}"
    elif isinstance(kind, Symbol) and value not in function.buffers:
        parameters = [name for name, _ in function.parameters]
        if value not in parameters:
            yield f"there is no buffer '{value}'; {nearest(str(value), function.buffers)}"


def _register_findings(function: Function, name: str, lane: Lane) -> Iterator[str]:
    if is_virtual(name):
        known = function.types.get(name)
        file = known and file_of(known)
    else:
        file = FILES.get(name[:1])
    if file is None:
        yield f"register '{name}' has no type"
    elif file != lane.file:
        yield f"'{name}' is a register of file {file}, not {lane.file}"


def _constant_findings(value: object, lane: Lane) -> Iterator[str]:
    if not isinstance(value, (int, float)):
        yield f"{value!r} is neither a register nor a number"
    elif lane.type.startswith("f"):
        return
    elif isinstance(value, float):
        yield f"{value!r} is no integer"
    else:
        bits = 1 if lane.type == "pred" else int(lane.type[1:])
        lowest = 0 if lane.type == "pred" else -(1 << (bits - 1))
        if not lowest <= value < 1 << bits:
            yield f"{value} does not fit in {lane.type}"


def file_of(kind: Type) -> str:
    """The register file that holds values of a type: 'b32', 'b64' or 'pred'.

    >>> from machines.types import F64, I16
    >>> file_of(I16), file_of(F64)
    ('b32', 'b64')
    """
    if kind is I1:
        return "pred"
    return "b64" if kind.bits == 64 else "b32"
