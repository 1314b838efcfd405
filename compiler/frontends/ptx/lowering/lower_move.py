"""mov: of registers and numbers, of special registers, of addresses, between vectors and scalars.

mov.u32 %r1, %tid.x;            ->   mov.tid.x %r1
mov.u64 %rd1, table+8;          ->   mov.address %t, table;  add.s64 %rd1, %t, 8
mov.u32 %r1, tile;              ->   mov.b32 %r1, 0      (its offset in shared memory)
mov.b64 {%r1, %r2}, %rd1;       ->   mov.unpack.b64 %r1, %r2, %rd1
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.lower_grid import GRID_REGISTERS, grid_register
from compiler.frontends.ptx.lowering.operands import Context, take, type_of
from compiler.frontends.ptx.lowering.parameters import Passed
from compiler.frontends.ptx.lowering.scope import KernelInput, Register, Stored
from compiler.frontends.ptx.reading.tree import Constant, Name, Operand, Operation, Vector
from compiler.frontends.ptx.types import PRED, TYPES, PtxType, variable_type, words
from compiler.ir.module import Value
from machines.diagnostics import nearest
from machines.threads.spaces import SHARED_BASE
from machines.types import I32, I64

_TYPES = "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64 pred"


def mov(context: Context, operation: Operation) -> None:
    """Move; what is moved says how."""
    type = type_of(operation, -1, _TYPES)
    if len(operation.parts) != 1:
        raise Refused(f"'{operation.text}' is no form of mov", "mov.b32 d, a")
    d, a = take(operation, 2)
    if isinstance(d, Vector):
        _unpack(context, d, a, type)
    elif isinstance(a, Vector):
        _pack(context, d, a, type)
    elif isinstance(a, Name) and context.scope.find(a) is None and a.text[0] == "%":
        _special(context, d, a, type)
    elif isinstance(a, Name) and a.text == "WARP_SZ" and context.scope.find(a) is None:
        _copy(context, d, context.kernel.warp_width, type)
    elif isinstance(a, Name) and not isinstance(context.meaning(a), Register):
        value = address_of(context, a, type)
        if type.bits == 32 and isinstance(value, str):
            value = context.code.compute("cvt.u32.u64", I32, value)
        _copy(context, d, value, type)
    else:
        value = context.predicate(a) if type.kind == "p" else context.read(a, type)
        _copy(context, d, value, type)


def _copy(context: Context, d: Operand, value: Value, type: PtxType) -> None:
    name = "pred" if type.kind == "p" else f"b{type.bits}"
    context.code.emit(f"mov.{name}", (context.write(d, type),), (value,))


# Addresses


def address_of(context: Context, operand: Operand, type: PtxType) -> Value:
    """The address that a symbol stands for in its space, or what a register holds."""
    if isinstance(operand, Constant):
        return context.read(operand, type)
    if not isinstance(operand, Name):
        raise Refused("expected a register or a symbol", at=operand.at)
    meaning = context.meaning(operand)
    if isinstance(meaning, Register):
        return context.read(operand, type)
    if operand.index is not None and not isinstance(meaning, Stored):
        raise Refused(f"'{operand.text}' is no array", at=operand.at, length=len(operand.text))
    if type.bits < 32 or type.kind == "f":
        raise Refused(f"'{operand.text}' is an address, which is no {type}", at=operand.at)
    if isinstance(meaning, Stored) and meaning.base is not None:
        offset = meaning.offset + meaning.added(operand)
        narrow = context.code.compute("add.s32", I32, meaning.base, offset)
        return context.code.compute("cvt.u64.u32", I64, narrow)
    if isinstance(meaning, Stored) and meaning.space in ("shared", "local", "code"):
        return meaning.offset + meaning.added(operand)
    if isinstance(meaning, Stored):
        found = symbol_address(context, meaning, operand)
        added = meaning.added(operand)
        return context.code.compute("add.s64", I64, found, added) if added else found
    if isinstance(meaning, (KernelInput, Passed)) and meaning.copy is not None:
        return meaning.copy + operand.addend
    raise unsupported(f"the address of parameter '{operand.text}' is not supported", at=operand.at)


def symbol_address(context: Context, meaning: Stored, name: Name) -> str:
    """The address of a variable in global or constant memory."""
    context.check_buffer(name)
    return context.code.compute("mov.address", I64, meaning.name)


OF_CLUSTER = "shared::cluster"


def generic_of_cluster(context: Context, offset: Value) -> str:
    """The generic address of a place in shared memory of the cluster (32 bits).  It is put together
    so that no pass takes it for one in the block's own shared memory."""
    return context.code.compute("mov.pack.b64", I64, offset, SHARED_BASE >> 32)


