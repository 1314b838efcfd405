"""Conversions: cvt, and cvta between generic addresses and those of a space.

cvt.u32.u16 %r1, %rs1;            ->   cvt.u32.u16 %r1, %rs1
cvt.s16.s8  %rd1, %r1;            ->   cvt.s16.s8 %t, %r1;  cvt.s64.s16 %rd1, %t
cvta.to.global.u64 %rd2, %rd1;    ->   mov.b64 %rd2, %rd1
cvta.shared.u64 %rd2, %rd1;       ->   add.s64 %rd2, %rd1, 0x700000000000
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.frontends.ptx.findings import Refused
from compiler.frontends.ptx.lowering.lower_move import (
    OF_CLUSTER,
    address_of,
    generic_of_cluster,
)
from compiler.frontends.ptx.lowering.lower_plain import emit_row, in_order
from compiler.frontends.ptx.lowering.operands import Context, forbid, take, type_of
from compiler.frontends.ptx.reading.tree import Constant, Name, Operand, Operation
from compiler.frontends.ptx.types import PRED, TYPES, U64, PtxType, variable_type, words
from compiler.ir.module import Value
from machines.operations.row import Operation as Row
from machines.threads.spaces import LOCAL_BASE, SHARED_BASE, WINDOW
from machines.types import I1, I32, I64

FIRST_WITH_CLUSTERS = 90
"""The first target whose blocks may have each other's shared memory."""

_INTEGERS = words("u8 s8 u16 s16 u32 s32 u64 s64")
_NUMBERS = f"{' '.join(_INTEGERS)} f16 bf16 f32 f64"
IN_PAIRS = ("f16x2", "bf16x2", "e4m3x2", "e5m2x2")
_SOURCES = f"{_NUMBERS} f16x2 e4m3x2 e5m2x2"
_TARGETS = f"{_NUMBERS} tf32 {' '.join(IN_PAIRS)}"
BASES = {"global": 0, "const": 0, "shared": SHARED_BASE, "local": LOCAL_BASE, "param": LOCAL_BASE}
"""Where the window of a space begins among generic addresses."""


def cvt(context: Context, operation: Operation) -> None:
    """Convert; integers may stand in wider registers on either side."""
    if "pack" in operation.parts:
        emit_row(context, operation, context.code.row(operation.text), TYPES["s32"])
        return
    source = type_of(operation, -1, _SOURCES)
    target = type_of(operation, -2, _TARGETS)
    row = _row(context, operation, target, source)
    if source.name in IN_PAIRS or target.name in (*IN_PAIRS, "tf32"):
        emit_row(context, operation, row, source)
        return
    d, a = take(operation, 2)
    if "bf16" in (source.name, target.name):
        _check_eight_bits(context, (d, target), (a, source))
    value = _narrow(context, a, source)
    result = context.write(d, target, wider=True)
    if "sat" in operation.parts and source.is_integer and not target.is_integer:
        value = context.code.compute(row, variable_type(target), value)
        row = context.code.row(f"cvt.sat.{target.name}.{target.name}")
    width = context.register(d).type.bits if isinstance(d, Name) and d.text != "_" else target.bits
    if width == target.bits or (width == 32 and target.bits == 8):
        context.code.emit(row, (result,), (value,))
        return
    narrow = context.code.compute(row, variable_type(target), value)
    extend(context, result, width, narrow, 32 if target.bits == 8 else target.bits, target)


def _check_eight_bits(context: Context, *operands: tuple[Operand, PtxType]) -> None:
    """Between bf16 and 8 bits these stand in registers of 8 bits alone, as ptxas has it."""
    for operand, type in operands:
        if type.bits == 8 and isinstance(operand, Name) and context.register(operand).type.bits > 8:
            message = f"'{operand.text}' is wider than the {type} that is converted"
            raise Refused(message, "a register of .b8", at=operand.at, length=len(operand.text))


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


def _row(context: Context, operation: Operation, target: PtxType, source: PtxType) -> Row:
    """The row of a conversion; saturation that cannot happen is none."""
    parts = operation.parts[:-2]
    rows = context.code
    if target is source and not parts and target.name in ("f64", *_INTEGERS):
        name = f"mov.b{max(target.bits, 16)}" if target.bits > 8 else f"cvt.{target.name}.u32"
        return rows.row(name)
    if target.is_integer and source.is_integer and "sat" in parts and _holds(target, source):
        message = f"every {source} is a {target}: '{operation.text}' has nothing to saturate"
        raise Refused(message, "leave out '.sat'")
    name = ".".join(("cvt", *in_order(parts), target.name, source.name))
    return rows.row(operation.text, name, *_same(parts, target, source))


def _same(parts: tuple[str, ...], target: PtxType, source: PtxType) -> Iterator[str]:
    """The row that does the same, where a modifier of a half does nothing or stands for one."""
    kinds = {target.name, source.name}
    dropped: tuple[str, ...] = ()
    if source.is_integer:
        dropped = {"f32": ("sat", "ftz"), "bf16": ()}.get(target.name, ("sat",))  # by `cvt`
    elif target.is_integer:
        dropped = ("sat",) if source.name != "bf16" else ()  # which is always done
    elif source.name == "bf16" and target.name in ("f32", "f64"):
        dropped = ("rn", "rz", "rm", "rp")  # each bf16 is one
    elif source.name == "f16" and target.name == "f32":
        dropped = ("ftz",)  # no f16 is a subnormal f32
    elif kinds == {"f16", "bf16"} and not parts:
        parts = ("rn",)
    left = [part for part in parts if part not in dropped]
    if left != list(parts) or not dropped:
        yield ".".join(("cvt", *in_order(left), target.name, source.name))


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
    if OF_CLUSTER in parts and not to_space and isinstance(value, str):
        narrow = context.code.compute("cvt.u32.u64", I32, value)
        context.code.emit("mov.b64", (result,), (generic_of_cluster(context, narrow),))
    elif base == 0:
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
    if space == "shared" and context.kernel.target >= FIRST_WITH_CLUSTERS:
        is_there = code.compute("setp.eq.s64", I1, window, BASES[space] >> shift)
        if operation.parts[0] != OF_CLUSTER:
            rank = code.compute("getctarank.u64", I32, context.read(a, U64))
            own = code.compute("mov.cluster_ctarank", I32)
            is_own = code.compute("setp.eq.s32", I1, rank, own)
            is_there = code.compute("and.pred", I1, is_there, is_own)
        code.emit("mov.pred", (context.write(p, PRED),), (is_there,))
        return
    result = context.write(p, PRED)
    if space in ("shared", "local"):
        code.emit("setp.eq.s64", (result,), (window, BASES[space] >> shift))
        return
    shared = code.compute("setp.ne.s64", I1, window, SHARED_BASE >> shift)
    local = code.compute("setp.ne.s64", I1, window, LOCAL_BASE >> shift)
    code.emit("and.pred", (result,), (shared, local))


def _bare(space: str) -> str:
    """'shared' of 'shared::cta'."""
    for suffix in ("::cta", "::cluster", "::entry"):
        space = space.removesuffix(suffix)
    return space


HANDLERS = {"cvt": cvt, "cvta": cvta, "isspacep": isspacep}
