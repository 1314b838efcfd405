"""Parameters that are passed to device functions: pieces in registers, or bytes of local memory.

    .param .align 4 .b8 param0[8];               pieces {(0, 4): %param0.1, (4, 4): %param0.2}
    st.param.f32 [param0+0], %f1;          ->    mov.b32 %param0.1, %f1
    st.param.f32 [param0+4], %f2;                mov.b32 %param0.2, %f2
    call.uni f, (param0);
      ld.param.f32 %f1, [f_param_0+4];           mov.b32 %f1.1, %param0.2

It is in registers if whatever one side loads is what the other side stores, byte for byte; if the
function takes its address, or loads 8 bytes of which the caller stores twice 4, it is in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from compiler.frontends.ptx.reading.tree import Address, Braces, Call, Name, Operation, Statement
from compiler.frontends.ptx.types import TYPES

Piece = tuple[int, int]
"""Offset and bytes."""


@dataclass(slots=True)
class Passed:
    """A parameter on its way; `copy` is its offset in local memory if it is there."""

    name: str
    bytes: int
    alignment: int
    copy: int | None = None
    pieces: dict[Piece, str] = field(default_factory=dict)


@dataclass(slots=True)
class Uses:
    """What some code does with a parameter: pieces it loads and stores."""

    loads: set[Piece] = field(default_factory=set)
    stores: set[Piece] = field(default_factory=set)
    address_taken: bool = False


def walk(statements: list[Statement]) -> Iterator[Statement]:
    """All statements, those in braces too."""
    for statement in statements:
        yield statement
        if isinstance(statement, Braces):
            yield from walk(statement.statements)


def uses_of(statements: list[Statement]) -> dict[str, Uses]:
    """What statements do with every name they name."""
    found: dict[str, Uses] = {}
    for statement in walk(statements):
        if not isinstance(statement, Operation):
            continue
        for operand in statement.operands:
            if isinstance(operand, Name):
                found.setdefault(operand.text, Uses()).address_taken = True
            elif isinstance(operand, Address) and operand.base is not None:
                uses = found.setdefault(operand.base.text, Uses())
                pieces = uses.loads if statement.opcode == "ld" else uses.stores
                pieces.update(_pieces(statement, operand.offset))
    return found


def _pieces(operation: Operation, offset: int) -> Iterator[Piece]:
    type = TYPES.get(operation.parts[-1]) if operation.parts else None
    elements = next((int(p[1]) for p in operation.parts if p in ("v2", "v4")), 1)
    for k in range(elements if type else 0):
        yield offset + k * type.bytes, type.bytes


def in_registers(stores: Uses, loads: Uses) -> bool:
    """Whether every piece loaded is one that is stored, and no two that are stored overlap."""
    if stores.address_taken or loads.address_taken or not loads.loads <= stores.stores:
        return False
    return not overlap(stores.stores)


def overlap(pieces: Iterable[Piece]) -> bool:
    """Whether two pieces have a byte in common."""
    end = 0
    for offset, size in sorted(pieces):
        if offset < end:
            return True
        end = offset + size
    return False


def calls_in(statements: list[Statement]) -> Iterator[Call]:
    """The calls of statements, in order."""
    return (statement for statement in walk(statements) if isinstance(statement, Call))
