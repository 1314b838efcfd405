"""LLVM's functions of the bits of an integer.

    call i32 @llvm.ctpop.i32(i32 %a)              ->   the bits counted in pairs, fours, bytes
    call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 5) ->   or.i32 (shl.i32 a, 5), (shr_u.i32 b, 27)

Source for counting and reversing: Henry S. Warren, *Hacker's Delight*, 2nd edition, 2012, chapters
5 and 7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compiler.frontends.llvm.lowering.code import Code, Scalar, Value, scalar
from compiler.frontends.llvm.lowering.widths import as_i64, from_i64
from compiler.frontends.llvm.reading.tree import Statement
from compiler.frontends.llvm.reading.types import Integer
from machines.types import I64, Type

Lower = Callable[[Code, Statement], Value | None]


def known(callee: str, functions: Mapping[str, Lower]) -> Lower | None:
    """What is done for `llvm.ctpop.i32`: that of the longest name which is its beginning."""
    parts = callee.split(".")
    names = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((functions[name] for name in names if name in functions), None)


def _on_i64(compute: Callable[[Code, Scalar, Type | Integer], Scalar]) -> Lower:
    """A function of the bits of an integer, which `compute` gets as an i64, zero-extended."""

    def lower(code: Code, statement: Statement) -> Value:
        kind = statement.type
        wide = as_i64(code, code.value(statement.operands[0]), kind, False)
        return from_i64(code, compute(code, wide, kind), kind)

    return lower


_PAIRS, _FOURS, _EIGHTS = 0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0F0F_0F0F_0F0F_0F0F
_ONES = 0x0101_0101_0101_0101


def ones(code: Code, x: Scalar, kind: Type | Integer) -> Scalar:
    def emit(name, *operands):
        return code.emit(f"{name}.i64", *operands)

    x = emit("sub", x, emit("and", emit("shr_u", x, 1), _PAIRS))
    x = emit("add", emit("and", x, _FOURS), emit("and", emit("shr_u", x, 2), _FOURS))
    x = emit("and", emit("add", x, emit("shr_u", x, 4)), _EIGHTS)
    return emit("shr_u", emit("mul", x, _ONES), 56)


def leading_zeros(code: Code, x: Scalar, kind: Type | Integer) -> Scalar:
    shift = 1
    while shift < kind.bits:
        x = code.emit("or.i64", x, code.emit("shr_u.i64", x, shift))
        shift *= 2
    return code.emit("sub.i64", kind.bits, ones(code, x, kind))


def trailing_zeros(code: Code, x: Scalar, kind: Type | Integer) -> Scalar:
    if kind.bits < 64:
        x = code.emit("or.i64", x, 1 << kind.bits)
    below = code.emit("and.i64", code.emit("not.i64", x), code.emit("sub.i64", x, 1))
    return ones(code, below, kind)


def reverse_bytes(code: Code, x: Scalar, kind: Type | Integer) -> Scalar:
    result: Scalar = 0
    for offset in range(0, kind.bits, 8):
        byte = code.emit("and.i64", code.emit("shr_u.i64", x, offset), 0xFF)
        moved_byte = code.emit("shl.i64", byte, kind.bits - 8 - offset)
        result = code.emit("or.i64", result, moved_byte) if offset else moved_byte
    return result


def reverse_bits(code: Code, x: Scalar, kind: Type | Integer) -> Scalar:
    for distance, mask in ((1, _PAIRS), (2, _FOURS), (4, _EIGHTS)):
        upper = code.emit("and.i64", code.emit("shr_u.i64", x, distance), mask)
        lower = code.emit("shl.i64", code.emit("and.i64", x, mask), distance)
        x = code.emit("or.i64", upper, lower)
    if kind.bits % 8 == 0:
        return reverse_bytes(code, x, kind)
    return code.emit("shr_u.i64", reverse_bytes(code, x, I64), 64 - kind.bits)


def _funnel(left: bool) -> Lower:
    """fshl and fshr: two integers side by side, shifted; a shift by the width gives 0 here."""

    def lower(code: Code, statement: Statement) -> Value:
        if isinstance(statement.type, Integer):
            return of_other_width(code, statement)
        kind = scalar(statement.type)
        high, low, count = map(code.value, statement.operands)
        if isinstance(count, int):
            near: Scalar = count & (kind.bits - 1)
            far: Scalar = kind.bits - near
        else:
            near = code.emit(f"and.{kind}", count, kind.bits - 1)
            far = code.emit(f"sub.{kind}", kind.bits, near)
        up, down = (near, far) if left else (far, near)
        return code.emit(
            f"or.{kind}", code.emit(f"shl.{kind}", high, up), code.emit(f"shr_u.{kind}", low, down)
        )

    def of_other_width(code: Code, statement: Statement) -> Value:
        kind = statement.type
        high, low, count = (as_i64(code, code.value(o), kind, False) for o in statement.operands)
        near = count % kind.bits if isinstance(count, int) else (
            code.emit("rem_u.i64", count, kind.bits)
        )  # fmt: skip
        far = kind.bits - near if isinstance(near, int) else code.emit("sub.i64", kind.bits, near)
        up, down = (near, far) if left else (far, near)
        bits = code.emit(
            "or.i64", code.emit("shl.i64", high, up), code.emit("shr_u.i64", low, down)
        )
        return from_i64(code, bits, kind)

    return lower


KNOWN: dict[str, Lower] = {
    "llvm.ctpop": _on_i64(ones),
    "llvm.ctlz": _on_i64(leading_zeros),
    "llvm.cttz": _on_i64(trailing_zeros),
    "llvm.bswap": _on_i64(reverse_bytes),
    "llvm.bitreverse": _on_i64(reverse_bits),
    "llvm.fshl": _funnel(left=True),
    "llvm.fshr": _funnel(left=False),
}
