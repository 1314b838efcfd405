"""Modulo schedules of random loops and of small ones known by hand."""

from __future__ import annotations

from random import Random

import pytest

from compiler.analyses.dependence_graph import Arc
from compiler.targets.epic.scheduling import exhaustive
from compiler.targets.epic.scheduling.bounds import recurrence_bound
from compiler.targets.epic.scheduling.modulo import NO_II, schedule_loop, schedulers
from compiler.targets.epic.scheduling.problem import GaveUp, Value
from compiler.targets.epic.scheduling.reservation import reservation
from compiler.targets.epic.scheduling.shorten import lifetime
from machines.description.load import load_machine
from machines.diagnostics import InputError
from tests.campaign.seeds import short_form
from tests.compiler.scheduling import scheduling_properties as properties
from tests.compiler.scheduling.random_problems import random_problem
from tests.compiler.scheduling.test_bounds import loop


@pytest.fixture(scope="module")
def description():
    return load_machine("itanium2").description


def test_both_algorithms_are_found():
    assert list(schedulers()) == ["iterative", "slack"]


@pytest.mark.parametrize("part", range(4))
def test_random_loops(part: int, description):
    for seed in range(25 * part, 25 * part + 25):
        properties.check(seed, description)


def test_a_large_random_loop(description):
    properties.check(3, description, most=100)


def test_it_always_ends(description):
    for seed in range(100):
        properties.check_with_little(seed, description)


@pytest.mark.parametrize("machine", ("itanium", "epic3"))
def test_other_machines(machine: str):
    for seed in range(10):
        properties.check(seed, load_machine(machine).description)


@pytest.mark.parametrize("name", ("slack", "iterative"))
def test_worked_example_0(name: str, description):
    schedule = schedule_loop(
        loop("adds", "adds", arcs=(Arc(0, 1, 0, 1), Arc(0, 0, 1, 1))), description, name
    )
    assert (schedule.res_mii, schedule.rec_mii, schedule.ii) == (1, 1, 1)
    assert (schedule.times, schedule.stages) == ((0, 1), 2)


@pytest.mark.parametrize("name", ("slack", "iterative"))
def test_daxpy_starts_an_iteration_every_cycle(name: str, description):
    """Two loads, a multiply-add and a store with their latencies, and the branch."""
    arcs = (
        Arc(0, 2, 0, 6),
        Arc(1, 2, 0, 6),
        Arc(2, 3, 0, 5),
        *(Arc(n, n, 1, 1) for n in (0, 1, 3)),
    )
    problem = loop("ldfd", "ldfd", "fma.d.s0", "stfd", "br.cloop", arcs=arcs, branch=4)
    schedule = schedule_loop(problem, description, name)
    assert (schedule.ii, schedule.stages) == (1, 12)
    assert schedule.times[:4] == (0, 0, 6, 11)


@pytest.mark.parametrize("name", ("slack", "iterative"))
def test_values_live_no_longer_than_they_must(name: str, description):
    """The second load waits until the first one's long way is done."""
    arcs = (Arc(0, 1, 0, 1), Arc(1, 2, 0, 4), Arc(2, 4, 0, 4), Arc(3, 4, 0, 6))
    values = (Value("late", "floating", (3,), ((4, 0),)),)
    problem = loop("ld8", "setf.sig", "fma.d.s0", "ldfd", "fma.d.s0", arcs=arcs)
    schedule = schedule_loop(
        problem.__class__(problem.names, problem.syllables, problem.graph, None, values),
        description, name,
    )  # fmt: skip
    assert lifetime(values[0], schedule.times, schedule.ii) == 6


def test_latency_0_orders_the_slots_of_a_row(description):
    """A store stands before the loop's branch and behind the load of the same cycle."""
    problem = loop("st8", "ld8", "br.cloop", arcs=(Arc(1, 0, 0, 0), Arc(0, 1, 1, 0)), branch=2)
    schedule = schedule_loop(problem, description)
    assert schedule.ii == 1
    assert schedule.order(0) == {(1, 0), (0, 2), (1, 2)}


def test_giving_up_has_a_reason(description):
    problem = loop("add", arcs=(Arc(0, 0, 1, 5),))
    assert schedule_loop(problem, description, most_ii=4) == GaveUp(NO_II)


def test_an_empty_loop_is_scheduled(description):
    assert schedule_loop(loop(), description).ii == 1


@pytest.mark.parametrize("wrong", ({"scheduler": "slak"}, {"reservation": "port"}))
def test_unknown_names_are_refused(wrong: dict[str, str], description):
    with pytest.raises(InputError, match="did you mean"):
        schedule_loop(loop("add"), description, **wrong)


@pytest.mark.parametrize("seed", short_form(range(40), 16))
def test_the_exhaustive_search_is_right(seed: int, description):
    """Against all times of up to four operations; with a reservation that takes little, so that
    the answer is often no."""
    problem = random_problem(1000 + seed, most=3)
    random = Random(seed)
    taken = random.sample(sorted(set(problem.syllables)), 1)
    automaton = reservation("automaton", description)

    def fits(syllables, order=()):
        scarce = sum(syllable in taken for syllable in syllables)
        return len(syllables) <= 2 and scarce <= 1 and automaton(syllables, order)

    least = recurrence_bound(problem.graph, problem.names).mii
    for ii in range(least, min(least + 3, 4)):
        answer = exhaustive.search(problem, ii, fits, 100_000)
        assert not answer.ran_out
        horizon = min(4 * ii + 6, 11)
        if problem.size <= 4:
            assert (answer.times is not None) == properties.exists(problem, ii, fits, horizon)


def test_the_automaton_is_monotone(description):
    """What fits still fits after a syllable or a pair of the order is taken away: the exhaustive
    searches rely on it."""
    fits = reservation("automaton", description)
    random = Random(5)
    for seed in range(400):
        problem = random_problem(seed)
        row = random.choices(problem.syllables, k=random.randint(2, 6))
        order = {(a, b) for a in range(len(row)) for b in range(a) if random.random() < 0.2}
        if not fits(row, order):
            continue
        for pair in order:
            assert fits(row, order - {pair})
        for gone in range(len(row)):
            number = [n - (n > gone) for n in range(len(row))]
            fewer = {(number[a], number[b]) for a, b in order if gone not in (a, b)}
            assert fits(row[:gone] + row[gone + 1 :], fewer), (row, order, gone)
