"""The scalar types of kernels and the C-like rules that combine them.

The IR's integers carry no sign; a kernel's do, so each kernel type names an IR type and a sign.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from machines import types as ir


@dataclass(frozen=True, slots=True)
class Scalar:
    """A kernel scalar type: its IR type and, for integers, whether it is signed."""

    name: str
    type: ir.Type
    signed: bool = True

    @property
    def bits(self) -> int:
        return self.type.bits

    @property
    def is_float(self) -> bool:
        return self.type.is_float

    @property
    def is_boolean(self) -> bool:
        return self.type is ir.I1

    @property
    def is_integer(self) -> bool:
        """True for i8 … u64; a boolean is not an integer until it is promoted."""
        return self.type.is_integer and not self.is_boolean

    @property
    def lowest(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def highest(self) -> int:
        return (1 << (self.bits - self.signed)) - 1

    def __str__(self) -> str:
        return self.name


BOOLEAN = Scalar("boolean", ir.I1, signed=False)
I32, I64 = Scalar("i32", ir.I32), Scalar("i64", ir.I64)
U32, U64 = Scalar("u32", ir.I32, signed=False), Scalar("u64", ir.I64, signed=False)
F32, F64 = Scalar("f32", ir.F32), Scalar("f64", ir.F64)

SCALARS: dict[str, Scalar] = {
    scalar.name: scalar
    for scalar in (
        Scalar("i8", ir.I8),
        Scalar("i16", ir.I16),
        I32,
        I64,
        Scalar("u8", ir.I8, signed=False),
        Scalar("u16", ir.I16, signed=False),
        U32,
        U64,
        F32,
        F64,
        BOOLEAN,
    )
}


def promote(scalar: Scalar) -> Scalar:
    """Integers narrower than 32 bits, and booleans, take part in arithmetic as i32."""
    return I32 if scalar.type.is_integer and scalar.bits < 32 else scalar


def common(a: Scalar, b: Scalar) -> Scalar:
    """The usual arithmetic conversions: float beats integer, wider beats narrower, unsigned beats
    signed of the same width."""
    if a.is_float or b.is_float:
        floats = [scalar for scalar in (a, b) if scalar.is_float]
        return max(floats, key=lambda scalar: scalar.bits)
    return max(promote(a), promote(b), key=lambda scalar: (scalar.bits, not scalar.signed))


def changes_sign(source: Scalar, target: Scalar) -> bool:
    """True if converting a negative `source` value to `target` would make it positive."""
    return source.is_integer and source.signed and target.is_integer and not target.signed


def is_lossless(source: Scalar, target: Scalar) -> bool:
    """True if every value of `source` is a value of `target`."""
    if source == target:
        return True
    if target.is_boolean:
        return False
    if source.is_float:
        return target.is_float and target.bits >= source.bits
    if target.is_float:
        significand = 24 if target == F32 else 53
        return source.bits - (source.signed and not source.is_boolean) <= significand
    return target.lowest <= (0 if source.is_boolean else source.lowest) and (
        target.highest >= source.highest
    )


def fits(value: int | float, target: Scalar) -> bool:
    """True if a literal may stand where a `target` is needed.

    An integer must be in range; a float needs a float type of sufficient range (it is rounded to
    it); an integer may stand for a float.
    """
    if target.is_float:
        return _is_in_range(value, target)
    return isinstance(value, int) and target.lowest <= value <= target.highest


def literal_type(value: int | float) -> Scalar | None:
    """The type of a literal that nothing gives a type: i64 (u64 if only that holds it) or f64."""
    if isinstance(value, float):
        return F64
    return next((scalar for scalar in (I64, U64) if fits(value, scalar)), None)


def _is_in_range(value: int | float, target: Scalar) -> bool:
    try:
        struct.pack("<f" if target == F32 else "<d", value)
    except OverflowError:
        return False
    return True
