"""ptx rows on the core, on their hand-computed cases, a case a lane."""

from __future__ import annotations

import pytest

from compiler.targets.simt.interpret import interpret, memory_for
from machines.load import load_machine
from tests.sim.simt.rows_on_core import GRID, bench_of, plain_rows
from tests.sim.simt.test_ptx_semantics_on_core import run

PLAIN = plain_rows()
PART = 24


def check(rows) -> None:
    """The rows give the expected results on the core and on the interpreter."""
    bench, machine = bench_of(rows), load_machine("teaching_gpu")
    program = bench.program()
    memory = memory_for(program, bench.arrays())
    judged = memory.copy()
    names = ["given", "out"]
    assert interpret(program, machine.description, judged, None, GRID, names).status == "done"
    assert bench.wrong(judged.view("out", "i8")) == []
    addresses = [memory.address(name) for name in names]
    run(program, machine, memory, "kernel", GRID, addresses)
    assert bench.wrong(memory.view("out", "i8")) == []


def test_some_rows():
    """All of them in tests/campaign/test_ptx_rows_on_core.py."""
    check(PLAIN[::40])


@pytest.mark.parametrize("first", range(0, len(PLAIN), 100))
def test_programs_of_all_rows_are_right(first):
    """Without the core: the programs of the campaign say what the table says."""
    machine = load_machine("teaching_gpu").description
    bench = bench_of(PLAIN[first : first + 100])
    program = bench.program()
    memory = memory_for(program, bench.arrays())
    outcome = interpret(program, machine, memory, None, GRID, ["given", "out"])
    assert outcome.status == "done"
    assert bench.wrong(memory.view("out", "i8")) == []
