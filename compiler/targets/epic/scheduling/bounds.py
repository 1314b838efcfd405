"""The least II that recurrences and resources allow.

    s = s + x[i]    float add, latency 4, needs its own value of one iteration before:  RecMII 4
    three loads     on a machine that takes two a cycle:                                ResMII 2

RecMII is exact: the maximum over all cycles of latency / omega, rounded up.  ResMII is the least
number of rows over which the operations can be spread so that each row issues in one cycle, with
the loop's branch last in its row; what the arcs say of order is left out.  Counting ports and slots
bounds it from below; a search over the rows then makes it exact, or runs out of its budget, and
what it refuted until then is the bound.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from compiler.analyses.dependence_graph import Arc, DependenceGraph, positive_cycle
from compiler.targets.epic.bundling.bundles import SLOTS, Syllable
from compiler.targets.epic.scheduling.problem import Fits, ImpossibleLoopError, Problem
from compiler.targets.epic.scheduling.rows import Row, spread
from machines.kinds.epic.fields import Epic

SEARCH_BUDGET = 20_000
"""Rows that the search for ResMII may try for each II."""
BACK = "an arc that leads back waits for an earlier iteration: its omega is 1 or more"


@dataclass(frozen=True)
class RecurrenceBound:
    """RecMII (1 if there is no cycle), and the arcs of a cycle that sets it."""

    mii: int
    cycle: tuple[Arc, ...] = ()


@dataclass(frozen=True)
class ResourceBound:
    """ResMII, and whether it is known that so many rows are enough."""

    mii: int
    is_exact: bool


def recurrence_bound(graph: DependenceGraph, names: tuple[str, ...]) -> RecurrenceBound:
    """The exact RecMII.

    A cycle of positive weight latency - II * omega proves its own bound; starting with 1, II jumps
    from bound to bound until no such cycle is left (Newton's method for the maximum cycle ratio;
    Lawler, *Combinatorial Optimization*, 1976).

    Raises ImpossibleLoopError for a cycle within one iteration.
    """
    _check_order(graph, names)
    found = RecurrenceBound(1)
    while cycle := _cycle_above(graph, found.mii):
        latency, omega = sum(a.latency for a in cycle), sum(a.omega for a in cycle)
        if omega == 0:
            why = f"they wait {latency} cycles for one another within one iteration"
            raise ImpossibleLoopError(tuple(a.source for a in cycle), names, why, BACK)
        found = RecurrenceBound(-(-latency // omega), cycle)
    return found


def _cycle_above(graph: DependenceGraph, ii: int) -> tuple[Arc, ...] | None:
    """A cycle that this II is too small for."""
    return positive_cycle(graph.size, graph.arcs, lambda arc: arc.latency - ii * arc.omega)


def _check_order(graph: DependenceGraph, names: tuple[str, ...]) -> None:
    """Raises ImpossibleLoopError if operations that must meet must each stand before the other."""
    together = [arc for arc in graph.arcs if arc.omega == 0 and arc.latency == 0]
    if cycle := positive_cycle(graph.size, together, lambda arc: 1):
        why = "each stands before the other in one cycle"
        raise ImpossibleLoopError(tuple(arc.source for arc in cycle), names, why, BACK)


def resource_bound(problem: Problem, description: Epic, fits: Fits) -> ResourceBound:
    """ResMII of a reservation.

    Raises ImpossibleLoopError if an operation never issues, alone or beside the branch.
    """
    for number, syllable in enumerate(problem.syllables):
        if not fits([syllable], ()):
            why = f"no cycle of {description.name} takes it"
            hint = "give the machine a port and a template for it"
            raise ImpossibleLoopError((number,), problem.names, why, hint)
    counts = Counter(s for n, s in enumerate(problem.syllables) if n != problem.branch)
    last = Row() if problem.branch is None else Row((problem.syllables[problem.branch],), last=0)
    ii = counting_bound(problem.syllables, description)
    while True:
        rows = [last, *[Row()] * (ii - 1)]
        answer = spread(rows, counts, fits, SEARCH_BUDGET)
        if answer.rows is not None:
            return ResourceBound(ii, True)
        if answer.ran_out:
            return ResourceBound(ii, False)
        ii += 1


def counting_bound(syllables: tuple[Syllable, ...], description: Epic) -> int:
    """Rows that slots and ports demand at least.

    An assignment of operations to ports of `II` uses each exists if and only if every set of ports
    has room for the operations that can go nowhere else (Hall, *On Representatives of Subsets*,
    1935); unions of the sets that the operations accept are enough to look at.
    """
    width = description.dispersal.bundles_per_cycle * SLOTS
    slots = sum(2 if s.slot_kind == "LX" else 1 for s in syllables)
    demand: Counter[frozenset[str]] = Counter()
    for syllable in syllables:
        ports = description.ports.items()
        demand[frozenset(n for n, p in ports if syllable.scheduling_class in p.accepts)] += 1
    unions = {frozenset[str]()}
    for ports in demand:
        unions |= {ports | union for union in unions}
    needs = [
        -(-sum(n for ports, n in demand.items() if ports <= union) // len(union))
        for union in unions
        if union
    ]
    return max(1, -(-slots // width), *needs)
