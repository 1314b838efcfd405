"""PTX programs with hand-computed results, on the core."""

from __future__ import annotations

import pytest

import compiler
from compiler.targets.simt.interpret import memory_for
from machines.description.load import load_machine
from machines.kinds.simt.program import parameter_bytes
from machines.layout import Memory
from sim.cores.returned import DONE, QUANTUM
from sim.cores.simt.drive import SimtCore
from tests.ptx_semantics import PROGRAMS, read_semantics

CYCLES = 1_000_000


@pytest.fixture(scope="module")
def machine():
    return load_machine("teaching_gpu")


def run(program, machine, memory: Memory, kernel: str, grid, values) -> None:
    """Run one launch to its end."""
    core = SimtCore(program, machine.description, memory)
    core.start(0, kernel, grid, parameter_bytes(program.kernels[kernel].frame, values))
    while (status := core.advance(CYCLES)) == QUANTUM and core.cycle < CYCLES:
        pass
    assert status == DONE, (status, core.fault, core.stuck_report()[:4])


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_results(path, machine):
    semantics = read_semantics(path)
    program = compiler.compile(path, machine=machine).program
    memory = memory_for(program, {"out": semantics.start})
    run(program, machine, memory, "test", semantics.grid, [memory.address("out")])
    got = memory.view("out", "u4")
    assert [hex(word) for word in got] == [hex(word) for word in semantics.expected]
