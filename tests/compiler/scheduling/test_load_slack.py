"""More time for late loads, never on a recurrence."""

from __future__ import annotations

from dataclasses import replace

from compiler.analyses.dependence_graph import Arc, DependenceGraph
from compiler.targets.epic.bundling.bundles import syllable_of
from compiler.targets.epic.scheduling.load_slack import with_early_loads, with_load_slack
from compiler.targets.epic.scheduling.problem import LoopSchedule, Problem
from machines.instructions import operations


def problem(*arcs: Arc) -> Problem:
    load = syllable_of(operations()["ia64", "ldfd"])
    size = 1 + max(max(arc.source, arc.target) for arc in arcs)
    return Problem(("a", "b", "c")[:size], size * (load,), DependenceGraph(size, arcs))


def test_what_uses_a_load_waits_longer():
    assert with_load_slack(problem(Arc(0, 1, 0, 6)), {0: 4}).graph.arcs == (Arc(0, 1, 0, 10),)


def test_other_kinds_of_arcs_and_other_operations_stay():
    arcs = Arc(0, 1, 0, 1, "anti"), Arc(1, 2, 0, 6)
    assert with_load_slack(problem(*arcs), {0: 4}).graph.arcs == arcs


def test_a_use_that_leads_back_to_the_load_stays():
    """A pointer chase with a use beside it: only that may wait."""
    chase, back, use = Arc(0, 1, 0, 6), Arc(1, 0, 1, 1), Arc(0, 2, 0, 6)
    found = with_load_slack(problem(chase, back, use), {0: 4}).graph.arcs
    assert found == (chase, back, Arc(0, 2, 0, 10))


def test_loads_move_to_where_the_schedule_has_room():
    """A load in the last of four rows moves to the first that takes it; another holds it back."""
    beside = Arc(0, 2, 0, 2)
    schedule = LoopSchedule(problem(Arc(1, 2, 0, 1), beside), 4, (0, 2, 3), 1, 1)

    def one_a_row(syllables, order) -> bool:
        return len(syllables) == 1

    assert with_early_loads(schedule, [1], one_a_row).times == (0, 1, 3)
    assert with_early_loads(schedule, [0, 1], lambda *row: True).times == (0, 0, 3)
    held = replace(schedule, problem=problem(Arc(1, 2, 0, 1), beside, Arc(0, 1, 0, 2)))
    assert with_early_loads(held, [1], one_a_row).times == (0, 2, 3)
