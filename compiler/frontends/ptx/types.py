"""PTX's types, and which registers an instruction of a type takes.

add.s32 takes .u32 .s32 .b32;  mov.b32 also .f32;  ld.u8 any integer of 8 bits or more
"""

from __future__ import annotations

from dataclasses import dataclass

from machines.types import F16, F32, F64, I1, I8, I16, I32, I64, Type


def words(text: str) -> tuple[str, ...]:
    """The words of a list that is written as one text."""
    return tuple(text.split())


@dataclass(frozen=True, slots=True)
class PtxType:
    """`kind`: 's' signed, 'u' unsigned, 'b' untyped bits, 'f' floating, 'p' predicate."""

    name: str
    kind: str
    bits: int

    @property
    def bytes(self) -> int:
        return self.bits // 8

    @property
    def is_integer(self) -> bool:
        return self.kind in "sub"

    def __str__(self) -> str:
        return f".{self.name}"


TYPES = {
    name: PtxType(name, name[0], int(name[1:]))
    for name in words("b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f16 f32 f64")
}
TYPES["pred"] = PtxType("pred", "p", 1)
TYPES["f16x2"] = PtxType("f16x2", "f", 32)
WIDE = PtxType("b128", "b", 128)
"""Registers of it are moved, loaded and stored, and nothing else."""
PRED, B32, U32, U64 = TYPES["pred"], TYPES["b32"], TYPES["u32"], TYPES["u64"]

IN_BITS = {
    name: PtxType(name, "f", bits)
    for bits, names in ((16, "bf16 e4m3x2 e5m2x2"), (32, "bf16x2 tf32 s16x2 u16x2"))
    for name in words(names)
}
"""Types of instructions alone: their values stand in registers of bits."""
OF_INSTRUCTIONS = TYPES | IN_BITS

OTHER_TYPES = words("e4m3 e5m2 u8x4 s8x4 f32x2 b1024")
"""Types that PTX has and that are not supported."""


def fits(register: PtxType, wanted: PtxType) -> bool:
    """Whether an instruction of type `wanted` takes a register of a type."""
    if register.bits != wanted.bits or "p" in (register.kind, wanted.kind):
        return register is wanted
    if "b" in (register.kind, wanted.kind):
        return True
    return (register.kind == "f") == (wanted.kind == "f") and (
        register.kind != "f" or register is wanted
    )


def fits_or_wider(register: PtxType, wanted: PtxType) -> bool:
    """The same for ld, st and cvt, where integers may stand in wider registers."""
    if register.kind in "fp" or wanted.kind in "fp" or register is WIDE:
        return fits(register, wanted)
    return register.bits >= wanted.bits


def variable_type(type: PtxType) -> Type:
    """The type of the variable that a register becomes."""
    if type.kind == "p":
        return I1
    if type.bits == 16:
        return I16
    if type.bits == 8:
        return I32
    if type.bits == 32:
        return F32 if type.name == "f32" else I32
    return F64 if type.kind == "f" else I64


def element_type(type: PtxType) -> Type:
    """The type of a memory element: of a buffer, or of a parameter; one of 128 bits is two."""
    if type.kind == "f" and type.name != "f16x2":
        return {16: F16, 32: F32, 64: F64}[type.bits]
    return {8: I8, 16: I16, 32: I32, 64: I64, 128: I64}[type.bits]


def row_type(type: PtxType) -> str:
    """The type of the same bits that rows name where the sign does not matter.

    >>> row_type(TYPES["u32"])
    's32'
    """
    return f"s{type.bits}" if type.is_integer else type.name
