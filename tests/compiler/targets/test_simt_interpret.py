"""The interpreter of ptx rows: memory spaces, barriers of threads, faults, limits."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.threads.grid import Grid
from machines.types import F32, I32, PTR
from tests.warp_programs import kernel


@pytest.fixture(scope="module")
def machine():
    return load_machine("teaching_gpu").description


def run(machine, text, out, grid=None, parameters=(("out", PTR),), more=None, **fields):
    """Run a kernel whose first parameter is the array `out`; gives the outcome and the array."""
    limit = fields.pop("limit", 100_000)
    program = kernel(text, parameters, **fields)
    memory = memory_for(program, {"out": out})
    grid = grid or Grid((1, 1, 1), (4, 1, 1))
    arguments = {"out": "out", **(more or {})}
    outcome = interpret(program, machine, memory, None, grid, arguments, limit=limit)
    return outcome, memory.view("out", out.dtype).copy()


STORE_BY_THREAD = """
    r0 = mov.tid.x
    d2 = ld.param.b64 0
    d4 = mad.wide.u32 r0, 4, d2
"""


def test_threads_store_their_number(machine):
    text = STORE_BY_THREAD + "st.global.b32 d4, 0, r0\nexit"
    outcome, out = run(machine, text, np.zeros(4, np.int32))
    assert outcome.status == "done" and out.tolist() == [0, 1, 2, 3]


def test_loops_and_floats(machine):
    """x = 0.1 added ten times in f32, in a loop; the sum is kept in a register over blocks."""
    text = (
        STORE_BY_THREAD
        + """
            r6 = ld.param.b32 8
            r7 = mov.b32 0
            r8 = mov.b32 0
            bra.uni loop
        loop:
            r7 = add.rn.f32 r7, r6
            r8 = add.s32 r8, 1
            p0 = setp.lt.s32 r8, 10
            bra p0, loop, done
        done:
            st.global.b32 d4, 0, r7
            exit
    """
    )
    parameters = (("out", PTR), ("x", F32))
    out = np.zeros(4, np.float32)
    _, out = run(machine, text, out, parameters=parameters, more={"x": 0.1})
    expected = np.float32(0)
    for _ in range(10):
        expected += np.float32(0.1)
    assert (out == expected).all()


def test_halves_of_pairs(machine):
    """Writing half of a pair keeps the other half; reading a pair sees both."""
    text = (
        STORE_BY_THREAD
        + """
        d6 = mov.b64 0x1122334455667788
        r7 = mov.b32 0x0A0B0C0D
        d8 = shr.u64 d6, 16
        st.global.b32 d4, 0, r8
        exit
    """
    )
    _, out = run(machine, text, np.zeros(4, np.uint32))
    assert out[0] == 0x0C0D5566


def test_guards(machine):
    """Odd threads keep what the pair held before; a pair is written under a guard."""
    text = (
        STORE_BY_THREAD
        + """
        r6 = and.b32 r0, 1
        p1 = setp.eq.s32 r6, 0
        d8 = mov.b64 7
        d8 = add.s64 d8, 1
        @p1 d8 = add.s64 d8, 100
        @!p1 r0 = mov.b32 5
        r1 = cvt.u32.u64 d8
        r1 = add.s32 r1, r0
        st.global.b32 d4, 0, r1
        exit
    """
    )
    _, out = run(machine, text, np.zeros(4, np.int32))
    assert out.tolist() == [108, 13, 110, 13]


def test_shared_memory_and_barrier(machine):
    """Each thread reads what the last but one wrote; 32-bit shared addresses wrap."""
    text = (
        STORE_BY_THREAD
        + """
        r6 = shl.b32 r0, 2
        st.shared.b32 r6, 0, r0
        bar.sync 0, 0
        r7 = sub.s32 12, r6
        r7 = sub.s32 r7, 16
        r8 = ld.shared.b32 r7, 16
        st.global.b32 d4, 0, r8
        exit
    """
    )
    _, out = run(machine, text, np.zeros(4, np.int32), shared=16)
    assert out.tolist() == [3, 2, 1, 0]


def test_local_and_generic(machine):
    text = (
        STORE_BY_THREAD
        + """
        st.local.b32 0, 4, r0
        d6 = mov.b64 0x710000000000
        r8 = ld.generic.b32 d6, 4
        st.generic.b32 d4, 0, r8
        exit
    """
    )
    _, out = run(machine, text, np.zeros(4, np.int32), local=8)
    assert out.tolist() == [0, 1, 2, 3]


def test_vectors_and_narrow_loads(machine):
    text = (
        STORE_BY_THREAD
        + """
        r6, r7 = ld.global.v2.b32 d2, 0
        r8 = ld.global.s8 d2, 3
        r9 = ld.global.u8 d2, 3
        st.global.v4.b32 d2, 0, r7, r6, r8, r9
        exit
    """
    )
    start = np.array([0x80FFFFFF, 2, 0, 0], np.uint32)
    _, out = run(machine, text, start, Grid((1, 1, 1), (1, 1, 1)))
    assert out.tolist() == [2, 0x80FFFFFF, 0xFFFFFF80, 0x80]


def test_atomics_of_all_blocks(machine):
    text = """
        d2 = ld.param.b64 0
        r0 = mov.ctaid.x
        r1 = atom.global.add.u32 d2, 0, 1
        red.global.add.f32 d2, 4, 0.5
        red.global.max.s32 d2, 8, r0
        exit
    """
    start = np.zeros(3, np.int32)
    _, out = run(machine, text, start, Grid((3, 1, 1), (5, 1, 1)))
    assert out[0] == 15 and out.view(np.float32)[1] == 7.5 and out[2] == 2


def test_warp_operations(machine):
    """Lanes bring 0, 1, 2, 3: ballot of odd ones, sum, the value below, who is equal."""
    text = (
        STORE_BY_THREAD
        + """
        r6 = and.b32 r0, 1
        p0 = setp.eq.s32 r6, 1
        r7 = vote.sync.ballot.b32 p0, 15
        r8 = redux.sync.add.s32 r0, 15
        r9, p1 = shfl.sync.up.b32 r0, 1, 0, 15
        r10 = match.any.sync.b32 r6, -1
        p2 = vote.sync.all.pred p0, -1
        r11 = mad.lo.s32 r7, 100, r8
        r11 = mad.lo.s32 r11, 100, r9
        r11 = mad.lo.s32 r11, 100, r10
        r12 = selp.b32 1000000000, 0, p2
        r11 = add.s32 r11, r12
        st.global.b32 d4, 0, r11
        exit
    """
    )
    _, out = run(machine, text, np.zeros(4, np.int32))
    head = (10 * 100 + 6) * 10000
    assert out.tolist() == [head + 5, head + 10, head + 105, head + 210]


def test_lanes_that_have_ended_are_not_waited_for(machine):
    text = (
        STORE_BY_THREAD
        + """
        p0 = setp.lt.u32 r0, 2
        bra p0, end, on
    on:
        r7 = vote.sync.ballot.b32 1, -1
        bar.sync 0, 0
        st.global.b32 d4, 0, r7
        exit
    end:
        exit
    """
    )
    _, out = run(machine, text, np.zeros(4, np.int32))
    assert out.tolist() == [0, 0, 12, 12]


def test_barrier_with_a_count_and_arrivals(machine):
    """Threads 0, 1 produce and arrive, 2 and 3 wait for all four."""
    text = (
        STORE_BY_THREAD
        + """
        p0 = setp.ge.u32 r0, 2
        bra p0, consume, produce
    produce:
        r6 = shl.b32 r0, 2
        r7 = add.s32 r0, 40
        st.shared.b32 r6, 0, r7
        bar.arrive 1, 4
        exit
    consume:
        bar.sync 1, 4
        r6 = shl.b32 r0, 2
        r7 = ld.shared.b32 r6, -8
        st.global.b32 d4, 0, r7
        exit
    """
    )
    _, out = run(machine, text, np.zeros(4, np.int32), shared=8)
    assert out.tolist() == [0, 0, 40, 41]


@pytest.mark.parametrize("row, kind, address", [
    ("r1 = ld.global.b32 d2, 16", "out of bounds", 0x1_0010),
    ("r1 = ld.global.b32 d2, 2", "misaligned", 0x1_0002),
    ("r6, r7 = ld.global.v2.b32 d2, 4", "misaligned", 0x1_0004),
    ("st.shared.b32 8, 0, r0", "out of bounds", 8),
    ("r1 = ld.local.b32 -4, 0", "out of bounds", 0xFFFF_FFFC),
    ("st.generic.b32 0x700000000008, 0, r0", "out of bounds", 0x7000_0000_0008),
    ("r1 = ld.global.b32 0, 0", "out of bounds", 0),
    ("trap", "trap", None),
])  # fmt: skip
def test_faults_are_precise(machine, row, kind, address):
    """Thread 3 of block 1 faults; what ran before it has happened."""
    text = (
        STORE_BY_THREAD
        + f"""
        r10 = mov.ctaid.x
        st.global.b32 d4, 0, r10
        p0 = setp.eq.s32 r0, 3
        p1 = setp.eq.s32 r10, 1
        p0 = and.pred p0, p1
        @p0 {row}
        exit
    """
    )
    grid = Grid((2, 1, 1), (4, 1, 1))
    outcome, out = run(machine, text, np.zeros(4, np.int32), grid, shared=8, local=8)
    fault = outcome.fault
    assert outcome.status == "fault" and fault.kind == kind and fault.address == address
    assert (fault.block, fault.thread, fault.pc) == ((1, 0, 0), (3, 0, 0), 8)
    assert out.tolist() == [1, 1, 1, 1]
    assert kind in str(outcome)


def test_deadlock_says_who_waits(machine):
    text = (
        STORE_BY_THREAD
        + """
        p0 = setp.eq.s32 r0, 0
        bra p0, other, one
    one:
        bar.sync 0, 0
        exit
    other:
        bar.sync 1, 0
        exit
    """
    )
    outcome, _ = run(machine, text, np.zeros(4, np.int32))
    assert outcome.status == "deadlock"
    assert [(w.thread[0], w.what) for w in outcome.waiting] == [
        (0, "barrier 1"), (1, "barrier 0"), (2, "barrier 0"), (3, "barrier 0")
    ]  # fmt: skip


def test_limit(machine):
    outcome, _ = run(
        machine, "bra.uni loop\nloop:\nbra.uni loop", np.zeros(4, np.int32), limit=1000
    )
    assert outcome.status == "limit" and outcome.steps > 1000


def test_arguments_are_checked(machine):
    with pytest.raises(InputError, match="needs an argument 'n'"):
        run(machine, "exit", np.zeros(4, np.int32), parameters=(("out", PTR), ("n", I32)))


def test_a_thread_that_waits_in_a_loop_gives_way(machine):
    """Thread 0 waits until thread 3 has written."""
    text = (
        STORE_BY_THREAD
        + """
            p0 = setp.eq.s32 r0, 3
            bra p0, write, wait
        wait:
            r6 = ld.shared.b32 0, 0
            p1 = setp.eq.s32 r6, 0
            bra p1, wait, done
        done:
            st.global.b32 d4, 0, r6
            exit
        write:
            st.shared.b32 0, 0, 7
            exit
    """
    )
    outcome, out = run(machine, text, np.zeros(4, np.int32), shared=4, limit=10**6)
    assert outcome.status == "done" and out.tolist() == [7, 7, 7, 0]
