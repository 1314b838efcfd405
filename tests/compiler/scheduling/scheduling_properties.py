"""What must hold of the schedule of any loop."""

from __future__ import annotations

from itertools import product

from compiler.targets.epic.bundling.automaton import automaton
from compiler.targets.epic.scheduling.modulo import schedule_loop, schedulers, violations
from compiler.targets.epic.scheduling.problem import GaveUp, LoopSchedule, Problem
from compiler.targets.epic.scheduling.reservation import RESERVATIONS, reservation
from machines.kinds.epic.fields import Epic
from tests.compiler.scheduling.random_problems import random_problem


def check(seed: int, description: Epic, most: int = 24) -> list[LoopSchedule]:
    """A random loop by every scheduler and reservation: valid schedules, II not below a bound."""
    problem = random_problem(seed, most)
    found = []
    for name, kind in product(schedulers(), RESERVATIONS):
        schedule = schedule_loop(problem, description, name, kind)
        assert isinstance(schedule, LoopSchedule), (name, kind)
        assert list(violations(schedule, reservation(kind, description))) == []
        assert schedule.ii >= schedule.least_ii >= max(schedule.res_mii, schedule.rec_mii)
        check_slots(schedule, description, kind)
        found.append(schedule)
    assert len({s.rec_mii for s in found}) == 1
    return found


def check_slots(schedule: LoopSchedule, description: Epic, kind: str) -> None:
    """By the automaton: rows are packed so that what has to stand first does."""
    if kind != "automaton":
        return
    for row, members in enumerate(schedule.rows):
        order = {(members.index(a), members.index(b)) for a, b in schedule.order(row)}
        syllables = [schedule.problem.syllables[n] for n in members]
        packing = automaton(description).fits(syllables, order)
        slots = [node for bundle in packing.bundles for node in bundle.filling]
        assert sorted(node for node in slots if node is not None) == list(range(len(members)))
        assert all(slots.index(a) < slots.index(b) for a, b in order)


def check_with_little(seed: int, description: Epic) -> None:
    """Whatever the budget, it ends, with a schedule or a reason."""
    problem = random_problem(seed)
    for name in schedulers():
        answer = schedule_loop(problem, description, name, budget=1, most_ii=2, proof_budget=1)
        assert isinstance(answer, LoopSchedule | GaveUp)


def exists(problem: Problem, ii: int, fits, horizon: int) -> bool:
    """Whether any times below `horizon` are a schedule, one after the other."""
    for times in product(range(horizon), repeat=problem.size):
        schedule = LoopSchedule(problem, ii, times, 1, 1)
        if not list(violations(schedule, fits)):
            return True
    return False
