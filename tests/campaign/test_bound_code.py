"""Packets that have code of their own do what they do without it: every cycle, counter, register,
byte, fault and cost is the same, whenever code is given to them or taken away, in calls of any
length.

    CAMPAIGN=0:5000 pytest -m campaign -n 2 tests/campaign/test_bound_code.py
"""

from __future__ import annotations

from dataclasses import fields
from random import Random

import numpy as np
import pytest

from compiler import compile
from machines.description.load import Machine
from machines.kinds.epic.program import BundleProgram
from tests.campaign.assembly_features import MACHINES, Mixture, _machine
from tests.campaign.seeds import campaign, check_all
from tests.sim.epic_runs import simulate
from tests.sim.random_assembly import Generator
from tests.sim.random_frames import FrameGenerator
from tests.sim.switched_code import switched_code, without_code
from tests.sim.test_core_against_reference import VARIANTS, machine_of, memory_of

QUANTA = (1, 7, 997, 10**6)
MOST = 16
"""Packets that have code, of those that issue: making it takes most of the time."""
CYCLES = 300_000


def program_of(seed: int) -> tuple[BundleProgram, Machine]:
    """A random program: one that mixes whatever a program can do, or one that presses on timing or
    on frames, on one of the machines of the tests of those."""
    if seed % 2:
        machine = _machine(seed % len(MACHINES))
        source = Mixture(seed, machine.description.largest_frame).text
    else:
        machine = machine_of(list(VARIANTS)[seed // 2 % len(VARIANTS)])
        source = (Generator if seed % 4 else FrameGenerator)(seed).program()
    return compile("random.s", machine=machine, source=source).program, machine


def check(seed: int) -> int:
    """Raises AssertionError if anything differs; how many calls had code for some packet."""
    program, machine = program_of(seed)
    memory = memory_of(program, {})
    with without_code() as cores:
        expected = simulate(program, machine, memory, {}, cycle_limit=CYCLES)
    packets = Random(seed).sample(cores[0].issued(), min(MOST, len(cores[0].issued())))
    called = 0
    for quantum in dict.fromkeys((QUANTA[seed % len(QUANTA)], QUANTA[-1])):
        again = memory_of(program, {})
        limit = CYCLES if quantum > 100 else min(CYCLES, 4000 * quantum)
        if limit < expected.cycles:
            continue
        with switched_code(packets, seed) as numbers:
            found = simulate(program, machine, again, {}, cycle_limit=CYCLES, quantum=quantum)
        called += np.count_nonzero(numbers)
        assert memory.bytes.tobytes() == again.bytes.tobytes()
        for field in fields(expected):
            one, other = getattr(expected, field.name), getattr(found, field.name)
            same = np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other
            assert same or repr(one) == repr(other), (field.name, one, other)
    return called


@pytest.mark.parametrize("seed", range(8))
def test_some_programs(seed: int):
    assert check(seed) > 0


@campaign(50, first=0, end=5000)
def test_campaign(seeds: range):
    check_all(check, seeds)
