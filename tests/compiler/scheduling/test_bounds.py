"""RecMII against all simple cycles, ResMII of Itanium 2, and impossible loops."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from compiler.analyses.dependence_graph import Arc, DependenceGraph, distances
from compiler.targets.epic.bundling.bundles import syllable_of
from compiler.targets.epic.scheduling.bounds import counting_bound, recurrence_bound, resource_bound
from compiler.targets.epic.scheduling.problem import ImpossibleLoopError, Problem
from compiler.targets.epic.scheduling.reservation import reservation
from machines.description.load import load_machine
from machines.instructions import operations


def loop(*mnemonics: str, arcs: tuple[Arc, ...] = (), branch: int | None = None) -> Problem:
    rows = operations().family("ia64")
    syllables = tuple(syllable_of(rows[name]) for name in mnemonics)
    graph = DependenceGraph(len(mnemonics), arcs)
    return Problem(tuple(mnemonics), syllables, graph, branch)


def rec_mii(size: int, *arcs: Arc) -> int:
    names = tuple(f"i{n}" for n in range(size))
    return recurrence_bound(DependenceGraph(size, arcs), names).mii


def test_worked_example_0():
    """Figure 1 of the patent: instruction 1 needs itself of one iteration before, 2 needs 1."""
    assert rec_mii(2, Arc(0, 1, 0, 1), Arc(0, 0, 1, 1)) == 1


def test_a_bound_is_rounded_up_and_the_worst_cycle_counts():
    assert rec_mii(3, Arc(0, 1, 0, 4), Arc(1, 0, 2, 3), Arc(2, 2, 1, 3)) == 4
    assert rec_mii(3, Arc(0, 1, 0, 4), Arc(1, 0, 2, 1), Arc(2, 2, 1, 2)) == 3


def test_no_cycle_or_a_negative_one_allows_every_ii():
    assert rec_mii(2, Arc(0, 1, 0, 9)) == 1
    assert rec_mii(2, Arc(0, 1, 0, 3), Arc(1, 0, 0, -3)) == 1


@pytest.mark.parametrize("seed", range(60))
def test_the_bound_is_the_maximum_over_all_cycles(seed: int):
    random = Random(seed)
    size = random.randint(1, 6)
    arcs = []
    for _ in range(random.randint(0, 14)):
        source, target = random.randrange(size), random.randrange(size)
        omega = random.randint(0, 3) if source < target else random.randint(1, 3)
        arcs.append(Arc(source, target, omega, random.randint(-2, 9)))
    graph = DependenceGraph(size, tuple(arcs))
    cycles = [
        (sum(a.latency for a in cycle), sum(a.omega for a in cycle))
        for cycle in simple_cycles(graph)
    ]
    found = recurrence_bound(graph, tuple("abcdef"))
    assert found.mii == max([1, *(-(-latency // omega) for latency, omega in cycles)])
    if found.cycle:
        latency, omega = sum(a.latency for a in found.cycle), sum(a.omega for a in found.cycle)
        assert -(-latency // omega) == found.mii
    least = distances(graph, found.mii)
    assert (least.diagonal() == 0).all()


def simple_cycles(graph: DependenceGraph) -> Iterator[list[Arc]]:
    """Every cycle through its lowest operation, by trying all paths."""

    def walk(path: list[Arc], start: int) -> Iterator[list[Arc]]:
        end = path[-1].target if path else start
        for arc in graph.after[end]:
            if arc.target == start:
                yield [*path, arc]
            elif arc.target > start and all(arc.target != a.target for a in path):
                yield from walk([*path, arc], start)

    for start in range(graph.size):
        yield from walk([], start)


def test_a_cycle_within_an_iteration_names_its_operations():
    with pytest.raises(ImpossibleLoopError, match=r"^i1, i2: they wait 3 cycles for one another"):
        rec_mii(3, Arc(0, 1, 0, 1), Arc(1, 2, 0, 1), Arc(2, 1, 0, 2))


def test_operations_that_each_stand_before_the_other_are_impossible():
    with pytest.raises(ImpossibleLoopError, match="each stands before the other in one cycle"):
        rec_mii(2, Arc(0, 1, 0, 0), Arc(1, 0, 0, 0))
    assert rec_mii(2, Arc(0, 1, 0, 1), Arc(1, 0, 0, -1)) == 1


@pytest.mark.parametrize(
    ("mnemonics", "ports", "automaton"),
    [
        (["ld8"] * 3, 2, 2),
        (["add"] * 6, 1, 1),
        (["add"] * 7, 2, 2),
        (["movl"] * 2, 1, 1),
        (["movl", "movl", "fma.d.s0"], 1, 2),
        (["extr.u", "sxt4", "fma.d.s0", "fma.d.s0"], 1, 1),
    ],
)
def test_resource_bounds_of_itanium_2(mnemonics: list[str], ports: int, automaton: int):
    description = load_machine("itanium2").description
    for name, expected in (("ports", ports), ("automaton", automaton)):
        fits = reservation(name, description)
        found = resource_bound(loop(*mnemonics), description, fits)
        assert (found.mii, found.is_exact) == (expected, True), name


def test_templates_bound_what_ports_would_take():
    """Two I, two F and the branch: no pair of bundles holds them."""
    mnemonics = ["extr.u", "sxt4", "fma.d.s0", "fma.d.s0", "br.cloop"]
    description = load_machine("itanium2").description
    problem = loop(*mnemonics, branch=4)
    assert counting_bound(problem.syllables, description) == 1
    assert resource_bound(problem, description, reservation("ports", description)).mii == 1
    assert resource_bound(problem, description, reservation("automaton", description)).mii == 2


def test_an_operation_that_no_cycle_takes_is_named():
    description = load_machine("itanium2").description
    with pytest.raises(ImpossibleLoopError, match=r"^b: no cycle of itanium2 takes it"):
        problem = Problem(("a", "b"), loop("add", "ld8").syllables, DependenceGraph(2, ()))
        resource_bound(problem, description, lambda s, order: s[0].slot_kind == "A")
