"""Values that come when somebody wants them are those that came at once.

Whatever waits is computed before `advance` returns, so a core that is advanced cycle by cycle has
every value at once: it is what a core is compared with that runs in one go, in memory, registers,
predicates and cycles.  The kernels race, or come to what the rule of `deferred` is for in another
way; values of kernels without races are judged by `test_ptx_semantics_on_core`.
"""

from __future__ import annotations

import numpy as np
import pytest

import compiler
from compiler.targets.simt.interpret import memory_for
from machines.kinds.simt.program import parameter_bytes
from machines.threads.grid import Grid
from sim.cores.returned import DONE, FAULTED, QUANTUM
from sim.cores.simt import state as at
from sim.cores.simt.drive import SimtCore
from sim.cores.simt.host import shortcuts
from sim.cores.simt.memory.parameters import SHARED_CONFLICTS
from sim.cores.simt.units.shortcuts import WAITING
from tests.sim.fields.variants import variant

THREADS = 64
"""Of a block: two warps."""
BLOCKS = 40
"""More than an SM takes at a time: some come after others in the same slots."""
HEAD = """\
.version 9.0
.target sm_90
.address_size 64
.shared .align 4 .b8 array[4096];
.visible .entry test(.param .u64 out)
{
    .reg .pred %p<10>;
    .reg .b32 %r<80>;
    .reg .b64 %rd<20>;
    ld.param.u64 %rd1, [out];
    cvta.to.global.u64 %rd1, %rd1;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, array;
    shl.b32 %r3, %r1, 2;
    add.u32 %r4, %r2, %r3;
    mov.u32 %r5, %ctaid.x;
    shl.b32 %r6, %r5, 8;
    add.u32 %r6, %r6, %r3;
    cvt.u64.u32 %rd2, %r6;
    add.u64 %rd2, %rd1, %rd2;
    setp.lt.u32 %p1, %r1, 32;
    add.u32 %r7, %r1, 100;
    st.shared.u32 [%r4], %r7;
    bar.sync 0;
"""
TAIL = """\
    st.global.u32 [%rd2], %r20;
    ret;
}
"""
WAIT = "    mul.lo.u32 %r60, %r7, %r7;\n" + "    mul.lo.u32 %r60, %r60, %r7;\n" * 12
"""The other warp's way to what it changes is longer than a load takes to issue."""
READS = "    xor.b32 %r8, %r4, 128;\n    ld.shared.u32 %r20, [%r8];\n"
"""Loads what the other warp's thread of the same lane stored."""
SPINS = "    mul.lo.u32 %r61, %r7, %r7;\n" + "    mul.lo.u32 %r61, %r61, %r7;\n" * 40
"""Time in which a load waits."""
APART = (
    "mov.u32 %r20, 0;\nmov.u32 %r61, 0;\n@!%p1 bra CHANGES;\n" + READS + SPINS
    + "    bra.uni MEET;\nCHANGES:\n" + WAIT + "    {change}\nMEET: add.u32 %r20, %r20, %r61;\n"
)  # fmt: skip
"""One warp's load waits while the other changes what it loads; all that takes time is needed."""
RACES = {
    "store": "st.shared.u32 [%r4], %r60;",
    "wide store": "st.shared.v2.u32 [array + 128], {%r60, %r7};",
    "atomic": "atom.shared.add.u32 %r9, [%r4], %r60;",
    "generic store": "cvt.u64.u32 %rd5, %r4; cvta.shared.u64 %rd5, %rd5; st.u32 [%rd5], %r60;",
}
KERNELS = {
    **{name: APART.format(change=change) for name, change in RACES.items()},
    "guard": "setp.gt.u32 %p2, %r7, 110;\n@%p2 add.u32 %r20, %r7, 1;\n"
             "@!%p2 ld.shared.u32 %r20, [%r4];",
    "branch": "add.u32 %r20, %r7, 3;\nsetp.gt.u32 %p2, %r20, 120;\n@%p2 bra OVER;\n"
              "add.u32 %r20, %r20, 5;\nOVER: add.u32 %r20, %r20, 1;",
    "lanes": "and.b32 %r9, %r1, 1;\nsetp.eq.u32 %p2, %r9, 0;\nmov.u32 %r20, 0;\n@%p2 bra EVEN;\n"
             "add.u32 %r20, %r7, 1;\nld.shared.u32 %r21, [%r4];\nadd.u32 %r20, %r20, %r21;\n"
             "bra.uni MEET;\nEVEN: ld.shared.u32 %r21, [%r4+4];\nadd.u32 %r20, %r21, 9;\n"
             "MEET: add.u32 %r20, %r20, %r7;",
    "address": "xor.b32 %r8, %r3, 12;\nadd.u32 %r8, %r8, %r2;\nld.shared.u32 %r9, [%r8];\n"
               "and.b32 %r9, %r9, 124;\nld.shared.u32 %r20, [%r9];",
    "address again": "ld.shared.u32 %r10, [%r4];\nxor.b32 %r4, %r4, 64;\n"
                     "ld.shared.u32 %r11, [%r4];\nand.b32 %r4, %r11, 60;\n"
                     "ld.shared.u32 %r12, [%r4];\nadd.u32 %r20, %r10, %r11;\n"
                     "add.u32 %r20, %r20, %r12;",
    "conflicts": "shl.b32 %r8, %r1, 4;\nld.shared.u32 %r10, [%r8];\nshl.b32 %r8, %r1, 2;\n"
                 "ld.shared.u32 %r11, [%r8+16];\nadd.u32 %r20, %r10, %r11;",
    "wraps": "neg.s32 %r8, %r3;\nsub.s32 %r8, %r8, 128;\nsetp.gt.u32 %p2, %r7, 120;\n"
    "bar.sync 0;\nst.shared.u32 [%r8+640], %r7;\nld.shared.u32 %r21, [%r4];\n"
    "add.u32 %r20, %r21, 1;\n@%p2 ld.shared.u32 %r20, [%r8+640];",
    "global load": "st.global.u32 [%rd2], %r7;\nadd.u32 %r20, %r7, 1;\nadd.u32 %r21, %r20, 1;\n"
                   "ld.global.u32 %r20, [%rd2];\nadd.u32 %r20, %r20, %r21;",
    "clock": "mov.u32 %r20, %clock;\nadd.u32 %r20, %r20, 1;\nmov.u32 %r21, %clock;\n"
             "sub.u32 %r20, %r21, %r20;",
    "vote": "setp.gt.u32 %p2, %r7, 120;\nvote.sync.ballot.b32 %r20, %p2, 0xffffffff;",
    "shuffle": "ld.shared.u32 %r21, [%r4+4];\nshfl.sync.bfly.b32 %r20, %r21, 1, 31, 0xffffffff;",
    "ends": "add.u32 %r20, %r7, 1;",
}  # fmt: skip
SCHEDULERS = {"greedy": (), "in turn": ("scheduler.policy=lrr",)}


