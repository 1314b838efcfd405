"""Addresses, loads, stores, local variables, and the parts of aggregates.

    %p = getelementptr %struct.s, ptr %x, i64 %i, i32 1   ->   x + 16 * i + 8
    %v = load i32, ptr %p, align 2                        ->   two loads of i16, shifted together

Our machines fault at an access that is not aligned, so one that LLVM does not promise to be is made
of smaller ones.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.frontends.llvm.code import (
    STACK_ALIGNMENT,
    STACK_BYTES,
    Code,
    Scalar,
    Value,
    as_i64,
    each_at,
    from_i64,
    scalar,
    scalars,
)
from compiler.frontends.llvm.instructions import Refused
from compiler.frontends.llvm.tree import Statement
from compiler.frontends.llvm.types import Array, Structure, leaves_of, offset_of, size_of
from compiler.ir.module import Guard
from machines.layout import GRANULE
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
        index, size = as_i64(code, index, scalar(operand.type), True), size_of(kind)
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
    pointer = code.value(statement.operands[0])

    def part(leaf: Type, offset: int) -> Scalar:
        leaf_address, alignment = moved(code, pointer, offset), _alignment_at(statement, offset)
        return load_scalar(code, leaf, leaf_address, alignment, statement.volatile)

    return each_at(statement.pointee, 0, part)


def store(code: Code, statement: Statement) -> None:
    value, pointer = map(code.value, statement.operands)
    leaves = leaves_of(statement.pointee)
    for (leaf, offset), part in zip(leaves, scalars(value), strict=True):
        leaf_address, alignment = moved(code, pointer, offset), _alignment_at(statement, offset)
        store_scalar(code, leaf, leaf_address, part, alignment, statement.volatile)


def _alignment_at(statement: Statement, offset: int) -> int:
    """The alignment of a part of what is accessed: the lowest bit of its address that may be 1."""
    known = statement.alignment | offset
    return known & -known


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
    if statement.alignment > (STACK_ALIGNMENT if code.stacked else GRANULE):
        raise Refused(f"an alignment of {statement.alignment} is not supported",
                      f"at most {STACK_ALIGNMENT if code.stacked else GRANULE}")  # fmt: skip
    size = size_of(statement.pointee)
    if isinstance(count, int):
        return code.local(statement.name or "local", count * size)
    count = as_i64(code, count, scalar(statement.operands[0].type), False)
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
