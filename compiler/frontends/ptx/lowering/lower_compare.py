"""Comparisons: setp with one or two results, combined with a predicate; set.

setp.lt.and.s32 %p1|%p2, %r1, 5, !%p3;   ->   setp.lt.s32 %t, %r1, 5
                                              not.pred %t.2, %p3
                                              not.pred %t.3, %t
                                              and.pred %p1, %t, %t.2
                                              and.pred %p2, %t.3, %t.2
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused
from compiler.frontends.ptx.lowering.operands import Context, take, type_of
from compiler.frontends.ptx.reading.tree import Operand, Operation, Pair
from compiler.frontends.ptx.types import PRED, TYPES, PtxType, row_type
from compiler.ir.module import Value
from machines.diagnostics import nearest
from machines.types import I1, I32

_COMPARED = "b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 f32 f64 f16x2 bf16 bf16x2"
PAIRS = ("f16x2", "bf16x2")
_RESULTS = {
    "f16": "u16 s16 f16 u32 s32 bf16", "bf16": "u16 s16 u32 s32 bf16", "f16x2": "f16x2 u32 s32",
    "bf16x2": "bf16x2 u32 s32",
}  # fmt: skip
"""What `set` gives of comparisons of halves."""
_ONES = {"f16": 0x3C00, "f16x2": 0x3C00, "bf16": 0x3F80, "bf16x2": 0x3F80, "f32": 0x3F80_0000}
"""1.0 in the types of floats that it gives."""
_COMBINATIONS = ("and", "or", "xor")
_UNSIGNED_NAMES = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
_ORDERED = ("eq", "ne", "lt", "le", "gt", "ge")
_FLOATING = ("equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")


def setp(context: Context, operation: Operation) -> None:
    """Compare; `p|q` gets the result and its complement, each combined with the last operand.  Of
    pairs it gets the results of the lower and of the upper halves."""
    type = type_of(operation, -1, _COMPARED)
    row, combination = _row(operation, operation.parts[:-1], type)
    target, a, b, *rest = take(operation, 4 if combination else 3)
    if isinstance(target, Pair) and type.name in ("f16", "bf16"):
        hint = "two comparisons, or not.pred"
        raise Refused(f"setp of {type} has one result", hint, at=target.at)
    p, q = _targets(context, target)
    values = context.read(a, type), context.read(b, type)
    code = context.code
    if type.name in PAIRS:
        found = [code.temporary(I1), code.temporary(I1)]
        if combination is None:
            found = [p, q or found[1]]
    else:
        found = [p if combination is None and q is None else code.temporary(I1)]
    code.emit(row, found, values)
    if found[0] == p:
        return
    other = context.predicate(rest[0]) if rest else None
    if q is None:
        code.emit(f"{combination}.pred", (p,), (found[0], other))
        return
    # Both are computed before the first is written, which may be an operand.
    second = found[1] if type.name in PAIRS else code.compute("not.pred", I1, found[0])
    opposite = _combined(context, combination, second, other)
    code.emit("mov.pred", (p,), (_combined(context, combination, found[0], other),))
    code.emit("mov.pred", (q,), (opposite,))


def _combined(context: Context, combination: str | None, value: str, other: Value) -> str:
    if combination is None:
        return value
    return context.code.compute(f"{combination}.pred", I1, value, other)


def set_(context: Context, operation: Operation) -> None:
    """`set.lt.u32.f32 d, a, b`: all ones (or 1.0) where the comparison holds, else 0."""
    type = type_of(operation, -1, _COMPARED)
    result = type_of(operation, -2, _RESULTS.get(type.name, "u32 s32 f32 f16 bf16"))
    row, combination = _row(operation, operation.parts[:-2], type)
    if result.name == "bf16" and "ftz" in operation.parts:
        raise Refused(f"'set' that gives {result} has no '.ftz'")
    d, a, b, *rest = take(operation, 4 if combination else 3)
    code = context.code
    found = [code.temporary(I1) for _ in range(2 if type.name in PAIRS else 1)]
    code.emit(row, found, (context.read(a, type), context.read(b, type)))
    if combination is not None:
        other = context.predicate(rest[0])
        found = [code.compute(f"{combination}.pred", I1, one, other) for one in found]
    true = _ONES.get(result.name, -1)
    if type.name not in PAIRS:
        code.emit(f"selp.b{result.bits}", (context.write(d, result),), (true, 0, found[0]))
        return
    halves = [
        code.compute("selp.b32", I32, (true & 0xFFFF) << shift, 0, one)
        for one, shift in zip(found, (0, 16), strict=True)
    ]
    code.emit("or.b32", (context.write(d, result),), halves)


def _targets(context: Context, target: Operand) -> tuple[str, str | None]:
    if isinstance(target, Pair):
        return context.write(target.first, PRED), context.write(target.second, PRED)
    return context.write(target, PRED), None


def _row(operation: Operation, parts: tuple[str, ...], type: PtxType) -> tuple[str, str | None]:
    """The row that compares, and how its result is combined with a predicate, if it is."""
    if not parts:
        raise Refused(f"'{operation.text}' does not say how it compares", ", ".join(_ORDERED))
    comparison, *modifiers = parts
    combination = next((part for part in modifiers if part in _COMBINATIONS), None)
    ftz = [part for part in modifiers if part == "ftz"]
    of_kind = {"f": _FLOATING, "u": tuple(_UNSIGNED_NAMES)}
    known = (*_ORDERED, *of_kind.get(type.kind, ()))
    if comparison not in known or (type.kind == "b" and comparison not in ("eq", "ne")):
        hint = nearest(comparison, ("eq", "ne") if type.kind == "b" else known)
        raise Refused(f"there is no comparison '.{comparison}' of '{type}'", hint)
    for part in modifiers:
        if part not in (combination, "ftz") or (part == "ftz" and type.kind != "f"):
            raise Refused(f"'.{part}' of '{operation.text}' is not known", ", ".join(_COMBINATIONS))
    comparison = _UNSIGNED_NAMES.get(comparison, comparison) if type.kind != "f" else comparison
    name = type.name if type.kind == "f" else _integer_type(comparison, type)
    return ".".join(("setp", comparison, *ftz, name)), combination


def _integer_type(comparison: str, type: PtxType) -> str:
    return row_type(TYPES[type.name]) if comparison in ("eq", "ne") else type.name


HANDLERS = {"setp": setp, "set": set_}
