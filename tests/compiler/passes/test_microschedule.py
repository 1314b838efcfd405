"""The microscheduler: the published examples, no avoidable split, the order of split rows."""

from __future__ import annotations

import random

import pytest

from compiler.analyses.dependence_graph import Arc
from compiler.targets.epic.bundling.automaton import automaton
from compiler.targets.epic.bundling.bundles import Syllable, issue, syllable_of
from compiler.targets.epic.passes.bundlers import DoesNotFit
from compiler.targets.epic.passes.microschedule import meeting, microschedule, pack
from machines.description.load import load_machine
from machines.instructions import operations
from tests.campaign.seeds import cut
from tests.compiler.packing import check_microscheduled


def row(names: str) -> list[Syllable]:
    return [syllable_of(operations()["ia64", name]) for name in names.split()]


def cycles(names: str, arcs=(), stages=None, rules="sound", machine="itanium2") -> list[list[int]]:
    """The operations of each cycle."""
    packer = automaton(load_machine(machine).description)
    syllables = row(names)
    stages = stages or [0] * len(syllables)
    found = microschedule(syllables, [Arc(*arc) for arc in arcs], stages, packer, rules)
    return [sorted(packing.ports) for packing in found]


def test_the_worked_example_takes_one_cycle():
    assert cycles("adds extr.u add lfetch xor ld8") == [[0, 1, 2, 3, 4, 5]]


BACK_EDGES = [(0, 1, 1, 1), (0, 3, 0, 1)]
"""6 -> 2 with omega 1 and 6 -> 1 with omega 0, both read after write; the row is 6, 2, 3, 1."""


def test_back_edges():
    """The published rules let the row issue together, a bundler for straight code splits it."""
    names, stages = "ld8 adds adds st8", [2, 1, 1, 0]
    assert cycles(names, BACK_EDGES, stages, "seed") == [[0, 1, 2, 3]]
    assert cycles(names, BACK_EDGES, stages, "acyclic") == [[0, 2], [1, 3]]
    # The first arc joins operations that meet: the value would have to arrive in its own cycle.
    assert cycles(names, BACK_EDGES, stages, "sound") == [[0, 2, 3], [1]]


def test_the_other_arcs_of_a_row_are_no_obstacle():
    arcs = [(0, 1, 2, 1), (1, 0, 0, 4)]
    assert cycles("ld8 adds", arcs, [1, 0]) == [[0, 1]]
    assert [arc.omega for arc in meeting([Arc(*a) for a in arcs], [2, 0])] == [2]


def test_a_pair_that_meets_keeps_its_order():
    """The writer of the next stage's register stands behind its reader."""
    packer = automaton(load_machine("itanium2").description)
    (packing,) = microschedule(row("ld8 ld8"), [Arc(1, 0, 1, 0, "anti")], [0, 1], packer)
    (bundle,) = packing.bundles
    assert bundle.filling == (1, 0, None)


def test_a_row_that_splits_keeps_its_order():
    """Three loads need two cycles; the store that must stand behind the last goes with it."""
    assert cycles("st8 ld8 ld8 ld8", [(3, 0, 0, 0)]) == [[1, 2], [0, 3]]


def test_operations_wait_for_what_stands_before_them():
    chain = [(n, n + 1, 0, 1) for n in range(3)]
    assert cycles("add add add add", chain) == [[0], [1], [2], [3]]


def test_an_operation_that_no_cycle_takes_is_named():
    with pytest.raises(DoesNotFit) as error:
        cycles("add ld8 st8", [(1, 2, 0, 0), (2, 1, 0, 0)])
    assert error.value.node == 1


@pytest.mark.parametrize("seeds", cut(12, 60))
@pytest.mark.parametrize("machine", ["itanium2", "itanium", "epic3"])
def test_no_avoidable_split(machine, seeds):
    description = load_machine(machine).description
    for seed in seeds:
        check_microscheduled(random.Random(seed), description)


def test_bundles_of_cycles_end_with_stops():
    packer = automaton(load_machine("itanium2").description)
    syllables = row("ld8 ld8 ld8")
    bundles = pack(syllables, [], [0, 0, 0], packer)
    assert issue(bundles, syllables, packer.description).cycles == 2
    assert [bundle.template for bundle in bundles] == ["MMI;", "MII;"]
