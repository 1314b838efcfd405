"""Arithmetic and conversions as IR operations.

Floor division and modulo differ from the IR's truncating ones where the operands' signs differ:

    quotient = div_s(a, b)                      remainder = rem_s(a, b)
    off = rest != 0 and (rest ^ b) < 0          off = remainder != 0 and (remainder ^ b) < 0
    a // b = quotient - off                     a % b = remainder + (b if off else 0)
"""

from __future__ import annotations

from typing import Protocol

from compiler.ir.module import Value as Operand
from compiler.python_syntax.scalars import Scalar
from compiler.python_syntax.tree import (
    Binary,
    Compare,
    Conditional,
    Constant,
    Convert,
    Current,
    Length,
    Logic,
    Not,
    Power,
    Read,
    Shared,
    ThreadOperation,
    Unary,
    Value,
)
from machines.diagnostics import Location
from machines.types import F32, F64, I1

_SIGNED_ROWS = {"shr", "min", "max"}
_MOST_OPERATIONS = 3
"""More than this many operations are not computed in vain to save a branch."""


class Code(Protocol):
    """What operations are written to: the IR of a kernel, the graph of a function."""

    def emit(
        self, row: str, *operands: Operand, result: str | None = None, location: Location
    ) -> Operand:
        """Emit an operation; returns its result."""


def lower_unary(code: Code, value: Unary, a: Operand, result: str | None) -> Operand:
    """Negation, complement, magnitude, square root."""
    type, location = value.type.type, value.location
    if value.operation == "abs" and not type.is_float:
        negated = code.emit(f"neg.{type}", a, location=location)
        return code.emit(f"max_s.{type}", a, negated, result=result, location=location)
    return code.emit(f"{value.operation}.{type}", a, result=result, location=location)


def lower_power(code: Code, value: Power, a: Operand, result: str | None) -> Operand:
    """Repeated squaring, most significant bit of the exponent first."""
    type, location = value.type.type, value.location
    if value.exponent < 2:
        held = a if value.exponent else (1.0 if type.is_float else 1)
        if result is None:
            return held
        row = "copy" if isinstance(held, str) else "const"
        return code.emit(f"{row}.{type}", held, result=result, location=location)
    steps = []
    for bit in f"{value.exponent:b}"[1:]:
        steps += ["square", "multiply"] if bit == "1" else ["square"]
    held = a
    for index, step in enumerate(steps, start=1):
        target = result if index == len(steps) else None
        other = held if step == "square" else a
        held = code.emit(f"mul.{type}", held, other, result=target, location=location)
    return held


def lower_binary(code: Code, value: Binary, a: Operand, b: Operand, result: str | None) -> Operand:
    """An operation on two operands of the result's type."""
    scalar, location = value.type, value.location
    if isinstance(b, int):
        b = _within(b, scalar)
    if value.operation == "floor":
        return _floor(code, scalar, a, b, location, result)
    if value.operation == "modulo":
        return _modulo(code, scalar, a, b, location, result)
    name = value.operation
    if name in _SIGNED_ROWS and not scalar.is_float:
        name += "_s" if scalar.signed else "_u"
    return code.emit(f"{name}.{scalar.type}", a, b, result=result, location=location)


def _floor(
    code: Code, scalar: Scalar, a: Operand, b: Operand, location: Location, result: str | None
) -> Operand:
    type = scalar.type
    shift = _exponent_of_two(b)
    if shift is not None:
        row = f"shr_s.{type}" if scalar.signed else f"shr_u.{type}"
        return code.emit(row, a, shift, result=result, location=location)
    if not scalar.signed:
        return code.emit(f"div_u.{type}", a, b, result=result, location=location)
    quotient = code.emit(f"div_s.{type}", a, b, location=location)
    product = code.emit(f"mul.{type}", quotient, b, location=location)
    rest = code.emit(f"sub.{type}", a, product, location=location)
    off = _signs_differ(code, type, rest, b, location)
    correction = code.emit(f"zext.i1.{type}", off, location=location)
    return code.emit(f"sub.{type}", quotient, correction, result=result, location=location)


