"""Random kernels of copies that go on meanwhile: interpreter and core against a model, and each
wait taken away is a race that both report."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from compiler import compile
from compiler.targets.simt.interpret import Outcome, interpret, memory_for
from machines.description.load import Machine, load_machine
from machines.kinds.simt.copy_faults import RACES
from machines.kinds.simt.program import WarpProgram, parameter_bytes
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.returned import DONE, FAULTED, QUANTUM
from sim.cores.simt.drive import SimtCore
from tests.campaign.seeds import short_form
from tests.programs.random_copies import Kernel, Wait, generate, judge
from tests.sim.simt.test_hand_worked import checked_statistics


@cache
def machine() -> Machine:
    return load_machine("teaching_gpu")


def compiled(kernel: Kernel) -> WarpProgram:
    return compile("k.ptx", machine=machine(), source=kernel.text(), entry="k").program


def placed(kernel: Kernel, program: WarpProgram) -> Memory:
    out = np.zeros(kernel.blocks * kernel.threads, np.uint32)
    return memory_for(program, {"data": kernel.data, "out": out})


def grid_of(kernel: Kernel) -> Grid:
    return Grid((kernel.blocks, 1, 1), (kernel.threads, 1, 1))


def interpreted(kernel: Kernel, program: WarpProgram) -> tuple[Outcome, Memory]:
    memory = placed(kernel, program)
    names = {"data": "data", "out": "out"}
    outcome = interpret(
        program, machine().description, memory, "k", grid_of(kernel), names,
        backward=bool(kernel.seed % 2),
    )  # fmt: skip
    return outcome, memory


def simulated(kernel: Kernel, program: WarpProgram) -> tuple[int, SimtCore]:
    memory = placed(kernel, program)
    core = SimtCore(program, machine().description, memory)
    values = [memory.address("data"), memory.address("out")]
    core.start(0, "k", grid_of(kernel), parameter_bytes(program.kernels["k"].frame, values))
    while (status := core.advance(10**6)) == QUANTUM and core.cycle < 10**6:
        pass
    return status, core


@pytest.mark.parametrize("seed", short_form(range(2000), 12))
def test_interpreter_and_core_do_what_the_model_says(seed: int):
    kernel = generate(seed)
    wanted, races, _ = judge(kernel)
    assert not races
    program = compiled(kernel)
    outcome, memory = interpreted(kernel, program)
    assert outcome.status == "done", outcome
    assert memory.view("out", "u4").tolist() == wanted.tolist()
    status, core = simulated(kernel, program)
    assert status == DONE, core.fault
    assert core.memory.view("out", "u4").tolist() == wanted.tolist()
    checked_statistics(core)


@pytest.mark.parametrize("seed", short_form(range(2000), 12))
def test_each_wait_taken_away_is_a_race_of_two_lines(seed: int):
    """Unless another wait does what it did: then the model finds no race either."""
    kernel = generate(seed)
    waits = [k for k, step in enumerate(kernel.steps) if isinstance(step, Wait)]
    for number in waits[-3:]:
        changed = kernel.without(number)
        wanted, races, maybe = judge(changed)
        program = compiled(changed)
        lines = {(changed.lines[step], changed.lines[copy]) for step, copy in races | maybe}
        outcome, memory = interpreted(changed, program)
        status, core = simulated(changed, program)
        for fault, left in ((outcome.fault, memory), (core.fault, core.memory)):
            if fault is None:
                assert not races
                assert left.view("out", "u4").tolist() == wanted.tolist()
            else:
                assert fault.kind in RACES
                met = fault.location.line, fault.copy.line
                assert met in lines or met[::-1] in lines
        assert (outcome.status in ("done", "fault"), status in (DONE, FAULTED)) == (True, True)
