"""Barrier objects in shared memory: phases, what may not be done, and who waits for what."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.kinds.simt import copy_faults
from machines.kinds.simt.program import parameter_bytes
from machines.threads.grid import Grid
from machines.types import PTR
from machines.vocabulary import mbarriers
from sim.cores.returned import QUANTUM
from sim.cores.simt.drive import SimtCore
from tests.sim.simt.test_copies import BYTES, HEAD, ends
from tests.warp_programs import kernel

FIRST = "p0 = setp.eq.s32 r8, 0\n@p0 mbarrier.init 512, 0, {count}\nbar.sync 0, 0\n"
DONE = """
    d14 = mad.wide.u32 r8, 4, d12
    st.global.b32 d14, 0, r1
    st.global.b32 d14, 128, r2
"""


def words(text: str, count: int = 32) -> tuple[list[int], list[int]]:
    """What each thread has in r1 and r2 at the end."""
    fault, found = ends(FIRST.format(count=count) + text + DONE)
    assert fault is None
    return found[:32], found[32:64]


def test_states_say_how_many_are_missing():
    text = """
        d20 = mbarrier.arrive 512, 0, 1, 0
        r1 = mbarrier.pending_count d20
        bar.warp.sync -1
        p1 = mbarrier.test_wait 512, 0, d20
        r2 = selp.b32 1, 0, p1
    """
    assert words(text) == (list(range(32, 0, -1)), [1] * 32)


def test_a_phase_waits_for_all_bytes():
    """32 arrivals are there, 64 bytes are not: half come, then the other half."""
    text = """
        p1 = setp.eq.s32 r8, 5
        @p1 mbarrier.expect_tx 512, 0, 64
        d20 = mbarrier.arrive 512, 0, 1, 0
        @p1 mbarrier.complete_tx 512, 0, 32
        bar.warp.sync -1
        p2 = mbarrier.test_wait.parity 512, 0, 0
        r1 = selp.b32 1, 0, p2
        @p1 mbarrier.complete_tx 512, 0, 32
        bar.warp.sync -1
        p2 = mbarrier.test_wait.parity 512, 0, 0
        r2 = selp.b32 1, 0, p2
    """
    assert words(text) == ([0] * 32, [1] * 32)


def test_bytes_may_come_before_they_are_expected():
    text = """
        p1 = setp.eq.s32 r8, 0
        @p1 mbarrier.complete_tx 512, 0, 16
        @p1 d20 = mbarrier.arrive 512, 0, 1, 16
        bar.warp.sync -1
        p2 = mbarrier.test_wait.parity 512, 0, 0
        r1 = selp.b32 1, 0, p2
        p2 = mbarrier.test_wait.parity 512, 0, 1
        r2 = selp.b32 1, 0, p2
    """
    assert words(text, 1) == ([1] * 32, [0] * 32)


def test_who_drops_is_not_expected_again():
    """Of 32 threads 16 arrive and drop: the second phase is over by the other 16."""
    text = """
        p1 = setp.lt.s32 r8, 16
        @p1 d20 = mbarrier.arrive_drop 512, 0, 1, 0
        @!p1 d20 = mbarrier.arrive 512, 0, 1, 0
        bar.warp.sync -1
        @!p1 d22 = mbarrier.arrive 512, 0, 1, 0
        bar.warp.sync -1
        r1 = mbarrier.pending_count d20
        p2 = mbarrier.test_wait.parity 512, 0, 1
        r2 = selp.b32 1, 0, p2
    """
    assert words(text)[1] == [1] * 32


LATE = "d20 = mbarrier.arrive 512, 0, 1, 0\n"
WAITS = "p2 = mbarrier.try_wait.parity 512, 0, 0, 1000000\nr1 = selp.b32 1, 0, p2\nr2 = mov.b32 0\n"


def test_other_warps_wait_as_long_as_it_takes():
    """Warp 1 arrives late, for both."""
    text = f"""
        p1 = setp.lt.s32 r8, 32
        bra p1, wait, late
    late:
        nanosleep 700
        {LATE}
        bra.uni wait
    wait:
        {WAITS}
        @p1 d14 = mad.wide.u32 r8, 4, d12
        @p1 st.global.b32 d14, 0, r1
    """
    fault, found = ends(FIRST.format(count=32) + text, 64)
    assert fault is None and found[:32] == [1] * 32


def test_a_time_that_is_over_says_no():
    text = "p2 = mbarrier.try_wait.parity 512, 0, 0, 100\nr1 = selp.b32 1, 0, p2\nr2 = mov.b32 0\n"
    assert words(text) == ([0] * 32, [0] * 32)


@pytest.mark.parametrize("count", (32, 1))
@pytest.mark.parametrize(
    "arrive",
    ("cp.async.mbarrier.arrive.noinc 512, 0\n", "cp.async.mbarrier.arrive 512, 0\n" + LATE),
)
def test_copies_arrive(arrive: str, count: int):
    """Who has seen the phase over may read what others have copied; who has not, not."""
    copy = "cp.async.ca.shared.global.4 r9, 0, d14, 0, 4\n"
    read = "r9 = sub.s32 496, r9\nr1 = ld.shared.b32 r9, 0\nr2 = mov.b32 0\n"
    if count == 1:
        arrive = "".join(f"@p0 {line}\n" for line in arrive.splitlines())
    text = FIRST.format(count=count) + copy + arrive
    seen = "p2 = mbarrier.try_wait.parity 512, 0, 0, 1000000\n"
    fault, found = ends(text + seen + read + DONE)
    if count == 1:  # only lane 0 has made its copies arrive
        assert fault == copy_faults.RACE
        return
    assert fault is None and found[:32] == [4 * (31 - t) for t in range(32)]
    assert ends(text + read + DONE)[0] == copy_faults.RACE


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("mbarrier.inval 0, 0", copy_faults.NO_OBJECT),
        ("d20 = mbarrier.arrive 8, 0, 1, 0", copy_faults.NO_OBJECT),
        ("p1 = mbarrier.test_wait.parity 520, 0, 0", copy_faults.NO_OBJECT),
        ("mbarrier.expect_tx 504, 0, 4", copy_faults.NO_OBJECT),
        ("cp.async.mbarrier.arrive 0, 0", copy_faults.NO_OBJECT),
        ("@p0 mbarrier.inval 512, 0\nbar.warp.sync -1\nd20 = mbarrier.arrive 512, 0, 1, 0",
         copy_faults.NO_OBJECT),
        ("mbarrier.init 512, 0, 4", copy_faults.IS_OBJECT),
        ("mbarrier.init 0, 0, 0", copy_faults.BAD_COUNT),
        ("mbarrier.init 0, 0, 1048576", copy_faults.BAD_COUNT),
        ("d20 = mbarrier.arrive 512, 0, 33, 0", copy_faults.TOO_MANY),
        ("d20 = mbarrier.arrive 512, 0, 0, 0", copy_faults.TOO_MANY),
        ("d20 = mbarrier.arrive.noComplete 512, 0, 32, 0", copy_faults.TOO_FEW),
        ("@p0 mbarrier.expect_tx 512, 0, 1048575\n@p0 mbarrier.expect_tx 512, 0, 1",
         copy_faults.BAD_BYTES),
        ("mbarrier.complete_tx 512, 0, 1048576", copy_faults.BAD_BYTES),
        ("p1 = mbarrier.test_wait.parity 512, 0, 2", copy_faults.BAD_PARITY),
        ("d20 = mbarrier.arrive 508, 0, 1, 0", "misaligned"),
        ("\n".join(f"@p0 mbarrier.init {8 * k}, 0, 1" for k in range(64)),
         copy_faults.MANY_OBJECTS),
    ],
)  # fmt: skip
def test_what_may_not_be_done(text: str, kind: str):
    assert ends(FIRST.format(count=32) + text)[0] == kind


def test_an_object_may_be_made_anew_where_one_was():
    text = """
        @p0 mbarrier.inval 512, 0
        bar.sync 0, 0
        @p0 mbarrier.init 512, 0, 7
        bar.sync 0, 0
        p1 = setp.lt.s32 r8, 7
        @p1 d20 = mbarrier.arrive 512, 0, 1, 0
        bar.warp.sync -1
        p2 = mbarrier.test_wait.parity 512, 0, 0
        r1 = selp.b32 1, 0, p2
        r2 = mov.b32 0
    """
    assert words(text)[0] == [1] * 32


def test_who_waits_for_ever_is_told_for_what():
    """Of 33 arrivals one does not come, nor do 64 bytes."""
    text = f"""
        {FIRST.format(count=33)}
        @p0 mbarrier.expect_tx 512, 0, 64
        {LATE}
        bra.uni again
    again:
        p2 = mbarrier.try_wait.parity 512, 0, 0, 1000
        bra p2, done, again
    done:
        r1 = mov.b32 0
    """
    program = kernel(f"{HEAD}\n{text}\nexit", [("x", PTR)], shared=BYTES)
    description = load_machine("teaching_gpu").description
    memory = memory_for(program, {"x": np.zeros(256, np.int32)})
    grid = Grid((1, 1, 1), (32, 1, 1))
    outcome = interpret(program, description, memory.copy(), None, grid, ["x"])
    missing = "phase 0 of the mbarrier at 0x200: missing are 1 of 33 arrivals, 64 bytes"
    assert outcome.status == "deadlock"
    assert {one.what for one in outcome.waiting} == {missing}
    core = SimtCore(program, description, memory)
    core.start(0, "k", grid, parameter_bytes(program.kernels["k"].frame, [memory.address("x")]))
    while core.advance(10_000) == QUANTUM and core.cycle < 10_000:
        pass
    [one] = core.at_objects()
    assert (one.what, one.warp, one.location.line) == (missing, 0, outcome.waiting[0].location.line)
    assert f"waits for {missing}" in core.where_it_loops()


@pytest.mark.parametrize("word", [0, 1, 5])
def test_the_word_of_an_object_is_what_has_happened(word: int):
    """Against counts that are kept apart."""
    state, arrivals, bytes_, phase = mbarriers.new(3 + word), 3 + word, 0, 0
    for step in range(200):
        size = (step * 37 + word) % 11
        if step % 3 == 0:
            state, bytes_ = mbarriers.changed(state, size), bytes_ + size
        elif step % 3 == 1 and bytes_:
            state, bytes_ = mbarriers.changed(state, -bytes_), 0
        else:
            state, arrivals = mbarriers.arrived(state, 1, 0), arrivals - 1
        if arrivals == 0 and bytes_ == 0:
            arrivals, phase = 3 + word, phase ^ 1
        if arrivals == 0:
            state, bytes_ = mbarriers.changed(state, -bytes_), 0
            arrivals, phase = 3 + word, phase ^ 1
        found = (mbarriers.pending(state), mbarriers.missing_bytes(state), mbarriers.parity(state))
        assert found == (arrivals, bytes_, phase)
