"""The value types of the IR and of workload arrays."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A scalar type: `kind` is 'integer', 'float' or 'pointer'; `bits` is its width.

    Integers have no sign of their own: operations that depend on it name it (`shr_u`, `lt_s`).
    A value of an integer type narrower than 64 bits is held sign-extended (i1: 0 or 1).
    """

    name: str
    kind: str
    bits: int

    @property
    def bytes(self) -> int:
        """Size in memory, in bytes (an i1 takes one)."""
        return max(1, self.bits // 8)

    @property
    def is_integer(self) -> bool:
        return self.kind == "integer"

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple:
        """What is copied or read back is the one of its name: types are compared by `is`, too."""
        return _named, (self.name,)


I1 = Type("i1", "integer", 1)
I8 = Type("i8", "integer", 8)
I16 = Type("i16", "integer", 16)
I32 = Type("i32", "integer", 32)
I64 = Type("i64", "integer", 64)
F16 = Type("f16", "float", 16)
BF16 = Type("bf16", "float", 16)
F32 = Type("f32", "float", 32)
F64 = Type("f64", "float", 64)
PTR = Type("ptr", "pointer", 64)

TYPES: dict[str, Type] = {t.name: t for t in (I1, I8, I16, I32, I64, F16, BF16, F32, F64, PTR)}


def _named(name: str) -> Type:
    return TYPES[name]
