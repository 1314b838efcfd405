"""Scalar operations as nodes: what arithmetic emits becomes rows of the graph."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.levels.arrays.operations.calls import If
from compiler.levels.arrays.operations.scalars import Row
from compiler.levels.arrays.table import Graph
from compiler.python_syntax.arithmetic import (
    lower_binary,
    lower_conversion,
    lower_power,
    lower_unary,
)
from compiler.python_syntax.tree import (
    Binary,
    Compare,
    Conditional,
    Constant,
    Convert,
    FusedMultiplyAdd,
    Not,
    Power,
    Read,
    Unary,
    Value,
)
from machines.types import I1, Type

Operand = str | int | float
"""A symbol in decimal, or a literal: as arithmetic tells variables from literals."""
_ORDERED = ("lt", "le", "gt", "ge")


@dataclass(eq=False)
class Emitter:
    """The graph as what arithmetic emits to (`compiler.python_syntax.arithmetic.Code`)."""

    graph: Graph

    def emit(self, row: str, *operands: Operand, **_: object) -> str:
        """The symbol of a row; it is pure, so that no result need be named."""
        kinds = (operand.kind for operand in Row(row).row.reads)
        symbols = [self.symbol(a, kind) for a, kind in zip(operands, kinds, strict=True)]
        return str(self.graph.add(Row(row), *symbols))

    def symbol(self, operand: Operand, type: Type) -> int:
        if isinstance(operand, str):
            return int(operand)
        return self.graph.constant(operand, type)


def lower(code: Emitter, value: Value) -> Operand:
    """The nodes of a checked expression."""
    match value:
        case Constant():
            return value.value
        case Read():
            return value.name
        case Convert():
            held = lower(code, value.a)
            if value.a.type.type is value.type.type:
                return held
            return lower_conversion(code, held, value.a.type, value.type, value.location)
        case Unary():
            return lower_unary(code, value, lower(code, value.a), None)
        case Power():
            return lower_power(code, value, lower(code, value.a), None)
        case Binary():
            return lower_binary(code, value, lower(code, value.a), lower(code, value.b), None)
        case FusedMultiplyAdd():
            parts = [lower(code, part) for part in (value.a, value.b, value.c)]
            return code.emit(f"fma.{value.type.type}", *parts)
        case Compare():
            return _compare(code, value)
        case Not():
            return code.emit("not.i1", lower(code, value.a))
        case Conditional():
            test = code.symbol(lower(code, value.test), I1)
            arms = (code.symbol(lower(code, arm), value.type.type) for arm in (value.a, value.b))
            functions = [code.graph.function([], arm) for arm in arms]
            return str(code.graph.add(If(), test, *functions))
    raise TypeError(f"no lowering for {type(value).__name__}")


def _compare(code: Emitter, value: Compare) -> str:
    scalar, sign = value.a.type, ""
    if value.relation in _ORDERED and not scalar.is_float:
        sign = "_s" if scalar.signed else "_u"
    operands = lower(code, value.a), lower(code, value.b)
    return code.emit(f"{value.relation}{sign}.{scalar.type}", *operands)
