"""More time for late loads, never on a recurrence."""

from __future__ import annotations

from compiler.analyses.dependence_graph import Arc, DependenceGraph
from compiler.scheduling.patience import with_patience
from compiler.scheduling.problem import Problem
from compiler.targets.epic.bundles import syllable_of
from machines.instructions import operations


def problem(*arcs: Arc) -> Problem:
    load = syllable_of(operations()["ia64", "ldfd"])
    size = 1 + max(max(arc.source, arc.target) for arc in arcs)
    return Problem(("a", "b", "c")[:size], size * (load,), DependenceGraph(size, arcs))


def test_what_uses_a_load_waits_longer():
    assert with_patience(problem(Arc(0, 1, 0, 6)), {0: 4}).graph.arcs == (Arc(0, 1, 0, 10),)


def test_other_kinds_of_arcs_and_other_operations_stay():
    arcs = Arc(0, 1, 0, 1, "anti"), Arc(1, 2, 0, 6)
    assert with_patience(problem(*arcs), {0: 4}).graph.arcs == arcs


def test_a_use_that_leads_back_to_the_load_stays():
    """A pointer chase with a use beside it: only that may wait."""
    chase, back, use = Arc(0, 1, 0, 6), Arc(1, 0, 1, 1), Arc(0, 2, 0, 6)
    found = with_patience(problem(chase, back, use), {0: 4}).graph.arcs
    assert found == (chase, back, Arc(0, 2, 0, 10))