def left(core: SimtCore, quantum: int) -> list[np.ndarray]:
    """What a core leaves that is advanced by so many cycles at a time."""
    status = QUANTUM
    while status == QUANTUM and core.cycle < 1_000_000:
        status = core.advance(core.cycle + quantum)
        of_warps = core.state.warps.reshape(-1, at.WARP_COLUMNS)[core.live_warps()]
        assert not of_warps[:, WAITING.PENDING_WRITES].any()
    assert status == DONE, (status, core.fault)
    core.settle()
    state = core.state
    named = (state.bytes, state.words, state.masks, state.shared, state.stalls, state.lost)
    return [np.array([core.cycle]), *(array.copy() for array in named), state.memory.counts.copy()]


def made(*overrides: str, body: str) -> SimtCore:
    """A core that begins with blocks of a kernel."""
    machine = variant("h200", overrides)
    text = HEAD + body + "\n" + TAIL
    program = compiler.compile("kernel.ptx", machine=machine, source=text).program
    memory = memory_for(program, {"out": np.zeros(BLOCKS * THREADS, np.uint32)})
    core = SimtCore(program, machine.description, memory)
    frame = program.kernels["test"].frame
    given = parameter_bytes(frame, [memory.address("out")])
    core.start(0, "test", Grid((BLOCKS, 1, 1), (THREADS, 1, 1)), given)
    return core


