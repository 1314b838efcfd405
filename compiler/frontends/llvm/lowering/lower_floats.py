"""Rounding to whole numbers, classes of floats, signs, minima: short sequences of operations.

    floor(x)   ->   t = trunc(x);  t > x ? t - 1 : t
    rint(x)    ->   (|x| + 2**52) - 2**52, with the sign of x

Beyond 2**52 (float: 2**23) every number is whole; NaN stays what it is, and -0.0 too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from compiler.frontends.llvm.library import OF_ONE, OF_TWO, of_width
from compiler.frontends.llvm.lowering.code import Code, Scalar, Value, scalar
from compiler.frontends.llvm.lowering.lower_bits import Lower
from compiler.frontends.llvm.lowering.passing import call_library
from compiler.frontends.llvm.lowering.widths import from_i64
from compiler.frontends.llvm.reading.tree import Statement
from compiler.frontends.llvm.reading.types import LlvmType
from machines.types import F32, I32, I64, Type

_WHOLE = {32: 2.0**23, 64: 2.0**52}
"""From here on there are no fractions, by the bits of a float."""

Rounding = Callable[[Code, Scalar, Type], Scalar]


def integer_of(kind: Type) -> Type:
    return I32 if kind is F32 else I64


def with_sign(code: Code, magnitude: Scalar, sign_of: Scalar, kind: Type) -> Scalar:
    """copysign: the bits of one, the sign of the other."""
    whole = integer_of(kind)
    sign = -(1 << (whole.bits - 1))
    a, b = (code.emit(f"bits.{kind}.{whole}", x) for x in (magnitude, sign_of))
    kept, taken = code.emit(f"and.{whole}", a, ~sign), code.emit(f"and.{whole}", b, sign)
    return code.emit(f"bits.{whole}.{kind}", code.emit(f"or.{whole}", kept, taken))


def _truncated(code: Code, x: Scalar, kind: Type) -> Scalar:
    whole = integer_of(kind)
    number = code.emit(f"float_s.{whole}.{kind}", code.emit(f"int_s.{kind}.{whole}", x))
    return _where_fractions_are(code, x, with_sign(code, number, x, kind), kind)


def _where_fractions_are(code: Code, x: Scalar, rounded: Scalar, kind: Type) -> Scalar:
    inside = code.emit(f"lt.{kind}", code.emit(f"abs.{kind}", x), _WHOLE[kind.bits])
    return code.emit(f"select.{kind}", inside, rounded, x)


def _floor(code: Code, x: Scalar, kind: Type) -> Scalar:
    t = _truncated(code, x, kind)
    above = code.emit(f"gt.{kind}", t, x)
    return code.emit(f"select.{kind}", above, code.emit(f"sub.{kind}", t, 1.0), t)


def _ceil(code: Code, x: Scalar, kind: Type) -> Scalar:
    t = _truncated(code, x, kind)
    below = code.emit(f"lt.{kind}", t, x)
    return code.emit(f"select.{kind}", below, code.emit(f"add.{kind}", t, 1.0), t)


def _nearest_even(code: Code, x: Scalar, kind: Type) -> Scalar:
    large = _WHOLE[kind.bits]
    moved = code.emit(f"add.{kind}", code.emit(f"abs.{kind}", x), large)
    back = with_sign(code, code.emit(f"sub.{kind}", moved, large), x, kind)
    return _where_fractions_are(code, x, back, kind)


def _nearest_away(code: Code, x: Scalar, kind: Type) -> Scalar:
    """Halves go away from zero."""
    t = _truncated(code, x, kind)
    rest = code.emit(f"abs.{kind}", code.emit(f"sub.{kind}", x, t))
    further = code.emit(f"add.{kind}", t, with_sign(code, 1.0, x, kind))
    up = code.emit(f"ge.{kind}", rest, 0.5)
    return code.emit(f"select.{kind}", up, further, t)


def _rounding(rounding: Rounding) -> Lower:
    def lower(code: Code, statement: Statement) -> Value:
        kind = scalar(statement.type)
        return rounding(code, code.value(statement.operands[0]), kind)

    return lower


def _to_integer(rounding: Rounding) -> Lower:
    """lrint, lround and their like: rounded, then an integer."""

    def lower(code: Code, statement: Statement) -> Value:
        [operand] = statement.operands
        kind = scalar(operand.type)
        rounded = rounding(code, code.value(operand), kind)
        return from_i64(code, code.emit(f"int_s.{kind}.i64", rounded), statement.type)

    return lower


def _copy_sign(code: Code, statement: Statement) -> Value:
    a, b = map(code.value, statement.operands)
    return with_sign(code, a, b, scalar(statement.type))


def _multiply_add(code: Code, statement: Statement) -> Value:
    """fmuladd, rounded twice: C without a fused multiply-add."""
    kind = scalar(statement.type)
    a, b, c = map(code.value, statement.operands)
    return code.emit(f"add.{kind}", code.emit(f"mul.{kind}", a, b), c)


def _extreme(name: str) -> Lower:
    """minimum and maximum, which give NaN if an operand is."""

    def lower(code: Code, statement: Statement) -> Value:
        kind = scalar(statement.type)
        a, b = map(code.value, statement.operands)
        unordered = code.emit("or.i1", code.emit(f"ne.{kind}", a, a), code.emit(f"ne.{kind}", b, b))
        either, nan = code.emit(f"{name}.{kind}", a, b), code.emit(f"add.{kind}", a, b)
        return code.emit(f"select.{kind}", unordered, nan, either)

    return lower


def _saturated_integer(name: str) -> Lower:
    """fptosi.sat and fptoui.sat, which mean what our conversions do."""

    def lower(code: Code, statement: Statement) -> Value:
        [operand] = statement.operands
        row = f"{name}.{scalar(operand.type)}.{scalar(statement.type)}"
        return code.emit(row, code.value(operand))

    return lower


def _library(name: str) -> Lower:
    """A function of mathematics that is code of the C library."""

    def lower(code: Code, statement: Statement) -> Value:
        kind = statement.type
        return call_library(code, of_width(name, kind is F32), kind, statement.operands)

    return lower


# Classes

_NEGATIVE = (5, 4, 3, 2)
"""Bits of the mask of is.fpclass: zero, subnormal, normal, infinity, of negative numbers."""
_POSITIVE = (6, 7, 8, 9)
_QUIET = 1 << 1


def _class(code: Code, statement: Statement) -> Value:
    """is.fpclass: every class is a range of the bits without the sign.  A NaN is a quiet one."""
    held, mask = map(code.value, statement.operands)
    kind = scalar(statement.operands[0].type)
    whole = integer_of(kind)
    bits = code.emit(f"bits.{kind}.{whole}", held)
    size = code.emit(f"and.{whole}", bits, (1 << (whole.bits - 1)) - 1)
    negative = code.emit(f"lt_s.{whole}", bits, 0)
    found = [
        code.emit("and.i1", sign, code.emit(f"lt_u.{whole}", code.emit(f"sub.{whole}", size, a), n))
        for sign, classes in (
            (negative, _NEGATIVE),
            (code.emit("not.i1", negative), _POSITIVE),
        )
        for a, n in _ranges([mask >> c & 1 for c in classes], kind)
    ]
    if mask & _QUIET:
        found.append(code.emit(f"ne.{kind}", held, held))
    return _any(code, found)


def _ranges(wanted: list[int], kind: LlvmType) -> Iterator[tuple[int, int]]:
    """The first bits, and how many, of runs of classes that are wanted."""
    normal, infinity = (1 << 23, 0xFF << 23) if kind is F32 else (1 << 52, 0x7FF << 52)
    starts = (0, 1, normal, infinity, infinity + 1)
    k = 0
    while k < 4:
        if wanted[k]:
            first = k
            while k < 4 and wanted[k]:
                k += 1
            yield starts[first], starts[k] - starts[first]
        k += 1


def _any(code: Code, conditions: list[Scalar]) -> Scalar:
    total: Scalar = 0
    for number, condition in enumerate(conditions):
        total = code.emit("or.i1", total, condition) if number else condition
    return total


def _both(name: str, lower: Lower) -> dict[str, Lower]:
    """A function of LLVM, and the C functions of double and float."""
    return dict.fromkeys((f"llvm.{name}", name, f"{name}f"), lower)


LOWER: dict[str, Lower] = {"frem": _library("fmod")}
KNOWN: dict[str, Lower] = {
    **_both("trunc", _rounding(_truncated)),
    **_both("floor", _rounding(_floor)),
    **_both("ceil", _rounding(_ceil)),
    **_both("rint", _rounding(_nearest_even)),
    **_both("nearbyint", _rounding(_nearest_even)),
    **_both("roundeven", _rounding(_nearest_even)),
    **_both("round", _rounding(_nearest_away)),
    **_both("lrint", _to_integer(_nearest_even)),
    **_both("llrint", _to_integer(_nearest_even)),
    **_both("lround", _to_integer(_nearest_away)),
    **_both("llround", _to_integer(_nearest_away)),
    **_both("copysign", _copy_sign),
    **{f"llvm.{name}": _library(name) for name in (*OF_ONE, *OF_TWO, "powi", "ldexp")},
    "llvm.is.fpclass": _class,
    "llvm.fmuladd": _multiply_add,
    "llvm.minimum": _extreme("min"),
    "llvm.maximum": _extreme("max"),
    "llvm.fptosi.sat": _saturated_integer("int_s"),
    "llvm.fptoui.sat": _saturated_integer("int_u"),
}
