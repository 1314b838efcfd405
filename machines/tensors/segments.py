"""Where the segments of a strided interval lie.

    a[2:4, 3 by 8]     2 3, 10 11, 18 19
    a[2:4, 3 by -1]    2 3, 1 2, 0 1

Everything here is said of numbers: low, high, and steps as a descriptor has them, (count, stride),
the inner ones first.  Nothing is said of intervals without an element.
"""

from __future__ import annotations

from collections.abc import Sequence

Steps = Sequence[tuple[int, int]]

MOST_STEPS = 2
"""Steps of a descriptor."""
MOST_ELEMENTS = 1 << 28
"""Elements of an interval; only one whose segments overlap can have more than its buffer."""


def span(low: int, high: int, steps: Steps) -> tuple[int, int]:
    """The first element that is reached, and the one behind the last."""
    ways = [(count - 1) * stride for count, stride in steps]
    return low + sum(way for way in ways if way < 0), high + sum(way for way in ways if way > 0)


def overlap(low: int, high: int, steps: Steps) -> bool:
    """Whether two segments may have an element in common: unless, ordered by their strides, each
    step goes past all that the smaller ones reach."""
    reach = high - low
    for stride, count in sorted((abs(stride), count) for count, stride in steps if count > 1):
        if stride < reach:
            return True
        reach += (count - 1) * stride
    return False


def first_outside(low: int, high: int, steps: Steps, size: int) -> tuple[int, int] | None:
    """The first segment that is not inside a buffer of `size` elements, None if all are."""
    if not steps:
        return None if low >= 0 and high <= size else (low, high)
    *inner, (count, stride) = steps
    first, end = span(low, high, inner)
    if first < 0 or end > size or stride == 0:
        turn = 0
    else:
        turn = (size - end) // stride + 1 if stride > 0 else first // -stride + 1
    if turn >= count:
        return None
    return first_outside(low + turn * stride, high + turn * stride, inner, size)
