"""Which literals a type has."""

from __future__ import annotations

from machines.types import I1, PTR, Type


def literal_range(kind: Type) -> tuple[int, int]:
    """Lowest and highest literal of an integer or pointer type.

    Both readings of the bits may be written: an i8 takes -128 … 255 and 255 means -1.
    """
    if kind is I1:
        return 0, 1
    if kind is PTR:
        return 0, (1 << 63) - 1
    return kind.lowest, (1 << kind.bits) - 1
