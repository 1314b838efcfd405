"""PTX programs with hand-computed results, on the interpreter of threads."""

from __future__ import annotations

import pytest

import compiler
from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from tests.ptx_semantics import PROGRAMS, read_semantics


@pytest.fixture(scope="module")
def machine():
    return load_machine("teaching_gpu")


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_results(path, machine):
    semantics = read_semantics(path)
    program = compiler.compile(path, machine=machine).program
    memory = memory_for(program, {"out": semantics.start})
    outcome = interpret(program, machine.description, memory, "test", semantics.grid, ["out"])
    assert outcome.status == "done", outcome
    got = memory.view("out", "u4")
    assert [hex(word) for word in got] == [hex(word) for word in semantics.expected]
