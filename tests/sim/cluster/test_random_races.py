"""Races by order on random programs: a run ends where the order of the interpreter says that
nothing says which comes first, and what ends well leaves what every order leaves."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from compiler import Compilation
from machines.description.load import Machine
from tests.campaign.seeds import campaign, check_all
from tests.programs.any_order import any_order
from tests.programs.own_waits import with_own_waits, without_each_wait
from tests.programs.random_tiles import Options, TileProgram, generate
from tests.programs.tile_runs import compiled, filled, machine_named, run_streams, simulate

MACHINES = ("teaching_chip", "mlu370", "seed_chip")
OPTIONS = (Options(most=6), Options(mem=False, most=8), Options(stages=True, most=6))
ORDERS = 3


def judged(code: Compilation, program: TileProgram, machine: Machine, orders: int) -> str:
    """How a run ends that the interpreter agrees with, and every order if it ends well."""
    by_order = run_streams(code, program, machine).outcome
    run = simulate(code, program, machine)
    failure = run.outcome.failure
    is_race = failure is not None and failure.kind.startswith("a race for bytes")
    assert is_race == bool(by_order.races), (by_order, failure)
    if is_race:
        return "race"
    if run.outcome.status != "done":
        assert by_order.status in ("fault", "deadlock"), (by_order, run.outcome)
        return by_order.status
    for seed in range(orders):
        memory = filled(code.module, program)
        any_order(code.functions, program.arguments, memory, machine, seed)
        assert memory.bytes.tobytes() == run.bytes, f"another order leaves something else: {seed}"
    return "done"


def check_each_wait(seed: int, machine: Machine) -> Counter:
    """One placed wait after the other is taken out."""
    program = generate(seed, machine, OPTIONS[seed % len(OPTIONS)])
    code = compiled(program, machine)
    return Counter(judged(one, program, machine, 1) for one in without_each_wait(code))


def check_own_waits(seed: int, machine: Machine) -> str:
    """Waits and barriers of its own."""
    program = generate(seed, machine, OPTIONS[seed % len(OPTIONS)])
    code = with_own_waits(compiled(program, machine), random.Random(seed))
    return judged(code, program, machine, ORDERS)


def test_each_wait_is_missed():
    chip = machine_named("teaching_chip")
    ended = check_each_wait(0, chip) + check_each_wait(1, chip)
    assert ended["race"] >= 5, ended


@pytest.mark.parametrize("name", MACHINES)
def test_own_waits_and_meetings(name):
    machine = machine_named(name)
    few = 8 if name == MACHINES[0] else 2
    ended = Counter(check_own_waits(seed, machine) for seed in range(few))
    assert ended["race"] or name != MACHINES[0], ended


@campaign(10, 100, 140)
def test_each_wait_campaign(seeds):
    check_all(lambda seed: check_each_wait(seed, machine_named("teaching_chip")), seeds)


@campaign(50, 100, 1100)
def test_own_waits_campaign(seeds):
    check_all(lambda s: check_own_waits(s, machine_named(MACHINES[s % len(MACHINES)])), seeds)
