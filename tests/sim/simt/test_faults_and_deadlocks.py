"""Who faults, and who waits for ever, is told precisely."""

from __future__ import annotations

import pytest

from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.returned import DONE, FAULTED, QUANTUM, STUCK
from sim.cores.simt.drive import SimtCore
from tests.warp_programs import kernel

STORE_BY_THREAD = """
    r0 = mov.tid.x
    r1 = mov.ctaid.x
    d4 = mov.address x
    d6 = mul.wide.s32 r0, {stride}
    d4 = add.s64 d4, d6
    p0 = setp.eq.s32 r1, {block}
    @p0 d4 = add.s64 d4, {shift}
    st.global.b32 d4, 0, r0
    exit
"""


def start(
    text: str, blocks: int = 1, threads: int = 32, *overrides: str, shared: int = 0
) -> SimtCore:
    machine = load_machine("teaching_gpu", overrides).description
    core = SimtCore(kernel(text, shared=shared), machine, Memory([("x", 256), ("y", 256)]))
    core.start(7, "k", Grid((blocks, 1, 1), (threads, 1, 1)), b"")
    return core


@pytest.mark.parametrize("quantum", (1, 7, 10**6))
def test_an_access_out_of_bounds_names_block_and_thread(quantum):
    core = start(STORE_BY_THREAD.format(stride=4, block=2, shift=4 * 20), 4, 64)
    while (status := core.advance(core.cycle + quantum)) == QUANTUM:
        pass
    assert status == FAULTED
    fault = core.fault
    assert (fault.kind, fault.grid, fault.block) == ("out of bounds", 7, (2, 0, 0))
    assert fault.thread == (44, 0, 0)  # 4 * 44 + 80 = 256
    assert fault.address == core.memory.address("x") + 256
    assert core.program.operations[core.program.code[fault.pc, 0]] == "st.global.b32"


def test_nothing_of_a_faulting_store_happens():
    core = start(STORE_BY_THREAD.format(stride=9, block=9, shift=0))
    assert core.advance(10**6) == FAULTED
    assert (core.fault.kind, core.fault.thread) == ("misaligned", (1, 0, 0))
    assert not core.memory.view("x").any()


def test_shared_memory_ends_where_the_block_says():
    core = start("r0 = mov.tid.x\nr0 = shl.b32 r0, 2\nst.shared.b32 r0, 0, r0\nexit", shared=64)
    assert core.advance(10**6) == FAULTED
    assert (core.fault.thread, core.fault.address) == ((16, 0, 0), 64)


def test_a_block_has_the_barriers_that_the_machine_says():
    assert start("bar.sync 3, 0\nexit", 1, 32, "limits.barriers=4").advance(10**6) == DONE
    with pytest.raises(InputError, match="has 3 barriers") as caught:
        start("bar.sync 3, 0\nexit", 1, 32, "limits.barriers=3")
    assert "there is no barrier 3" in caught.value.diagnostics[0].hint


def test_a_barrier_not_all_threads_come_to_is_reported():
    text = """
        r0 = mov.tid.x
        p0 = setp.lt.s32 r0, 16
        bra p0, low, high
    high:
        bar.sync 0, 0
        bra.uni end
    low:
        bar.sync 1, 0
        bra.uni end
    end: {marker: true}
        exit
    """
    core = start(text)
    assert core.advance(10**6) == STUCK
    found = [(one.grid, one.warp, one.lanes & 0xFFFFFFFF, one.what) for one in core.stuck_report()]
    assert found == [(7, 0, 0xFFFF0000, "barrier 0"), (7, 0, 0xFFFF, "barrier 1")]


def test_a_barrier_opens_for_those_that_are_left():
    text = """
        r0 = mov.tid.x
        p0 = setp.lt.s32 r0, 16
        bra p0, end, high
    high:
        bar.sync 0, 0
        bra.uni end
    end: {marker: true}
        exit
    """
    assert start(text, 1, 64).advance(10**6) == DONE


@pytest.mark.parametrize(
    ("size", "offset", "kind"),
    [
        (16, 8, None),
        (12, 8, "out of bounds of the parameters"),
        (8, 8, "out of bounds of the parameters"),
        (16, 4, "misaligned"),
    ],
)
@pytest.mark.parametrize(("guard", "lane"), [("", 0), ("@p0 ", 5)])
def test_a_parameter_is_whole_and_aligned(
    size: int, offset: int, kind: str | None, guard: str, lane: int
):
    """The first lane that loads it faults, of those that its guard lets."""
    text = f"r0 = mov.tid.x\np0 = setp.gt.s32 r0, 4\n{guard}d4 = ld.param.b64 {offset}\nexit"
    machine = load_machine("teaching_gpu").description
    core = SimtCore(kernel(text), machine, Memory([("x", 256)]))
    core.start(7, "k", Grid((1, 1, 1), (32, 1, 1)), bytes(size))
    status = core.advance(10_000)
    if kind is None:
        assert status == DONE
        return
    assert status == FAULTED
    assert (core.fault.kind, core.fault.thread, core.fault.address) == (kind, (lane, 0, 0), offset)
