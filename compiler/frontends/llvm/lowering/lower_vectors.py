"""Vectors, element by element: machines of this kind have none.

%c = fadd <2 x float> %a, %b   ->   add.f32 a0, b0; add.f32 a1, b1

A vector is a tuple of its elements, as an array is.  Which bits it has as something else is in
`bitcasts`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from compiler.frontends.llvm.lowering.bitcasts import bitcast
from compiler.frontends.llvm.lowering.code import Code, Value
from compiler.frontends.llvm.lowering.widths import as_i64, choose
from compiler.frontends.llvm.reading.instructions import Refused
from compiler.frontends.llvm.reading.tree import Operand, Statement
from compiler.frontends.llvm.reading.types import LlvmType, Structure, Vector

WHOLE = frozenset((
    "load", "store", "alloca", "insertvalue", "extractvalue", "extractelement",
    "insertelement", "shufflevector", "bitcast", "freeze", "atomicrmw", "cmpxchg", "asm",
))  # fmt: skip
"""Operations that take a vector as it is."""
WHOLE_CALLS = "llvm.masked."
REDUCTIONS = {
    **{name: name for name in ("add", "mul", "and", "or", "xor", "fadd", "fmul")},
    **{name: f"llvm.{name}" for name in ("smax", "smin", "umax", "umin")},
    "fmax": "llvm.maxnum", "fmin": "llvm.minnum",
    "fmaximum": "llvm.maximum", "fminimum": "llvm.minimum",
}  # fmt: skip
"""How two elements are joined: an operation, or a function of LLVM."""


def is_by_element(statement: Statement) -> bool:
    """Whether an operation is done for each element of vectors."""
    if statement.opcode in WHOLE:
        return False
    if statement.opcode == "call" and (
        not statement.callee.startswith("llvm.") or statement.callee.startswith(WHOLE_CALLS)
    ):
        return False
    kinds = (statement.type, *(operand.type for operand in statement.operands))
    return any(isinstance(kind, Vector) for kind in kinds)


def by_element(
    code: Code, statement: Statement, lower: Callable[[Code, Statement], Value | None]
) -> Value:
    """The operation for each element; an operand that is no vector is the same for all."""
    if statement.callee.startswith("llvm.vector.reduce."):
        return _reduce(code, statement, lower)
    kind, count = _of_an_element(statement)
    values = [code.value(operand) for operand in statement.operands]
    kinds = [operand.type for operand in statement.operands]
    found = []
    for k in range(count):
        operands = tuple(
            Operand(kind.element, value[k]) if isinstance(kind, Vector) else Operand(kind, value)
            for kind, value in zip(kinds, values, strict=True)
        )
        found.append(lower(code, replace(statement, type=kind, operands=operands)))
    return tuple(zip(*found, strict=True)) if isinstance(kind, Structure) else tuple(found)


def _of_an_element(statement: Statement) -> tuple[LlvmType, int]:
    """The type of the result for one element, and how many there are: `{ <4 x i32>, <4 x i1> }` is
    four times `{ i32, i1 }`."""
    kind = statement.type
    if isinstance(kind, Vector):
        return kind.element, kind.count
    if isinstance(kind, Structure) and all(isinstance(part, Vector) for part in kind.fields):
        return Structure(tuple(part.element for part in kind.fields)), kind.fields[0].count
    raise Refused(f"'{statement.callee or statement.opcode}' of vectors is not supported")


def _reduce(code: Code, statement: Statement, lower: Callable) -> Value:
    """The elements joined from the first to the last, behind a start if there is one."""
    name = statement.callee.split(".")[3]
    if name not in REDUCTIONS:
        raise Refused(f"'{statement.callee}' is not supported", "see LLVM.md for what is")
    kind, join = statement.type, REDUCTIONS[name]
    *start, vector = statement.operands
    total, *values = (*map(code.value, start), *code.value(vector))
    callee = f"{join}.{kind}" if "." in join else ""
    for value in values:
        pair = Operand(kind, total), Operand(kind, value)
        opcode = "call" if callee else join
        total = lower(code, Statement(opcode, kind, pair, callee=callee, text=statement.text))
    return total


def extract_element(code: Code, statement: Statement) -> Value:
    vector, index = map(code.value, statement.operands)
    if isinstance(index, int):
        return vector[index] if index < len(vector) else vector[0]
    chosen = vector[0]
    wide = as_i64(code, index, statement.operands[1].type, False)
    for k, element in enumerate(vector[1:], 1):
        here = code.emit("eq.i64", wide, k)
        chosen = choose(code, statement.type, here, element, chosen)
    return chosen


def insert_element(code: Code, statement: Statement) -> Value:
    vector, element, index = map(code.value, statement.operands)
    if isinstance(index, int):
        return (*vector[:index], element, *vector[index + 1 :])
    kind = statement.operands[1].type
    wide = as_i64(code, index, statement.operands[2].type, False)
    return tuple(
        choose(code, kind, code.emit("eq.i64", wide, k), element, old)
        for k, old in enumerate(vector)
    )


def shuffle(code: Code, statement: Statement) -> Value:
    first, second, mask = map(code.value, statement.operands)
    both = (*first, *second)
    return tuple(both[index] for index in mask)


LOWER = {
    "extractelement": extract_element, "insertelement": insert_element, "shufflevector": shuffle,
    "bitcast": bitcast,
}  # fmt: skip
