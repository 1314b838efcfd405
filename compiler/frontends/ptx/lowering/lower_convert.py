"""Conversions: cvt, and cvta between generic addresses and those of a space.

cvt.u32.u16 %r1, %rs1;            ->   cvt.u32.u16 %r1, %rs1
cvt.s16.s8  %rd1, %r1;            ->   cvt.s16.s8 %t, %r1;  cvt.s64.s16 %rd1, %t
cvta.to.global.u64 %rd2, %rd1;    ->   mov.b64 %rd2, %rd1
cvta.shared.u64 %rd2, %rd1;       ->   add.s64 %rd2, %rd1, 0x700000000000
"""

from __future__ import annotations

from dataclasses import replace

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.lower_move import address_of
from compiler.frontends.ptx.lowering.operands import Context, forbid, take, type_of
from compiler.frontends.ptx.reading.tree import Constant, Name, Operand, Operation
from compiler.frontends.ptx.types import PRED, TYPES, U64, PtxType, variable_type
from compiler.ir.module import Value
from machines.threads.spaces import LOCAL_BASE, SHARED_BASE, WINDOW
from machines.types import F32, I1, I16, I32, I64

_TYPES = "u8 s8 u16 s16 u32 s32 u64 s64 f16 f32 f64"
BASES = {"global": 0, "const": 0, "shared": SHARED_BASE, "local": LOCAL_BASE, "param": LOCAL_BASE}
"""Where the window of a space begins among generic addresses."""


def cvt(context: Context, operation: Operation) -> None:
    """Convert; integers may stand in wider registers on either side."""
    if operation.parts == ("rn", "f16x2", "f32"):
        _two_halves(context, operation)
        return
    if "pack" in operation.parts:
        raise unsupported(f"'{operation.text}' is not supported", "shift and or the parts")
    source = type_of(operation, -1, _TYPES)
    target = type_of(operation, -2, _TYPES)
    d, a = take(operation, 2)
    value = _narrow(context, a, source)
    operation, source, value = _through_f32(context, operation, target, source, value)
    result = context.write(d, target, wider=True)
    width = context.register(d).type.bits if isinstance(d, Name) and d.text != "_" else target.bits
    row = _row(context, operation, target, source)
    if width == target.bits or (width == 32 and target.bits == 8):
        context.code.emit(row, (result,), (value,))
        return
    narrow = context.code.compute(row, variable_type(target), value)
    extend(context, result, width, narrow, 32 if target.bits == 8 else target.bits, target)


def _through_f32(
    context: Context, operation: Operation, target: PtxType, source: PtxType, value: Value
) -> tuple[Operation, PtxType, Value]:
    """The first half of a conversion between f16 and integers that has no row of its own, and the
    second: each f16 is an f32; integers that an f32 rounds are infinite as an f16, or rounded twice
    in one direction, which is once."""
    parts, f32 = operation.parts, TYPES["f32"]
    f16, other = (source, target) if source.name == "f16" else (target, source)
    if f16.name != "f16" or not other.is_integer or len(parts) != 3:
        return operation, source, value
    if operation.text in context.code.rows:
        return operation, source, value
    first = "cvt.f32.f16" if source is f16 else f"cvt.{parts[0]}.f32{source}"
    if first not in context.code.rows:
        return operation, source, value
    wide = context.code.compute(first, F32, value)
    return replace(operation, parts=(parts[0], target.name, f32.name)), f32, wide


def _two_halves(context: Context, operation: Operation) -> None:
    """`cvt.rn.f16x2.f32 d, a, b`: a is the upper half."""
    d, a, b = take(operation, 3)
    halves = [
        context.code.compute("cvt.rn.f16.f32", I16, context.read(x, TYPES["f32"])) for x in (b, a)
    ]
    context.code.emit("mov.pack.b32", (context.write(d, TYPES["f16x2"]),), halves)


def extend(
    context: Context, result: str, width: int, value: Value, bits: int, type: PtxType
) -> None:
    """A value of a type, which a register holds in `bits` bits, in one of `width`."""
    kind = "s" if type.kind == "s" else "u"
    context.code.emit(f"cvt.{kind}{width}.{kind}{bits}", (result,), (value,))


def _narrow(context: Context, operand: Operand, type: PtxType) -> Value:
    """An operand of a type; of a register of 64 bits the low ones."""
    value = context.read(operand, type, wider=True)
    is_register = not isinstance(operand, Constant)
    if is_register and context.register(operand).type.bits == 64 and type.bits < 64:
        return context.code.compute("cvt.u32.u64", I32, value)
    return value


def _row(context: Context, operation: Operation, target: PtxType, source: PtxType) -> str:
    """The row of a conversion; saturation that cannot happen is none."""
    parts = operation.parts[:-2]
    if target is source and target.is_integer and not parts:
        return f"mov.b{max(target.bits, 16)}" if target.bits > 8 else f"cvt.{target.name}.u32"
    if target.is_integer and source.is_integer and "sat" in parts and _holds(target, source):
        message = f"every {source} is a {target}: '{operation.text}' has nothing to saturate"
        raise Refused(message, "leave out '.sat'")
    return context.code.row(operation.text).name


def _holds(target: PtxType, source: PtxType) -> bool:
    """Whether each integer of one type is one of another."""
    if source.kind == "s" and target.kind != "s":
        return False
    return target.bits >= source.bits + (target.kind == "s" and source.kind != "s")


def cvta(context: Context, operation: Operation) -> None:
    """`cvta.space` makes a generic address, `cvta.to.space` one of the space."""
    parts = list(operation.parts[:-1])
    type = type_of(operation, -1, "u64")
    to_space = parts[:1] == ["to"]
    spaces = [_bare(part) for part in parts[to_space:]]
    if len(spaces) != 1 or spaces[0] not in BASES:
        raise Refused(f"'{operation.text}' names no space", f"spaces: {', '.join(BASES)}")
    base = BASES[spaces[0]]
    d, a = take(operation, 2)
    value = address_of(context, a, type)
    result = context.write(d, type)
    if base == 0:
        context.code.emit("mov.b64", (result,), (value,))
    else:
        context.code.emit("add.s64", (result,), (value, -base if to_space else base))


def isspacep(context: Context, operation: Operation) -> None:
    """Whether a generic address lies in a space: windows are told apart by their high bits."""
    if len(operation.parts) != 1:
        raise Refused(f"'{operation.text}' names no space", f"spaces: {', '.join(BASES)}")
    space = _bare(operation.parts[0])
    forbid(operation, (space,), ("global", "shared", "local", "const"))
    p, a = take(operation, 2)
    code = context.code
    shift = WINDOW.bit_length() - 1
    window = code.compute("shr.u64", I64, context.read(a, U64), shift)
    result = context.write(p, PRED)
    if space in ("shared", "local"):
        code.emit("setp.eq.s64", (result,), (window, BASES[space] >> shift))
        return
    shared = code.compute("setp.ne.s64", I1, window, SHARED_BASE >> shift)
    local = code.compute("setp.ne.s64", I1, window, LOCAL_BASE >> shift)
    code.emit("and.pred", (result,), (shared, local))


def _bare(space: str) -> str:
    """'shared' of 'shared::cta'; a cluster is of one block."""
    for suffix in ("::cta", "::cluster", "::entry"):
        space = space.removesuffix(suffix)
    return space


HANDLERS = {"cvt": cvt, "cvta": cvta, "isspacep": isspacep}