# Special registers


def _special(context: Context, d: Operand, a: Name, type: PtxType) -> None:
    """A special register; a 16-bit one of old PTX is the low half."""
    name, _, axis = a.text[1:].partition(".")
    if name in _THE_SAME and not axis:
        a = Name(f"%{_THE_SAME[name]}", a.at)
    if name in GRID_REGISTERS and not axis:
        _copy(context, d, grid_register(context, name), type)
        return
    row = context.code.rows.get(f"mov.{a.text[1:]}")
    if row is None or len(row.operands) != 1:
        known = [f"%{name[4:]}" for name, one in context.code.rows.items() if _is_special(one)]
        if _NUMBER.sub("", a.text[1:].split(".")[0]) in _OTHER_SPECIAL:
            raise unsupported(f"the special register '{a.text}' is not supported", at=a.at)
        if context.scope.undeclared(a).hint and a.text[-1].isdigit():
            raise context.scope.undeclared(a)
        hint = nearest(a.text, known)
        raise Refused(f"there is no register '{a.text}'", hint, at=a.at, length=len(a.text))
    kind = row.writes[0].kind.type
    if (kind == "pred") != (type is PRED):
        what = "is a predicate" if kind == "pred" else f"has {kind[1:]} bits"
        raise Refused(f"'{a.text}' {what}, mov{type} moves another type", at=a.at)
    bits = 1 if kind == "pred" else int(kind[1:])
    if bits == 64 != type.bits or (type.bits == 64 and bits == 32) or type.kind not in "ubsp":
        raise Refused(f"'{a.text}' has {bits} bits, mov{type} moves {type.bits}", at=a.at)
    context.code.emit(row, (context.write(d, type),))


def _is_special(row) -> bool:
    return row.name.startswith("mov.") and len(row.operands) == 1


_THE_SAME = {"aggr_smem_size": "total_smem_size"}
"""Special registers that hold what others do: no shared memory is reserved."""
_OTHER_SPECIAL = words(
    "envreg pm current_graph_exec reserved_smem_offset "
    "reserved_smem_offset_begin reserved_smem_offset_end reserved_smem_offset_cap"
)
_NUMBER = re.compile(r"(_?\d+)+$")


# Vectors


def _unpack(context: Context, d: Vector, a: Operand, type: PtxType) -> None:
    """A scalar into the registers of a vector, the lowest bits first."""
    part = _part(d, type)
    value = context.read(a, type)
    results = [context.write(item, part) for item in d.items]
    unpack(context, results, value, type.bits)


def _pack(context: Context, d: Operand, a: Vector, type: PtxType) -> None:
    """The registers of a vector into a scalar."""
    part = _part(a, type)
    values = [context.read(item, part) for item in a.items]
    pack(context, context.write(d, type), values, type.bits)


def _part(vector: Vector, type: PtxType) -> PtxType:
    count = len(vector.items)
    if type.kind in "us":
        hint = f"mov.b{type.bits}"
        raise Refused(f"a vector is moved as bits, not as {type}", hint, at=vector.at)
    if type.kind == "p" or (type.bits, count) not in ((16, 2), (32, 2), (32, 4), (64, 2), (64, 4)):
        raise unsupported(f"a {type} of {count} parts is not supported", at=vector.at)
    return TYPES[f"b{type.bits // count}"]


def unpack(context: Context, results: Sequence[str], value: Value, bits: int) -> None:
    """`mov.unpack`: by halves."""
    code = context.code
    if len(results) == 2:
        code.emit(f"mov.unpack.b{bits}", results, (value,))
        return
    halves = [code.temporary(variable_type(TYPES[f"b{bits // 2}"])) for _ in range(2)]
    code.emit(f"mov.unpack.b{bits}", halves, (value,))
    for k, half in enumerate(halves):
        unpack(context, results[2 * k : 2 * k + 2], half, bits // 2)


def pack(context: Context, result: str, values: Sequence[Value], bits: int) -> None:
    """`mov.pack`: by halves."""
    code = context.code
    if len(values) == 4:
        kind = variable_type(TYPES[f"b{bits // 2}"])
        low, high = (code.temporary(kind) for _ in range(2))
        pack(context, low, values[:2], bits // 2)
        pack(context, high, values[2:], bits // 2)
        values = (low, high)
    code.emit(f"mov.pack.b{bits}", (result,), values)


HANDLERS = {"mov": mov}
