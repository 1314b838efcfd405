"""What CUDA's device runtime gives a kernel: a heap, and grids whose blocks meet."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from machines.diagnostics import InputError
from sim.results.result import Result
from tests.compiler.frontends.ptx_runs import FOLDER, HEADER, REGISTERS, fixture, read, run

COUNTS = np.array([7 * i % 5 for i in range(24)], np.int32)
SUMS = [sum(i + k * r for r in range(3) for k in range(COUNTS[i])) for i in range(24)]
RING = np.arange(50, dtype=np.int32)


def turned(ring: np.ndarray, times: int) -> np.ndarray:
    """Each element one more than its neighbour, again and again."""
    for _ in range(times):
        ring = np.roll(ring, -1) + 1
    return ring


def on_core(entry: str, arguments: dict, grid: int, block: int, **launch: object) -> Result:
    workload = {
        "workload": entry,
        "program": str(FOLDER / "heap.ptx"),
        "entry": entry,
        "arguments": arguments,
        "launch": {"grid": [grid], "block": [block], **launch},
    }
    return sim.run(workload, machine="h200")


def test_lists_on_the_heap():
    given = [np.zeros(24, np.int64), COUNTS, np.int32(3)]
    assert run(fixture("heap"), "lists", given, 2, 12)[0].tolist() == SUMS
    arguments = dict(zip(("out", "counts", "rounds"), given, strict=True))
    found = on_core("lists", arguments, 2, 12)
    assert found.status == "done" and found.outputs["out"].tolist() == SUMS


def test_a_heap_that_is_full():
    """Of 8 MiB: 6 for 5 that are asked for, then no 6 are left, nor 5 for 4."""
    assert run(fixture("heap"), "greedy", [np.zeros(3, np.int32)])[0].tolist() == [1, 0, 0]


def test_what_is_freed_twice_faults():
    found = on_core("twice", {"out": np.zeros(1, np.int32)}, 1, 1)
    assert found.status == "fault"
    place = found.to_dict()["fault"]["location"]
    line = (FOLDER / "heap.cu").read_text().splitlines()[place["line"] - 1]
    assert "void twice" in line


def test_blocks_of_a_grid_wait_for_each_other():
    given = [RING, np.zeros_like(RING), np.int32(50), np.int32(4)]
    assert (run(fixture("heap"), "rounds", given, 3, 4)[0] == turned(RING, 4)).all()
    arguments = dict(zip(("a", "b", "n", "times"), given, strict=True))
    found = on_core("rounds", arguments, 5, 4, cooperative=True)
    assert found.status == "done" and (found.outputs["a"] == turned(RING, 4)).all()


@pytest.mark.parametrize(
    "grid, launch, message",
    [
        (5, {}, "the blocks of 'rounds' wait for each other, which a plain launch forbids"),
        (5000, {"cooperative": True}, "of 5000 blocks, of which no more than 4224 are resident"),
    ],
)
def test_launches_that_could_not_end(grid: int, launch: dict, message: str):
    arguments = {"a": RING, "b": RING, "n": 50, "times": 1}
    with pytest.raises(InputError, match=message):
        on_core("rounds", arguments, grid, 4, **launch)


def test_the_barrier_of_a_grid_by_its_function():
    """As generators call it that have no CUDA source: every block sees what all stored before."""
    text = f"""{HEADER}
.extern .func (.param .b64 r) cudaCGGetIntrinsicHandle (.param .b32 a);
.extern .func (.param .b32 r) cudaCGSynchronize (.param .b64 a, .param .b32 b);
.visible .entry k(.param .u64 out) {{{REGISTERS}
    ld.param.u64 %rd0, [out];
    mov.u32 %r1, %ctaid.x;
    mul.wide.u32 %rd1, %r1, 4;
    add.u64 %rd1, %rd0, %rd1;
    mov.u32 %r6, 3;
TURN:
    ld.global.u32 %r2, [%rd1];
    add.u32 %r2, %r2, 1;
    st.global.u32 [%rd1], %r2;
    {{ .param .b32 a; .param .b64 h; st.param.b32 [a], 1; call (h), cudaCGGetIntrinsicHandle, (a);
      ld.param.b64 %rd2, [h]; }}
    {{ .param .b64 h; .param .b32 f, s; st.param.b64 [h], %rd2; st.param.b32 [f], 0;
      call (s), cudaCGSynchronize, (h, f); ld.param.b32 %r3, [s]; }}
    xor.b32 %r4, %r1, 1;
    mul.wide.u32 %rd3, %r4, 4;
    add.u64 %rd3, %rd0, %rd3;
    ld.global.u32 %r5, [%rd3];
    {{ .param .b64 h; .param .b32 f, s; st.param.b64 [h], %rd2; st.param.b32 [f], 0;
      call (s), cudaCGSynchronize, (h, f); ld.param.b32 %r3, [s]; }}
    mad.lo.u32 %r2, %r5, 10, %r2;
    st.global.u32 [%rd1], %r2;
    sub.u32 %r6, %r6, 1;
    setp.ne.u32 %p1, %r6, 0;
    @%p1 bra TURN;
}}
"""
    wanted = [2, 5]
    for _ in range(3):
        wanted = [wanted[0] + 1, wanted[1] + 1]
        wanted = [wanted[0] + 10 * wanted[1], wanted[1] + 10 * wanted[0]]
    assert run(read(text), "k", [np.array([2, 5], np.uint32)], 2, 1)[0].tolist() == wanted
