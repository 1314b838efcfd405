"""Instructions that are one row of the same name, or of the name that rows have for the same bits.

add.u32 %r1, %r2, 1;       ->   add.s32 %r1, %r2, 1
add.f32 %f1, %f2, %f3;     ->   add.rn.f32 %f1, %f2, %f3
setp.eq.b32 … in lower_compare.py, everything with memory in lower_memory.py
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from compiler.frontends.ptx.findings import Refused
from compiler.frontends.ptx.lowering.operands import Context, take, type_of
from compiler.frontends.ptx.reading.tree import Operation
from compiler.frontends.ptx.types import OF_INSTRUCTIONS, TYPES, PtxType, row_type, words
from machines.instructions import operations
from machines.operations.row import Immediate
from machines.operations.row import Operation as Row
from machines.types import I64

_ALL = "u16 s16 u32 s32 u64 s64"
_BITS = "b16 b32 b64"
_ALSO = {
    "add": "u16", "sub": "u16", "mad": "f32 f64", "shr": _BITS, "selp": f"{_ALL} f32 f64",
}  # fmt: skip
"""Types that an instruction may have besides those of its rows: rows of other types do the same."""
_ROUNDED = ("add", "sub", "mul")
_ROUNDINGS = ("rn", "rz", "rm", "rp")
_ORDER = words("approx rn rz rm rp rna rni rzi rmi rpi oob ftz NaN xorsign abs relu satfinite sat")
"""Modifiers in the order in which rows name them; ptxas takes them in any."""


@cache
def types_of() -> dict[str, str]:
    """The types, each the last of its modifiers, that instructions of one row may have: what rows
    are there for, in which threads neither access memory nor meet nor jump."""
    found: dict[str, set[str]] = {}
    for name, row in operations().family("ptx").items():
        opcode, *parts = name.split(".")
        together = row.control or row.accesses or row.is_convergent or row.orders_memory
        if "machine_code" in row.flags:
            continue
        if parts and parts[-1] in OF_INSTRUCTIONS and not together:
            found.setdefault(opcode, set(_ALSO.get(opcode, "").split())).add(parts[-1])
    every = OF_INSTRUCTIONS
    return {opcode: " ".join(t for t in every if t in types) for opcode, types in found.items()}


def plain(context: Context, operation: Operation) -> None:
    """Lower an instruction whose operands are those of one row, in order."""
    type = type_of(operation, -1, types_of()[operation.opcode])
    row = context.code.row(operation.text, _canonical(operation, type))
    is_open = _leaves_rounding_open(operation.opcode, operation.parts, type)
    emit_row(context, operation, row, type, {"contractible": True} if is_open else None)


def emit_row(
    context: Context,
    operation: Operation,
    row: Row,
    type: PtxType,
    attributes: dict[str, object] | None = None,
) -> None:
    """Emit a row with the operands of an instruction of a type."""
    given = take(operation, len(row.operands))
    results, values = [], []
    for operand, declared in zip(given, row.operands, strict=True):
        if isinstance(declared.kind, Immediate):
            value = getattr(operand, "value", None)
            if not isinstance(value, int):
                raise Refused(f"'{declared.name}' of '{operation.text}' is a number", at=operand.at)
            values.append(value)
            continue
        wanted = _wanted(declared.kind.type, type)
        if declared.is_written:
            results.append(context.write(operand, wanted, may_sink=False))
        elif wanted.kind == "p":
            values.append(context.predicate(operand))
        else:
            values.append(context.read(operand, wanted))
    context.code.emit(row, results, values, attributes)


def _wanted(lane: str, type: PtxType) -> PtxType:
    """What PTX says of an operand that a row reads as `lane`: rows name one type for many."""
    declared = TYPES[lane]
    same = declared.bits == type.bits and declared.kind != "p"
    return type if same else declared


def _canonical(operation: Operation, type: PtxType) -> str:
    """The name of the row that does the same."""
    opcode, *parts = operation.opcode, *operation.parts[:-1]
    last = type.name
    if opcode in ("add", "sub", "neg", "abs") or (opcode in ("mul", "mad") and "lo" in parts):
        last = row_type(type) if type.is_integer else last
    elif opcode == "shr" and type.kind == "b":
        last = f"u{type.bits}"
    elif opcode == "selp":
        last = f"b{type.bits}"
    if opcode == "mad" and type.kind == "f":
        opcode = "fma"
    if _leaves_rounding_open(opcode, parts, type):
        parts.insert(0, "rn")
    return ".".join((opcode, *in_order(parts), last))


def _leaves_rounding_open(opcode: str, parts: Iterable[str], type: PtxType) -> bool:
    """Whether an instruction rounds to nearest only because nothing else is said: it may then be
    rounded together with another (`contract_products` of the SIMT target)."""
    return opcode in _ROUNDED and type.kind == "f" and not set(parts) & set(_ROUNDINGS)


def in_order(parts: Iterable[str]) -> list[str]:
    """Modifiers as rows name them; those that are not of floats first, as they stand."""
    return sorted(parts, key=lambda part: _ORDER.index(part) if part in _ORDER else -1)


def slct(context: Context, operation: Operation) -> None:
    """`slct.f32.s32 d, a, b, c`: the row's type is that of the bits of a and b."""
    types = f"{_ALL} {_BITS} f32 f64"
    type = type_of(operation, -2, types)
    control = type_of(operation, -1, "s32 f32")
    modifiers = operation.parts[:-2]
    name = ".".join(("slct", *modifiers, f"b{type.bits}", control.name))
    d, a, b, c = take(operation, 4)
    values = context.read(a, type), context.read(b, type), context.read(c, control)
    context.code.emit(context.code.row(name), (context.write(d, type),), values)


