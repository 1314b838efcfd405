"""Orders of dimensions: a tensor as the transposed one of another.

`order` says it as `nn.transpose` does: dimension k of the one is dimension order[k] of the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Order = tuple[int, ...]
Shape = tuple[int, ...]


def is_plain(order: Sequence[int]) -> bool:
    return list(order) == list(range(len(order)))


def composed(first: Order, then: Order) -> Order:
    """What transposing by one order and then by another is."""
    return tuple(first[k] for k in then)


def inverse(order: Order) -> Order:
    """What takes it back."""
    found = [0] * len(order)
    for k, axis in enumerate(order):
        found[axis] = k
    return tuple(found)


def transposed_shape(shape: Shape, order: Order) -> Shape:
    return tuple(shape[axis] for axis in order)


def moves_nothing(shape: Shape, order: Order) -> bool:
    """Whether elements of a shape stay where they are: all axes that go elsewhere are of 1."""
    kept = [axis for axis in order if shape[axis] != 1]
    return kept == sorted(kept)


def without(order: Order, axes: Sequence[int]) -> Order:
    """The order of what is left where axes of the transposed tensor are gone."""
    left = [axis for k, axis in enumerate(order) if k not in axes]
    ranks = sorted(left)
    return tuple(ranks.index(axis) for axis in left)


def replaced(order: Order, axis: int, count: int) -> Order:
    """The order where `count` axes have come in the place of one axis of the transposed tensor."""
    gone = order[axis]
    found: list[int] = []
    for k, old in enumerate(order):
        if k == axis:
            found += range(gone, gone + count)
        else:
            found.append(old if old < gone else old + count - 1)
    return tuple(found)


def through_reshape(source: Shape, order: Order, after: Shape) -> tuple[Shape, Order] | None:
    """A reshape of a transposed tensor as the transposed of a reshape: the shape of that, and the
    order.  None if it brings axes together that do not stand together in the source.

    >>> through_reshape((2, 5, 7, 6), (0, 3, 1, 2), (2, 3, 2, 5, 7))  # channels in groups
    ((2, 5, 7, 3, 2), (0, 3, 4, 1, 2))
    """
    blocks: list[tuple[int, list[int]]] = []  # place in the source, axes of the result
    for inner, outer in axis_blocks(transposed_shape(source, order), after):
        places = [order[k] for k in inner]
        between = range(places[0], places[-1] + 1)
        if [p for p in between if source[p] != 1] != places:
            return None
        blocks.append((places[0], outer))
    if not blocks:  # one element
        return after, tuple(range(len(after)))
    blocks.sort()
    axes = [k for _, outer in blocks for k in outer]
    return transposed_shape(after, tuple(axes)), inverse(tuple(axes))


def gathered(source: Shape, order: Order, after: Shape) -> Order:
    """How to transpose a source so that the axes that a reshape of its transposed brings together
    stand together, in the places of the first of each.

    >>> gathered((2, 5, 7, 3, 2), (0, 4, 3, 1, 2), (2, 6, 5, 7))
    (0, 1, 2, 4, 3)
    """
    runs = [
        [order[k] for k in inner]
        for inner, _ in axis_blocks(transposed_shape(source, order), after)
    ]
    known = {axis for run in runs for axis in run}
    runs += [[axis] for axis in range(len(source)) if axis not in known]
    return tuple(axis for run in sorted(runs, key=min) for axis in run)


def axis_blocks(before: Shape, after: Shape) -> list[tuple[list[int], list[int]]]:
    """The smallest runs of axes of two shapes that have as many elements; of the first shape those
    of more than 1, of the second all: those of 1 go with the one before, or with the first."""
    inner = [k for k, extent in enumerate(before) if extent != 1]
    outer = [k for k, extent in enumerate(after) if extent != 1]
    found: list[tuple[list[int], list[int]]] = []
    while inner:
        mine, theirs = [inner.pop(0)], [outer.pop(0)]
        while (left := _count(before, mine)) != (right := _count(after, theirs)):
            if left < right:
                mine.append(inner.pop(0))
            else:
                theirs.append(outer.pop(0))
        found.append((mine, theirs))
    if not found:
        return []
    ends = [*(theirs[0] for _, theirs in found[1:]), len(after)]
    begins = [0, *ends[:-1]]
    return [
        (mine, list(range(begin, end)))
        for (mine, _), begin, end in zip(found, begins, ends, strict=True)
    ]


def _count(shape: Shape, axes: Sequence[int]) -> int:
    return math.prod(shape[k] for k in axes)
