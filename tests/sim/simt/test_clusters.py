"""Clusters of blocks: kernels of CUDA's cooperative groups, in the interpreter and on the core,
against numpy; faults and deadlocks of what they do together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from compiler import compile as compile_file
from machines.kinds.simt.program import WarpProgram
from machines.threads.grid import Grid
from sim.cores.returned import DONE, FAULTED, STUCK
from sim.cores.simt.units.block_dispatcher import GRID
from tests.cluster_kernels import compiled, grid_of, interpreted, machine, simulated
from tests.compiler.frontends.ptx_runs import kernel


class Case(NamedTuple):
    """A kernel, how it is launched, and what its first array is afterwards."""

    entry: str
    grid: Grid
    arguments: list
    wanted: np.ndarray


def histogram(cluster: int, blocks: int) -> Case:
    """Bins are dealt out to the blocks of a cluster, which count for each other."""
    per, x = 16, np.random.default_rng(cluster).integers(-3, 16 * cluster + 3, 1000).astype("i4")
    bins = per * cluster
    wanted = np.bincount(np.clip(x, 0, bins - 1), minlength=bins).astype("i4")
    grid = grid_of((blocks,), (64,), (cluster,), 4 * per)
    return Case("histogram", grid, [np.zeros(bins, "i4"), bins, per, x, x.size], wanted)


def reduction() -> Case:
    """The kernel says clusters of four; whole numbers, so that no order matters."""
    x = np.random.default_rng(1).integers(0, 100, 5000).astype("f4")
    owner = np.arange(x.size) % (8 * 128) // 128 // 4
    wanted = np.array([x[owner == k].sum() for k in range(2)], "f4")
    return Case("reduction", grid_of((8,), (128,), None), [np.zeros(2, "f4"), x, x.size], wanted)


def ring(cluster: int, blocks: int, steps: int) -> Case:
    """Each block hands on what it has, one more each time."""
    block = np.arange(blocks)
    source = block // cluster * cluster + (block % cluster - steps) % cluster
    wanted = (source[:, None] * 1000 + np.arange(64) + steps).astype("i4")
    grid = grid_of((blocks,), (64,), (cluster,))
    return Case("ring", grid, [np.zeros_like(wanted), steps], wanted)


def transposes() -> Case:
    """Clusters of two by two: each block takes its tile from the one across the diagonal."""
    n = 64
    x = np.random.default_rng(2).standard_normal((n, n)).astype("f4")
    tiles = x.reshape(n // 32, 32, n // 32, 32).transpose(0, 2, 3, 1)
    wanted = tiles.transpose(0, 2, 1, 3).reshape(n, n)
    return Case("transposes", grid_of((4, 4), (16, 16), None), [np.zeros_like(x), x, n], wanted)


def names() -> Case:
    """Special registers, ranks of addresses."""
    wanted = np.zeros((2, 6, 4, 16), "i4")
    for z, y, x in np.ndindex(2, 6, 4):
        rank = x % 2 + 2 * (y % 3)
        own = [rank, 6, x % 2, y % 3, 0, 2, 3, 1, rank]
        wanted[z, y, x] = [*own, x // 2, y // 3, 2, 2, 1, 5, rank]
    return Case("names", grid_of((4, 6, 2), (1,), (2, 3, 1)), [np.zeros_like(wanted)], wanted)


def forms() -> Case:
    """`ld`, `st`, `atom`, `red` of `.shared::cluster`, `mapa` and `isspacep` as PTX has them."""
    cluster, blocks, t = 4, 8, np.arange(32)
    wanted = np.zeros((blocks, 32, 4), "u4")
    for block in range(blocks):
        rank, after = block % cluster, (block + 1) % cluster
        wanted[block, :, 0] = t + 100 * after + 7
        wanted[block, :, 1] = after + 16
        wanted[block, :, 2] = t + 100 * rank + 1000
        wanted[block, :, 3] = 1 + (3 * 32 * cluster if rank == 0 else 0)
    return Case("asms", grid_of((blocks,), (32,), (cluster,)), [np.zeros_like(wanted)], wanted)


CASES = (
    histogram(2, 4), histogram(8, 8), reduction(), ring(4, 8, 5), ring(16, 32, 3), transposes(),
    names(), forms(),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.entry}_{case.grid.cluster_size}")
def test_kernels_leave_what_numpy_says(case: Case):
    """In both orders of the interpreter; on the core whatever its calls and threads are."""
    program = compiled(case.entry)
    for backward in (False, True):
        outcome, arrays = interpreted(program, case.grid, case.arguments, backward=backward)
        assert outcome.status == "done", outcome
        assert (arrays[0] == case.wanted).all()
    ends = set()
    for quantum, threads in ((10**6, 1), (97, 2)):
        core, status, arrays = simulated(
            program, case.grid, case.arguments, quantum=quantum, threads=threads
        )
        assert status == DONE, core.fault
        assert (arrays[0] == case.wanted).all()
        core.settle()
        ends.add((core.cycle, core.state.stalls.tobytes(), core.state.lost.tobytes()))
    assert len(ends) == 1


def test_blocks_of_a_cluster_are_on_sms_of_their_own_in_one_gpc():
    """Of 132 SMs in eight GPCs; and each begins, although there is room for fewer at a time."""
    out = np.zeros(96, "i4")
    body = """
    mov.u32 %r0, %ctaid.x; mov.u32 %r1, %smid; mul.wide.u32 %rd1, %r0, 4;
    add.s64 %rd1, %rd0, %rd1; st.global.u32 [%rd1], %r1; ret;"""
    program = built(body)
    core, status, arrays = simulated(program, grid_of((96,), (1024,), (8,)), [out], "sms=20")
    assert status == DONE
    clusters = arrays[0].reshape(12, 8)
    gpcs = clusters * core.machine.gpcs // core.machine.sms
    assert core.machine.gpcs == 2 and (gpcs == gpcs[:, :1]).all()
    assert all(len(set(row)) == 8 for row in clusters.tolist())
    assert set(gpcs[:, 0].tolist()) == {0, 1}
    assert core.state.grids[GRID.LEFT] == 0


def built(body: str, above: str = "") -> WarpProgram:
    """The program of a body, whose %rd0 is the address of an array."""
    text = kernel(body, above)
    return compile_file("test.ptx", machine=machine(), entry="k", source=text).program


ARRIVE, WAIT = "barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;"
MEET = f"{ARRIVE} {WAIT}"
TILE = ".shared .align 8 .b8 tile[64];"
LAST = """
    mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %tid.x;
    mapa.shared::cluster.u32 %r3, tile, 1;"""
ENDED = "access to shared memory of a block that has ended"


@pytest.mark.parametrize(
    "body, kind",
    [
        (f"{ARRIVE} {ARRIVE} {WAIT}", "second arrival at the barrier of the cluster"),
        (f"{WAIT}", "wait without an arrival at the barrier of the cluster"),
        (f"{MEET} {WAIT}", "wait without an arrival at the barrier of the cluster"),
        (f"{LAST} ld.shared::cluster.u32 %r4, [%r3+64];", "out of bounds"),
        (f"{LAST} ld.shared::cluster.u32 %r4, [%r3+2];", "misaligned"),
        (f"{LAST} ld.shared.u32 %r4, [%r3];", "out of bounds"),
        (
            "mapa.shared::cluster.u32 %r3, tile, 2; st.shared::cluster.u32 [%r3], %r0;",
            "out of bounds",
        ),
        (
            "mapa.shared::cluster.u32 %r3, tile, 0xFFFFFFFF; st.shared::cluster.u32 [%r3], %r0;",
            "out of bounds",
        ),
    ],
)
def test_faults(body: str, kind: str):
    program = built(f"{body} ret;", TILE)
    grid, given = grid_of((4,), (32,), (2,)), [np.zeros(4, "i4")]
    outcome, _ = interpreted(program, grid, given)
    core, status, _ = simulated(program, grid, given)
    assert outcome.status == "fault" and status == FAULTED
    assert outcome.fault.kind == kind
    assert core.fault.kind.startswith(kind)
    assert outcome.fault.location == core.fault.location


def test_an_access_to_a_block_that_has_ended():
    """The first block of the cluster asks again and again for a word of the second, which ends."""
    body = f"""{LAST}
    setp.eq.u32 %p1, %r1, 1; @%p1 bra OVER;
    mov.u32 %r5, 0;
    AGAIN: ld.volatile.shared::cluster.u32 %r4, [%r3]; add.u32 %r5, %r5, 1;
    setp.lt.u32 %p2, %r5, 5000; @%p2 bra AGAIN;
    OVER: ret;"""
    program = built(body, TILE)
    grid, given = grid_of((2,), (1,), (2,)), [np.zeros(4, "i4")]
    outcome, _ = interpreted(program, grid, given)
    core, status, _ = simulated(program, grid, given)
    assert outcome.fault.kind == ENDED
    assert status == FAULTED and core.fault.kind == ENDED
    assert outcome.fault.location == core.fault.location and core.fault.block == (0, 0, 0)


def test_threads_that_have_ended_are_not_waited_for():
    """One warp of the second block ends, another one comes and ends without waiting."""
    body = f"""
    mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %tid.x; shr.u32 %r3, %r2, 5;
    setp.eq.u32 %p1, %r1, 0; @%p1 bra MEET;
    setp.eq.u32 %p2, %r3, 0; @%p2 bra OVER;
    barrier.cluster.arrive;
    setp.eq.u32 %p3, %r3, 1; @%p3 bra OVER;
    {WAIT} bra DONE;
    MEET: {MEET}
    DONE: atom.global.add.u32 %r4, [%rd0], 1;
    OVER: ret;"""
    program, out = built(body), np.zeros(4, "i4")
    grid = grid_of((4,), (96,), (2,))
    outcome, arrays = interpreted(program, grid, [out])
    assert outcome.status == "done" and arrays[0][0] == 2 * (96 + 32)
    _, status, arrays = simulated(program, grid, [out])
    assert status == DONE and arrays[0][0] == 2 * (96 + 32)


def test_who_waits_for_ever_says_for_whom():
    body = f"""
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;
    setp.eq.u32 %p1, %r1, 3; setp.ge.u32 %p2, %r2, 32; and.pred %p1, %p1, %p2;
    @!%p1 bra MEET; bar.sync 1; MEET: {MEET} ret;"""
    program = built(body)
    grid, given = grid_of((4,), (64,), (2,)), [np.zeros(4, "i4")]
    waits = "the barrier of its cluster, to which 32 threads of block (3, 0, 0) have not come"
    outcome, _ = interpreted(program, grid, given)
    assert outcome.status == "deadlock"
    assert {one.what for one in outcome.waiting} == {waits}
    core, status, _ = simulated(program, grid, given)
    assert status == STUCK
    found = {(one.block[0], one.what) for one in core.stuck_report()}
    assert found == {(2, waits), (3, waits), (3, "barrier 1")}
