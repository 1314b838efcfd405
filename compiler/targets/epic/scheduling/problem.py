"""What a modulo scheduler is asked, and what it answers.

A *flat* schedule gives every operation of one iteration its time, from 0 on.  A new iteration
starts every II cycles, so that an operation issues in row `time % II` of the kernel, and belongs to
stage `time // II`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from compiler.analyses.dependence_graph import Arc, DependenceGraph, distances
from compiler.targets.epic.bundling.bundles import Syllable

Fits = Callable[[Sequence[Syllable], Collection[tuple[int, int]]], object]
"""fits(syllables, order): a true value if they issue in one cycle, a before b for (a, b) in order.
It must be monotone: what fits still fits after a syllable or a pair is taken away."""


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

    @property
    def size(self) -> int:
        return len(self.names)

    @cached_property
    def _least(self) -> dict[int, np.ndarray]:
        return {}

    def least(self, ii: int) -> np.ndarray:
        """The least distances between operations at an II (see `distances`), found once; they are
        not to be changed."""
        if ii not in self._least:
            self._least[ii] = distances(self.graph, ii)
        return self._least[ii]

    @cached_property
    def at_once(self) -> tuple[tuple[Arc, ...], ...]:
        """For each operation the arcs of latency 0 that leave it."""
        return tuple(tuple(a for a in arcs if a.latency == 0) for arcs in self.graph.after)

    @cached_property
    def ordered(self) -> tuple[tuple[tuple[int, int, bool], ...], ...]:
        """For each operation (other, omega, whether it is the first) of the arcs of latency 0."""
        found: list[list[tuple[int, int, bool]]] = [[] for _ in range(self.size)]
        for arc in self.graph.arcs:
            if arc.latency == 0 and arc.source != arc.target:
                found[arc.source].append((arc.target, arc.omega, True))
                found[arc.target].append((arc.source, arc.omega, False))
        return tuple(map(tuple, found))


@dataclass(frozen=True)
class LoopSchedule:
    """A modulo schedule.

    times     flat issue time of each operation
    res_mii, rec_mii   the bounds that resources and recurrences set on ii
    least_ii  no smaller ii has a schedule, as was proved: ii is the least if it equals this
    """

    problem: Problem
    ii: int
    times: tuple[int, ...]
    res_mii: int
    rec_mii: int
    least_ii: int = 1

    @cached_property
    def stages(self) -> int:
        return max(self.times, default=0) // self.ii + 1

    def stage(self, operation: int) -> int:
        return self.times[operation] // self.ii

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The operations of each row of the kernel, by number."""
        found: list[list[int]] = [[] for _ in range(self.ii)]
        for operation, time in enumerate(self.times):
            found[time % self.ii].append(operation)
        return tuple(map(tuple, found))

    def order(self, row: int) -> frozenset[tuple[int, int]]:
        """Pairs (a, b) of operations of a row of which a must stand in an earlier slot."""
        return frozenset(order_in_row(self.problem, self.rows[row], self.times, self.ii))

    def arcs(self, members: Sequence[int]) -> list[Arc]:
        """The arcs between operations of a row, by their positions among these, and those that put
        the loop's branch last."""
        stages = [self.stage(n) for n in members]
        last = branch_last(self.problem, members, stages)
        return [*arcs_between(self.problem, members), *last]


def arcs_between(problem: Problem, members: Sequence[int]) -> Iterator[Arc]:
    """The arcs between some operations, by their positions among them."""
    position = {number: k for k, number in enumerate(members)}
    for arc in problem.graph.arcs:
        if arc.source in position and arc.target in position:
            yield replace(arc, source=position[arc.source], target=position[arc.target])


def branch_last(problem: Problem, members: Sequence[int], stages: Sequence[int]) -> Iterator[Arc]:
    """Arcs from every operation of a row, by its position, to the loop's branch, if it is in it:
    what stood behind a taken branch would not be executed with it."""
    if problem.branch in members:
        last = members.index(problem.branch)
        for k in range(len(members)):
            if k != last:
                yield Arc(k, last, stages[k] - stages[last], 0, "control")


def order_in_row(
    problem: Problem, row: Collection[int], times: Sequence[int], ii: int
) -> Iterator[tuple[int, int]]:
    """Pairs (a, b) of a row's operations of which a must stand in an earlier slot.

    That is where an arc of latency 0 joins what meets in one machine cycle: omega is
    stage(a) - stage(b).  The loop's branch stands last, for what follows a taken branch is not
    executed with it.
    """
    for first in row:
        for arc in problem.at_once[first]:
            second = arc.target
            if second in row and arc.omega == times[first] // ii - times[second] // ii:
                yield first, second
        if problem.branch in row and first != problem.branch:
            yield first, problem.branch


@dataclass(frozen=True)
class GaveUp:
    """Why there is no schedule; `reason` is the same text for the same cause, so that it counts."""

    reason: str


class ImpossibleLoopError(ValueError):
    """No II at all allows the loop: `operations` cannot be scheduled; `hint` says what to do."""

    def __init__(self, operations: tuple[int, ...], names: Sequence[str], why: str, hint: str):
        super().__init__(f"{', '.join(names[n] for n in operations)}: {why}")
        self.operations, self.hint = operations, hint


@dataclass(frozen=True)
class Scheduler:
    """A modulo scheduling algorithm: solve(problem, ii, fits, budget) -> times or None.

    `budget` bounds the number of operations placed, so that it always ends.  Times may begin
    anywhere, also below 0.
    """

    name: str
    sentence: str
    solve: Callable[[Problem, int, Fits, int], tuple[int, ...] | None]
