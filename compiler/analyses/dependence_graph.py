"""The dependence graph of a loop body: directed, cyclic, every arc with (omega, latency).

    i2: x = ld [p]            i1 -> i2  omega 1, latency 1   (flow: the next iteration's address)
    i1: p = adds 8, p         i2 -> i1  omega 0, latency 0   (anti)

An arc a -> b of omega w and latency n says: b of iteration k + w issues at least n cycles after a
of iteration k.  With a schedule that starts an iteration every II cycles,

    time(b) - time(a) >= n - II * w

A latency of 0 allows both in one cycle, a in an earlier slot.  A negative one lets b begin first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

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
        return tuple(tuple(a for a in self.arcs if a.source == n) for n in range(self.size))

    @cached_property
    def before(self) -> tuple[tuple[Arc, ...], ...]:
        """The arcs that enter each operation."""
        return tuple(tuple(a for a in self.arcs if a.target == n) for n in range(self.size))
