"""Registers of a thread, and which of them an instruction of the family `ptx` touches.

%x           a virtual register, of the file that the operands it stands in belong to
r4   p0      a register of 32 bits; a predicate
d4           the pair r4, r5, which holds 64 bits; pairs begin at even numbers
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir.module import Instruction
from compiler.machine_code.operands import Operands
from machines.operations.row import Lane
from machines.types import I1, I32, I64

PREFIX = {"b32": "r", "b64": "d", "pred": "p"}
FILES = {prefix: file for file, prefix in PREFIX.items()}
SIZES = {"b32": 1, "b64": 2, "pred": 1}
"""How many registers of its bank a value takes."""
TYPE_OF_FILE = {"b32": I32, "b64": I64, "pred": I1}


def number_of(register: str) -> int:
    """The number of a register of the machine: 'd4' is 4."""
    return int(register[1:])


def reads(instruction: Instruction) -> Iterator[tuple[str, Lane]]:
    """The registers it reads, guard first, each with how it reads it."""
    if instruction.guard is not None:
        yield instruction.guard.name, Lane("pred")
    for operand, value in zip(instruction.operation.reads, instruction.operands, strict=True):
        if isinstance(operand.kind, Lane) and isinstance(value, str):
            yield value, operand.kind


def writes(instruction: Instruction) -> Iterator[tuple[str, Lane]]:
    """The registers it writes, each with how it writes it."""
    for operand, name in zip(instruction.operation.writes, instruction.results, strict=True):
        yield name, operand.kind


def files_of(instruction: Instruction) -> Iterator[tuple[str, str]]:
    """The registers it names, each with its file."""
    for name, lane in (*writes(instruction), *reads(instruction)):
        yield name, lane.file


def copied(instruction: Instruction) -> str | None:
    """The register that a plain move copies, None for anything else."""
    name = instruction.operation.name
    if name not in ("mov.b32", "mov.b64", "mov.pred") or instruction.guard is not None:
        return None
    source = instruction.operands[0]
    return source if isinstance(source, str) else None


def halves(register: str) -> tuple[str, ...]:
    """The single registers that one of the machine's stands for: ('r4', 'r5') for 'd4'."""
    if register[0] == PREFIX["b64"]:
        number = number_of(register)
        return f"r{number}", f"r{number + 1}"
    return (register,)


def _read(instruction: Instruction) -> list[str]:
    return [name for name, _ in reads(instruction)]


def _written(instruction: Instruction) -> list[str]:
    return [name for name, _ in writes(instruction)]


OPERANDS = Operands(
    banks={"b32": "general", "b64": "general", "pred": "predicates"},
    read=_read,
    written=_written,
    named=files_of,
    move_source=copied,
)
