"""What a run counts that is cut off: by instruction and reason never more than one that goes on."""

from __future__ import annotations

import numpy as np

from machines.description.load import load_machine
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.returned import QUANTUM
from sim.cores.simt.drive import SimtCore
from sim.cores.simt.statistics import Statistics
from tests.warp_programs import kernel

SEQUENCES = """
    d2 = add.s64 d0, d0
    r4 = mad.lo.s32 r4, r4, r4
    d6 = add.s64 d0, d0
    r5 = mad.lo.s32 r5, r5, r5
    d2 = add.s64 d2, d6
    p0 = setp.lt.u32 r4, r5
    @p0 r4 = add.s32 r4, r5
    d2 = add.s64 d2, d2
    exit
"""
"""On an H200 an add.s64 issues in two cycles; meanwhile other warps become ready."""


def stalls_until(cycle: int) -> tuple[np.ndarray, bool]:
    """Cycles by instruction and reason, and whether the program goes on."""
    machine = load_machine("h200", ["sms=1"]).description
    core = SimtCore(kernel(SEQUENCES), machine, Memory([("x", 64)]))
    core.start(0, "k", Grid((4, 1, 1), (256, 1, 1)), b"")
    going = core.advance(cycle) == QUANTUM
    return Statistics(core).stalls.copy(), going


def test_stalls_only_grow():
    before, cycle, going = np.zeros(1, np.int64), 1, True
    while going:
        stalls, going = stalls_until(cycle)
        assert (stalls >= before).all(), cycle
        before, cycle = stalls, cycle + 3
    assert cycle > 100
