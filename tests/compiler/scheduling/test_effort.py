"""The search for a schedule ends after so many steps, which are counted and not timed."""

from __future__ import annotations

import pytest

from compiler.targets.epic.scheduling.effort import Effort, EffortSpentError
from compiler.targets.epic.scheduling.modulo import SPENT, schedule_loop
from compiler.targets.epic.scheduling.problem import GaveUp
from machines.description.load import load_machine
from tests.compiler.scheduling.random_problems import random_problem

ITANIUM2 = load_machine("itanium2").description
SEEDS = range(12)


def _search(seed: int, steps: float) -> tuple[object, float]:
    """What is found, and what was spent."""
    effort = Effort(steps)
    found = schedule_loop(random_problem(seed), ITANIUM2, effort=effort)
    return found, steps - effort.left


def test_steps_are_spent_and_then_gone():
    effort = Effort(3)
    effort.spend(3)
    with pytest.raises(EffortSpentError):
        effort.spend(1)


def test_questions_count():
    effort = Effort(2)
    fits = effort.of(lambda syllables, order: len(syllables) < 2)
    assert fits(["a"]) and not fits(["a", "b"])
    with pytest.raises(EffortSpentError):
        fits(["a"])


@pytest.mark.parametrize("seed", SEEDS)
def test_enough_changes_nothing_and_less_gives_up(seed: int):
    problem = random_problem(seed)
    free = schedule_loop(problem, ITANIUM2)
    found, spent = _search(seed, 10**7)
    assert found.ii == free.ii and found.times == free.times
    assert _search(seed, 10**7)[1] == spent
    again, also_spent = _search(seed, 4 * spent)
    assert (again.times, also_spent) == (found.times, spent)
    few, _ = _search(seed, spent // 2)
    assert few == GaveUp(SPENT)
