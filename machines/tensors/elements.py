"""How elements stand in memory, and the numbers that they are.

array_of([1.5, nan], BF16)     0x3FC0 0x7FC0: there is no numpy type, so they stand as their bits
numbers_of(that array, BF16)   [1.5, nan]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from machines.types import BF16, Type
from machines.vocabulary.tensors import bf16_encoding, bf16_value


def stored_type(type: Type) -> np.dtype:
    """The little-endian numpy type of elements in memory; of bf16 that of their bits."""
    if type is BF16:
        return np.dtype("<u2")
    return np.dtype(f"<{'f' if type.is_float else 'i'}{type.bytes}")


def numbers_of(elements: np.ndarray, type: Type) -> list[int] | list[float]:
    """Elements in their order as numbers of Python."""
    found = elements.ravel().tolist()
    return [bf16_value(bits) for bits in found] if type is BF16 else found


def widened(elements: np.ndarray, type: Type) -> np.ndarray:
    """Halves as f32, which holds them exactly."""
    if type is BF16:
        return (elements.astype("<u4") << 16).view("<f4")
    return elements.astype("<f4")


def array_of(numbers: Sequence[int | float], type: Type) -> np.ndarray:
    """Numbers that are values of the type as they stand in memory: every NaN is the canonical
    one."""
    if type is BF16:
        return np.array([bf16_encoding(number) for number in numbers], stored_type(type))
    array = np.array(numbers, stored_type(type))
    if type.is_float:
        array[np.isnan(array)] = np.nan
    return array
