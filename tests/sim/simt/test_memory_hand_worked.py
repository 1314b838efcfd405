"""Programs whose memory accesses are timed by their own clock, worked out by hand on teaching_gpu.

A warp reads the clock, does what is timed, and reads it again: with `instructions` issued between
the two, and a last one that waits for the data, the difference is worked out like this:

    cycle  0  mov.clock
           1  ld.global           done at 1 + 109: 100 of DRAM, 4 sectors through slice and channel
         110  add.s32 of its data
         111  mov.clock           111 cycles

The figures are those of machines/teaching_gpu.yaml: L1 20, L2 40, DRAM 100, shared memory 20.
"""

from __future__ import annotations

import numpy as np
import pytest

from machines.description.load import load_machine
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.returned import DONE
from sim.cores.simt.drive import SimtCore
from tests.warp_programs import kernel

BEFORE = """
r0 = mov.laneid
d2 = mov.address data
d4 = mov.address out
d6 = mul.wide.u32 r0, {stride}
d6 = add.s64 d2, d6          // the lane's address in global memory
r8 = mul.lo.s32 r0, {stride}          // … in shared memory
r9 = mov.b32 1
"""
START = """
d16 = add.s64 d6, d4
r18 = add.s32 r8, r9
bar.warp.sync -1
r20 = mov.clock
"""
STOP = """
r21 = mov.clock
r22 = sub.s32 r21, r20
st.global.b32 d4, 0, r22
exit
"""
USE = "r12 = add.s32 r10, r10"
DRAM, L2, L1, SHARED, CONSTANT = 100, 40, 20, 20, 10


def cycles(timed: str, before: str = "", stride: int = 4, *overrides: str) -> int:
    """What a warp's clock says of the rows `timed`."""
    text = "\n".join((BEFORE.format(stride=stride), before, START, timed, STOP))
    memory = Memory([("data", 1 << 16), ("out", 256)])
    machine = load_machine("teaching_gpu", overrides).description
    core = SimtCore(kernel(text, shared=4096, local=64), machine, memory)
    core.start(0, "k", Grid((1, 1, 1), (32, 1, 1)), b"")
    assert core.advance(100_000) == DONE
    return int(memory.view("out").view(np.int32)[0])


FIRST_CLOCK = LAST_CLOCK = 1
"""Cycles from the first reading to the first timed row, and from the last one to the second."""
LOAD = "r10 = ld.global.b32 d6, 0"
WARM = f"{LOAD}\n{USE}\n{LOAD}\n{USE}"


def waited(latency: int) -> int:
    """The clock's difference around a load of a latency and a row that waits for it."""
    return FIRST_CLOCK + latency + LAST_CLOCK


