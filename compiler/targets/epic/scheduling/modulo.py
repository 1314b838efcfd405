"""The modulo scheduler: the least II at which an algorithm finds a schedule, verified.

    schedule_loop(problem, description)  ->  LoopSchedule (II, times, bounds) or GaveUp(reason)

II begins at the larger of the bounds by recurrences and resources and grows by one.  Where the
algorithm fails, an exhaustive search follows: it finds a schedule, or proves that there is none,
or runs out of its budget; `LoopSchedule.least_ii` tells how far the proofs reach.  An `Effort`
bounds all of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import compiler.targets.epic.scheduling as _folder
from compiler.targets.epic.scheduling import exhaustive
from compiler.targets.epic.scheduling.bounds import recurrence_bound, resource_bound
from compiler.targets.epic.scheduling.effort import Effort, EffortSpentError
from compiler.targets.epic.scheduling.problem import Fits, GaveUp, LoopSchedule, Problem, Scheduler
from compiler.targets.epic.scheduling.reservation import reservation as reservation_named
from compiler.targets.epic.scheduling.shorten import shorten
from machines.diagnostics import input_error, nearest
from machines.kinds.epic.fields import Epic
from machines.plugins import discover

BUDGET = 24
"""Placements for each operation of the loop before an II is given up."""
PROOF_BUDGET = 100_000
"""Tries of the exhaustive searches of a loop, all in all."""
EXHAUSTIVE_SHARE = 3 / 4
"""Of what is left the most that an exhaustive search may take, so that a larger II can be tried."""
NO_II = "no schedule up to the largest II"
SPENT = "the search was given up"


def schedulers() -> dict[str, Scheduler]:
    """All algorithms by name, built in and from plugins (entry-point group
    `simrun.schedulers`)."""
    return discover("schedulers", _folder, Scheduler, attribute="SCHEDULER")


def scheduler_named(name: str) -> Scheduler:
    """Raises InputError for a name that is not there."""
    known = schedulers()
    if name not in known:
        raise input_error(f"there is no scheduler '{name}'", hint=nearest(name, known))
    return known[name]


def schedule_loop(
    problem: Problem,
    description: Epic,
    scheduler: str = "slack",
    reservation: str = "automaton",
    budget: int = BUDGET,
    most_ii: int | None = None,
    first_ii: int = 1,
    proof_budget: int = PROOF_BUDGET,
    effort: Effort | None = None,
) -> LoopSchedule | GaveUp:
    """Schedule a loop at the least II that is found, up to `most_ii`.

    most_ii   None: so large that one operation a row would do
    first_ii  smaller ones are not tried: registers did not suffice
    effort    what may be spent on it, and is then gone; None: whatever the budgets allow

    Raises ImpossibleLoopError if no II allows the loop, InputError for unknown names.
    """
    algorithm, fits = scheduler_named(scheduler), reservation_named(reservation, description)
    effort = effort or Effort(math.inf)
    counted = effort.of(fits)
    most = serial_ii(problem) if most_ii is None else most_ii
    rec_mii = recurrence_bound(problem.graph, problem.names).mii
    if rec_mii > most:
        return GaveUp(NO_II)
    try:
        res_mii = resource_bound(problem, description, counted).mii
        least = max(rec_mii, res_mii)
        for ii in range(max(least, first_ii), most + 1):
            times = algorithm.solve(problem, ii, counted, budget * problem.size)
            if times is None:
                most_tries = int(min(proof_budget, EXHAUSTIVE_SHARE * effort.left))
                answer = exhaustive.search(problem, ii, counted, most_tries)
                times, tries = answer.times, most_tries - answer.budget
                proof_budget -= tries
                effort.spend(tries)
                if times is None and not answer.ran_out and least == ii:
                    least = ii + 1
            if times is not None:
                times = shorten(problem, ii, times, fits)
                schedule = LoopSchedule(problem, ii, times, res_mii, rec_mii, least)
                _check(schedule, fits, scheduler)
                return schedule
    except EffortSpentError:
        return GaveUp(SPENT)
    return GaveUp(NO_II)


class LoopSchedules:
    """Schedules the loops of a function for one machine, copies of a loop once: inlining makes
    them.

    searched  how many problems were searched
    """

    def __init__(self, description: Epic, scheduler: str, reservation: str):
        self._given = {
            "description": description, "scheduler": scheduler, "reservation": reservation
        }  # fmt: skip
        self._known: dict[tuple, LoopSchedule | GaveUp] = {}
        self.searched = 0

    def schedule(
        self, problem: Problem, first_ii: int, most_ii: int | None, effort: Effort
    ) -> LoopSchedule | GaveUp:
        """What `schedule_loop` says, which asks for no name; of a copy the effort is not spent."""
        values = tuple((v.file, v.definitions, v.uses) for v in problem.values)
        asked = problem.syllables, problem.graph.arcs, problem.branch, values, first_ii, most_ii
        if asked not in self._known:
            self.searched += 1
            self._known[asked] = schedule_loop(
                problem, **self._given, first_ii=first_ii, most_ii=most_ii, effort=effort
            )
        found = self._known[asked]
        return found if isinstance(found, GaveUp) else replace(found, problem=problem)


def serial_ii(problem: Problem) -> int:
    """An II at which one operation a row is a schedule, each waiting for the one before."""
    waits = [max([1, *(arc.latency for arc in arcs)]) for arcs in problem.graph.after]
    return max(1, sum(waits))


def violations(schedule: LoopSchedule, fits: Fits) -> Iterator[str]:
    """What is wrong with a schedule, from its times alone."""
    problem, ii, times = schedule.problem, schedule.ii, schedule.times
    for arc in problem.graph.arcs:
        if times[arc.target] + ii * arc.omega < times[arc.source] + arc.latency:
            names = problem.names[arc.source], problem.names[arc.target]
            yield f"arc {names[0]} -> {names[1]} ({arc.omega}, {arc.latency}) does not hold"
    for row in range(ii):
        members = [n for n in range(problem.size) if times[n] % ii == row]
        order = {
            (members.index(arc.source), members.index(arc.target))
            for arc in problem.graph.arcs
            if arc.latency == 0
            and arc.source in members
            and arc.target in members
            and times[arc.target] + ii * arc.omega == times[arc.source]
        }
        if problem.branch in members:
            last = members.index(problem.branch)
            order |= {(k, last) for k in range(len(members)) if k != last}
        if members and not fits([problem.syllables[n] for n in members], frozenset(order)):
            yield f"row {row} does not issue in one cycle"
    if problem.branch is not None and times[problem.branch] % ii != ii - 1:
        yield "the branch is not in the last row"
    if times and not 0 <= min(times) < ii:
        yield "the first stage is empty"


def _check(schedule: LoopSchedule, fits: Fits, name: str) -> None:
    wrong = list(violations(schedule, fits))
    if wrong:
        raise RuntimeError(f"scheduler '{name}' made a wrong schedule: {'; '.join(wrong)}")
