"""memcpy, memmove and memset as loads and stores: a few in a row, or a loop.

    memcpy(d, s, n)   ->   for (i = 0; i != n; i += 1) d[i] = s[i];

The unit is the widest that the alignments promise and that divides a constant length.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from compiler.frontends.llvm.lowering.code import Code, Scalar
from compiler.frontends.llvm.lowering.lower_memory import moved, row_of
from compiler.frontends.llvm.lowering.widths import as_i64
from compiler.frontends.llvm.reading.tree import Operand, Statement
from machines.types import TYPES, Type

IN_A_ROW = 8
"""Most units that are moved without a loop."""


def copy(code: Code, statement: Statement) -> Scalar:
    """memcpy and memmove; the C functions return the destination."""
    return _copy(code, statement, overlapping="memmove" in statement.callee)


def _copy(code: Code, statement: Statement, overlapping: bool) -> Scalar:
    to, source, length = statement.operands[:3]
    volatile = _is_volatile(code, statement)
    load, store = row_of("load", volatile), row_of("store", volatile)
    target, origin, size = (code.value(operand) for operand in (to, source, length))
    size = as_i64(code, size, length.type, False)
    unit = _unit(size, to, source)
    if isinstance(size, int) and size <= IN_A_ROW * unit.bytes:
        offsets = range(0, size, unit.bytes)
        parts = [code.emit(f"{load}.{unit}", moved(code, origin, k)) for k in offsets]
        for offset, part in zip(offsets, parts, strict=True):
            code.emit(f"{store}.{unit}", moved(code, target, offset), part)
        return target

    def move(at: Scalar) -> None:
        part = code.emit(f"{load}.{unit}", moved(code, origin, at))
        code.emit(f"{store}.{unit}", moved(code, target, at), part)

    if not overlapping:
        _loop(code, size, unit, move)
        return target
    after_it = code.emit("gt_u.ptr", target, origin)
    decision = code.builder.current
    down = code.new_block("move.down")
    _loop(code, size, unit, move, downward=True)
    end = code.builder.current
    up = code.new_block("move.up")
    _loop(code, size, unit, move)
    after = code.builder.current
    code.builder.at(end)
    code.builder.jump(after)
    code.builder.at(decision)
    code.builder.branch(after_it, down, up)
    code.builder.at(after)
    return target


def fill(code: Code, statement: Statement) -> Scalar:
    """memset; the C function takes an int and returns the destination."""
    to, byte, length = statement.operands[:3]
    store = row_of("store", _is_volatile(code, statement))
    target, value, size = (code.value(operand) for operand in (to, byte, length))
    size = as_i64(code, size, length.type, False)
    unit = _unit(size, to)
    value = _repeated(code, as_i64(code, value, byte.type, False), unit)
    if isinstance(size, int) and size <= IN_A_ROW * unit.bytes:
        for offset in range(0, size, unit.bytes):
            code.emit(f"{store}.{unit}", moved(code, target, offset), value)
    else:
        _loop(
            code,
            size,
            unit,
            lambda at: code.emit(f"{store}.{unit}", moved(code, target, at), value),
        )
    return target


def _is_volatile(code: Code, statement: Statement) -> bool:
    return len(statement.operands) > 3 and code.value(statement.operands[3]) != 0


def _unit(size: Scalar, *pointers: Operand) -> Type:
    """The widest integer that the alignments allow and that divides the size."""
    known = size if isinstance(size, int) else 1
    return TYPES[f"i{8 * math.gcd(known, 8, *(p.alignment for p in pointers))}"]


def _repeated(code: Code, byte: Scalar, unit: Type) -> Scalar:
    """An integer all of whose bytes are the lowest of an i64."""
    ones = 0x0101_0101_0101_0101 & ((1 << unit.bits) - 1)
    if isinstance(byte, int):
        return (byte & 0xFF) * ones
    wide = code.emit("mul.i64", code.emit("and.i64", byte, 0xFF), ones)
    return code.emit(f"trunc.i64.{unit}", wide) if unit.bits < 64 else wide


def _loop(
    code: Code, size: Scalar, unit: Type, body: Callable[[Scalar], None], downward: bool = False
) -> None:
    """body(offset) for the offsets of all units, ascending or descending; leaves the builder in the
    block after the loop."""
    builder = code.builder
    before = builder.current
    some = size if isinstance(size, int) else code.emit("ne.i64", size, 0)
    loop = code.new_block("move")
    start, end = (size, 0) if downward else (0, size)
    at = code.emit("phi.i64", before.name, start, loop.name, 0)
    phi = loop.instructions[0]
    if downward:
        following = code.emit("sub.i64", at, unit.bytes)
        body(following)
    else:
        body(at)
        following = code.emit("add.i64", at, unit.bytes)
    builder.change(phi, operands=(before.name, start, loop.name, following))
    again = code.emit("ne.i64", following, end)
    after = code.new_block("moved")
    builder.at(loop)
    builder.branch(again, loop, after)
    builder.at(before)
    if isinstance(some, int):
        builder.jump(loop)
    else:
        builder.branch(some, loop, after)
    builder.at(after)
