"""Iterative modulo scheduling: list scheduling that takes back what is in its way.

    the operation with the longest path behind it goes first, into the first cycle that takes it;
    where none of II consecutive cycles does, it goes to the first all the same (or to the one
    after its last time), and what it conflicts with is scheduled again

Source: B. R. Rau, *Iterative Modulo Scheduling: An Algorithm for Software Pipelining Loops*,
MICRO 27, 1994.
"""

from __future__ import annotations

from compiler.targets.epic.scheduling.problem import Fits, Problem, Scheduler
from compiler.targets.epic.scheduling.reservation import ReservationTable


def solve(problem: Problem, ii: int, fits: Fits, budget: int) -> tuple[int, ...] | None:
    """Times of the operations at this II; None where `budget` placements did not do."""
    table = ReservationTable(problem, ii, fits)
    heights = problem.least(ii).max(axis=1, initial=0).tolist()
    by_priority = sorted(range(problem.size), key=lambda n: (n != problem.branch, -heights[n], n))
    before: list[int | None] = [None] * problem.size
    for _ in range(budget):
        operation = next((n for n in by_priority if table.times[n] is None), None)
        if operation is None:
            break
        first = earliest(problem, table, operation)
        time = next((t for t in range(first, first + ii) if table.fits(operation, t)), None)
        if time is None:
            last = before[operation]
            start = first if last is None else max(first, last + 1)
            time = table.first_forcible(operation, start)
        if time is None:
            return None
        for other in table.in_the_way(operation, time):
            table.remove(other)
        table.place(operation, time)
        before[operation] = time
        for other in contradicted(problem, table, operation):
            table.remove(other)
    return None if None in table.times else tuple(table.times)


def earliest(problem: Problem, table: ReservationTable, operation: int) -> int:
    """The first cycle that the placed operations before it in the graph allow, from 0 on."""
    starts = [
        table.times[arc.source] + arc.latency - table.ii * arc.omega
        for arc in problem.graph.before[operation]
        if table.times[arc.source] is not None and arc.source != operation
    ]
    return max([0, *starts])


def contradicted(problem: Problem, table: ReservationTable, operation: int) -> list[int]:
    """The placed operations behind it in the graph that now stand too early."""
    return list(
        dict.fromkeys(
            arc.target
            for arc in problem.graph.after[operation]
            if arc.target != operation
            and table.times[arc.target] is not None
            and arc.slack(table.times, table.ii) < 0
        )
    )


SCHEDULER = Scheduler("iterative", "Rau's iterative modulo scheduling: highest first.", solve)
