"""Whether two intervals with strides have a byte in common.

    a[0:64, 8 by 256]   a[64:128, 8 by 256]     none: they lie side by side in every segment

The rules of memory dependence know a strided interval by its first and last byte alone.  Where all
strides of two intervals are the same, they meet if and only if two of their segments do; where
strides differ, they are taken to meet.
"""

from __future__ import annotations

from compiler.analyses.memory.descriptors import Access
from compiler.ir.module import Descriptor


def are_apart(first: Access, second: Access) -> bool:
    """Whether two accesses of a function certainly have no byte in common, since they are intervals
    of one buffer with equal strides."""
    a, b = (one.instruction.operands[one.position] for one in (first, second))
    return isinstance(a, Descriptor) and isinstance(b, Descriptor) and intervals_are_apart(a, b)


def intervals_are_apart(a: Descriptor, b: Descriptor) -> bool:
    """Of intervals of elements: whether two of one buffer with equal strides, or one with strides
    and one without, have none in common.

    Two segments are so many elements apart: b.low - a.low + k * stride + l * stride' + …, where k
    is the difference of their numbers.  They meet if that is more than -length_b and less than
    length_a.
    """
    if not (a.is_exact and b.is_exact and a.buffer == b.buffer):
        return False
    steps_a = a.steps or tuple((1, stride) for _, stride in b.steps)
    steps_b = b.steps or tuple((1, stride) for _, stride in a.steps)
    strides = [stride for _, stride in steps_a]
    if strides != [stride for _, stride in steps_b] or any(stride <= 0 for stride in strides):
        return False
    distances = [
        (1 - count_a, count_b - 1, stride)
        for (count_a, stride), (count_b, _) in zip(steps_a, steps_b, strict=True)
    ]
    return not _reach(b.low - a.low, distances, b.low - b.high + 1, a.high - a.low - 1)


def _reach(start: int, steps: list[tuple[int, int, int]], low: int, high: int) -> bool:
    """Whether start + k * stride + … lies in low … high for some k in least … most of each step."""
    if not steps:
        return low <= start <= high
    (least, most, stride), *inner = sorted(steps, key=lambda step: -step[2])
    spread = [sum(k * s for k, _, s in inner), sum(k * s for _, k, s in inner)]
    first = max(least, -(-(low - start - spread[1]) // stride))
    last = min(most, (high - start - spread[0]) // stride)
    return any(_reach(start + k * stride, inner, low, high) for k in range(first, last + 1))
