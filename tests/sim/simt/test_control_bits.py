"""Where control bits say when a warp may issue, what they say is kept."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import compiler
from compiler.targets.simt.interpret import memory_for
from machines.kinds.simt.program import parameter_bytes
from machines.threads.grid import Grid
from sim.cores.returned import DONE
from sim.cores.simt.drive import SimtCore
from tests.sim.fields.variants import variant

PTX = """\
.version 9.0
.target sm_90
.address_size 64
.visible .entry test(.param .u64 out)
{{
    .reg .b32 %r<40>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %clock;
{chain}
    mov.u32 %r3, %clock;
    add.u32 %r4, %r1, %r1;
    sub.u32 %r5, %r3, %r2;
    st.global.u32 [%rd1], %r5;
    st.global.u32 [%rd1+4], %r{last};
    ret;
}}
"""


def cycles_of(length: int, kind: str) -> int:
    """Between two looks at the clock, around a chain of sums each of which needs the one before."""
    sums = [f"    add.u32 %r{b}, %r{a}, %r{a};" for a, b in pairwise([1, *range(10, 10 + length)])]
    text = PTX.format(chain="\n".join(sums), last=9 + length if length else 1)
    machine = variant("teaching_gpu", (f"dependences.kind={kind}",))
    program = compiler.compile(
        "kernel.ptx", machine=machine, source=text, passes=["default", "-schedule_lanes"]
    ).program
    memory = memory_for(program, {"out": np.zeros(2, np.uint32)})
    core = SimtCore(program, machine.description, memory)
    given = parameter_bytes(program.kernels["test"].frame, [memory.address("out")])
    core.start(0, "test", Grid((1, 1, 1), (1, 1, 1)), given)
    assert core.advance(100_000) == DONE
    return int(memory.view("out").view(np.uint32)[0])


@pytest.mark.parametrize("kind", ["control_bits", "scoreboard"])
def test_a_chain_takes_the_latency_of_each(kind: str):
    """Which is four cycles."""
    assert [cycles_of(length, kind) for length in (0, 1, 4, 12)] == [1, 4, 16, 48]
