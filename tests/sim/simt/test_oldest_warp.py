"""A sub-core knows the oldest of its warps, whose reasons its lost cycles have."""

from __future__ import annotations

import pytest

from sim.cores.returned import QUANTUM
from sim.cores.simt import state as at
from sim.cores.simt.units.block_dispatcher import SLOTS
from sim.cores.simt.units.stalls import IDLE
from tests.sim.simt.test_deferred import SCHEDULERS, SPINS, made

ENDS = (
    "mov.u32 %r61, 0;\nand.b32 %r9, %r5, 3;\nsetp.eq.u32 %p2, %r9, 0;\n@%p2 bra.uni OVER;\n"
    + SPINS
    + "OVER: mov.u32 %r20, %clock;\nadd.u32 %r20, %r20, %r61;"
)
"""Blocks of which every fourth ends early: warps leave in another order than they came."""


@pytest.mark.parametrize("overrides", SCHEDULERS.values(), ids=list(SCHEDULERS))
def test_the_oldest_warp_is_the_oldest_that_is_there(overrides):
    core = made("sms=1", *overrides, body=ENDS)
    state, seen = core.state, set()
    ages = state.ages.reshape(core.machine.subcores, -1)
    while core.advance(core.cycle + 3) == QUANTUM and core.cycle < 1_000_000:
        cores = state.subcores.reshape(-1, at.SUBCORE_COLUMNS)
        for row, own in zip(cores.tolist(), ages.tolist(), strict=True):
            there = [bit for bit in range(len(own)) if row[SLOTS.RESIDENT] >> bit & 1]
            assert row[IDLE.OLDEST] == min(there, key=own.__getitem__, default=-1)
            seen.add(row[IDLE.OLDEST])
    assert len(seen) >= 4
