"""Which of several ready warps issues, told by the clocks that they read.

Three warps of one sub-core are ready in cycle 0; the pipe of a special function takes one in four
cycles.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from machines.description.load import load_machine
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.returned import DONE
from sim.cores.simt.drive import SimtCore
from tests.warp_programs import kernel

READ_AND_STORE = """
    {before}
    r1 = mov.clock
    r0 = mov.tid.x
    d4 = mov.address x
    d6 = mul.wide.s32 r0, 4
    d4 = add.s64 d4, d6
    st.global.b32 d4, 0, r1
    exit
"""
WARPS = 3


def clocks(policy: str, before: str = "", *overrides: str) -> list[int]:
    """What each warp read, in their order."""
    machine = load_machine("teaching_gpu", ("subcores=1", f"scheduler.policy={policy}", *overrides))
    memory = Memory([("x", 32 * 4 * WARPS)])
    core = SimtCore(kernel(READ_AND_STORE.format(before=before)), machine.description, memory)
    core.start(0, "k", Grid((1, 1, 1), (32 * WARPS, 1, 1)), b"")
    assert core.advance(100_000) == DONE
    return memory.view("x").view(np.uint32)[::32].tolist()


@pytest.mark.parametrize(
    ("policy", "order"), [("lrr", [1, 2, 0]), ("gto", [0, 1, 2]), ("gty", [0, 2, 1])]
)
def test_who_goes_first(policy: str, order: list[int]):
    """Before any has issued warp 0 counts as the last that did: behind it in turn; it and the
    oldest of the others; it and the youngest."""
    read = clocks(policy)
    assert sorted(range(WARPS), key=read.__getitem__) == order


@pytest.mark.parametrize("policy", ["lrr", "gto", "gty"])
def test_a_warp_waits_for_the_pipe_that_it_wants_now(policy: str):
    """Not for the one that it went to before: behind its special function each warp reads the
    clock, and no two have gone to that pipe within four cycles."""
    read = sorted(clocks(policy, "r8 = mov.b32 0\nr9 = ex2.approx.f32 r10"))
    assert all(later - earlier >= 4 for earlier, later in pairwise(read))
