"""The ready list of a list scheduler: what waits for nothing but its cycle and room in it.

What one cycle takes is monotone: what finds no room beside some instructions finds none beside
more.  So an instruction is tried once a cycle, and where there is no room for its kind, none of
that kind is: with a heap for each kind a cycle costs no more where many instructions are ready.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from heapq import heappop, heappush

from compiler.targets.epic.bundling.bundles import Syllable


class ReadyList:
    """Nodes whose predecessors have issued, each from the cycle on in which its inputs are there.

    tried  how often one was the best
    """

    def __init__(self, kinds: Sequence[Syllable], heights: Sequence[int]):
        self._kinds = kinds
        self._by_height = _Order(kinds, lambda node: (-heights[node], node))
        self._by_source: _Order | None = None
        self._ready: dict[int, None] = {}
        self._coming: list[tuple[int, int]] = []
        self._here: set[int] = set()
        self._put_off: list[int] = []
        self._full: set[Syllable] = set()
        self._now = -1
        self.tried = 0

    def __bool__(self) -> bool:
        return bool(self._ready)

    @property
    def oldest(self) -> int:
        """The node that has been ready the longest."""
        return next(iter(self._ready))

    @property
    def next_arrival(self) -> int | None:
        """The cycle of the next node whose inputs are on their way; None if there is none."""
        return self._coming[0][0] if self._coming else None

    @property
    def has_arrived(self) -> bool:
        """Whether the inputs of some node are there."""
        return bool(self._here or self._put_off)

    def add(self, node: int, arrival: int) -> None:
        """A node whose inputs are there in cycle `arrival`."""
        self._ready[node] = None
        if arrival <= self._now:
            self._enter(node)
        else:
            heappush(self._coming, (arrival, node))

    def begin(self, now: int) -> None:
        """A new cycle, in which nothing has been put off."""
        self._now = now
        for node in self._put_off:
            self._enter(node)
        self._put_off.clear()
        self._full.clear()
        while self._coming and self._coming[0][0] <= now:
            self._enter(heappop(self._coming)[1])

    def best(self, in_source_order: bool) -> int | None:
        """The node on the longest path, or the first in source order, of those that have arrived
        and are not put off; None if there is none."""
        order = self._by_height
        if in_source_order:
            if self._by_source is None:
                self._by_source = _Order(self._kinds, lambda node: (node,))
                for node in self._here:
                    self._by_source.enter(node)
            order = self._by_source
        self.tried += 1
        return order.best(self._here, self._full)

    def remove(self, node: int) -> None:
        """A node has issued."""
        del self._ready[node]
        self._here.remove(node)

    def put_off(self, node: int, all_like_it: bool) -> None:
        """A node has no room in this cycle; nor has what is of its kind, if that is so."""
        if all_like_it:
            self._full.add(self._kinds[node])
        else:
            self._here.remove(node)
            self._put_off.append(node)

    def _enter(self, node: int) -> None:
        self._here.add(node)
        for order in (self._by_height, self._by_source):
            if order is not None:
                order.enter(node)


class _Order:
    """Heaps of nodes, one for each kind; what is not there any more is dropped when it is met."""

    def __init__(self, kinds: Sequence[Syllable], rank: Callable[[int], tuple[int, ...]]):
        self._kinds, self._rank = kinds, rank
        self._heaps: dict[Syllable, list[tuple[int, ...]]] = {}
        self._held: set[int] = set()

    def enter(self, node: int) -> None:
        if node not in self._held:
            self._held.add(node)
            heappush(self._heaps.setdefault(self._kinds[node], []), self._rank(node))

    def best(self, here: Container[int], full: Container[Syllable]) -> int | None:
        tops = []
        for kind, heap in self._heaps.items():
            if kind not in full:
                while heap and heap[0][-1] not in here:
                    self._held.remove(heappop(heap)[-1])
                if heap:
                    tops.append(heap[0])
        return min(tops)[-1] if tops else None
