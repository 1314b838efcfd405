"""Operations on integers of widths that our IR lacks, up to 64 bits: those of the next wider one.

    add i24 %a, %b         ->   and.i32 (add.i32 a, b), 0xffffff
    icmp slt i24 %a, %b    ->   lt_s.i64 of both, their sign extended

Minima and saturating sums of i1 are done as those of i8.  What asks for the sign gets operands with
their sign above, everything else with zeros; the result is cut to its width.  Wider ones:
`lower_wide`.
"""

from __future__ import annotations

from dataclasses import replace

from compiler.frontends.llvm.lowering import lower_wide
from compiler.frontends.llvm.lowering.code import Code, Value
from compiler.frontends.llvm.lowering.lower_bits import Lower
from compiler.frontends.llvm.lowering.widths import as_i64, from_i64, wrapped
from compiler.frontends.llvm.reading.tree import Operand, Statement
from compiler.frontends.llvm.reading.types import Integer, LlvmType
from machines.types import I1, I8, Type

WHOLE = frozenset((
    "load", "store", "getelementptr", "alloca", "insertvalue", "extractvalue", "extractelement",
    "insertelement", "shufflevector", "bitcast", "freeze", "select", "atomicrmw", "cmpxchg", "asm",
    "va_arg",
))  # fmt: skip
"""Operations that ask for no width, or see to it themselves."""
ANY_WIDTH = (
    "llvm.ctpop", "llvm.ctlz", "llvm.cttz", "llvm.bswap", "llvm.bitreverse", "llvm.fsh",
    "llvm.sadd.", "llvm.ssub.", "llvm.smul.", "llvm.uadd.with", "llvm.usub.with",
    "llvm.umul.with", "llvm.sshl.", "llvm.ushl.", "llvm.scmp", "llvm.ucmp",
)  # fmt: skip
"""Functions that see to widths up to 64 bits themselves."""
NARROWEST = tuple(
    f"llvm.{name}" for name in ("smax", "smin", "umax", "umin", "uadd.sat", "usub.sat", "abs")
)
"""Functions that our IR has of i8 and wider."""
SIGNED = frozenset(("sdiv", "srem", "ashr", "sext", "sitofp"))
SIGNED_CALLS = ("llvm.smax", "llvm.smin", "llvm.abs")


def is_of_other_width(statement: Statement) -> bool:
    """Whether an operation on scalars has an operand or a result of such a width."""
    if statement.opcode in WHOLE:
        return False
    if statement.opcode == "call" and not statement.callee.startswith("llvm."):
        return False
    of_bits = statement.type is I1 and statement.callee.startswith(NARROWEST)
    return of_bits or any(isinstance(kind, Integer) for kind in _kinds(statement))


def _kinds(statement: Statement) -> list[LlvmType | None]:
    return [statement.type, *(operand.type for operand in statement.operands)]


def lower(code: Code, statement: Statement, lower: Lower) -> Value | None:
    """The value of such an operation; `lower` does it for widths that our IR has."""
    if any(isinstance(kind, Integer) and kind.is_wide for kind in _kinds(statement)):
        return lower_wide.lower(code, statement, lower)
    if statement.callee.startswith(ANY_WIDTH):
        return lower(code, statement)
    signed = (
        statement.opcode in SIGNED
        or statement.callee.startswith(SIGNED_CALLS)
        or (statement.opcode == "icmp" and statement.word.startswith("s"))
    )
    operands = tuple(_carried(code, operand, signed, statement) for operand in statement.operands)
    kind = statement.type
    if statement.opcode in ("zext", "sext", "trunc"):
        [operand] = statement.operands
        return from_i64(code, as_i64(code, code.value(operand), operand.type, signed), kind)
    carrier = _carrier(kind, statement)
    value = lower(code, replace(statement, operands=operands, type=carrier))
    if carrier is not kind and ".sat" in statement.callee:
        value = _clamped(code, value, kind, carrier, statement.callee)
    if kind is I1 and carrier is I8:
        return from_i64(code, as_i64(code, value, I8, False), I1)
    return wrapped(code, value, kind)


def _carrier(kind: LlvmType, statement: Statement) -> LlvmType:
    if kind is I1 and statement.callee.startswith(NARROWEST):
        return I8
    return kind.carriers[0] if isinstance(kind, Integer) else kind


def _carried(code: Code, operand: Operand, signed: bool, statement: Statement) -> Operand:
    kind, carrier = operand.type, _carrier(operand.type, statement)
    if carrier is kind:
        return operand
    value = code.value(operand)
    if signed or kind is I1:
        value = from_i64(code, as_i64(code, value, kind, signed), carrier)
    return replace(operand, type=carrier, value=value)


def _clamped(code: Code, value: Value, kind: LlvmType, carrier: Type, callee: str) -> Value:
    """A result that saturates at the limits of its carrier, at those of its type."""
    highest = (1 << kind.bits) - 1
    if "si." in callee:
        highest >>= 1
        value = code.emit(f"min_s.{carrier}", value, highest)
        return code.emit(f"max_s.{carrier}", value, ~highest)
    return code.emit(f"min_u.{carrier}", value, highest)