@pytest.mark.parametrize("overrides", SCHEDULERS.values(), ids=list(SCHEDULERS))
@pytest.mark.parametrize("body", KERNELS.values(), ids=list(KERNELS))
def test_what_waits_is_what_came_at_once(body, overrides):
    whole, cut = (made("sms=1", *overrides, body=body) for _ in range(2))
    for one, other in zip(left(whole, 1_000_000), left(cut, 1), strict=True):
        assert np.array_equal(one, other)


STRIDES = {
    "written again": (
        "mov.u32 %r9, 0;\nshl.b32 %r8, %r1, 2;\nmov.u32 %r20, 0;\n"
        "AGAIN: ld.shared.u32 %r10, [%r8];\nadd.u32 %r20, %r20, %r10;\nshl.b32 %r8, %r8, 2;\n"
        "add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p2, %r9, 3;\n@%p2 bra AGAIN;",
        0 + 3 + 15,
    ),
    "half of the lanes": (
        "and.b32 %r9, %r1, 31;\nsetp.lt.u32 %p2, %r9, 16;\nshl.b32 %r8, %r1, 6;\n"
        "ld.shared.u32 %r20, [%r8];\n@%p2 ld.shared.u32 %r20, [%r8+4];",
        15 + 7,
    ),
    "more registers than patterns": (
        "".join(f"shl.b32 %r{30 + k}, %r1, {2 + k};\n" for k in range(5))
        + "mov.u32 %r20, 0;\n"
        + "".join(
            f"ld.shared.u32 %r10, [%r{30 + k}];\nadd.u32 %r20, %r20, %r10;\n"
            for k in (0, 1, 2, 3, 4, 0, 4, 1)
        ),
        0 + 1 + 3 + 7 + 15 + 0 + 15 + 1,
    ),
}
"""Bodies, and the passes of a warp's loads beyond the first of each: of 32 lanes at a distance of n
words, n lanes want different words of one bank."""


@pytest.mark.parametrize(("body", "conflicts"), STRIDES.values(), ids=list(STRIDES))
def test_passes_are_those_of_the_addresses_now(body, conflicts):
    core = made("sms=1", body=body)
    left(core, 1_000_000)
    assert core.state.memory.counts[SHARED_CONFLICTS] == BLOCKS * THREADS // 32 * conflicts


