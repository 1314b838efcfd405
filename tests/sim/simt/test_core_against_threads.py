"""Programs of rows whose mistakes would look right, on the core and thread by thread."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.kinds.simt.program import parameter_bytes
from machines.threads.grid import Grid
from machines.types import PTR
from sim.cores.returned import STUCK
from sim.cores.simt.drive import SimtCore
from tests.sim.simt.random_kernel_runs import POLICIES
from tests.sim.simt.test_ptx_semantics_on_core import run
from tests.warp_programs import kernel

HEAD = """
    r8 = mov.tid.x
    r9 = mov.ctaid.x
    r10 = mov.ntid.x
    r9 = mad.lo.s32 r9, r10, r8
    d12 = ld.param.b64 0
    d14 = mad.wide.u32 r9, 4, d12
"""
"""r8: thread of its block, r9: of the grid; d12: out, d14: its word there."""
ONE_WARP = Grid((1, 1, 1), (32, 1, 1))


def both(text: str, grid: Grid, words: int, *overrides: str, **frame: int) -> list[int]:
    """The words that both leave, which must be the same."""
    program = kernel(f"{HEAD}\n{text}", [("out", PTR)], **frame)
    machine = load_machine("teaching_gpu", overrides)
    memory = memory_for(program, {"out": np.zeros(words, np.int32)})
    judged = memory.copy()
    outcome = interpret(program, machine.description, judged, None, grid, ["out"])
    assert outcome.status == "done", outcome
    run(program, machine, memory, "k", grid, [memory.address("out")])
    found = memory.view("out", "i4").tolist()
    assert found == judged.view("out", "i4").tolist()
    return found


def test_local_memory_of_a_block_before_is_not_seen():
    """More blocks than fit at a time: the later ones have the places of the earlier."""
    text = """
        r0 = ld.local.b32 0, 4
        r1 = add.s32 r9, 7
        st.local.b32 0, 4, r1
        st.global.b32 d14, 0, r0
        exit
    """
    assert not any(both(text, Grid((40, 1, 1), (32, 1, 1)), 40 * 32, local=16))


def test_shared_memory_of_a_block_before_is_not_seen():
    text = """
        r2 = shl.b32 r8, 2
        r0 = ld.shared.b32 r2, 0
        r1 = add.s32 r9, 7
        st.shared.b32 r2, 0, r1
        st.global.b32 d14, 0, r0
        exit
    """
    assert not any(both(text, Grid((40, 1, 1), (32, 1, 1)), 40 * 32, shared=128))


@pytest.mark.parametrize("policy", POLICIES)
def test_tiles_of_a_warp_exchange_values_each_with_its_own_mask(policy):
    """As cooperative groups do: every lane names the lanes of its tile."""
    text = """
        r1 = and.b32 r8, 24
        r2 = shl.b32 255, r1
        r3, p0 = shfl.sync.bfly.b32 r8, 1, 31, r2
        p1 = setp.gt.s32 r8, 12
        r4 = vote.sync.ballot.b32 p1, r2
        r5 = redux.sync.add.u32 r8, r2
        r6 = match.any.sync.b32 r5, r2
        p2 = vote.sync.all.pred p1, r2
        r7 = selp.b32 1, 0, p2
        r3 = mad.lo.s32 r5, 1000, r3
        r3 = add.s32 r3, r4
        r3 = add.s32 r3, r6
        r3 = mad.lo.s32 r7, 77, r3
        st.global.b32 d14, 0, r3
        exit
    """
    found = both(text, ONE_WARP, 32, f"reconvergence.policy={policy}")
    assert found[0] == 28 * 1000 + 1 + 0xFF
    assert found[13] == 92 * 1000 + 12 + 0xE000 + 0xFF00


@pytest.mark.parametrize("policy", ("markers", "min_pc", "barriers"))
def test_a_tile_waits_for_its_own_lanes_only(policy):
    """Lanes 0 … 3 come late; the tiles of the others go on without them."""
    text = """
        r1 = and.b32 r8, 24
        r2 = shl.b32 255, r1
        r3 = mov.b32 r8
        p0 = setp.lt.s32 r8, 4
        bra p0, late, early
    early:
        bra.uni meet
    late:
        r3 = mad.lo.s32 r3, 3, 100
        bra.uni meet
    meet:
        r5 = redux.sync.add.u32 r3, r2
        st.global.b32 d14, 0, r5
        exit
    """
    found = both(text, ONE_WARP, 32, f"reconvergence.policy={policy}")
    assert found[::8] == [4 * 100 + 18 + 4 + 5 + 6 + 7, 92, 156, 220]


@pytest.mark.parametrize("row", ("d4 = ld.generic.b64 d4, 0", "d4 = atom.generic.or.b64 d4, 0, 0"))
def test_what_a_lane_loads_is_no_address_yet(row):
    """Lanes load from global memory the generic address of shared memory, in place of theirs."""
    text = f"""
        d4 = mad.wide.u32 r8, 8, d12
        d6 = mov.b64 0x700000000040
        st.global.b64 d4, 0, d6
        d6 = mov.b64 77
        st.shared.b64 64, 0, d6
        {row}
        d2 = mad.wide.u32 r8, 8, d12
        st.global.b64 d2, 0, d4
        exit
    """
    assert both(text, Grid((1, 1, 1), (4, 1, 1)), 8, shared=256) == [0x40, 0x7000] * 4


def test_a_stack_does_not_act_for_lanes_that_are_not_there():
    """Under `ipdom` lanes that have no place to meet run apart to their ends: what they can only do
    together is reported, and nothing made up."""
    text = """
        p0 = setp.lt.s32 r8, 4
        bra p0, meet, on
    on:
        r0 = mov.b32 0
        bra.uni meet
    meet:
        r5 = redux.sync.add.u32 r8, -1
        exit
    """
    program = kernel(f"{HEAD}\n{text}", [("out", PTR)])
    program.reconverge[:] = -1
    machine = load_machine("teaching_gpu", ("reconvergence.policy=ipdom",)).description
    memory = memory_for(program, {"out": np.zeros(32, np.int32)})
    core = SimtCore(program, machine, memory)
    frame = program.kernels["k"].frame
    core.start(0, "k", ONE_WARP, parameter_bytes(frame, [memory.address("out")]))
    assert core.advance(10**6) == STUCK
    waits = {one.what for one in core.stuck_report()}
    assert waits == {"lanes 0xffffffff of its warp", "the lanes above it"}


@pytest.mark.parametrize("space", ("local", "shared", "global"))
def test_a_count_in_memory_alone_is_no_livelock(space):
    """Registers hold the same whenever one looks, and the loop goes on."""
    base = {"global": "d14"}.get(space, "0")
    text = f"""
        bra.uni loop
    loop:
        r0 = ld.{space}.b32 {base}, 0
        r0 = add.s32 r0, 1
        st.{space}.b32 {base}, 0, r0
        p0 = setp.lt.s32 r0, 1000000
        r0 = mov.b32 0
        nanosleep 2000
        bra p0, loop, done
    done:
        exit
    """
    program = kernel(f"{HEAD}\n{text}", [("out", PTR)], local=16, shared=16)
    machine = load_machine("teaching_gpu").description
    memory = memory_for(program, {"out": np.zeros(1, np.int32)})
    core = SimtCore(program, machine, memory)
    frame = program.kernels["k"].frame
    one = Grid((1, 1, 1), (1, 1, 1))
    core.start(0, "k", one, parameter_bytes(frame, [memory.address("out")]))
    seen = set()
    for _ in range(40):
        core.advance(core.cycle + 10_000)
        seen.add(core.fingerprint())
    assert len(seen) == 40
