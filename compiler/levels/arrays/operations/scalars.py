"""Operations of scalars: parameters, literals, and the rows of the operation table."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cache
from typing import Any

from compiler.levels.arrays.operations.hierarchy import (
    Elementwise,
    GraphFault,
    Terminal,
    expect,
    takes,
)
from compiler.levels.arrays.types import GraphType
from machines.instructions import operations
from machines.operations.evaluate import evaluator, faults
from machines.operations.row import Operation as TableRow
from machines.types import Type as Scalar


@dataclass(frozen=True, slots=True)
class Parameter(Terminal):
    """A parameter of a lambda, of which there is one however many are alike."""

    name: str
    type: GraphType
    unique: int

    def __str__(self) -> str:
        return f"parameter {self.name}"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        return self.type


@dataclass(frozen=True, slots=True)
class Constant(Elementwise):
    """A literal; `bits` are what tells it from others (0.0 from -0.0)."""

    value: int | float
    type: Scalar
    bits: bytes

    @classmethod
    def of(cls, value: int | float, type: Scalar) -> Constant:
        """The literal of a type, rounded or wrapped to it as the IR holds it."""
        from compiler.ir.builder import canonical

        held = canonical(value, type)
        bits = struct.pack("<d", held) if type.is_float else struct.pack("<q", held)
        return cls(held if held == held else float("nan"), type, bits)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and (self.bits, self.type) == (other.bits, other.type)

    def __hash__(self) -> int:
        return hash((self.bits, self.type))

    def __str__(self) -> str:
        return f"const.{self.type} {self.value!r}"

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        takes("a constant", arguments, 0)
        return self.type

    def compute(self) -> int | float:
        return self.value


@dataclass(frozen=True, slots=True)
class Row(Elementwise):
    """A row of the operation table, by its name among the IR's."""

    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def row(self) -> TableRow:
        return scalar_rows()[self.name]

    @property
    def may_fault(self) -> bool:  # type: ignore[override]
        return bool(self.row.faults_if)

    def result(self, arguments: tuple[GraphType, ...]) -> GraphType:
        expect(self.name in scalar_rows(), f"there is no scalar operation '{self.name}'")
        wanted = tuple(operand.kind for operand in self.row.reads)
        takes(self.name, arguments, len(wanted))
        for type, kind in zip(arguments, wanted, strict=True):
            expect(type == kind, f"{self.name} takes {kind}, not {type}")
        return self.row.writes[0].kind

    def compute(self, *values: Any) -> Any:
        if self.row.faults_if and faults(self.row)(*values):
            raise GraphFault(self.row.fault)
        return evaluator(self.row)(*values)


@cache
def scalar_rows() -> dict[str, TableRow]:
    """The rows of the IR that compute one scalar of scalars, by name."""
    return {
        row.name: row
        for row in operations().family("ir").values()
        if len(row.writes) == 1
        and row.meaning
        and not row.access
        and not row.control
        and not row.implicit_reads
        and "literal" not in row.flags
        and all(
            isinstance(o.kind, Scalar) and (o.kind.is_integer or o.kind.is_float)
            for o in (*row.reads, *row.writes)
        )
    }
