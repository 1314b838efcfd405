"""Vectors, element by element: machines of this kind have none.

%c = fadd <2 x float> %a, %b   ->   add.f32 a0, b0; add.f32 a1, b1

A vector is a tuple of its elements, as an array is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from compiler.frontends.llvm.code import Code, Scalar, Value, as_i64, from_i64, scalar, scalars
from compiler.frontends.llvm.instructions import Refused
from compiler.frontends.llvm.tree import Operand, Statement
from compiler.frontends.llvm.types import LlvmType, Vector, leaves_of
from machines.types import F32, F64, I1, I32, I64, Type

WHOLE = frozenset((
    "load", "store", "getelementptr", "alloca", "insertvalue", "extractvalue", "extractelement",
    "insertelement", "shufflevector", "bitcast", "freeze",
))  # fmt: skip
"""Operations that take a vector as it is."""
REDUCTIONS = {
    "add": "add", "mul": "mul", "and": "and", "or": "or", "xor": "xor", "smax": "max_s",
    "smin": "min_s", "umax": "max_u", "umin": "min_u", "fadd": "add", "fmul": "mul",
    "fmax": "max", "fmin": "min",
}  # fmt: skip


def is_by_element(statement: Statement) -> bool:
    """Whether an operation is done for each element of vectors."""
    if statement.opcode in WHOLE:
        return False
    if statement.opcode == "call" and not statement.callee.startswith("llvm."):
        return False
    kinds = (statement.type, *(operand.type for operand in statement.operands))
    return any(isinstance(kind, Vector) for kind in kinds)


def by_element(
    code: Code, statement: Statement, lower: Callable[[Code, Statement], Value | None]
) -> Value:
    """The operation for each element; an operand that is no vector is the same for all."""
    if statement.callee.startswith("llvm.vector.reduce."):
        return _reduce(code, statement)
    if not isinstance(statement.type, Vector):
        raise Refused(f"'{statement.callee or statement.opcode}' of vectors is not supported")
    values = [code.value(operand) for operand in statement.operands]
    kinds = [operand.type for operand in statement.operands]
    found = []
    for k in range(statement.type.count):
        operands = tuple(
            Operand(kind.element, value[k]) if isinstance(kind, Vector) else Operand(kind, value)
            for kind, value in zip(kinds, values, strict=True)
        )
        found.append(
            lower(code, replace(statement, type=statement.type.element, operands=operands))
        )
    return tuple(found)


def _reduce(code: Code, statement: Statement) -> Value:
    """The elements joined from the first to the last, behind a start if there is one."""
    name = statement.callee.split(".")[3]
    if name not in REDUCTIONS:
        raise Refused(f"'{statement.callee}' is not supported", "see LLVM.md for what is")
    kind = scalar(statement.type)
    values = [part for operand in statement.operands for part in scalars(code.value(operand))]
    total = values[0]
    for value in values[1:]:
        total = code.emit(f"{REDUCTIONS[name]}.{kind}", total, value)
    return total


def extract_element(code: Code, statement: Statement) -> Value:
    vector, index = map(code.value, statement.operands)
    if isinstance(index, int):
        return vector[index] if index < len(vector) else vector[0]
    kind, chosen = scalar(statement.type), vector[0]
    wide = as_i64(code, index, scalar(statement.operands[1].type), False)
    for k, element in enumerate(vector[1:], 1):
        chosen = code.emit(f"select.{kind}", code.emit("eq.i64", wide, k), element, chosen)
    return chosen


def insert_element(code: Code, statement: Statement) -> Value:
    vector, element, index = map(code.value, statement.operands)
    if isinstance(index, int):
        return (*vector[:index], element, *vector[index + 1 :])
    kind = scalar(statement.operands[1].type)
    wide = as_i64(code, index, scalar(statement.operands[2].type), False)
    return tuple(
        code.emit(f"select.{kind}", code.emit("eq.i64", wide, k), element, old)
        for k, old in enumerate(vector)
    )


def shuffle(code: Code, statement: Statement) -> Value:
    first, second, mask = map(code.value, statement.operands)
    both = (*first, *second)
    return tuple(both[index] for index in mask)


def bitcast(code: Code, statement: Statement) -> Value:
    """The same bytes as another type."""
    source, target = statement.operands[0].type, statement.type
    value = code.value(statement.operands[0])
    if source == target:
        return value
    if (source, target) in ((F64, I64), (I64, F64), (F32, I32), (I32, F32)):
        return code.emit(f"bits.{source}.{target}", value)
    words: dict[int, Scalar] = {}
    for (leaf, offset), part in zip(leaves_of(source), scalars(value), strict=True):
        if leaf is I1:
            raise Refused(f"a bitcast from {source} to {target} is not supported")
        bits = as_i64(code, _as_integer(code, part, leaf), _integer(leaf), False)
        shift = 8 * (offset % 8)
        bits = code.emit("shl.i64", bits, shift) if shift else bits
        word = offset // 8
        words[word] = code.emit("or.i64", words[word], bits) if word in words else bits
    return _parts(code, target, words)


def _parts(code: Code, target: LlvmType, words: dict[int, Scalar]) -> Value:
    found = []
    for leaf, offset in leaves_of(target):
        shift, bits = 8 * (offset % 8), words[offset // 8]
        bits = code.emit("shr_u.i64", bits, shift) if shift else bits
        value = from_i64(code, bits, _integer(leaf))
        found.append(code.emit(f"bits.{_integer(leaf)}.{leaf}", value) if leaf.is_float else value)
    return tuple(found) if isinstance(target, Vector) else found[0]


def _integer(leaf: Type) -> Type:
    return {F32: I32, F64: I64}.get(leaf, leaf)


def _as_integer(code: Code, value: Scalar, leaf: Type) -> Scalar:
    return code.emit(f"bits.{leaf}.{_integer(leaf)}", value) if leaf.is_float else value


LOWER = {
    "extractelement": extract_element, "insertelement": insert_element, "shufflevector": shuffle,
    "bitcast": bitcast,
}  # fmt: skip
