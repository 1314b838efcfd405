"""Loads, stores and atomics.

ld.global.nc.v2.f32 {%f1, %f2}, [%rd1+8];   ->   ld.global.v2.b32 %f1, %f2, %rd1, 8
ld.local.u8 %rs1, [%rd1];                   ->   cvt.u32.u64 %t, %rd1;  ld.local.u8 %rs1, %t, 0
st.shared.f64 [dd], %fd1;                   ->   st.shared.b64 4224, 0, %fd1
ld.param.u32 %r1, [f_param_0+4];            ->   ld.param.b32 %r1, 4    (of a kernel)
                                                 mov.b32 %r1, %param0.2 (of what is inlined)
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.lower_convert import extend
from compiler.frontends.ptx.lowering.lower_move import (
    OF_CLUSTER,
    generic_of_cluster,
    symbol_address,
)
from compiler.frontends.ptx.lowering.operands import Context, forbid, take, type_of
from compiler.frontends.ptx.lowering.parameters import Passed
from compiler.frontends.ptx.lowering.scope import KernelInput, Register, Stored
from compiler.frontends.ptx.reading.access_rules import (
    FETCHED,
    HINT,
    ORDERED,
    PRIORITIES,
    check_access,
    check_atomic,
)
from compiler.frontends.ptx.reading.tree import Address, Name, Operand, Operation, Vector
from compiler.frontends.ptx.types import TYPES, PtxType, variable_type, words
from compiler.ir.module import Value
from machines.types import I32, I64

_TYPES = "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64"
_SPACES = ("global", "shared", "local", "const", "param")
DROPPED = (
    *words("weak volatile relaxed acquire release acq_rel sc mmio cta cluster gpu sys"),
    *words("ca cg cs lu cv wb wt nc unified"),
    *PRIORITIES,
    *FETCHED,
    HINT,
)
"""Modifiers that do not change what an access reads or writes here."""
_VECTORS = {"v2": 2, "v4": 4}
_32_BIT = ("shared", "local")
"""Spaces whose addresses have 32 bits and wrap."""


def load(context: Context, operation: Operation) -> None:
    """`ld`; of 64-bit registers narrow loads are extended afterwards."""
    type, space, elements = shape_of(operation)
    target, address = without_policy(context, operation, 2)
    items = _items(target, elements)
    space, base, offset = address_of(context, operation, address, space)
    if isinstance(base, Passed):
        _load_passed(context, items, base, offset, type)
        return
    direct, later = [], []
    for item in items:
        is_part = isinstance(target, Vector)
        result = context.write(item, type, wider=True, may_sink=is_part)
        register = _type_of(context, item, type)
        if register.bits == 64 and type.bits < 64:
            narrow = context.code.temporary(I32)
            later.append((result, narrow))
            result = narrow
        direct.append(result)
    memory = _memory_type(type, signed=True)
    if isinstance(base, KernelInput):
        _check_inside(base, operation, offset + (elements - 1) * type.bytes, type)
        for k, result in enumerate(direct):
            context.code.emit(f"ld.param.{memory}", (result,), (offset + k * type.bytes,))
    else:
        vector = f".v{elements}" if elements > 1 else ""
        name = f"ld.{space}{vector}.{memory}"
        context.code.emit(name, direct, (base, offset), promises(operation))
    for result, narrow in later:
        extend(context, result, 64, narrow, 32, type)


def _check_inside(base: KernelInput, operation: Operation, offset: int, type: PtxType) -> None:
    end = offset - base.offset + type.bytes
    if not type.bytes <= end <= base.bytes:
        message = f"the parameter has {base.bytes} bytes, '{operation.text}' reads up to {end}"
        raise Refused(message)


def store(context: Context, operation: Operation) -> None:
    """`st`; of wider registers it stores the low bits."""
    type, space, elements = shape_of(operation)
    address, source = without_policy(context, operation, 2)
    items = _items(source, elements)
    space, base, offset = address_of(context, operation, address, space)
    if isinstance(base, KernelInput) or space == "const":
        raise Refused("parameters of a kernel and constants are only read", at=address.at)
    values = [_stored(context, item, type) for item in items]
    if isinstance(base, Passed):
        for k, value in enumerate(values):
            piece = context.piece(base, offset + k * type.bytes, type, address.at)
            context.code.emit(f"mov.{_register_type(type)}", (piece,), (value,))
        return
    vector = f".v{elements}" if elements > 1 else ""
    name = f"st.{space}{vector}.{_memory_type(type, signed=False)}"
    context.code.emit(name, (), (base, offset, *values), promises(operation))


def without_policy(context: Context, operation: Operation, count: int) -> tuple[Operand, ...]:
    """The operands, but for the cache policy behind them if there is one: it changes nothing."""
    if HINT not in operation.parts:
        return take(operation, count)
    *operands, policy = take(operation, count + 1)
    context.read(policy, TYPES["b64"])
    return tuple(operands)


def promises(operation: Operation) -> dict[str, object]:
    """What passes have to know of an access: 'ordered', no other access is moved across it;
    'constant', nothing that the kernel stores changes what it reads."""
    promises = {}
    if set(operation.parts) & set(ORDERED):
        promises["ordered"] = True
    if "nc" in operation.parts:
        promises["constant"] = True
    return promises


def _stored(context: Context, item: Operand, type: PtxType) -> Value:
    value = context.read(item, type, wider=True)
    if isinstance(item, Name) and context.register(item).type.bits == 64 and type.bits < 64:
        return context.code.compute("cvt.u32.u64", I32, value)
    return value


def _load_passed(
    context: Context, items: tuple[Operand, ...], passed: Passed, offset: int, type: PtxType
) -> None:
    for k, item in enumerate(items):
        at = offset + k * type.bytes
        piece = context.piece(passed, at, type, item.at)
        result = context.write(item, type, wider=True)
        register = _type_of(context, item, type)
        if type.bits >= register.bits:
            context.code.emit(f"mov.{_register_type(type)}", (result,), (piece,))
            continue
        bits = type.bits
        if bits == 8:  # what was stored may be wider
            sign, other = ("s", "u") if type.kind == "s" else ("u", "s")
            piece = context.code.compute(f"cvt.{sign}8.{other}8", I32, piece)
            bits = 16 if register.bits == 16 else 32
        if bits == register.bits:
            context.code.emit(f"mov.b{bits}", (result,), (piece,))
        else:
            extend(context, result, register.bits, piece, bits, type)


def _type_of(context: Context, item: Operand, type: PtxType) -> PtxType:
    is_sink = isinstance(item, Name) and item.text == "_"
    return type if is_sink else context.register(item).type


# Atomics

_HALVES = "f16 f16x2 bf16 bf16x2"
_UNSIGNED_SUMS = {"s32": "u32", "s64": "u64", "b32": "u32", "b64": "u64"}
_ATOMIC = {
    "add": f"u32 s32 u64 f32 f64 {_HALVES}",
    "min": f"u32 s32 u64 s64 {_HALVES}",
    "max": f"u32 s32 u64 s64 {_HALVES}",
    "inc": "u32",
    "dec": "u32",
    "and": "b32 b64",
    "or": "b32 b64",
    "xor": "b32 b64",
    "exch": "b32 b64",
    "cas": "b16 b32 b64",
}


def atomic(context: Context, operation: Operation) -> None:
    """`atom` gives what was in memory; `red` does not."""
    name, space, rest = _atomic_name(operation)
    forbid(operation, rest, (*DROPPED, "noftz"))
    type = type_of(operation, -1, _ATOMIC[name])
    has_result = operation.opcode == "atom"
    elements = check_atomic(operation, name, type, space, has_result)
    operands = list(without_policy(context, operation, has_result + 2 + (name == "cas")))
    targets = _items(operands.pop(0), elements) if has_result else (None,) * elements
    space, base, offset = address_of(context, operation, operands[0], space)
    if isinstance(base, (Passed, KernelInput)) or space in ("local", "const"):
        raise Refused("an atomic works on global or shared memory", at=operands[0].at)
    first = [context.read(operand, type) for operand in _items(operands[1], elements)]
    others = [context.read(operand, type) for operand in operands[2:]]
    if name == "add":
        suffix = _UNSIGNED_SUMS.get(type.name, type.name)
    elif name in ("and", "or", "xor", "exch", "cas"):
        suffix = f"b{type.bits}"
    else:
        suffix = type.name
    later = []
    for k, (value, target) in enumerate(zip(first, targets, strict=True)):
        place = base, offset + k * type.bytes
        row = f"red.{space}.{name}.{suffix}"
        unread = target is None or (isinstance(target, Name) and target.text == "_")
        if unread and row in context.code.rows:
            context.code.emit(row, (), (*place, value, *others))
            continue
        result = context.write(target, type) if target else None
        written = result
        if result is None or elements > 1:  # what a later element brings is not written before
            written = context.code.temporary(variable_type(type))
            later += [(result, written)] if result else []
        row = f"atom.{space}.{name}.{suffix}"
        context.code.emit(row, (written,), (*place, value, *others))
    for result, written in later:
        context.code.emit(f"mov.b{type.bits}", (result,), (written,))


def _atomic_name(operation: Operation) -> tuple[str, str, list[str]]:
    """What it does, in which space, and the modifiers that are neither nor the type."""
    *parts, _ = operation.parts or ("",)
    name = next((part for part in parts if part in _ATOMIC), None)
    if name is None:
        raise unsupported(f"'{operation.text}' is not supported")
    spaces = [_bare(part) for part in parts if _bare(part) in _SPACES]
    left_out = (name, *_VECTORS, "v8")
    rest = [part for part in parts if part not in left_out and _bare(part) not in _SPACES]
    return name, spaces[0] if spaces else "generic", rest


# Addresses


def shape_of(operation: Operation) -> tuple[PtxType, str, int]:
    """Type, space and number of elements of an access."""
    type = type_of(operation, -1, _TYPES)
    elements, space = 1, "generic"
    for part in operation.parts[:-1]:
        if part in _VECTORS:
            elements = _VECTORS[part]
        elif _bare(part) in _SPACES:
            space = _bare(part)
        else:
            forbid(operation, (part,), (*DROPPED, *_SPACES, *_VECTORS))
    check_access(operation, space)
    return type, space, elements


def _bare(space: str) -> str:
    for suffix in ("::cta", "::cluster", "::entry", "::func"):
        space = space.removesuffix(suffix)
    return space


def _items(operand: Operand, elements: int) -> tuple[Operand, ...]:
    items = operand.items if isinstance(operand, Vector) else (operand,)
    if len(items) != elements:
        raise Refused(f"{elements} registers are wanted, not {len(items)}", at=operand.at)
    return items


def _memory_type(type: PtxType, signed: bool) -> str:
    """The type that rows name: 'b32' and 'b64' for wide ones, the sign only of narrow loads."""
    if type.bits >= 32:
        return f"b{type.bits}"
    return f"{'s' if type.kind == 's' and signed else 'u'}{type.bits}"


def _register_type(type: PtxType) -> str:
    return f"b{max(type.bits, 32)}"


Base = Value | KernelInput | Passed
_PLAIN = ("ld", "ldu", "st", "atom", "red")
"""Accesses that may be to the shared memory of any block of the cluster."""


def address_of(
    context: Context, operation: Operation, operand: Operand, space: str
) -> tuple[str, Base, int]:
    """The space in the end, the address in it (or the parameter), and the number to add."""
    if isinstance(operand, Name) and operand.index is not None:  # table[3]
        meaning = context.meaning(operand)
        if not isinstance(meaning, Stored):
            raise Refused(f"'{operand.text}' is no array", at=operand.at, length=len(operand.text))
        operand = Address(operand, meaning.added(operand), operand.at)
    if not isinstance(operand, Address):
        raise Refused(f"'{operation.opcode}' takes an address in brackets", at=operand.at)
    if operand.coordinates is not None:
        raise Refused("only copies of boxes of tensors take coordinates", at=operand.at)
    name, offset = operand.base, _wrapped(operand.offset)
    if name is None:
        if space != "local":
            raise Refused("only an address in local memory may be a number", at=operand.at)
        return space, offset, 0
    meaning = context.meaning(name)
    if isinstance(meaning, Register):
        if space == "param":
            space = "local"  # the parameter's address was taken: a copy of it is there
        if space == "shared" and OF_CLUSTER in operation.parts and operation.opcode in _PLAIN:
            narrow = _register_base(context, name, meaning, space)
            return "generic", generic_of_cluster(context, narrow), offset
        return space, _register_base(context, name, meaning, space), offset
    if isinstance(meaning, Stored):
        return _variable_address(context, name, meaning, space, offset)
    if space != "param":
        raise Refused(f"'{name.text}' is a parameter", "use ld.param", at=name.at)
    if meaning.copy is not None and not isinstance(meaning, KernelInput):
        return "local", meaning.copy, offset
    if isinstance(meaning, KernelInput):
        offset += meaning.offset
    return space, meaning, offset


def _variable_address(
    context: Context, name: Name, meaning: Stored, space: str, offset: int
) -> tuple[str, Value, int]:
    if space not in (meaning.space, "generic") or (
        space == "generic" and meaning.space not in ("global", "const")
    ):
        hint = f"use .{meaning.space}"
        raise Refused(f"'{name.text}' is in {meaning.space} memory", hint, at=name.at)
    if meaning.base is not None:
        return space, meaning.base, meaning.offset + offset
    if meaning.space in _32_BIT:
        return space, meaning.offset, offset
    return space, symbol_address(context, meaning, name), offset


def _register_base(context: Context, name: Name, register: Register, space: str) -> Value:
    """A register as the address of a space, narrowed or widened to what the space has."""
    _check_holds_address(name, register)
    bits = register.type.bits
    if space in _32_BIT and bits == 64:
        return context.narrow_address(register.variable)
    if space not in _32_BIT and bits == 32:
        return context.code.compute("cvt.u64.u32", I64, register.variable)
    return register.variable


def _check_holds_address(name: Name, register: Register) -> None:
    if register.type.bits not in (32, 64) or register.type.kind == "f":
        message = f"'{name.text}' is a {register.type} register, which holds no address"
        raise Refused(message, at=name.at, length=len(name.text))


def check_address(context: Context, operation: Operation, operand: Operand) -> None:
    """Refuse what is not the address of something, for an instruction that accesses nothing."""
    if not isinstance(operand, Address):
        raise Refused(f"'{operation.opcode}' takes an address in brackets", at=operand.at)
    meaning = context.meaning(operand.base) if operand.base is not None else None
    if isinstance(meaning, Register):
        _check_holds_address(operand.base, meaning)


def _wrapped(offset: int) -> int:
    """As a signed number of 32 bits, if the address has no more."""
    return offset - (1 << 32) if 1 << 31 <= offset < 1 << 32 else offset


HANDLERS = {
    "ld": load,
    "ldu": load,
    "st": store,
    "atom": atomic,
    "red": atomic,
}
