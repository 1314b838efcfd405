"""ptx rows on the core, on their hand-computed cases, a case a lane."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.types import PTR
from tests.sim.simt.rows_on_core import GRID, THREADS, bench_of, plain_rows
from tests.sim.simt.test_ptx_semantics_on_core import run
from tests.warp_programs import kernel

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
    run(program, machine, memory, "k", GRID, addresses)
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


def test_lanes_on_other_paths_keep_their_registers():
    """Even lanes put a pair where odd lanes, which wait, hold a register of 32 bits."""
    text = """
            r8 = mov.tid.x
            d10 = ld.param.b64 0
            d10 = mad.wide.u32 r8, 4, d10
            r2 = mov.b32 7
            r9 = and.b32 r8, 1
            p0 = setp.ne.s32 r9, 0
            bra p0, odd, even
        even:
            d2 = mul.wide.u32 r8, 1000
            d2 = add.s64 d2, 1
            r0 = cvt.u32.u64 d2
            bra.uni end
        odd:
            r0 = add.s32 r2, r8
            bra.uni end
        end:
            st.global.b32 d10, 0, r0
            exit
    """
    program, machine = kernel(text, [("out", PTR)]), load_machine("teaching_gpu")
    memory = memory_for(program, {"out": np.zeros(THREADS, np.int32)})
    run(program, machine, memory, "k", GRID, [memory.address("out")])
    expected = [7 + lane if lane % 2 else 1000 * lane + 1 for lane in range(THREADS)]
    assert memory.view("out", "i4").tolist() == expected
