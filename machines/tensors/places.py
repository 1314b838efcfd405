"""Where the elements of an interval are, once its bounds are known.

buffer = Cells(address, elements, is_stored=False)
buffer.at(0, 4, 2, 8)          # elements 0 … 3 and 8 … 11

Where several elements stand in a byte, the elements of arrays are the bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from machines.layout import MemoryFault
from machines.operations.evaluate import OperationFault
from machines.tensors.segments import MOST_ELEMENTS, first_outside, overlap
from machines.vocabulary.numbers import wrap


class Place(NamedTuple):
    """Elements of a buffer: of a strided interval an array of segments, else one segment."""

    address: int
    elements: np.ndarray
    in_byte: int = 1

    @property
    def size(self) -> int:
        """How many elements there are."""
        return self.elements.size * self.in_byte

    def segments(self) -> Iterator[tuple[int, int]]:
        """Address and bytes of each, none if there is no element."""
        shape, strides = self.elements.shape, self.elements.strides
        for index in np.ndindex(shape[:-1] if self.elements.size else (0,)):
            offset = sum(k * stride for k, stride in zip(index, strides, strict=False))
            yield self.address + offset, shape[-1] * self.elements.itemsize


def is_within(in_byte: int, low: int, high: int, steps: Sequence[tuple[int, int]]) -> bool:
    """Whether an interval begins or ends within a byte, where so many elements stand in each."""
    return any(n % in_byte for n in (low, high, *(stride for _, stride in steps)))


class Bounds:
    """A buffer of so many elements of `width` bytes, that an operation loads, or stores: what
    descriptors name of it.  Where several elements stand in a byte, it has `length` bytes."""

    def __init__(self, address: int, length: int, width: int, is_stored: bool, in_byte: int = 1):
        self.address, self.length, self.width = address, length, width
        self.is_stored, self.in_byte = is_stored, in_byte

    @property
    def count(self) -> int:
        """How many elements there are."""
        return self.length * self.in_byte

    def size(self, low: int, high: int, *steps: int) -> int:
        """How many elements a descriptor with these bounds names; raises what `Cells.at` does."""
        if not steps and self.in_byte == 1 and 0 <= low <= high <= self.length:
            return high - low
        return self._named(low, high, steps)[3] * self.in_byte

    def _named(
        self, low: int, high: int, steps: Sequence[int]
    ) -> tuple[int, int, list[tuple[int, int]], int]:
        """Bounds and steps in elements of the array, and how many these are."""
        pairs = [*zip(steps[::2], steps[1::2], strict=True)]
        if self.in_byte > 1:
            if is_within(self.in_byte, low, high, pairs):
                raise OperationFault("within a byte")
            low, high = low // self.in_byte, high // self.in_byte
            pairs = [(count, stride // self.in_byte) for count, stride in pairs]
        if low <= high and any(count < 0 for count, _ in pairs):
            raise OperationFault("size mismatch")
        size = (high - low) * math.prod(count for count, _ in pairs)
        if low <= high and size == 0:
            return low, high, pairs, 0
        outside = (low, high) if low > high else first_outside(low, high, pairs, self.length)
        if outside is not None:
            raise self._fault(*outside)
        if pairs and self.is_stored and overlap(low, high, pairs):
            raise OperationFault("overlapping segments")
        if pairs and size > MOST_ELEMENTS:
            raise OperationFault("size mismatch")
        return low, high, pairs, size

    def _fault(self, low: int, high: int) -> MemoryFault:
        """Of a segment that is not inside."""
        count, width = self.length, self.width
        outside = count if 0 <= low < min(high, count) else low
        return MemoryFault(
            "out of bounds", wrap(self.address + outside * width), (high - low) * width
        )


class Cells(Bounds):
    """A buffer as elements, so many in each of the array."""

    def __init__(self, address: int, elements: np.ndarray, is_stored: bool, in_byte: int = 1):
        super().__init__(address, len(elements), elements.itemsize, is_stored, in_byte)
        self.all = elements

    def at(self, low: int, high: int, *steps: int) -> Place:
        """What a descriptor with these bounds names; nothing if a segment or a count is.

        Raises MemoryFault with the address of the first element asked for that is outside, and
        OperationFault for a number of elements that is not possible, segments that are written and
        overlap, or one that begins or ends within a byte.
        """
        low, high, pairs, size = self._named(low, high, steps)
        if size == 0:
            return Place(self.address, self.all[:0], self.in_byte)
        width = self.width
        if not pairs:
            return Place(self.address + low * width, self.all[low:high], self.in_byte)
        shape = [count for count, _ in reversed(pairs)]
        strides = [stride * width for _, stride in reversed(pairs)]
        segments = as_strided(self.all[low:high], (*shape, high - low), (*strides, width))
        return Place(self.address + low * width, segments, self.in_byte)
