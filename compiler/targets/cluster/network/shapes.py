"""Shapes with fewer dimensions that mean the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Mask = tuple[bool, ...]


@dataclass(frozen=True)
class Merged:
    """Sizes of the dimensions that are left, and of each of several shapes along which of them it
    has elements of its own; along the others its elements are repeated."""

    sizes: tuple[int, ...]
    masks: tuple[Mask, ...]


def merged(shape: Sequence[int], others: Sequence[Sequence[int]], apart: int = 0) -> Merged:
    """Shapes that are broadcast to the first one: what all have, or have not, is one dimension.
    The last `apart` dimensions stay as they are.

    >>> merged((2, 3, 4, 5), [(2, 3, 4, 5), (4, 5), (2, 1, 1, 1)])
    Merged(sizes=(2, 3, 20), masks=((True, True, True), (False, False, True), (True, False, False)))
    """
    rank = len(shape)
    full = [(*(1,) * (rank - len(other)), *other) for other in others]
    sizes: list[int] = []
    columns: list[Mask] = []
    for axis, size in enumerate(shape):
        stays = axis >= rank - apart
        if size == 1 and not stays:
            continue
        column = tuple(other[axis] == size for other in full)
        if sizes and columns[-1] == column and not stays:
            sizes[-1] *= size
        else:
            sizes.append(size)
            columns.append(column)
    masks = tuple(zip(*columns, strict=True)) if columns else ((),) * len(full)
    return Merged(tuple(sizes), masks)


def of_mask(sizes: Sequence[int], mask: Mask) -> int:
    """How many elements a shape has along the dimensions that are its own."""
    return math.prod(size for size, own in zip(sizes, mask, strict=True) if own)


def strides_of(sizes: Sequence[int], mask: Mask) -> list[int]:
    """How far the elements of such a shape are apart along each dimension; 0 where it has none."""
    found, stride = [0] * len(sizes), 1
    for axis in range(len(sizes) - 1, -1, -1):
        if mask[axis]:
            found[axis] = stride
            stride *= sizes[axis]
    return found
