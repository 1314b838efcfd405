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

from compiler.analyses.dependence_graph import NO_PATH, DependenceGraph, distances
from compiler.scheduling.problem import Fits, Problem, order_in_row
from compiler.scheduling.reservation import ReservationTable
from compiler.scheduling.rows import Row, spread


@dataclass(frozen=True)
class Answer:
    """Times, or None: there is no schedule, unless the search `ran_out` of its budget."""

    times: tuple[int, ...] | None
    ran_out: bool = False


def search(problem: Problem, ii: int, fits: Fits, budget: int) -> Answer:
    """Look at every schedule of an II that the recurrences allow, in `budget` tries at most."""
    found = _Search(problem, ii, fits, budget)
    times = next(found.schedules(), None)
    return Answer(times, times is None and found.budget <= 0)


class _Search:
    """Assigns times within components of the graph; those of different components do not compare.

    inside   the problem with the arcs within components only
    """

    def __init__(self, problem: Problem, ii: int, fits: Fits, budget: int):
        self.problem, self.ii, self._fits = problem, ii, fits
        self.budget = budget
        self.least = distances(problem.graph, ii)
        related = self.least > NO_PATH // 2
        self.together = related & related.T
        inner = [a for a in problem.graph.arcs if self.together[a.source, a.target]]
        self.inside = replace(problem, graph=DependenceGraph(problem.size, tuple(inner)))
        self.table = ReservationTable(self.inside, ii, fits)
        alone = self.together.sum(axis=1) == 1
        self.single = [n for n in range(problem.size) if alone[n] and n != problem.branch]

    def schedules(self) -> Iterator[tuple[int, ...]]:
        operation = self._next()
        if operation is None:
            yield from self._spread_singles()
            return
        for time in self._times(operation):
            self.budget -= 1
            if self.budget <= 0:
                return
            if self.table.fits(operation, time):
                self.table.place(operation, time)
                yield from self.schedules()
                self.table.remove(operation)

    def _next(self) -> int | None:
        """The branch; then, of components begun, the operation with the fewest times."""
        waiting = [
            n for n, time in enumerate(self.table.times) if time is None and n not in self.single
        ]
        if self.problem.branch in waiting:
            return self.problem.branch
        return min(waiting, key=lambda n: (len(self._times(n)), n), default=None)

    def _times(self, operation: int) -> range:
        first, last = None, None
        for other, time in enumerate(self.table.times):
            if time is not None and self.together[operation, other]:
                early = time + int(self.least[other, operation])
                late = time - int(self.least[operation, other])
                first = early if first is None else max(first, early)
                last = late if last is None else min(last, late)
        if first is None:
            empty = all(time is None for time in self.table.times)
            if operation == self.problem.branch:
                return range(self.ii - 1, self.ii)
            return range(1 if empty else self.ii)  # an empty kernel can be turned
        return range(first, last + 1)

    def _spread_singles(self) -> Iterator[tuple[int, ...]]:
        by_kind: dict = {}
        for operation in self.single:
            by_kind.setdefault(self.problem.syllables[operation], []).append(operation)
        counts = Counter({kind: len(numbers) for kind, numbers in by_kind.items()})
        places = sorted(range(self.ii), key=lambda row: -len(self.table.rows[row]))
        rows = [self._row(place) for place in places]
        answer = spread(rows, counts, self._fits, self.budget)
        self.budget -= answer.tries
        if answer.rows is None:
            return
        times = list(self.table.times)
        for place, chosen in zip(places, answer.rows, strict=True):
            for kind in chosen:
                times[by_kind[kind].pop()] = place
        yield self._in_stages(times)

    def _row(self, place: int) -> Row:
        members = self.table.rows[place]
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
