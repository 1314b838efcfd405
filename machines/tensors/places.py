"""Where the elements of an interval are, once its bounds are known.

buffer = Cells(address, elements, is_stored=False)
buffer.at(0, 4, 2, 8)          # elements 0 … 3 and 8 … 11
"""

from __future__ import annotations

import math
from collections.abc import Iterator
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

    def segments(self) -> Iterator[tuple[int, int]]:
        """Address and bytes of each, none if there is no element."""
        shape, strides = self.elements.shape, self.elements.strides
        for index in np.ndindex(shape[:-1] if self.elements.size else (0,)):
            offset = sum(k * stride for k, stride in zip(index, strides, strict=False))
            yield self.address + offset, shape[-1] * self.elements.itemsize


class Cells:
    """A buffer as elements that an operation loads, or stores."""

    def __init__(self, address: int, elements: np.ndarray, is_stored: bool):
        self.address, self.all, self.is_stored = address, elements, is_stored

    def at(self, low: int, high: int, *steps: int) -> Place:
        """What a descriptor with these bounds names; nothing if a segment or a count is.

        Raises MemoryFault with the address of the first element asked for that is outside, and
        OperationFault for a number of elements that is not possible, or segments that are written
        and overlap.
        """
        pairs = [*zip(steps[::2], steps[1::2], strict=True)]
        if low <= high and any(count < 0 for count, _ in pairs):
            raise OperationFault("size mismatch")
        size = (high - low) * math.prod(count for count, _ in pairs)
        if low <= high and size == 0:
            return Place(self.address, self.all[:0])
        outside = (low, high) if low > high else first_outside(low, high, pairs, len(self.all))
        if outside is not None:
            raise self._fault(*outside)
        width = self.all.itemsize
        if not pairs:
            return Place(self.address + low * width, self.all[low:high])
        if self.is_stored and overlap(low, high, pairs):
            raise OperationFault("overlapping segments")
        if size > MOST_ELEMENTS:
            raise OperationFault("size mismatch")
        shape = [count for count, _ in reversed(pairs)]
        strides = [stride * width for _, stride in reversed(pairs)]
        segments = as_strided(self.all[low:high], (*shape, high - low), (*strides, width))
        return Place(self.address + low * width, segments)

    def _fault(self, low: int, high: int) -> MemoryFault:
        """Of a segment that is not inside."""
        count, width = len(self.all), self.all.itemsize
        outside = count if 0 <= low < min(high, count) else low
        return MemoryFault(
            "out of bounds", wrap(self.address + outside * width), (high - low) * width
        )
