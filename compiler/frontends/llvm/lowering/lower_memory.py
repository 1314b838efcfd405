"""Addresses, loads, stores, local variables, and the parts of aggregates.

    %p = getelementptr %struct.s, ptr %x, i64 %i, i32 1   ->   x + 16 * i + 8
    %v = load i32, ptr %p, align 2                        ->   two loads of i16, shifted together

Our machines fault at an access that is not aligned, so one that LLVM does not promise to be is made
of smaller ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from compiler.frontends.llvm.lowering.bitcasts import gathered, taken_apart
from compiler.frontends.llvm.lowering.code import (
    STACK_ALIGNMENT,
    STACK_BYTES,
    Code,
    Scalar,
    Value,
    scalar,
)
from compiler.frontends.llvm.lowering.widths import Words, as_i64, from_i64, from_words, words
from compiler.frontends.llvm.reading.instructions import Refused
from compiler.frontends.llvm.reading.tree import Statement
from compiler.frontends.llvm.reading.types import (
    WIDEST,
    Array,
    Integer,
    LlvmType,
    Structure,
    bits_of,
    is_packed,
    offset_of,
    parts_of,
    size_of,
)
from compiler.ir.module import Guard
from machines.layout import PAGE
from machines.types import F32, F64, I1, PTR, TYPES, Type


def moved(code: Code, pointer: Scalar, offset: Scalar) -> Scalar:
    """A pointer moved by a number of bytes."""
    return code.emit("add.ptr", pointer, offset) if offset != 0 else pointer


def address(code: Code, statement: Statement) -> Value:
    """getelementptr: what is constant is added last."""
    pointer, kind, constant = code.value(statement.operands[0]), statement.pointee, 0
    for position, operand in enumerate(statement.operands[1:]):
        index = code.value(operand)
        if position and isinstance(kind, Structure):
            constant += offset_of(kind, index)
            kind = kind.fields[index]
            continue
        if position:
            kind = kind.element if isinstance(kind, Array) else scalar(kind)
        index, size = as_i64(code, index, operand.type, True), size_of(kind)
        if isinstance(index, int):
            constant += index * size
        else:
            pointer = moved(code, pointer, scaled(code, index, size))
    return moved(code, pointer, constant)


def scaled(code: Code, index: Scalar, size: int) -> Scalar:
    """index * size, in bytes."""
    if size & (size - 1) or not size:
        return code.emit("mul.i64", index, size)
    return code.emit("shl.i64", index, size.bit_length() - 1) if size > 1 else index


def load(code: Code, statement: Statement) -> Value:
    place = Place(code, code.value(statement.operands[0]), statement.alignment, statement.volatile)
    return place.load(statement.pointee, 0)


def store(code: Code, statement: Statement) -> None:
    value, pointer = (code.value(operand) for operand in statement.operands)
    place = Place(code, pointer, statement.alignment, statement.volatile)
    place.store(statement.operands[0].type, 0, value)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in memory, with what is known of its alignment, in bytes."""

    code: Code
    pointer: Scalar
    alignment: int
    volatile: bool = False

    def load(self, type: LlvmType, offset: int) -> Value:
        """A value of any type that stands at an offset."""
        if is_packed(type):
            whole = _all_bits(type)
            pair = self._words(whole, offset)
            return taken_apart(self.code, [*pair][: -(-whole.bits // 64)], type)
        if isinstance(type, Array | Structure):
            return tuple(self.load(part, offset + within) for part, within in parts_of(type))
        if isinstance(type, Integer):
            return from_words(self.code, self._words(type, offset), type)
        alignment = self._alignment_at(offset)
        return load_scalar(self.code, scalar(type), self._at(offset), alignment, self.volatile)

    def store(self, type: LlvmType, offset: int, value: Value) -> None:
        """Put a value of any type at an offset."""
        if is_packed(type):
            pair = (*gathered(self.code, value, type), 0)[:2]
            self._store_words(_all_bits(type), offset, pair)
        elif isinstance(type, Array | Structure):
            for (part, within), inner in zip(parts_of(type), value, strict=True):
                self.store(part, offset + within, inner)
        elif isinstance(type, Integer):
            self._store_words(type, offset, words(self.code, value, type, False))
        else:
            store_scalar(
                self.code, scalar(type), self._at(offset), value, self._alignment_at(offset),
                self.volatile,
            )  # fmt: skip

    def _words(self, type: Integer, offset: int) -> Words:
        """All bytes of an integer, from pieces whose sizes are powers of two."""
        found: list[Scalar] = [0, 0]
        for unit, at in _pieces(type.bytes):
            alignment = self._alignment_at(offset + at)
            part = load_scalar(self.code, unit, self._at(offset + at), alignment, self.volatile)
            part = as_i64(self.code, part, unit, False)
            if at % 8:
                part = self.code.emit("shl.i64", part, 8 * (at % 8))
                part = self.code.emit("or.i64", found[at // 8], part)
            found[at // 8] = part
        return found[0], found[1]

    def _store_words(self, type: Integer, offset: int, pair: Words) -> None:
        for unit, at in _pieces(type.bytes):
            word = pair[at // 8]
            if at % 8:
                word = self.code.emit("shr_u.i64", word, 8 * (at % 8))
            part = from_i64(self.code, word, unit)
            alignment = self._alignment_at(offset + at)
            store_scalar(self.code, unit, self._at(offset + at), part, alignment, self.volatile)

    def _at(self, offset: int) -> Scalar:
        return moved(self.code, self.pointer, offset)

    def _alignment_at(self, offset: int) -> int:
        """The lowest bit of the address that may be 1."""
        known = self.alignment | offset
        return known & -known


def _all_bits(type: LlvmType) -> Integer:
    """A vector whose elements are not bytes, as one integer."""
    if bits_of(type) > WIDEST:
        raise Refused(f"a {type} in memory is not supported", f"at most {WIDEST} bits")
    return Integer(bits_of(type))


def _pieces(size: int) -> list[tuple[Type, int]]:
    """11 bytes are 8, 2 and 1, at 0, 8 and 10."""
    found, at = [], 0
    while at < size:
        part = 1 << (min(8, size - at).bit_length() - 1)
        found.append((TYPES[f"i{8 * part}"], at))
        at += part
    return found


def row_of(opcode: str, volatile: bool) -> str:
    """'load_volatile' or 'load'."""
    return f"{opcode}_volatile" if volatile else opcode


def load_scalar(
    code: Code, kind: Type, pointer: Scalar, alignment: int, volatile: bool = False
) -> Scalar:
    load = row_of("load", volatile)
    if kind is I1:
        return code.emit("ne.i8", code.emit("and.i8", code.emit(f"{load}.i8", pointer), 1), 0)
    if alignment >= kind.bytes:
        return code.emit(f"{load}.{kind}", pointer)
    unit, whole = TYPES[f"i{8 * alignment}"], TYPES[f"i{kind.bits}"]
    value: Scalar = 0
    for offset in range(0, kind.bytes, alignment):
        part = code.emit(f"{load}.{unit}", moved(code, pointer, offset))
        part = code.emit(f"zext.{unit}.{whole}", part)
        if offset:
            part = code.emit(f"shl.{whole}", part, 8 * offset)
            value = code.emit(f"or.{whole}", value, part)
        else:
            value = part
    if kind is PTR:
        return from_i64(code, value, PTR)
    return code.emit(f"bits.{whole}.{kind}", value) if kind in (F32, F64) else value


def store_scalar(
    code: Code, kind: Type, pointer: Scalar, value: Scalar, alignment: int, volatile: bool = False
) -> None:
    store = row_of("store", volatile)
    if kind is I1:
        code.emit(f"{store}.i8", pointer, code.emit("zext.i1.i8", value))
        return
    if alignment >= kind.bytes:
        code.emit(f"{store}.{kind}", pointer, value)
        return
    unit, whole = TYPES[f"i{8 * alignment}"], TYPES[f"i{kind.bits}"]
    if kind is PTR:
        value = as_i64(code, value, PTR, False)
    elif kind.is_float:
        value = code.emit(f"bits.{kind}.{whole}", value)
    for offset in range(0, kind.bytes, alignment):
        part = code.emit(f"shr_u.{whole}", value, 8 * offset) if offset else value
        part = code.emit(f"trunc.{whole}.{unit}", part)
        code.emit(f"{store}.{unit}", moved(code, pointer, offset), part)


def local_variable(code: Code, statement: Statement) -> Value:
    """alloca: a buffer, or a part of the stack's frame if the function may run several times at
    once."""
    count = code.value(statement.operands[0]) if statement.operands else 1
    if statement.alignment > (STACK_ALIGNMENT if code.stacked else PAGE):
        raise Refused(f"an alignment of {statement.alignment} is not supported",
                      f"at most {STACK_ALIGNMENT if code.stacked else PAGE}")  # fmt: skip
    size = size_of(statement.pointee)
    if isinstance(count, int):
        return code.local(statement.name or "local", count * size, statement.alignment)
    count = as_i64(code, count, statement.operands[0].type, False)
    wanted = code.emit("add.i64", scaled(code, count, size), STACK_ALIGNMENT - 1)
    return push(code, code.emit("and.i64", wanted, -STACK_ALIGNMENT))


def push(code: Code, size: Scalar) -> Scalar:
    """The address of so many bytes more of the stack; too many fault, with a store to address 0."""
    used = code.emit("load.i64", code.emit("address.ptr", code.variables.stack_used()))
    after = code.emit("add.i64", used, size)
    full = code.emit("gt_u.i64", after, STACK_BYTES)
    code.emit("store.i8", 0, 0)
    code.builder.change(code.last, guard=Guard(full))
    code.emit("store.i64", code.emit("address.ptr", code.variables.stack_used()), after)
    return code.emit("add.ptr", code.emit("address.ptr", code.variables.stack()), used)


def enter(code: Code) -> Callable[[], None]:
    """Begin a function whose local variables are on the stack; to be called when all are known."""
    code.base = push(code, 0)
    block = code.builder.current
    size = next(i for i in block.instructions if i.operation.name == "add.i64")
    return lambda: code.builder.change(size, operands=(size.operands[0], code.frame))


def leave(code: Code) -> None:
    """Give the function's part of the stack back."""
    used = code.emit("sub.ptr", code.base, code.emit("address.ptr", code.variables.stack()))
    code.emit("store.i64", code.emit("address.ptr", code.variables.stack_used()), used)


def trap(code: Code) -> None:
    """A fault: nothing stands at address 0."""
    code.emit("load.i8", 0)


def insert(code: Code, statement: Statement) -> Value:
    whole, part = map(code.value, statement.operands)
    return _with(whole, statement.indices, part)


def _with(whole: Value, path: tuple[int, ...], part: Value) -> Value:
    if not path:
        return part
    first, *rest = path
    return (*whole[:first], _with(whole[first], tuple(rest), part), *whole[first + 1 :])


def extract(code: Code, statement: Statement) -> Value:
    value = code.value(statement.operands[0])
    for index in statement.indices:
        value = value[index]
    return value


LOWER = {
    "getelementptr": address, "load": load, "store": store, "alloca": local_variable,
    "insertvalue": insert, "extractvalue": extract,
}  # fmt: skip
