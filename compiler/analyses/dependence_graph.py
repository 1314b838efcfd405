"""The dependence graph of a loop body: directed, cyclic, every arc with (omega, latency).

    i2: x = ld [p]            i1 -> i2  omega 1, latency 1   (flow: the next iteration's address)
    i1: p = adds 8, p         i2 -> i1  omega 0, latency 0   (anti)

An arc a -> b of omega w and latency n says: b of iteration k + w issues at least n cycles after a
of iteration k.  With a schedule that starts an iteration every II cycles,

    time(b) - time(a) >= n - II * w

A latency of 0 allows both in one cycle, a in an earlier slot.  A negative one lets b begin first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

KINDS = ("flow", "anti", "output", "memory", "control")


@dataclass(frozen=True, slots=True)
class Arc:
    """`target` depends on `source`; both are numbers of operations."""

    source: int
    target: int
    omega: int
    latency: int
    kind: str = "flow"

    def slack(self, times: list[int] | tuple[int, ...], ii: int) -> int:
        """Cycles to spare in a schedule; negative: the arc is violated."""
        return times[self.target] - times[self.source] + ii * self.omega - self.latency


@dataclass(frozen=True)
class DependenceGraph:
    """Operations 0 … size - 1 and their arcs."""

    size: int
    arcs: tuple[Arc, ...]

    @cached_property
    def after(self) -> tuple[tuple[Arc, ...], ...]:
        """The arcs that leave each operation."""
        return self._by_operation(arc.source for arc in self.arcs)

    @cached_property
    def before(self) -> tuple[tuple[Arc, ...], ...]:
        """The arcs that enter each operation."""
        return self._by_operation(arc.target for arc in self.arcs)

    def _by_operation(self, operations: Iterable[int]) -> tuple[tuple[Arc, ...], ...]:
        found: list[list[Arc]] = [[] for _ in range(self.size)]
        for operation, arc in zip(operations, self.arcs, strict=True):
            found[operation].append(arc)
        return tuple(map(tuple, found))


NO_PATH = -(1 << 40)
"""Of `distances`: so small that adding latencies keeps it below every real distance."""


def distances(graph: DependenceGraph, ii: int) -> np.ndarray:
    """int64[size, size]: the least time(b) - time(a) that the arcs demand of any schedule.

    The longest path from a to b where an arc weighs latency - ii * omega (Floyd, *Algorithm 97*,
    1962; "MinDist" in Huff 1993); at most NO_PATH / 2 where no path leads.  `ii` must be one that
    the recurrences allow.
    """
    found = np.full((graph.size, graph.size), NO_PATH, dtype=np.int64)
    np.fill_diagonal(found, 0)
    for arc in graph.arcs:
        weight = arc.latency - ii * arc.omega
        found[arc.source, arc.target] = max(found[arc.source, arc.target], weight)
    for middle in range(graph.size):
        through = found[:, middle, None] + found[None, middle, :]
        np.maximum(found, through, out=found)
    return found


def positive_cycle(
    size: int, arcs: Iterable[Arc], weight: Callable[[Arc], int]
) -> tuple[Arc, ...] | None:
    """The arcs of a cycle of positive weight, from its first operation on; None if there is none.

    Longest paths by relaxation; what still grows after `size` rounds is on a cycle (Bellman,
    *On a Routing Problem*, 1958).
    """
    weighted = [(arc, weight(arc)) for arc in arcs]
    longest = [0] * size
    entered: list[Arc | None] = [None] * size
    last = None
    for _ in range(size + 1):
        last = None
        for arc, length in weighted:
            if longest[arc.source] + length > longest[arc.target]:
                longest[arc.target] = longest[arc.source] + length
                entered[arc.target], last = arc, arc.target
        if last is None:
            return None
    for _ in range(size):  # into the cycle
        last = entered[last].source
    cycle = [entered[last]]
    while cycle[-1].source != last:
        cycle.append(entered[cycle[-1].source])
    cycle.reverse()
    first = min(range(len(cycle)), key=lambda index: cycle[index].source)
    return (*cycle[first:], *cycle[:first])
