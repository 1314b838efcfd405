"""Whether a loop has a schedule at an II: every possibility, within a budget.

It says so where a heuristic failed: either it finds a schedule, or none exists, or it ran out.

Only recurrences tie operations to one another: two operations that no cycle of the graph joins can
be moved apart by whole stages without changing their rows.  So the operations on cycles are given
times, one after the other, within what the least distances leave; all others are spread over the
rows by kind (see `rows`), and get their stages in the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from compiler.analyses.dependence_graph import NO_PATH, DependenceGraph
from compiler.targets.epic.scheduling.problem import Fits, Problem, order_in_row
from compiler.targets.epic.scheduling.reservation import ReservationTable
from compiler.targets.epic.scheduling.rows import Row, spread


@dataclass(frozen=True)
class Answer:
    """Times, or None: there is no schedule, unless the search `ran_out` of its budget; and what is
    left of that."""

    times: tuple[int, ...] | None
    budget: int

    @property
    def ran_out(self) -> bool:
        return self.times is None and self.budget <= 0


def search(problem: Problem, ii: int, fits: Fits, budget: int) -> Answer:
    """Look at every schedule of an II that the recurrences allow, in `budget` tries at most."""
    found = _Search(problem, ii, fits, budget)
    times = next(found.schedules(), None)
    return Answer(times, max(found.budget, 0))


class _Search:
    """Assigns times within components of the graph; those of different components do not compare.

    inside       the problem with the arcs within components only
    waiting      operations on cycles, and the branch, that are not placed
    left         how many these are
    early, late  first and last time of each operation under what is placed of its component
    """

    def __init__(self, problem: Problem, ii: int, fits: Fits, budget: int):
        self.problem, self.ii, self._fits = problem, ii, fits
        self.budget = budget
        least = problem.least(ii)
        related = least > NO_PATH // 2
        self.together = related & related.T
        self._forward = np.where(self.together, least, NO_PATH)
        self._backward = np.where(self.together, -least.T, -NO_PATH)
        inner = [a for a in problem.graph.arcs if self.together[a.source, a.target]]
        self.inside = replace(problem, graph=DependenceGraph(problem.size, tuple(inner)))
        self.table = ReservationTable(self.inside, ii, fits)
        self.waiting = self.together.sum(axis=1) > 1
        if problem.branch is not None:
            self.waiting[problem.branch] = True
        self.left = np.count_nonzero(self.waiting)
        self.single = (~self.waiting).nonzero()[0].tolist()
        self.early = np.full(problem.size, NO_PATH, dtype=np.int64)
        self.late = np.full(problem.size, -NO_PATH, dtype=np.int64)

    def schedules(self) -> Iterator[tuple[int, ...]]:
        if not self.left:
            yield from self._spread_singles()
            return
        operation = self._next()
        bounds = self.early, self.late
        self.waiting[operation] = False
        self.left -= 1
        for time in self._times(operation):
            self.budget -= 1
            if self.budget <= 0:
                break
            if self.table.fits(operation, time):
                self.table.place(operation, time)
                self._bound(operation, time)
                yield from self.schedules()
                self.early, self.late = bounds
                self.table.remove(operation)
        self.waiting[operation] = True
        self.left += 1

    def _bound(self, operation: int, time: int) -> None:
        self.early = np.maximum(self.early, self._forward[operation] + time)
        self.late = np.minimum(self.late, self._backward[operation] + time)

    def _next(self) -> int:
        """The branch; then the operation with the fewest times."""
        branch = self.problem.branch
        if branch is not None and self.waiting[branch]:
            return branch
        begun = self.early > NO_PATH // 2
        times = np.where(begun, self.late - self.early + 1, self.ii)
        return int(np.where(self.waiting, times, -NO_PATH).argmin())

    def _times(self, operation: int) -> range:
        if self.early[operation] > NO_PATH // 2:
            return range(int(self.early[operation]), int(self.late[operation]) + 1)
        if operation == self.problem.branch:
            return range(self.ii - 1, self.ii)
        is_empty = not any(self.table.rows)
        return range(1 if is_empty else self.ii)  # an empty kernel can be turned

    def _spread_singles(self) -> Iterator[tuple[int, ...]]:
        by_kind: dict = {}
        for operation in self.single:
            by_kind.setdefault(self.problem.syllables[operation], []).append(operation)
        counts = Counter({kind: len(numbers) for kind, numbers in by_kind.items()})
        positions = sorted(range(self.ii), key=lambda row: -len(self.table.rows[row]))
        rows = [self._row(position) for position in positions]
        answer = spread(rows, counts, self._fits, self.budget)
        self.budget -= answer.tries
        if answer.rows is None:
            return
        times = list(self.table.times)
        for position, chosen in zip(positions, answer.rows, strict=True):
            for kind in chosen:
                times[by_kind[kind].pop()] = position
        yield self._in_stages(times)

    def _row(self, position: int) -> Row:
        members = self.table.rows[position]
        index = {number: k for k, number in enumerate(members)}
        pairs = order_in_row(self.inside, members, self.table.times, self.ii)
        order = frozenset((index[a], index[b]) for a, b in pairs)
        syllables = tuple(self.problem.syllables[n] for n in members)
        return Row(syllables, order, index.get(self.problem.branch))

    def _in_stages(self, rows: list[int]) -> tuple[int, ...]:
        """Move components apart by whole stages until the arcs between them hold, and none of
        latency 0 joins what meets in one cycle: the rows know nothing of an order between them."""
        times = list(rows)
        changed = True
        while changed:
            changed = False
            for arc in self.problem.graph.arcs:
                if self.together[arc.source, arc.target]:
                    continue
                slack = arc.slack(times, self.ii)
                missing = -slack if slack < 0 else int(slack == 0 and arc.latency == 0)
                if missing:
                    stages = -(-missing // self.ii)
                    for other in self.together[arc.target].nonzero()[0].tolist():
                        times[other] += stages * self.ii
                    changed = True
        return tuple(times)