def _modulo(
    code: Code, scalar: Scalar, a: Operand, b: Operand, location: Location, result: str | None
) -> Operand:
    type = scalar.type
    if _exponent_of_two(b) is not None:
        return code.emit(f"and.{type}", a, b - 1, result=result, location=location)
    if not scalar.signed:
        return code.emit(f"rem_u.{type}", a, b, result=result, location=location)
    remainder = code.emit(f"rem_s.{type}", a, b, location=location)
    off = _signs_differ(code, type, remainder, b, location)
    moved = code.emit(f"add.{type}", remainder, b, location=location)
    return code.emit(f"select.{type}", off, moved, remainder, result=result, location=location)


def _signs_differ(code: Code, type: object, rest: str, b: Operand, location: Location) -> str:
    """Whether a remainder is not 0 and has another sign than the divisor."""
    if isinstance(b, int):
        return code.emit(f"{'lt_s' if b > 0 else 'gt_s'}.{type}", rest, 0, location=location)
    signs = code.emit(f"xor.{type}", rest, b, location=location)
    differ = code.emit(f"lt_s.{type}", signs, 0, location=location)
    inexact = code.emit(f"ne.{type}", rest, 0, location=location)
    return code.emit("and.i1", differ, inexact, location=location)


def _within(number: int, scalar: Scalar) -> int:
    """A literal as a number of its type: casts between signs leave it as it was written."""
    if scalar.is_boolean:
        return number
    low = number & ((1 << scalar.bits) - 1)
    return low - (1 << scalar.bits) if low > scalar.highest else low


def _exponent_of_two(b: Operand) -> int | None:
    if isinstance(b, int) and b > 0 and b & (b - 1) == 0:
        return b.bit_length() - 1
    return None


def lower_conversion(
    code: Code,
    a: Operand,
    source: Scalar,
    target: Scalar,
    location: Location,
    result: str | None = None,
) -> Operand:
    """The value as another type, of another IR type."""
    if isinstance(a, int) and target.is_integer and result is None:
        return _within(_within(a, source), target)
    row = _conversion_row(source, target)
    if row is None:
        # A boolean becomes a float by way of an integer.
        a = code.emit("zext.i1.i32", a, location=location)
        row = f"float_s.i32.{target.type}"
    operands = (a, 0.0 if source.is_float else 0) if row.startswith("ne.") else (a,)
    return code.emit(row, *operands, result=result, location=location)


def _conversion_row(source: Scalar, target: Scalar) -> str | None:
    a, d = source.type, target.type
    if d is I1:
        return f"ne.{a}"
    if a is I1:
        return f"zext.i1.{d}" if d.is_integer else None
    if a.is_integer and d.is_integer:
        if a.bits > d.bits:
            return f"trunc.{a}.{d}"
        return f"{'sext' if source.signed else 'zext'}.{a}.{d}"
    if a.is_integer:
        return f"{'float_s' if source.signed else 'float_u'}.{a}.{d}"
    if d.is_integer:
        return f"{'int_s' if target.signed else 'int_u'}.{a}.{d}"
    return {(F32, F64): "extend.f32.f64", (F64, F32): "round.f64.f32"}[a, d]


def is_cheap(value: Value) -> bool:
    """True if computing the value in vain costs little and cannot fault."""
    count = _operations(value)
    return count is not None and count <= _MOST_OPERATIONS


def _operations(value: Value) -> int | None:
    """How many operations compute the value; None if it may fault, branches or is slow."""
    match value:
        case Constant() | Read() | Current() | Length():
            return 0
        case ThreadOperation(is_constant=True):
            return 0
        case Convert() | Not() | Shared():
            parts = [value.a]
        case Unary(operation="neg" | "not" | "abs"):
            parts = [value.a]
        case Power(exponent=0 | 1 | 2):
            parts = [value.a]
        case Binary(operation=operation) if operation not in ("div", "floor", "modulo"):
            parts = [value.a, value.b]
        case Compare():
            parts = [value.a, value.b]
        case Logic():
            parts = value.terms
        case Conditional():
            parts = [value.test, value.a, value.b]
        case _:
            return None
    counts = [_operations(part) for part in parts]
    return None if None in counts else 1 + sum(counts)
