"""More time for loads that may be late, where it costs no cycle.

    ld -> fma   latency 6          latency 10, if a load whose bank is taken comes 4 cycles later
    s = fma s   omega 1            as it was: a recurrence would make II longer

What waits in a pipelined loop waits for every iteration; but a value that no recurrence passes
through may as well be used a little later, at the price of a register or a stage.  Misses of
several loads then overlap, too, as the later ones are out before the first is waited for.

S. Winkel, R. Krishnaiyer, R. Sampson, "Latency-tolerant software pipelining in a production
compiler", CGO 2008.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from compiler.analyses.dependence_graph import DependenceGraph
from compiler.targets.epic.scheduling.problem import Fits, LoopSchedule, Problem
from compiler.targets.epic.scheduling.reservation import ReservationTable
from compiler.targets.epic.scheduling.shorten import window


def with_load_slack(problem: Problem, extra: Mapping[int, int]) -> Problem:
    """The problem with `extra` cycles more from some operations to what uses their results, but for
    uses on a way that leads back to the operation."""
    graph = problem.graph
    arcs = tuple(
        replace(arc, latency=arc.latency + extra[arc.source])
        if arc.kind == "flow"
        and arc.source in extra
        and arc.source not in _behind(graph, arc.target)
        else arc
        for arc in graph.arcs
    )
    return replace(problem, graph=DependenceGraph(graph.size, arcs))


def with_early_loads(schedule: LoopSchedule, loads: Collection[int], fits: Fits) -> LoopSchedule:
    """The schedule with loads as early as rows and dependences let them be, at the price of longer
    lives of what they load."""
    problem, ii = schedule.problem, schedule.ii
    table = ReservationTable(problem, ii, fits)
    for operation, time in enumerate(schedule.times):
        table.place(operation, time)
    for load in sorted(loads, key=lambda number: (schedule.times[number], number)):
        now = table.times[load]
        first, _ = window(problem, table.times, ii, load)
        table.remove(load)
        earlier = (time for time in range(max(0, first), now) if table.fits(load, time))
        table.place(load, next(earlier, now))
    return replace(schedule, times=tuple(table.times))


def _behind(graph: DependenceGraph, start: int) -> set[int]:
    """An operation and all that depend on it."""
    found = {start}
    pending = [start]
    while pending:
        for arc in graph.after[pending.pop()]:
            if arc.target not in found:
                found.add(arc.target)
                pending.append(arc.target)
    return found
