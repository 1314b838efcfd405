"""The same bits as another type, and bits in memory.

    bitcast <16 x i1> %m to i16     bit k of the result is element k
    bitcast double %x to <2 x i32>  the low half, the high half

Elements stand side by side from the lowest bit on; the bits are gathered in words of 64.
"""

from __future__ import annotations

from compiler.frontends.llvm.lowering.code import Code, Scalar, Value
from compiler.frontends.llvm.lowering.widths import ONES, as_i64, cut, from_words, words
from compiler.frontends.llvm.reading.tree import Statement
from compiler.frontends.llvm.reading.types import LlvmType, Vector, bits_of
from machines.types import F32, F64, I32, I64, Type

_INTEGER: dict[LlvmType, Type] = {F32: I32, F64: I64}


def bitcast(code: Code, statement: Statement) -> Value:
    source, target = statement.operands[0].type, statement.type
    value = code.value(statement.operands[0])
    if source == target:
        return value
    if _INTEGER.get(source) is target or _INTEGER.get(target) is source:
        return code.emit(f"bits.{source}.{target}", value)
    return taken_apart(code, gathered(code, value, source), target)


def gathered(code: Code, value: Value, type: LlvmType) -> list[Scalar]:
    """The bits of a scalar or a vector as words of 64 bits, the lowest first."""
    element = type.element if isinstance(type, Vector) else type
    parts = value if isinstance(type, Vector) else (value,)
    found: list[Scalar] = [0] * -(-bits_of(type) // 64)
    bits = bits_of(element)
    for k, part in enumerate(parts):
        for half, word in enumerate(_words(code, part, element)):
            if 64 * half < bits:
                _put(code, found, bits * k + 64 * half, min(64, bits - 64 * half), word)
    return found


def taken_apart(code: Code, found: list[Scalar], type: LlvmType) -> Value:
    """A scalar or a vector of bits that are in words."""
    element = type.element if isinstance(type, Vector) else type
    bits = bits_of(element)

    def one(k: int) -> Value:
        low = _get(code, found, bits * k, min(64, bits))
        high = _get(code, found, bits * k + 64, bits - 64) if bits > 64 else 0
        whole = from_words(code, (low, high), _INTEGER.get(element, element))
        if element in _INTEGER:
            return code.emit(f"bits.{_INTEGER[element]}.{element}", whole)
        return whole

    return tuple(map(one, range(type.count))) if isinstance(type, Vector) else one(0)


def _words(code: Code, part: Value, element: LlvmType) -> tuple[Scalar, Scalar]:
    if element in _INTEGER:
        whole = _INTEGER[element]
        return as_i64(code, code.emit(f"bits.{element}.{whole}", part), whole, False), 0
    return words(code, part, element, False)


def _put(code: Code, found: list[Scalar], at: int, bits: int, word: Scalar) -> None:
    """Add bits, with zeros above them, to the words at a place."""
    index, shift = divmod(at, 64)
    found[index] = _joined(code, found[index], _moved(code, "shl", word, shift))
    if shift + bits > 64:
        found[index + 1] = _joined(code, found[index + 1], _moved(code, "shr_u", word, 64 - shift))


def _get(code: Code, found: list[Scalar], at: int, bits: int) -> Scalar:
    index, shift = divmod(at, 64)
    word = _moved(code, "shr_u", found[index], shift)
    if shift + bits > 64:
        word = _joined(code, word, _moved(code, "shl", found[index + 1], 64 - shift))
    return cut(code, word, bits)


def _joined(code: Code, a: Scalar, b: Scalar) -> Scalar:
    if isinstance(a, int) and isinstance(b, int):
        return a | b
    return b if a == 0 else a if b == 0 else code.emit("or.i64", a, b)


def _moved(code: Code, shift: str, word: Scalar, by: int) -> Scalar:
    if isinstance(word, int):
        return (word << by if shift == "shl" else (word & ONES) >> by) & ONES
    return code.emit(f"{shift}.i64", word, by) if by else word
