"""LLVM's types: as they are written, and how they lie in memory.

The layout is that of the 64-bit, little-endian targets, where everything stands at a multiple of
its size: offsets of `{ i8, i32 }` are 0 and 4, its size is 8.  An integer of another width takes
the bytes that it needs, and its place is that of the next wider one: an i24 is stored in 3 bytes,
and the next element of an array stands 4 bytes on.  Elements of vectors lie bit by bit side by
side: a <16 x i1> has 2 bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from machines.types import F32, F64, I1, I8, I16, I32, I64, PTR, Type


@dataclass(frozen=True, slots=True)
class Array:
    """`[count x element]`."""

    count: int
    element: LlvmType

    def __str__(self) -> str:
        return f"[{self.count} x {self.element}]"


@dataclass(frozen=True, slots=True)
class Vector(Array):
    """`<count x element>`: an array that operations take element by element."""

    def __str__(self) -> str:
        return f"<{self.count} x {self.element}>"


@dataclass(frozen=True, slots=True)
class Structure:
    """`{ i8, i32 }`; packed: `<{ i8, i32 }>`, without padding."""

    fields: tuple[LlvmType, ...]
    packed: bool = False

    def __str__(self) -> str:
        inside = f"{{ {', '.join(map(str, self.fields))} }}" if self.fields else "{}"
        return f"<{inside}>" if self.packed else inside


@dataclass(frozen=True, slots=True)
class Integer:
    """`i33`, `i128`: an integer of a width that our IR lacks, from 2 to 128 bits.

    It is held in `carriers`, one of 8 to 64 bits, or two of 64 (the low half first); the bits
    above its own are 0.
    """

    bits: int

    @property
    def is_wide(self) -> bool:
        return self.bits > 64

    @property
    def carriers(self) -> tuple[Type, ...]:
        if self.is_wide:
            return I64, I64
        return (next(t for t in (I8, I16, I32, I64) if t.bits >= self.bits),)

    @property
    def mask(self) -> int:
        """Ones in all its bits."""
        return (1 << self.bits) - 1

    @property
    def bytes(self) -> int:
        """Bytes that a load reads and a store writes."""
        return -(-self.bits // 8)

    def held(self, number: int) -> int | tuple[int, int]:
        """A number of this type, of either sign, as its carriers have it."""
        number &= self.mask
        return (number & (1 << 64) - 1, number >> 64) if self.is_wide else number

    def __str__(self) -> str:
        return f"i{self.bits}"


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A type that no value of our IR has; `text` as it is written."""

    text: str

    def __str__(self) -> str:
        return self.text


LlvmType = Type | Integer | Array | Structure | Unsupported
WIDEST = 128
"""Bits of the widest integer."""

SCALARS: dict[str, Type] = {
    "i1": I1, "i8": I8, "i16": I16, "i32": I32, "i64": I64, "float": F32, "double": F64, "ptr": PTR,
}  # fmt: skip


def alignment_of(type: LlvmType) -> int:
    """Natural alignment, in bytes."""
    if isinstance(type, Vector):
        return 1 << max(0, stored_bytes(type) - 1).bit_length()
    if isinstance(type, Integer):
        return 16 if type.is_wide else type.carriers[0].bytes
    if isinstance(type, Array):
        return alignment_of(type.element)
    if isinstance(type, Structure):
        return 1 if type.packed else max((alignment_of(f) for f in type.fields), default=1)
    return _scalar(type).bytes


def size_of(type: LlvmType) -> int:
    """Bytes from one element of an array of this type to the next."""
    if isinstance(type, Vector | Integer):
        return _up(stored_bytes(type), alignment_of(type))
    if isinstance(type, Array):
        return type.count * size_of(type.element)
    if isinstance(type, Structure):
        return _walk(type)[1]
    return _scalar(type).bytes


def stored_bytes(type: Vector | Integer) -> int:
    """Bytes that a load reads and a store writes."""
    return -(-bits_of(type) // 8)


def bits_of(type: LlvmType) -> int:
    """Bits of a scalar, or of all elements of a vector."""
    if isinstance(type, Vector):
        return type.count * bits_of(type.element)
    if isinstance(type, Integer):
        return type.bits
    if isinstance(type, Array | Structure):
        raise UnsupportedType(Unsupported(str(type)))
    return _scalar(type).bits


def is_packed(type: LlvmType) -> bool:
    """Whether it is a vector whose elements do not stand at bytes of their own."""
    return isinstance(type, Vector) and bits_of(type.element) not in (8, 16, 32, 64, 128)


def offset_of(type: Structure, index: int) -> int:
    """Where a field of a structure begins, in bytes."""
    return _walk(type)[0][index]


def _walk(type: Structure) -> tuple[list[int], int]:
    """The offset of every field, and the size."""
    offsets, end = [], 0
    for part in type.fields:
        end = end if type.packed else _up(end, alignment_of(part))
        offsets.append(end)
        end += size_of(part)
    return offsets, _up(end, alignment_of(type))


def _up(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def parts_of(type: LlvmType) -> Iterator[tuple[LlvmType, int]]:
    """The elements or fields of an aggregate, each with its offset in bytes."""
    if isinstance(type, Array):
        size = size_of(type.element)
        yield from ((type.element, k * size) for k in range(type.count))
    elif isinstance(type, Structure):
        yield from zip(type.fields, _walk(type)[0], strict=True)


def leaves_of(type: LlvmType) -> Iterator[tuple[Type, int]]:
    """The scalars a value of the type is held in, each with its offset in bytes."""
    if isinstance(type, Array | Structure):
        for part, offset in parts_of(type):
            yield from ((leaf, offset + within) for leaf, within in leaves_of(part))
    elif isinstance(type, Integer):
        yield from ((carrier, 8 * k) for k, carrier in enumerate(type.carriers))
    else:
        yield _scalar(type), 0


def _scalar(type: LlvmType) -> Type:
    if isinstance(type, Unsupported):
        raise UnsupportedType(type)
    return type


class UnsupportedType(Exception):
    """A type without a counterpart is needed; whoever knows the location makes it an InputError."""

    def __init__(self, type: Unsupported):
        super().__init__(str(type))
        self.type = type
