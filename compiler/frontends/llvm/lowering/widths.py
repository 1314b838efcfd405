"""Integers of all widths as what our IR has: one word of 64 bits, or two.

    i24   ->   i32, whose upper 8 bits are 0          i100   ->   low: i64, high: i64 (28 bits zero)

Operations are done on words, extended by zeros or by the sign as the operation asks, and their
result is cut to its width again.
"""

from __future__ import annotations

from compiler.frontends.llvm.lowering.code import Code, Scalar, Value, each, scalar, scalars
from compiler.frontends.llvm.reading.types import Integer, LlvmType
from machines.types import PTR
from machines.vocabulary.numbers import sign_extend, zero_extend

Words = tuple[Scalar, Scalar]
"""128 bits as two i64, the low half first."""
ONES = (1 << 64) - 1


def as_i64(code: Code, value: Value, type: LlvmType, signed: bool) -> Scalar:
    """An integer or a pointer as an i64, of one that is wider the low half; a number stays one."""
    if isinstance(type, Integer):
        if type.is_wide:
            return value[0]
        carried = as_i64(code, value, type.carriers[0], False)
        return extended(code, carried, type.bits) if signed else carried
    type = scalar(type)
    if isinstance(value, int):
        return (sign_extend if signed else zero_extend)(value, type.bits)
    if type is PTR:
        return code.emit("int.ptr.i64", value)
    if type.bits == 64:
        return value
    if type.bits == 1:
        wide = code.emit("zext.i1.i64", value)
        return code.emit("neg.i64", wide) if signed else wide
    return code.emit(f"{'sext' if signed else 'zext'}.{type}.i64", value)


def from_i64(code: Code, value: Scalar, type: LlvmType) -> Value:
    """The low bits of an i64 as an integer of a type, or all of them as a pointer; one that is
    wider gets zeros above."""
    if isinstance(type, Integer):
        return from_words(code, (value, 0), type)
    type = scalar(type)
    if type is PTR:
        return code.emit("ptr.i64.ptr", value)
    if type.bits == 64:
        return value
    if type.bits == 1:
        return code.emit("ne.i64", code.emit("and.i64", value, 1), 0)
    return code.emit(f"trunc.i64.{type}", value)


def words(code: Code, value: Value, type: LlvmType, signed: bool) -> Words:
    """An integer or a pointer as 128 bits."""
    if isinstance(type, Integer) and type.is_wide:
        low, high = value
        return low, extended(code, high, type.bits - 64) if signed else high
    low = as_i64(code, value, type, signed)
    if not signed:
        return low, 0
    return low, (low >> 63 if isinstance(low, int) else code.emit("shr_s.i64", low, 63))


def from_words(code: Code, pair: Words, type: LlvmType) -> Value:
    """The low bits of 128 as an integer of a type, or a pointer."""
    low, high = pair
    if not isinstance(type, Integer):
        return from_i64(code, low, type)
    if type.is_wide:
        return low, cut(code, high, type.bits - 64)
    carrier = type.carriers[0]
    return from_i64(code, cut(code, low, type.bits), carrier)


def wrapped(code: Code, value: Value, type: LlvmType) -> Value:
    """What is held in the carriers of a type, with zeros above its own bits."""
    if not isinstance(type, Integer):
        return value
    if type.is_wide:
        return value[0], cut(code, value[1], type.bits - 64)
    if isinstance(value, int):
        return value & type.mask
    return code.emit(f"and.{type.carriers[0]}", value, type.mask)


def cut(code: Code, word: Scalar, bits: int) -> Scalar:
    """The low bits of an i64, with zeros above them."""
    if isinstance(word, int):
        return word & (1 << bits) - 1
    return word if bits == 64 else code.emit("and.i64", word, (1 << bits) - 1)


def extended(code: Code, word: Scalar, bits: int) -> Scalar:
    """The low bits of an i64, with their sign above them."""
    if isinstance(word, int):
        return sign_extend(word, bits)
    if bits == 64:
        return word
    return code.emit("shr_s.i64", code.emit("shl.i64", word, 64 - bits), 64 - bits)


def choose(code: Code, type: LlvmType, condition: Scalar, a: Value, b: Value) -> Value:
    """The first value where a condition holds, else the second."""
    pairs = iter(zip(scalars(a), scalars(b), strict=True))
    return each(type, lambda leaf: code.emit(f"select.{leaf}", condition, *next(pairs)))
