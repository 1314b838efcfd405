"""Copies that go on meanwhile: who has a race, what may not be copied, and who has no copies."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds.simt.copy_faults import RACES
from machines.kinds.simt.program import parameter_bytes
from machines.threads.grid import Grid
from machines.threads.spaces import SHARED_BASE
from machines.types import PTR
from sim.cores.returned import DONE, FAULTED, QUANTUM
from sim.cores.simt.drive import SimtCore
from tests.sim.simt.test_hand_worked import checked_statistics
from tests.warp_programs import kernel

HEAD = """
    r8 = mov.tid.x
    r9 = shl.b32 r8, 4
    d12 = ld.param.b64 0
    d14 = mad.wide.u32 r8, 16, d12
"""
"""r9: the thread's place, d14: its 16 bytes of x; d12: x."""
COPY = "cp.async.cg.shared.global.16 r9, 0, d14, 0, 16\ncp.async.commit_group\n"
WAIT, MEET = "cp.async.wait_group 0\n", "bar.sync 0, 0\n"
BYTES = 1024


def ends(text: str, threads: int = 32, *overrides: str) -> tuple[str | None, list[int]]:
    """The fault that both find, and what they leave in x, which must be the same."""
    program = kernel(f"{HEAD}\n{text}\nexit", [("x", PTR)], shared=BYTES)
    description = load_machine("teaching_gpu", overrides).description
    grid = Grid((1, 1, 1), (threads, 1, 1))
    memory = memory_for(program, {"x": np.arange(256, dtype=np.int32)})
    judged = memory.copy()
    outcome = interpret(program, description, judged, None, grid, ["x"])
    core = SimtCore(program, description, memory)
    given = parameter_bytes(program.kernels["k"].frame, [memory.address("x")])
    core.start(0, "k", grid, given)
    while (status := core.advance(10**6)) == QUANTUM:
        pass
    assert status in (DONE, FAULTED)
    if status == DONE:
        assert outcome.status == "done", outcome
        assert memory.view("x").tobytes() == judged.view("x").tobytes()
        checked_statistics(core)
        return None, memory.view("x", "i4").tolist()
    if core.fault.kind in RACES:  # it is a question of who comes first
        assert outcome.fault.kind in RACES
    else:
        assert (outcome.fault.kind, outcome.fault.pc) == (core.fault.kind, core.fault.pc)
        assert outcome.fault.address == core.fault.address
    return core.fault.kind, []


LOAD = "r0 = ld.shared.b32 r9, 0\n"


@pytest.mark.parametrize(
    "use",
    [
        LOAD,
        "r0 = ld.shared.u8 r9, 15\n",
        "st.shared.u8 r9, 3, r8\n",
        "r0 = atom.shared.add.u32 r9, 8, r8\n",
        "red.shared.add.u32 r9, 8, r8\n",
        "d4 = cvt.u64.u32 r9\nd4 = add.s64 d4, 0x1000000000000\nr0 = ld.generic.b32 d4, 0\n",
        "cp.async.ca.shared.global.4 r9, 4, d12, 44, 4\n",
    ],
)
def test_who_does_not_wait_has_a_race(use: str):
    use = use.replace("0x1000000000000", str(SHARED_BASE))
    assert ends(COPY + use)[0] == "race with a copy"
    assert ends(COPY + WAIT + use)[0] is None


@pytest.mark.parametrize(
    ("text", "is_race"),
    [
        (COPY + "cp.async.wait_group 1\n", True),
        (COPY + "cp.async.commit_group\ncp.async.wait_group 1\n", False),
        (COPY + "cp.async.wait_all\n", False),
        (COPY.replace("cp.async.commit_group\n", "") + WAIT, True),
        (COPY.replace("cp.async.commit_group\n", "") + "cp.async.wait_all\n", False),
        (COPY + WAIT + WAIT, False),
    ],
)
def test_a_wait_is_for_groups(text: str, is_race: bool):
    assert ends(text + LOAD)[0] == ("race with a copy" if is_race else None)