ROWS = "and.b32 %r8, %r1, 31;\nshl.b32 %r8, %r8, {shift};\nadd.u32 %r8, %r8, %r2;\n"
"""An address for each lane: so many bytes, as a power of two, from one to the next."""
SUM = "add.u32 %r20, %r10, %r11;\nadd.u32 %r20, %r20, %r12;\nadd.u32 %r20, %r20, %r13;"
FOUR = "{%r10, %r11, %r12, %r13}"
AGAIN = "\nadd.u32 %r20, %r20, %r8;"
"""Keeps a load from taking the register of its address."""
WORDS = {
    "four": ROWS.format(shift=4) + f"ld.shared.v4.u32 {FOUR}, [%r8+16];\n" + SUM + AGAIN,
    "four of rows far apart": ROWS.format(shift=6)
    + f"ld.shared.v4.u32 {FOUR}, [%r8];\n" + SUM + AGAIN,
    "four, stored": ROWS.format(shift=4)
    + "add.u32 %r10, %r7, 1;\nadd.u32 %r11, %r7, 2;\nadd.u32 %r12, %r7, 3;\nmov.u32 %r13, %r1;\n"
    f"st.shared.v4.u32 [%r8+32], {FOUR};\nbar.sync 0;\nld.shared.u32 %r20, [%r4+64];",
    "two, of some lanes": ROWS.format(shift=3)
    + "mov.u32 %r10, 5;\nsetp.gt.u32 %p2, %r7, 115;\n"
    "@%p2 ld.shared.v2.u32 {%r10, %r11}, [%r8+8];\nadd.u32 %r20, %r10, %r11;\n"
    "@%p2 st.shared.v2.u32 [%r8+1024], {%r20, %r10};",
    "eight bytes": ROWS.format(shift=3)
    + "ld.shared.u64 %rd5, [%r8];\nadd.u64 %rd5, %rd5, 3;\nst.shared.u64 [%r8+512], %rd5;\n"
    "mov.b64 {%r10, %r11}, %rd5;\nadd.u32 %r20, %r10, %r11;",
    "two of eight bytes": ROWS.format(shift=4)
    + "ld.shared.v2.u64 {%rd5, %rd6}, [%r8];\nadd.u64 %rd5, %rd5, %rd6;\n"
    "st.shared.v2.u64 [%r8+512], {%rd6, %rd5};\nmov.b64 {%r10, %r11}, %rd5;\n"
    "add.u32 %r20, %r10, %r11;",
    "four of some lanes": ROWS.format(shift=4)
    + "mov.u32 %r10, 5;\nmov.u32 %r11, 6;\nmov.u32 %r12, 7;\nmov.u32 %r13, 8;\n"
    + f"setp.gt.u32 %p2, %r7, 115;\n@%p2 ld.shared.v4.u32 {FOUR}, [%r8];\n" + SUM + AGAIN,
    "one register, two sizes": ROWS.format(shift=4)
    + f"ld.shared.u32 %r14, [%r8];\nld.shared.v4.u32 {FOUR}, [%r8];\nld.shared.u32 %r15, [%r8+8];\n"
    + SUM + "\nadd.u32 %r20, %r20, %r14;\nadd.u32 %r20, %r20, %r15;",
    "over its own address": ROWS.format(shift=4)
    + "ld.shared.v4.u32 {%r8, %r11, %r12, %r13}, [%r8];\nmov.u32 %r10, %r8;\n" + SUM,
    "over its own address at last": ROWS.format(shift=4)
    + "ld.shared.v4.u32 {%r10, %r11, %r12, %r8}, [%r8];\nmov.u32 %r13, %r8;\n" + SUM,
    "all lanes at once": f"ld.shared.v4.u32 {FOUR}, [%r2+64];\n" + SUM,
    "lanes that meet": "and.b32 %r8, %r1, 7;\nshl.b32 %r8, %r8, 4;\nadd.u32 %r8, %r8, %r2;\n"
    "bar.sync 0;\nst.shared.v4.u32 [%r8], {%r1, %r7, %r3, %r4};\nbar.sync 0;\n"
    "ld.shared.u32 %r20, [%r4];",
    "signed": "ld.shared.s8 %r10, [%r4+1];\nld.shared.u16 %r11, [%r4+2];\n"
    "add.u32 %r20, %r10, %r11;",
}  # fmt: skip


def lane_by_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    """No addresses are remembered from now on."""
    monkeypatch.setattr(shortcuts, "_addressed_words", lambda instruction: None)


WIDTHS = {"banks of a word": (), "wide banks": ("memory.shared.bank_width=8 B",)}


@pytest.mark.parametrize("overrides", WIDTHS.values(), ids=list(WIDTHS))
@pytest.mark.parametrize("body", WORDS.values(), ids=list(WORDS))
def test_addresses_that_are_remembered_are_those_of_each_lane(body, overrides, monkeypatch):
    found = left(made("sms=1", *overrides, body=body), 1_000_000)
    lane_by_lane(monkeypatch)
    other = left(made("sms=1", *overrides, body=body), 1_000_000)
    assert all(map(np.array_equal, found, other))


WRONG = {
    "not a multiple of 16": f"ld.shared.v4.u32 {FOUR}, [%r8+8];\n" + SUM + AGAIN,
    "behind the end by an element": f"ld.shared.v4.u32 {FOUR}, [%r8+3600];\n" + SUM + AGAIN,
    "behind the end but for its first word": ".shared .b32 more;\nmov.u32 %r9, more;\n"
    f"st.shared.u32 [%r9], %r1;\nld.shared.v4.u32 {FOUR}, [%r8+3600];\n" + SUM + AGAIN,
    "behind the end by a half": "st.shared.u64 [%r8+3608], %rd2;\nmov.u32 %r20, 0;",
    "not a multiple of 8": "ld.shared.u64 %rd5, [%r8+12];\ncvt.u32.u64 %r20, %rd5;" + AGAIN,
}
"""Bodies with an access that a lane may not do."""


@pytest.mark.parametrize("body", WRONG.values(), ids=list(WRONG))
def test_the_lane_that_may_not_is_the_same(body, monkeypatch):
    faults = []
    for _ in range(2):
        core = made("sms=1", body=ROWS.format(shift=4) + body)
        assert core.advance(1_000_000) == FAULTED
        faults.append(core.fault)
        lane_by_lane(monkeypatch)
    assert faults[0] == faults[1]
