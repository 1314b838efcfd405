"""What a modulo scheduler is asked, and what it answers.

A *flat* schedule gives every operation of one iteration its time, from 0 on.  A new iteration
starts every II cycles, so that an operation issues in row `time % II` of the kernel, and belongs to
stage `time // II`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from compiler.analyses.dependence_graph import DependenceGraph
from compiler.targets.epic.automaton import Syllable


@dataclass(frozen=True, slots=True)
class Value:
    """A value that lives in a rotating register: its lifetime counts.

    file         'general', 'floating' or 'predicate'
    definitions  the operations that write it, of one iteration
    uses         (operation, omega): it is read omega iterations later
    """

    name: str
    file: str
    definitions: tuple[int, ...]
    uses: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Problem:
    """A loop to schedule.

    names      of the operations, for people
    syllables  what each needs to issue
    branch     the operation that closes the loop and stands in the last row; None: there is none
    values     for schedulers that keep lifetimes short
    """

    names: tuple[str, ...]
    syllables: tuple[Syllable, ...]
    graph: DependenceGraph
    branch: int | None = None
    values: tuple[Value, ...] = ()


@dataclass(frozen=True)
class LoopSchedule:
    """A modulo schedule.

    times     flat issue time of each operation
    res_mii, rec_mii   the bounds that resources and recurrences set on ii
    """

    problem: Problem
    ii: int
    times: tuple[int, ...]
    res_mii: int
    rec_mii: int

    @cached_property
    def stages(self) -> int:
        return max(self.times, default=0) // self.ii + 1

    def stage(self, operation: int) -> int:
        return self.times[operation] // self.ii

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The operations of each row of the kernel, by number."""
        numbers = range(len(self.times))
        return tuple(
            tuple(n for n in numbers if self.times[n] % self.ii == row) for row in range(self.ii)
        )

    def order(self, row: int) -> frozenset[tuple[int, int]]:
        """Pairs (a, b) of operations of a row that meet in one machine cycle and of which a must
        stand in an earlier slot: arcs of latency 0 with omega = stage(a) - stage(b)."""
        inside = set(self.rows[row])
        return frozenset(
            (arc.source, arc.target)
            for arc in self.problem.graph.arcs
            if arc.latency == 0
            and {arc.source, arc.target} <= inside
            and arc.omega == self.stage(arc.source) - self.stage(arc.target)
        )


@dataclass(frozen=True)
class Scheduler:
    """A modulo scheduling algorithm: solve(problem, ii, fits, budget) -> times or None.

    `fits(syllables, order)` says whether operations issue in one cycle; `budget` bounds the number
    of operations placed, so that it always ends.
    """

    name: str
    sentence: str
    solve: Callable[..., tuple[int, ...] | None]
