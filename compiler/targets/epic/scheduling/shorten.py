"""Shorten the lives of values, and the schedule, without changing II.

    t0  a = ld              t4  a = ld         a was alive for five cycles
    t5  b = use a     ->    t5  b = use a

One operation after the other moves to the best cycle that its neighbours in the graph and the rows
leave it: fewer stages first, then shorter lives of what it reads and writes, then earlier.
"""

from __future__ import annotations

from compiler.targets.epic.scheduling.problem import Fits, Problem, Value
from compiler.targets.epic.scheduling.reservation import ReservationTable

MOST_ROUNDS = 8
"""Each round is one look at every operation; nearly always two or three find all there is."""


def shorten(problem: Problem, ii: int, times: tuple[int, ...], fits: Fits) -> tuple[int, ...]:
    """Times that are no worse, from 0 on and without an empty first stage."""
    table = ReservationTable(problem, ii, fits)
    for operation, time in enumerate(from_zero(problem, ii, times)):
        table.place(operation, time)
    touching = [[v for v in problem.values if _touches(v, n)] for n in range(problem.size)]
    for _ in range(MOST_ROUNDS):
        moved = False
        for operation in range(problem.size):
            moved |= _improve(table, operation, touching[operation])
        if not moved:
            break
    return from_zero(problem, ii, tuple(table.times))


def from_zero(problem: Problem, ii: int, times: tuple[int, ...]) -> tuple[int, ...]:
    """The schedule moved to stage 0; to time 0 if no branch holds the rows in place."""
    first = min(times, default=0)
    start = first if problem.branch is None else first // ii * ii
    return tuple(time - start for time in times)


def lifetime(value: Value, times: list[int], ii: int) -> int:
    """Cycles from a value's first definition to its last use."""
    if not value.definitions or not value.uses:
        return 0
    end = max(times[user] + ii * omega for user, omega in value.uses)
    return end - min(times[writer] for writer in value.definitions)


def _touches(value: Value, operation: int) -> bool:
    return operation in value.definitions or any(user == operation for user, _ in value.uses)


def _improve(table: ReservationTable, operation: int, values: list[Value]) -> bool:
    """Move an operation to its best cycle; False if it stands there."""
    problem, ii, times = table.problem, table.ii, table.times
    now = times[operation]
    last_other = max((t for n, t in enumerate(times) if n != operation), default=0)

    def cost(time: int) -> tuple[int, int, int]:
        times[operation] = time
        lives = sum(lifetime(value, times, ii) for value in values)
        times[operation] = now
        return max(last_other, time) // ii, lives, time

    first, last = window(problem, times, ii, operation)
    costs = sorted(cost(t) for t in range(max(0, first), min(last, last_other + ii) + 1))
    table.remove(operation)
    best = next((c[2] for c in costs if c[2] == now or table.fits(operation, c[2])), now)
    table.place(operation, best)
    return best != now


def window(problem: Problem, times: list[int], ii: int, operation: int) -> tuple[int, int]:
    """The cycles that the arcs of an operation leave it."""
    first = [0]
    last = [max(times) + ii]
    for arc in problem.graph.before[operation]:
        if arc.source != operation:
            first.append(times[operation] - arc.slack(times, ii))
    for arc in problem.graph.after[operation]:
        if arc.target != operation:
            last.append(times[operation] + arc.slack(times, ii))
    return max(first), min(last)