def prmt(context: Context, operation: Operation) -> None:
    """`prmt.b32{.mode}`: the type stands before the mode."""
    if operation.parts[:1] != ("b32",):
        raise Refused(f"'{operation.text}' is no form of prmt", "prmt.b32 or prmt.b32.f4e")
    emit_row(context, operation, context.code.row(operation.text), TYPES["b32"])


def absolute_differences(context: Context, operation: Operation) -> None:
    """`vabsdiff4.u32.u32.u32{.sat .add}`: the types stand before the rest."""
    types = [part for part in operation.parts if part in TYPES]
    others = [part for part in operation.parts if part not in TYPES]
    row = context.code.row(".".join((operation.opcode, *types, *others)))
    emit_row(context, operation, row, TYPES["b32"])


def saturated_add(context: Context, operation: Operation) -> None:
    """`add.sat.s32`: what a sum of 64 bits clamps to."""
    type = type_of(operation, -1, "s32")
    code = context.code
    d, a, b = take(operation, 3)
    wide = [code.compute("cvt.s64.s32", I64, context.read(x, type)) for x in (a, b)]
    whole = code.compute(f"{operation.opcode}.s64", I64, *wide)
    code.emit("cvt.sat.s32.s64", (context.write(d, type),), (whole,))


def sum_or_difference(context: Context, operation: Operation) -> None:
    """add and sub: with carry, saturated, or plain."""
    if operation.parts[:1] == ("cc",):
        carry_chain(context, operation)
    elif operation.parts == ("sat", "s32"):
        saturated_add(context, operation)
    else:
        plain(context, operation)


def multiply_add(context: Context, operation: Operation) -> None:
    """mad: with carry out, or plain."""
    if "cc" in operation.parts:
        carry_chain(context, operation)
    else:
        plain(context, operation)


def carry_chain(context: Context, operation: Operation) -> None:
    """add.cc, addc, sub.cc, subc, mad.cc, madc: the carry flag is a predicate of the kernel."""
    type = type_of(operation, -1, "u32 s32 u64 s64")
    kind = type.kind if "hi" in operation.parts else "u"
    name = ".".join((operation.opcode, *operation.parts[:-1], f"{kind}{type.bits}"))
    row = context.code.row(name)
    carry = context.carry()
    d, *rest = take(operation, 1 + sum(o.name in "abc" for o in row.reads))
    values = [context.read(operand, type) for operand in rest]
    if len(row.reads) > len(values):
        values.append(carry)
    results = [context.write(d, type)]
    if len(row.writes) > 1:
        results.append(carry)
    context.code.emit(row, results, values)


HANDLERS = dict.fromkeys(types_of(), plain) | {
    "add": sum_or_difference,
    "sub": sum_or_difference,
    "mad": multiply_add,
    "addc": carry_chain,
    "subc": carry_chain,
    "madc": carry_chain,
    "slct": slct,
    "prmt": prmt,
    "vabsdiff2": absolute_differences,
    "vabsdiff4": absolute_differences,
}
"""Opcode -> what lowers it."""
