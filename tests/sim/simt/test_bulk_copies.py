"""Copies of many bytes: what they move, who has a race, what may not be copied."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.targets.simt.interpret import memory_for
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds.simt import copy_faults
from machines.types import PTR
from sim.cores.simt.drive import SimtCore
from tests.sim.simt.test_copies import BYTES, HEAD, ends
from tests.warp_programs import kernel

FIRST = """
    p0 = setp.eq.s32 r8, 0
    @p0 mbarrier.init 512, 0, 1
    bar.sync 0, 0
    @p0 d20 = mbarrier.arrive 512, 0, 1, {bytes}
"""
COPY = "@p0 cp.async.bulk.shared.global 0, 0, d12, 0, 256, 512, 0\n"
WAIT = "p1 = mbarrier.try_wait.parity 512, 0, 0, 1000000\n"
READ = """
    r9 = shl.b32 r8, 2
    r0 = ld.shared.b32 r9, 4
    d14 = mad.wide.u32 r8, 4, d12
    st.global.b32 d14, 0, r0
"""


@pytest.mark.parametrize("threads", (32, 64))
def test_who_has_seen_the_phase_over_may_read(threads: int):
    before = FIRST.format(bytes=256) + COPY
    fault, found = ends(before + WAIT + "bar.sync 0, 0\n" + READ, min(threads, 63))
    assert fault is None and found[:32] == list(range(1, 33))
    assert ends(before + READ, threads)[0] == copy_faults.RACE


def test_the_phase_waits_for_all_bytes_of_all_copies():
    more = COPY.replace("0, 0, d12, 0, 256", "256, 0, d12, 256, 128")
    text = FIRST.format(bytes=384) + COPY + more + WAIT + READ
    fault, found = ends(text)
    assert fault is None and found[:32] == list(range(1, 33))


OUT = """
    st.shared.b32 r9, 0, r8
    fence.proxy.async.cta
    bar.sync 0, 0
    p0 = setp.eq.s32 r8, 0
    @p0 cp.async.bulk.global.shared d12, 512, 0, 0, 512
    @p0 cp.async.bulk.commit_group
"""


def test_what_goes_out_may_be_read_but_not_written():
    fault, found = ends(OUT + "r0 = ld.shared.b32 r9, 0\n")
    assert fault is None and found[128:256:4] == list(range(32))
    store = "@p0 st.shared.b32 r9, 0, r8\n"
    assert ends(OUT + store)[0] == copy_faults.RACE
    for read in ("", ".read"):
        assert ends(OUT + f"@p0 cp.async.bulk.wait_group{read} 0\n" + store)[0] is None
        assert ends(OUT + f"@p0 cp.async.bulk.wait_group{read} 1\n" + store)[0] == copy_faults.RACE


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ("cp.async.bulk.shared.global 0, 0, d12, 0, 8, 512, 0", copy_faults.BAD_BULK),
        ("cp.async.bulk.shared.global 8, 0, d12, 0, 16, 512, 0", "misaligned"),
        ("cp.async.bulk.shared.global 0, 0, d12, 8, 16, 512, 0", "misaligned"),
        ("cp.async.bulk.shared.global 0, 0, d12, 1008, 32, 512, 0", "out of bounds"),
        ("cp.async.bulk.shared.global 0, 0, d12, 0, 16, 520, 0", copy_faults.NO_OBJECT),
        ("cp.async.bulk.shared.global 0, 0, d12, 0, 16, 4096, 0", copy_faults.NO_OBJECT),
        ("cp.async.bulk.shared.global 0, 0, d12, 0, 1048576, 512, 0", copy_faults.BAD_BYTES),
        ("cp.async.bulk.global.shared d12, 0, 4, 0, 16", "misaligned"),
        ("cp.async.bulk.global.shared d12, 1016, 0, 0, 16", "out of bounds"),
    ],
)
def test_what_may_not_be_copied(row: str, kind: str):
    assert ends(FIRST.format(bytes=0) + f"@p0 {row}\n")[0] == kind


def test_a_machine_without_them_refuses_them_by_name():
    program = kernel(f"{HEAD}\n{FIRST.format(bytes=0)}\n{COPY}\nexit", [("x", PTR)], shared=BYTES)
    memory = memory_for(program, {"x": np.arange(256, dtype=np.int32)})
    with pytest.raises(InputError, match=r"'a100' has no bulk copies"):
        SimtCore(program, load_machine("a100").description, memory)
