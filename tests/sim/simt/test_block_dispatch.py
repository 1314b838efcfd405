"""When blocks of threads begin: one after the other, and some time after one has made room."""

from __future__ import annotations

import numpy as np
import pytest

from machines.description.load import load_machine
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.returned import DONE
from sim.cores.simt.drive import SimtCore
from tests.warp_programs import kernel

READ_AND_STORE = """
    r1 = mov.clock
    r0 = mov.ctaid.x
    d4 = mov.address x
    d6 = mul.wide.s32 r0, 4
    d4 = add.s64 d4, d6
    st.global.b32 d4, 0, r1
    exit
"""
ROOM = 4
"""Blocks that an SM of `teaching_gpu` holds at once."""


def begins(blocks: int, threads: int = 32, **dispatch: str) -> np.ndarray:
    """The clock that each block read first, beginning at 0."""
    overrides = [f"dispatch.{key}={value}" for key, value in dispatch.items()]
    machine = load_machine("teaching_gpu", overrides)
    memory = Memory([("x", 4 * blocks)])
    core = SimtCore(kernel(READ_AND_STORE), machine.description, memory)
    core.start(0, "k", Grid((blocks, 1, 1), (threads, 1, 1)), b"")
    assert core.advance(1_000_000) == DONE
    return memory.view("x").view(np.int32).copy()


@pytest.mark.parametrize(("interval", "apart"), [("20 cycles", 20), ("20.5 cycles", 20.5)])
def test_blocks_begin_one_after_the_other(interval, apart):
    read = begins(ROOM, interval=interval)
    assert read.tolist() == [int(np.ceil(apart * k)) for k in range(ROOM)]


def test_a_block_that_takes_anothers_place_begins_after_the_latency():
    at_once, later = begins(ROOM + 2), begins(ROOM + 2, latency="50 cycles")
    assert at_once[:ROOM].tolist() == later[:ROOM].tolist()
    assert (later - at_once)[ROOM:].tolist() == [50, 50]


def test_the_interval_bounds_how_many_begin_whatever_room_there_is():
    read = np.sort(begins(64, interval="100 cycles", latency="7 cycles"))
    assert (np.diff(read) >= 100).all() and read[-1] == 6300


def test_it_is_blocks_that_wait_not_their_warps():
    read = begins(3, threads=128, interval="40 cycles")
    assert np.diff(read).tolist() == [40, 40]
