"""Arithmetic, compares, conversions and selects.

    icmp ult i32 %a, 10     ->   lt_u.i32 a, 10
    fcmp ueq float %a, %b   ->   not.i1 (or.i1 (lt.f32 a, b), (gt.f32 a, b))

An i1 has no arithmetic of its own but and, or, xor: for the rest it becomes an i8 (-1 where the
operation is signed), and the lowest bit of the result counts.
"""

from __future__ import annotations

from compiler.frontends.llvm.lowering.code import (
    Code,
    Scalar,
    Value,
    scalar,
)
from compiler.frontends.llvm.lowering.widths import as_i64, choose, from_i64
from compiler.frontends.llvm.reading.tree import Statement
from machines.types import I1, I64, PTR, Type

INTEGER = {
    "add": "add", "sub": "sub", "mul": "mul", "and": "and", "or": "or", "xor": "xor",
    "shl": "shl", "lshr": "shr_u", "ashr": "shr_s",
    "udiv": "div_u", "sdiv": "div_s", "urem": "rem_u", "srem": "rem_s",
}  # fmt: skip
FLOAT = {"fadd": "add", "fsub": "sub", "fmul": "mul", "fdiv": "div"}
_SIGNED = ("sdiv", "srem", "ashr", "sgt", "sge", "slt", "sle")
RELATIONS = {
    "eq": "eq", "ne": "ne", "ugt": "gt_u", "uge": "ge_u", "ult": "lt_u", "ule": "le_u",
    "sgt": "gt_s", "sge": "ge_s", "slt": "lt_s", "sle": "le_s",
}  # fmt: skip
ORDERED = {"oeq": "eq", "ogt": "gt", "oge": "ge", "olt": "lt", "ole": "le", "une": "ne"}
UNORDERED = {"ugt": "le", "uge": "lt", "ult": "ge", "ule": "gt"}
"""Each is the complement of an ordered compare."""


def integer(code: Code, statement: Statement) -> Value:
    kind, opcode = scalar(statement.type), statement.opcode
    a, b = map(code.value, statement.operands)
    if kind is not I1:
        return code.emit(f"{INTEGER[opcode]}.{kind}", a, b)
    if opcode in ("and", "or", "xor"):
        return code.emit(f"{opcode}.i1", a, b)
    signed = opcode in _SIGNED
    a, b = (as_i64(code, x, I1, signed) for x in (a, b))
    return from_i64(code, code.emit(f"{INTEGER[opcode]}.i64", a, b), I1)


def floating(code: Code, statement: Statement) -> Value:
    a, b = map(code.value, statement.operands)
    return code.emit(f"{FLOAT[statement.opcode]}.{scalar(statement.type)}", a, b)


def negate(code: Code, statement: Statement) -> Value:
    return code.emit(f"neg.{scalar(statement.type)}", code.value(statement.operands[0]))


def compare_integers(code: Code, statement: Statement) -> Value:
    kind, predicate = scalar(statement.operands[0].type), statement.word
    a, b = map(code.value, statement.operands)
    if kind is I1 or (kind is PTR and predicate in _SIGNED):
        a, b = (as_i64(code, x, kind, predicate in _SIGNED) for x in (a, b))
        kind = I64
    return code.emit(f"{RELATIONS[predicate]}.{kind}", a, b)


def compare_floats(code: Code, statement: Statement) -> Value:
    kind, predicate = scalar(statement.operands[0].type), statement.word
    a, b = map(code.value, statement.operands)

    def emit(name: str, *operands: Scalar) -> str:
        return code.emit(f"{name}.{kind}", *operands)

    if predicate in ("true", "false"):
        return int(predicate == "true")
    if predicate in ORDERED:
        return emit(ORDERED[predicate], a, b)
    if predicate in UNORDERED:
        return code.emit("not.i1", emit(UNORDERED[predicate], a, b))
    if predicate in ("one", "ueq"):
        differ = code.emit("or.i1", emit("lt", a, b), emit("gt", a, b))
        return differ if predicate == "one" else code.emit("not.i1", differ)
    test, join = ("eq", "and.i1") if predicate == "ord" else ("ne", "or.i1")
    return code.emit(join, emit(test, a, a), emit(test, b, b))


def select(code: Code, statement: Statement) -> Value:
    condition, a, b = map(code.value, statement.operands)
    return choose(code, statement.type, condition, a, b)


def freeze(code: Code, statement: Statement) -> Value:
    return code.value(statement.operands[0])


# Conversions


def resize(code: Code, statement: Statement) -> Value:
    """zext, sext, trunc."""
    source, target = scalar(statement.operands[0].type), scalar(statement.type)
    value = code.value(statement.operands[0])
    if source is I1 and statement.opcode == "zext":
        return code.emit(f"zext.i1.{target}", value)
    if I1 in (source, target):
        wide = as_i64(code, value, source, statement.opcode == "sext")
        return from_i64(code, wide, target)
    return code.emit(f"{statement.opcode}.{source}.{target}", value)


def pointer_to_integer(code: Code, statement: Statement) -> Value:
    wide = as_i64(code, code.value(statement.operands[0]), PTR, False)
    return from_i64(code, wide, scalar(statement.type))


def integer_to_pointer(code: Code, statement: Statement) -> Value:
    [operand] = statement.operands
    return from_i64(code, as_i64(code, code.value(operand), scalar(operand.type), False), PTR)


def float_to_integer(code: Code, statement: Statement) -> Value:
    source, target = scalar(statement.operands[0].type), scalar(statement.type)
    name = "int_s" if statement.opcode == "fptosi" else "int_u"
    value = code.value(statement.operands[0])
    if target is I1:
        return from_i64(code, code.emit(f"{name}.{source}.i64", value), I1)
    return code.emit(f"{name}.{source}.{target}", value)


def integer_to_float(code: Code, statement: Statement) -> Value:
    source, target = scalar(statement.operands[0].type), scalar(statement.type)
    signed = statement.opcode == "sitofp"
    value = code.value(statement.operands[0])
    if source is I1:
        source, value = I64, as_i64(code, value, I1, signed)
    return code.emit(f"float_{'s' if signed else 'u'}.{source}.{target}", value)


def resize_float(code: Code, statement: Statement) -> Value:
    source: Type = scalar(statement.operands[0].type)
    name = "extend" if statement.opcode == "fpext" else "round"
    return code.emit(f"{name}.{source}.{scalar(statement.type)}", code.value(statement.operands[0]))


LOWER = {
    **dict.fromkeys(INTEGER, integer),
    **dict.fromkeys(FLOAT, floating),
    **dict.fromkeys(("zext", "sext", "trunc"), resize),
    **dict.fromkeys(("ptrtoint", "ptrtoaddr"), pointer_to_integer),
    **dict.fromkeys(("fptosi", "fptoui"), float_to_integer),
    **dict.fromkeys(("sitofp", "uitofp"), integer_to_float),
    **dict.fromkeys(("fpext", "fptrunc"), resize_float),
    "fneg": negate, "icmp": compare_integers, "fcmp": compare_floats, "select": select,
    "freeze": freeze, "inttoptr": integer_to_pointer,
}  # fmt: skip
