"""A heap of waiting numbers, of which the least comes first (Williams, *Algorithm 232: Heapsort*,
1964): words of kernels.  `heap[0]` says how many there are."""

from __future__ import annotations

from compiler.analyses.jitted import Integers


def push(heap: Integers, item: int) -> None:
    """One more number; the heap has room for it."""
    heap[0] += 1
    at = heap[0]
    while at > 1 and heap[at >> 1] > item:
        heap[at] = heap[at >> 1]
        at >>= 1
    heap[at] = item


def pop(heap: Integers) -> int:
    """The least number, which leaves the heap."""
    least, count = heap[1], heap[0] - 1
    item, at, child = heap[count + 1], 1, 2
    heap[0] = count
    while child <= count:
        if child < count and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= item:
            break
        heap[at] = heap[child]
        at, child = child, 2 * child
    heap[at] = item
    return least