def test_a_wait_is_the_thread_s_own():
    """Lanes below 16 wait; the others' copies are still on their way."""
    some = "p0 = setp.lt.s32 r8, 16\n@p0 cp.async.wait_group 0\n"
    assert ends(COPY + some + "@p0 " + LOAD)[0] is None
    assert ends(COPY + some + LOAD)[0] == "race with a copy"


@pytest.mark.parametrize(
    ("between", "is_race"),
    [
        (WAIT + MEET, False),
        (WAIT, True),
        (MEET + WAIT, True),
        (WAIT + "membar.cta\n" + MEET, False),
        (MEET, True),
    ],
)
def test_other_warps_read_behind_a_barrier(between: str, is_race: bool):
    """Thread 63 - t reads what thread t has copied; what was waited for before a barrier."""
    other = "r9 = sub.s32 1008, r9\n" + LOAD
    assert ends(COPY + between + other, 64)[0] == ("race with a copy" if is_race else None)


def test_what_is_not_read_is_0():
    """Of thread t, t modulo 17 bytes, which come from nowhere if there are none."""
    text = """
        r7 = rem.u32 r8, 17
        p0 = setp.eq.s32 r7, 0
        d14 = selp.b64 8, d14, p0
        cp.async.cg.shared.global.16 r9, 0, d14, 0, r7
        cp.async.wait_all
        r0, r1, r2, r3 = ld.shared.v4.b32 r9, 0
        d14 = mad.wide.u32 r8, 16, d12
        st.global.v4.b32 d14, 0, r0, r1, r2, r3
    """
    _, found = ends(text)
    wanted = np.arange(128, dtype=np.int32).view(np.uint8).reshape(32, 16).copy()
    for thread, place in enumerate(wanted):
        place[thread % 17 :] = 0
    assert found[:128] == wanted.reshape(-1).view(np.int32).tolist()


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ("cp.async.cg.shared.global.16 r9, 0, d12, 1016, 16", "out of bounds"),
        ("cp.async.cg.shared.global.16 r9, 0, d12, 1016, 8", "misaligned"),
        ("cp.async.cg.shared.global.16 r9, 8, d12, 0, 16", "misaligned"),
        ("cp.async.ca.shared.global.4 r9, 1024, d12, 0, 4", "out of bounds of shared memory"),
        ("cp.async.ca.shared.global.4 r9, 0, d12, 0, 5",
         "copy of more bytes than it has room for"),
    ],
)  # fmt: skip
def test_what_may_not_be_copied(row: str, kind: str):
    program = kernel(f"{HEAD}\n{row}\nexit", [("x", PTR)], shared=BYTES)
    description = load_machine("teaching_gpu").description
    memory = memory_for(program, {"x": np.arange(256, dtype=np.int32)})
    grid = Grid((1, 1, 1), (32, 1, 1))
    outcome = interpret(program, description, memory, None, grid, ["x"])
    core = SimtCore(program, description, memory)
    core.start(0, "k", grid, parameter_bytes(program.kernels["k"].frame, [memory.address("x")]))
    assert core.advance(10**6) == FAULTED
    assert core.fault.kind == kind
    assert kind.startswith(outcome.fault.kind)
    assert outcome.fault.address == core.fault.address


def test_a_machine_without_copies_refuses_them_by_name():
    program = kernel(f"{HEAD}\n{COPY}\nexit", [("x", PTR)], shared=BYTES)
    memory = memory_for(program, {"x": np.arange(256, dtype=np.int32)})
    with pytest.raises(InputError, match=r"'v100' has no copies that go on meanwhile"):
        SimtCore(program, load_machine("v100").description, memory)


def test_the_next_block_finds_no_marks():
    """Blocks that leave their copies behind, one after the other in one place."""
    program = kernel(f"{HEAD}\nr0 = ld.shared.b32 r9, 0\n{COPY}exit", [("x", PTR)], shared=BYTES)
    memory = memory_for(program, {"x": np.arange(256, dtype=np.int32)})
    core = SimtCore(program, load_machine("teaching_gpu").description, memory)
    given = parameter_bytes(program.kernels["k"].frame, [memory.address("x")])
    core.start(0, "k", Grid((40, 1, 1), (32, 1, 1)), given)
    assert core.advance(10**6) == DONE
