"""Threads know their place in their block, whichever block had their warp's slot before."""

from __future__ import annotations

import numpy as np
import pytest

from machines.kinds.simt.program import parameter_bytes
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.returned import DONE
from sim.cores.simt.drive import SimtCore
from tests.sim.fields.variants import variant
from tests.warp_programs import kernel

TEXT = """
    r0 = mov.tid.x
    r1 = mov.tid.y
    r2 = mov.tid.z
    r3 = mov.ntid.x
    r4 = mov.ntid.y
    r5 = mad.lo.s32 r2, r4, r1
    r5 = mad.lo.s32 r5, r3, r0
    r6 = mov.ctaid.x
    r7 = mad.lo.s32 r6, 96, r5
    d4 = mov.address x
    d6 = mul.wide.s32 r7, 4
    d4 = add.s64 d4, d6
    r8 = mad.lo.s32 r2, 100, r1
    r8 = mad.lo.s32 r8, 100, r0
    st.global.b32 d4, 0, r8
    exit
"""
THREADS, BLOCKS = 96, 60
SHAPES = ((16, 6, 1), (32, 3, 1), (8, 4, 3), (96, 1, 1), (16, 2, 3), (16, 6, 1), (4, 24, 1))
"""Three warps each, the first of which begins at (0, 0, 0)."""


SLOTS = ((1, 16), (2, 16), (4, 32), (4, 20), (2, 24))
"""Sub-cores, and warps of all: of one 16, 8, 8, 5, 12."""


@pytest.mark.parametrize(("subcores", "warps"), SLOTS)
def test_threads_know_their_place(subcores: int, warps: int):
    changes = ("sms=1", f"subcores={subcores}", f"limits.warps={warps}")
    machine = variant("teaching_gpu", changes).description
    memory = Memory([("x", 4 * THREADS * BLOCKS)])
    program = kernel(TEXT)
    core = SimtCore(program, machine, memory)
    given = parameter_bytes(program.kernels["k"].frame, [])
    for number, (across, down, deep) in enumerate(SHAPES):
        core.start(number, "k", Grid((BLOCKS, 1, 1), (across, down, deep)), given)
        assert core.advance(10_000_000) == DONE
        z, y, x = np.indices((deep, down, across)).reshape(3, -1)
        found = memory.view("x").view(np.int32).reshape(BLOCKS, THREADS)
        assert (found == (z * 100 + y) * 100 + x).all(), (across, down, deep)
