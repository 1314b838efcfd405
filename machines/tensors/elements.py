"""How elements of buffers stand in memory, and the numbers that they are.

array_of([1.5, nan], BF16)     0x3FC0 0x7FC0: there is no numpy type, so they stand as their bits
numbers_of(that array, BF16)   [1.5, nan]
array_of([1, -2, 3, 0], I4)    0xE1 0x03: two in a byte, the first in its low bits
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from machines.elements import DTYPES, decoded, encodings, is_encoded, packed, unpacked
from machines.types import PTR, Type


def stored_type(type: Type) -> np.dtype:
    """The little-endian numpy type of elements in memory; of those that numpy has not that of their
    bits, of two in a byte that of the byte."""
    if type is PTR:
        return np.dtype("<i8")
    if not is_encoded(type):
        return DTYPES[type.name]
    return np.dtype(f"<u{type.bytes}")


def numbers_of(elements: np.ndarray, type: Type) -> list[int] | list[float]:
    """Elements in their order as numbers of Python."""
    return as_numbers_of(elements, type).ravel().tolist()


def as_numbers_of(elements: np.ndarray, type: Type) -> np.ndarray:
    """Elements as numbers that numpy has: small floats as f32, which holds them exactly; those of
    four bits one a byte, in one axis."""
    if type.in_byte > 1:
        return unpacked(elements.ravel(), type)
    return decoded(elements, type) if is_encoded(type) else elements


def array_of(numbers: Sequence[int | float], type: Type) -> np.ndarray:
    """Numbers that are values of the type as they stand in memory: every NaN is the canonical
    one."""
    if type.in_byte > 1:
        return packed(np.array(numbers, np.int64).astype(np.uint8))
    if is_encoded(type):
        return encodings(np.array(numbers, np.float64), type)
    array = np.array(numbers, stored_type(type))
    if type.is_float:
        array[np.isnan(array)] = np.nan
    return array
