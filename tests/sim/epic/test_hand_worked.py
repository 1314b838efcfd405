"""Tiny programs whose cycles were worked out by hand, from the rules and figures of the machine
file; the working stands beside the expected figures in each file of hand_worked/.

Every program begins with its code in main memory, which costs the same on each machine (34 cycles +
160 ns, less the cycle that every fetch takes): 193 cycles on Itanium 2 and epic3, 161 on Itanium.
"""

import re
from pathlib import Path

import numpy as np
import pytest

from compiler import compile
from machines.description.load import load_machine
from machines.layout import Memory
from tests.sim.epic.epic_runs import simulate

pytestmark = pytest.mark.quick

FILES = sorted((Path(__file__).parent / "hand_worked").glob("*.s"))
MACHINE = re.compile(r"^// machine: (\w+)$", re.MULTILINE)
CYCLES = re.compile(r"^// cycles: (\d+)$", re.MULTILINE)
LOST = re.compile(r"^// lost: (.+)$", re.MULTILINE)


def run(path, quantum=None):
    named = MACHINE.search(path.read_text())
    machine = load_machine(named.group(1) if named else "itanium2")
    program = compile(path, machine=machine).program
    memory = Memory(buffer.extent for buffer in program.buffers)
    for buffer in program.buffers:
        if buffer.data is not None:
            data = np.frombuffer(buffer.data, dtype=np.uint8)
            memory.view(buffer.name)[: len(data)] = data
    return simulate(program, machine, memory, {}, cycle_limit=10_000, quantum=quantum)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_cycles_are_as_worked_out(path):
    text = path.read_text()
    expected = dict(pair.rsplit(" ", 1) for pair in LOST.search(text).group(1).split(", "))
    outcome = run(path)
    assert outcome.status == "done"
    lost = {cause: cycles for cause, cycles in outcome.lost.items() if cycles}
    assert lost == {cause: int(cycles) for cause, cycles in expected.items()}
    assert outcome.cycles == int(CYCLES.search(text).group(1))
    assert outcome.issuing + sum(lost.values()) == outcome.cycles


@pytest.mark.parametrize("path", FILES[::5], ids=lambda path: path.stem)
def test_cycles_do_not_depend_on_the_quantum(path):
    whole, cut = run(path), run(path, quantum=1)
    assert (whole.cycles, whole.lost, whole.counters) == (cut.cycles, cut.lost, cut.counters)


def test_there_are_programs_enough():
    assert len(FILES) >= 80
