"""The element types: what they are called, how many bits they have, how they round.

This is the one table.  The IR's values and buffers are of the types in `TYPES`, arrays of workloads
of those in `ELEMENTS`; `machines/elements.py` says how numpy holds them.

    f16 bf16       half precision, of IEEE 754 and with the exponent of f32
    e4m3 e5m2      the two 8-bit floats of OCP's OFP8 (Open Compute Project, 8-bit Floating Point
                   Specification, revision 1.0).  e4m3 has no infinity: its numbers go on where
                   other types have them, and S.1111.111 alone is NaN
    i4 u4          two in a byte; the one of the lower index in the low bits

To round is to take the nearest number, of two that are as near the even one.  What is too large
becomes infinite, in e4m3 NaN; what *saturates* becomes the largest number instead, infinities too.
Every NaN that is made is the one that `FloatFormat.nan` encodes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """A sign, a biased exponent, and a fraction behind a hidden digit; subnormals below.

    digits          of the significand, the hidden one with them
    exponent_bits   bias 2**(exponent_bits - 1) - 1
    has_infinities  whether all exponents of ones are infinities and NaN, else only all ones are NaN

    >>> FloatFormat(4, 4, has_infinities=False).largest
    448.0
    """

    digits: int
    exponent_bits: int
    has_infinities: bool = True

    @property
    def bias(self) -> int:
        return (1 << (self.exponent_bits - 1)) - 1

    @property
    def least_exponent(self) -> int:
        """Of normal numbers."""
        return 1 - self.bias

    @property
    def least(self) -> float:
        """The least positive normal number."""
        return math.ldexp(1.0, self.least_exponent)

    @property
    def largest(self) -> float:
        """The largest number."""
        spare = 1 if self.has_infinities else 2  # in e4m3 the last significand is that of NaN
        significand = 2.0 - math.ldexp(spare, 1 - self.digits)
        return math.ldexp(significand, self.bias + spare - 1)

    @property
    def too_large(self) -> float:
        """What a positive number becomes that is larger."""
        return math.inf if self.has_infinities else math.nan

    @property
    def epsilon(self) -> float:
        """From 1 to the next number."""
        return math.ldexp(1.0, 1 - self.digits)

    @property
    def infinity(self) -> int:
        """The encoding of what is larger than all numbers, if there is such."""
        return ((1 << self.exponent_bits) - 1) << (self.digits - 1)

    @property
    def nan(self) -> int:
        """The encoding of every NaN that is made."""
        if self.has_infinities:
            return self.infinity | 1 << (self.digits - 2)
        return (1 << (self.exponent_bits + self.digits - 1)) - 1


@dataclass(frozen=True, slots=True)
class Type:
    """A scalar type: `kind` is 'integer', 'float', 'pointer' or 'boolean'; `bits` is its width.

    In the IR integers have no sign of their own: operations that depend on it name it (`shr_u`,
    `lt_s`), and a value of an integer type narrower than 64 bits is held sign-extended (i1: 0 or
    1).  Types that are not `signed` stand in memory only, where they are from 0 on.
    """

    name: str
    kind: str
    bits: int
    signed: bool = field(default=True, compare=False, repr=False)
    format: FloatFormat | None = field(default=None, compare=False, repr=False)

    @property
    def bytes(self) -> int:
        """Size in memory, in bytes (an i1 takes one, and so does an i4 that is alone)."""
        return max(1, self.bits // 8)

    @property
    def in_byte(self) -> int:
        """How many elements one behind another share a byte: 2 of four bits, else 1."""
        return 2 if self.bits == 4 else 1

    def size(self, count: int) -> int:
        """Bytes of so many elements one behind another."""
        return -(-count // self.in_byte) * self.bytes

    @property
    def is_integer(self) -> bool:
        return self.kind == "integer"

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def lowest(self) -> int:
        """The least number of a type of integers, or of booleans."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def highest(self) -> int:
        """The greatest number of a type of integers, or of booleans."""
        return (1 << (self.bits - self.signed)) - 1

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple:
        """What is copied or read back is the one of its name: types are compared by `is`, too."""
        return _named, (self.name,)


I1 = Type("i1", "integer", 1)
I4 = Type("i4", "integer", 4)
I8 = Type("i8", "integer", 8)
I16 = Type("i16", "integer", 16)
I32 = Type("i32", "integer", 32)
I64 = Type("i64", "integer", 64)
U4 = Type("u4", "integer", 4, signed=False)
U8 = Type("u8", "integer", 8, signed=False)
U16 = Type("u16", "integer", 16, signed=False)
U32 = Type("u32", "integer", 32, signed=False)
U64 = Type("u64", "integer", 64, signed=False)
E4M3 = Type("e4m3", "float", 8, format=FloatFormat(4, 4, has_infinities=False))
E5M2 = Type("e5m2", "float", 8, format=FloatFormat(3, 5))
F16 = Type("f16", "float", 16, format=FloatFormat(11, 5))
BF16 = Type("bf16", "float", 16, format=FloatFormat(8, 8))
F32 = Type("f32", "float", 32, format=FloatFormat(24, 8))
F64 = Type("f64", "float", 64, format=FloatFormat(53, 11))
BOOLEAN = Type("boolean", "boolean", 1, signed=False)
PTR = Type("ptr", "pointer", 64)

ELEMENTS: dict[str, Type] = {
    t.name: t
    for t in (
        I4, I8, I16, I32, I64, U4, U8, U16, U32, U64, E4M3, E5M2, F16, BF16, F32, F64, BOOLEAN,
    )
}  # fmt: skip
"""The types of elements of arrays, by name."""
IN_MEMORY = (F16, BF16, E4M3, E5M2, U8, I4, U4)
"""Types of the IR of which there are no scalars, but elements of buffers; beside these stand
scalars of `scalar_type`."""
TYPES: dict[str, Type] = {t.name: t for t in (I1, I8, I16, I32, I64, F32, F64, PTR, *IN_MEMORY)}
"""The types that the IR names: of scalars, and of elements of buffers."""


def scalar_type(type: Type) -> Type:
    """The type of scalars beside elements of a type.

    >>> str(scalar_type(BF16)), str(scalar_type(U8)), str(scalar_type(I8))
    ('f32', 'i32', 'i8')
    """
    if type not in IN_MEMORY:
        return type
    return F32 if type.is_float else I32


def _named(name: str) -> Type:
    return TYPES.get(name) or ELEMENTS[name]
