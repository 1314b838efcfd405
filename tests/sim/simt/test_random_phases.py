"""Random kernels of barrier objects: interpreter and core leave what numpy says, and a wait for
copies taken away is a race that both report."""

from __future__ import annotations

import numpy as np
import pytest

from compiler import compile
from compiler.targets.simt.interpret import interpret, memory_for
from machines.kinds.simt.copy_faults import RACES
from machines.kinds.simt.program import WarpProgram, parameter_bytes
from machines.threads.grid import Grid
from sim.cores.returned import DONE, FAULTED, QUANTUM
from sim.cores.simt.drive import SimtCore
from tests.campaign.seeds import short_form
from tests.programs.random_phases import Kernel, generate
from tests.sim.simt.test_hand_worked import checked_statistics
from tests.sim.simt.test_random_copies import machine


def compiled(kernel: Kernel, without: int = -1) -> WarpProgram:
    text = kernel.text(without)
    return compile("k.ptx", machine=machine(), source=text, entry="k").program


def both(kernel: Kernel, program: WarpProgram):
    """What the interpreter and the core come to: (outcome, memory), (status, core)."""
    grid = Grid((kernel.blocks, 1, 1), (kernel.threads, 1, 1))
    out = np.zeros(kernel.blocks * kernel.threads, np.uint32)
    memory = memory_for(program, {"data": kernel.data, "out": out})
    judged = memory.copy()
    names = {"data": "data", "out": "out"}
    outcome = interpret(
        program, machine().description, judged, "k", grid, names, backward=bool(kernel.seed % 2)
    )
    core = SimtCore(program, machine().description, memory)
    values = [memory.address("data"), memory.address("out")]
    core.start(0, "k", grid, parameter_bytes(program.kernels["k"].frame, values))
    while (status := core.advance(10**7)) == QUANTUM and core.cycle < 10**7:
        pass
    return (outcome, judged), (status, core)


@pytest.mark.parametrize("seed", short_form(range(2000), 10))
def test_interpreter_and_core_leave_what_numpy_says(seed: int):
    kernel = generate(seed)
    (outcome, judged), (status, core) = both(kernel, compiled(kernel))
    assert outcome.status == "done", outcome
    assert judged.view("out", "u4").tolist() == kernel.expected().tolist()
    assert status == DONE, (core.fault, core.where_it_loops())
    assert core.memory.view("out", "u4").tolist() == kernel.expected().tolist()
    checked_statistics(core)
    assert core.cycle < 100_000


@pytest.mark.parametrize("seed", short_form(range(2000), 10))
def test_a_wait_for_copies_taken_away_is_a_race(seed: int):
    kernel = generate(seed)
    for number, one in enumerate(kernel.rounds):
        if one.bring not in ("copies", "counted", "bulk"):
            continue
        (outcome, _), (status, core) = both(kernel, compiled(kernel, number))
        assert (outcome.status, status) == ("fault", FAULTED), (number, kernel.rounds)
        reads = [line for _, line in kernel.lines]
        for fault in (outcome.fault, core.fault):
            assert fault.kind in RACES
            assert reads[number] in (fault.location.line, fault.copy.line)
        return