@pytest.mark.parametrize(("stride", "lines"), [(0, 1), (4, 1), (8, 2), (32, 8), (128, 32)])
def test_a_load_that_hits_takes_a_cycle_for_every_four_lines(stride, lines):
    assert cycles(f"{LOAD}\n{USE}", WARM, stride) == waited(L1 + (lines - 1) // 4)


@pytest.mark.parametrize(("stride", "sectors"), [(0, 1), (4, 4)])
def test_a_load_that_misses(stride, sectors):
    """A sector a cycle passes the slice, one in two cycles the channel."""
    assert cycles(f"{LOAD}\n{USE}", "", stride) == waited(DRAM + 3 * (sectors - 1))


def test_a_load_that_has_left_the_l1_hits_the_l2():
    """Four ways: the fifth line of a set displaces the first."""
    fill = "\n".join(f"r10 = ld.global.b32 d6, {4096 * k}\n{USE}" for k in range(5))
    assert cycles(f"{LOAD}\n{USE}", fill, 0) == waited(L2)


@pytest.mark.parametrize("stride", [0, 16])
def test_a_wide_load_that_hits(stride):
    """16 bytes of each lane, four lines or one word: 512 bytes of registers, 128 a cycle."""
    load = "r10, r11, r12, r13 = ld.global.v4.b32 d6, 0\nr14 = add.s32 r13, r13"
    assert cycles(load, load, stride) == waited(L1 + 3)
    assert cycles(load, load, stride, "memory.lsu.results=256B") == waited(L1 + 1)


def test_loads_that_hit_follow_each_other():
    second = "r11 = ld.global.b32 d6, 0"
    assert cycles(f"{LOAD}\n{second}\nr12 = add.s32 r10, r11", WARM) == waited(1 + L1)


def test_a_load_of_a_sector_on_its_way_waits_for_it():
    """The second issues a cycle after the first and is done with it."""
    second = "r11 = ld.global.b32 d6, 4"
    assert cycles(f"{LOAD}\n{second}\nr12 = add.s32 r10, r11", "", 0) == waited(DRAM)


def test_a_miss_without_an_entry_waits_for_one():
    """Else it waits only for the channel, which moves the first's sector in two cycles.  With one
    entry it goes out when the first has come, and takes what is beyond the L1 from there."""
    second = "r11 = ld.global.b32 d6, 4096"
    timed = f"{LOAD}\n{second}\nr12 = add.s32 r10, r11"
    assert cycles(timed, "", 0) == waited(2 + DRAM)
    assert cycles(timed, "", 0, "memory.l1.mshrs=1") == waited(DRAM + DRAM - L1)


def test_four_loads_wait_in_the_queue_and_the_next_outside():
    """32 lines take 8 passes: the first load has its last one at 8, and the pipe takes the second
    at 9.  It leaves the queue with its last pass at 16, and then the sixth issues."""
    loads = "\n".join(f"r{10 + k} = ld.global.b32 d6, 0" for k in range(6))
    assert cycles(loads, WARM, 128) == 16 + LAST_CLOCK


@pytest.mark.parametrize(("stride", "passes"), [(0, 1), (4, 1), (8, 2), (128, 32), (12, 1)])
def test_bank_conflicts(stride, passes):
    load = f"r10 = ld.shared.b32 r8, 0\n{USE}"
    assert cycles(load, "", stride) == waited(SHARED + passes - 1)


def test_a_load_behind_a_bank_conflict_waits_for_the_path():
    """32 passes keep the path until 33; the second takes 32 passes too."""
    second = "r11 = ld.shared.b32 r8, 0"
    timed = f"r10 = ld.shared.b32 r8, 0\n{second}\nr12 = add.s32 r10, r11"
    assert cycles(timed, "", 128) == waited(32 + SHARED + 31)


def test_a_store_is_not_waited_for_but_by_a_fence():
    """The L2 has the store at 41."""
    store = "st.global.b32 d6, 0, r0"
    assert cycles(store, "", 0) == FIRST_CLOCK + LAST_CLOCK
    assert cycles(f"{store}\nmembar.gl", "", 0) == FIRST_CLOCK + L2


def test_atomics_on_one_address_take_turns_in_the_l2():
    """Four cycles from one to the next, the sector's way through the slice included."""
    atomic = "r10 = atom.global.add.u32 d6, 0, r9"
    assert cycles(f"{atomic}\n{USE}", f"{atomic}\n{USE}", 0) == waited(L2 + 32 * 4)
    assert cycles(f"{atomic}\n{USE}", f"{atomic}\n{USE}", 4) == waited(L2 + 4 * 4)


@pytest.mark.parametrize(("stride", "further"), [(0, 31), (4, 0)])
def test_atomics_on_one_word_of_shared_memory_take_turns(stride, further):
    atomic = f"r10 = atom.shared.add.u32 r8, 0, r9\n{USE}"
    assert cycles(atomic, "", stride) == waited(SHARED + further)


@pytest.mark.parametrize(("amount", "stride", "further"), [
    ("r9", 0, 31), ("2", 0, 31), ("1", 0, 0), ("r9", 4, 0), ("1", 4, 0),
])  # fmt: skip
def test_lanes_that_count_do_so_together(amount, stride, further):
    """They add the constant one, and want nothing back; a load waits for the path behind them."""
    change = f"red.shared.add.u32 r8, 0, {amount}\nr10 = ld.shared.b32 r8, 0\n{USE}"
    assert cycles(change, "", stride) == waited(SHARED) + 1 + further
    wanted = f"r11 = atom.shared.add.u32 r8, 0, {amount}\nr10 = ld.shared.b32 r8, 0\n{USE}"
    assert cycles(wanted, "", stride) == waited(SHARED) + 1 + (31 if stride == 0 else 0)


@pytest.mark.parametrize(("stride", "further"), [(0, 0), (4, 31)])
def test_different_constants_are_read_in_turn(stride, further):
    load = f"r10 = ld.const.b32 d6, 0\n{USE}"
    assert cycles(load, "", stride) == waited(CONSTANT + further)


@pytest.mark.parametrize(("stride", "addresses"), [(0, 1), (4, 32)])
def test_a_load_of_constants_keeps_the_path_for_each_address(stride, addresses):
    """The second load waits for the first, then takes as long."""
    second = f"r10 = ld.const.b32 d6, 0\nr11 = ld.const.b32 d6, 0\n{USE}\nr13 = add.s32 r11, r11"
    took = cycles(second, "", stride, "memory.constant.interval=3cycles")
    assert took == waited(CONSTANT + 3 * addresses + 3 * (addresses - 1))


def test_local_memory_of_a_warp_is_a_line_a_word():
    load = f"r11 = mov.b32 16\nr10 = ld.local.b32 r11, 0\n{USE}"
    wait = "r12 = add.s32 r11, r11"
    first = cycles(f"r10 = ld.local.b32 r11, 0\n{USE}", f"r11 = mov.b32 16\n{wait}")
    again = cycles(f"r10 = ld.local.b32 r11, 0\n{USE}", load)
    assert (first, again) == (waited(DRAM + 9), waited(L1))
