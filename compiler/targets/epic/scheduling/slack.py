"""Slack scheduling: lifetime-sensitive modulo scheduling with backtracking.

    x = load; y = load; z = x + y      the second load is placed late, right before its one use,
                                       instead of as early as it could

Source: R. A. Huff, *Lifetime-Sensitive Modulo Scheduling*, PLDI 1993.  Each step places the
operation with the least slack, the number of cycles between its earliest and latest start under
what is placed already; an operation on a scarce resource counts as having half its slack.  It is
tried early or late, whichever leaves more of the values it reads and writes short.  Where no cycle
takes it, it is forced into one, and what is in the way there leaves and is placed again later.

Two things differ from the article.  The loop's branch is placed first and in its row.  And there
are two runs: the first keeps the length of the longest path, in whole stages; if it fails, in the
second an operation that only this length keeps from fitting makes the schedule longer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from compiler.analyses.dependence_graph import NO_PATH
from compiler.targets.epic.scheduling.problem import Fits, Problem, Scheduler
from compiler.targets.epic.scheduling.reservation import ReservationTable
from compiler.targets.epic.scheduling.rows import capacity

FAR = -NO_PATH
CRITICAL = 0.9
"""Share of a resource's uses from which on it counts as scarce (Huff's figure)."""


def solve(problem: Problem, ii: int, fits: Fits, budget: int) -> tuple[int, ...] | None:
    """Times of the operations at this II; None where `budget` placements did not do."""
    short = _run(_SlackSearch(problem, ii, fits, may_grow=False), budget // 2)
    return short or _run(_SlackSearch(problem, ii, fits, may_grow=True), budget // 2)


def _run(search: _SlackSearch, budget: int) -> tuple[int, ...] | None:
    for _ in range(budget):
        operation = search.most_urgent()
        if operation is None:
            break
        if not search.place(operation):
            return None
    return None if None in search.table.times else tuple(search.table.times)


class _SlackSearch:
    """A partial schedule.

    least      Huff's MinDist: the least distance in time between operations
    early, late   first and last start of each operation under what is placed
    waiting       bool, whether it is not placed
    length     cycles of one iteration so far
    may_grow   it grows before anything is forced out
    before     where each operation stood last
    """

    def __init__(self, problem: Problem, ii: int, fits: Fits, may_grow: bool):
        self.problem, self.ii, self.may_grow = problem, ii, may_grow
        self.table = ReservationTable(problem, ii, fits)
        self.least = problem.least(ii)
        self.least_to = np.ascontiguousarray(self.least.T)
        self.is_related = self.least > NO_PATH // 2
        self.head = np.maximum(self.least.max(axis=0, initial=0), 0)
        self.tail = np.maximum(self.least.max(axis=1, initial=0), 0)
        self.length = _round_up(int((self.head + self.tail).max(initial=0)) + 1, ii)
        self.before: list[int | None] = [None] * problem.size
        self.is_scarce = np.array(_scarce(problem, ii, fits), dtype=bool)
        self.waiting = np.ones(problem.size, dtype=bool)
        self.roles = [_Roles(problem, operation) for operation in range(problem.size)]
        self._reset()

    def _reset(self) -> None:
        """Bounds from all that is placed."""
        self.early = self.head.copy()
        self.late = np.full(self.problem.size, FAR, dtype=np.int64)
        placed = np.flatnonzero(~self.waiting)
        if len(placed):
            times = np.array([self.table.times[n] for n in placed.tolist()])[:, None]
            np.maximum(self.early, (times + self.least[placed]).max(axis=0), out=self.early)
            np.minimum(self.late, (times - self.least_to[placed]).min(axis=0), out=self.late)

    def _bound(self, operation: int, time: int) -> None:
        """Bounds from one more placed operation."""
        np.maximum(self.early, time + self.least[operation], out=self.early)
        np.minimum(self.late, time - self.least_to[operation], out=self.late)

    def most_urgent(self) -> int | None:
        """The branch, then the operation with the least slack (of several the one that has to start
        first); None if all are placed."""
        branch = self.problem.branch
        if branch is not None and self.waiting[branch]:
            return branch
        waiting = np.flatnonzero(self.waiting)
        if not len(waiting):
            return None
        latest = np.minimum(self.late, self.length - 1 - self.tail)[waiting]
        slack = latest - self.early[waiting]
        twice = np.where(self.is_scarce[waiting] & (slack > 0), slack, 2 * slack)
        least = np.flatnonzero(twice == twice.min())
        return int(waiting[least[latest[least].argmin()]])

    def _latest(self, operation: int) -> int:
        """The latest start in a schedule of this length."""
        end = self.length - 1 - int(self.tail[operation])
        return min(int(self.late[operation]), end)

    def place(self, operation: int) -> bool:
        """Place an operation, forcing others out if need be; False if no row takes it at all."""
        time = next((t for t in self._times(operation) if self.table.fits(operation, t)), None)
        if time is None:
            time = self.table.first_forcible(operation, self._forced_start(operation))
            if time is None:
                return False
            for other in self._in_the_way(operation, time):
                self.table.remove(other)
                self.waiting[other] = True
            self._reset()
        self.table.place(operation, time)
        self.waiting[operation] = False
        self._bound(operation, time)
        self.before[operation] = time
        self.length = max(self.length, time + int(self.tail[operation]) + 1)
        return True

    def _times(self, operation: int) -> Iterator[int]:
        """The cycles to try: one of each row at most, within the schedule's length first."""
        first, last = int(self.early[operation]), self._latest(operation)
        if first > last:
            last = first - 1
        elif self._is_better_early(operation):
            yield from range(first, min(last, first + self.ii - 1) + 1)
        else:
            yield from range(last, max(first, last - self.ii + 1) - 1, -1)
        if self.may_grow:
            longest = min(int(self.late[operation]), first + self.ii - 1)
            yield from range(last + 1, longest + 1)

    def _forced_start(self, operation: int) -> int:
        """From where on an operation is forced in: behind its last time, so that all changes."""
        first, before = int(self.early[operation]), self.before[operation]
        return first if before is None else max(first, before + 1)

    def _in_the_way(self, operation: int, time: int) -> list[int]:
        """What has no room beside an operation, or stands too early or too late for it."""
        placed = np.flatnonzero(~self.waiting)
        times = np.array([self.table.times[n] for n in placed.tolist()], dtype=np.int64)
        too_early = times < time + self.least[operation, placed]
        too_late = times > time - self.least_to[operation, placed]
        contradicting = placed[too_early | too_late].tolist()
        return list(dict.fromkeys([*self.table.in_the_way(operation, time), *contradicting]))

    def _is_better_early(self, operation: int) -> bool:
        """Whether more values get longer by a late start than by an early one.

        With as many on both sides: near what is placed already.
        """
        roles = self.roles[operation]
        latest = self._latest(operation)
        inputs = sum(self._may_end(value, latest) for value in roles.inputs)
        if inputs != roles.outputs:
            return inputs > roles.outputs
        before = np.count_nonzero(self.is_related[:, operation] & ~self.waiting)
        after = np.count_nonzero(self.is_related[operation] & ~self.waiting)
        return before >= after

    def _may_end(self, value: _Input, latest: int) -> bool:
        """Whether an operation that starts at the latest may be the last to read a value."""
        end = latest + self.ii * value.omega
        return all(int(self.early[user]) + self.ii * omega < end for user, omega in value.others)


@dataclass(frozen=True, slots=True)
class _Input:
    """A value that an operation reads, `omega` iterations later at most, and who else does."""

    omega: int
    others: tuple[tuple[int, int], ...]


class _Roles:
    """How many values that are read an operation defines, and the inputs that it does not."""

    def __init__(self, problem: Problem, operation: int):
        self.outputs = 0
        self.inputs: list[_Input] = []
        for value in problem.values:
            if operation in value.definitions:
                self.outputs += bool(value.uses)
            elif omegas := [omega for user, omega in value.uses if user == operation]:
                others = tuple(use for use in value.uses if use[0] != operation)
                self.inputs.append(_Input(max(omegas), others))


def _scarce(problem: Problem, ii: int, fits: Fits) -> list[bool]:
    """For each operation whether its kind uses up nearly all that the kernel has room for."""
    counts = Counter(problem.syllables)
    scarce = {s: n >= CRITICAL * ii * capacity(s, fits) for s, n in counts.items()}
    return [scarce[syllable] for syllable in problem.syllables]


def _round_up(length: int, ii: int) -> int:
    return -(-length // ii) * ii


SCHEDULER = Scheduler("slack", "Huff's slack scheduling: short lifetimes, backtracking.", solve)
