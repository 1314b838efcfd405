"""Races with what goes on meanwhile, on the interpreter and on the core: copies over what others
may still read, stores that copies read, and who knows that somebody is through."""

from __future__ import annotations

import pytest

from machines.kinds.simt.copy_faults import RACE, RACE_WITH_LOAD, RACE_WITH_STORE
from tests.sim.simt.test_copies import COPY, LOAD, WAIT, ends

MEET = "bar.sync 0, 0\n"
OTHER = "r9 = sub.s32 1008, r9\n"
"""The place of thread 63 - t, which is of the other warp."""


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (LOAD + MEET + OTHER + COPY, None),
        (LOAD + OTHER + COPY, RACE_WITH_LOAD),
        (MEET + LOAD + OTHER + COPY, RACE_WITH_LOAD),
        (LOAD + COPY, None),  # over what its own thread has read
        (LOAD + "bar.sync 1, 64\n" + OTHER + COPY, None),
        ("st.shared.b32 r9, 0, r8\n" + MEET + OTHER + COPY, None),
        ("st.shared.b32 r9, 0, r8\n" + OTHER + COPY, RACE_WITH_STORE),
        (COPY + WAIT + MEET + LOAD + OTHER + COPY, RACE_WITH_LOAD),
        (COPY + WAIT + MEET + LOAD + MEET + OTHER + COPY, None),
    ],
)
def test_copies_over_what_others_use(text: str, kind: str | None):
    assert ends(text, 64)[0] == kind


FEW = """
    p1 = setp.ge.s32 r8, 32
    bra p1, reads, copies
  copies:
    bar.sync 1, 64
    {first}
    cp.async.cg.shared.global.16 0, 0, d12, 0, 16
    bra.uni end
  reads:
    r0 = ld.shared.b32 0, 0
    p2 = setp.ge.s32 r8, 64
    bra p2, third, second
  second:
    bar.sync 1, 64
    bra.uni end
  third:
    bar.sync 2, 64
    bra.uni end
  end:
"""


@pytest.mark.parametrize(("first", "kind"), [("bar.sync 2, 64", None), ("", RACE_WITH_LOAD)])
def test_all_readers_of_a_word_have_to_be_through(first: str, kind: str | None):
    """Warps 1 and 2 read the word that warp 0 copies to; it may meet but one of them."""
    assert ends(FEW.format(first=first), 96)[0] == kind


FULL, EMPTY = 512, 520
PIPELINE = f"""
    p0 = setp.eq.s32 r8, 0
    @p0 mbarrier.init {FULL}, 0, 1
    @p0 mbarrier.init {EMPTY}, 0, 32
    bar.sync 0, 0
    p1 = setp.ge.s32 r8, 32
    bra p1, consumer, producer
  producer:
    @p0 d20 = mbarrier.arrive {FULL}, 0, 1, 128
    @p0 cp.async.bulk.shared.global 0, 0, d12, 0, 128, {FULL}, 0
    {{waits}}
    @p0 d20 = mbarrier.arrive {FULL}, 0, 1, 128
    @p0 cp.async.bulk.shared.global 0, 0, d12, 128, 128, {FULL}, 0
    bra.uni end
  consumer:
    r7 = sub.s32 r8, 32
    r7 = shl.b32 r7, 2
    p2 = mbarrier.try_wait.parity {FULL}, 0, 0, 10000000
    r0 = ld.shared.b32 r7, 0
    d20 = mbarrier.arrive {EMPTY}, 0, 1, 0
    p2 = mbarrier.try_wait.parity {FULL}, 0, 1, 10000000
    r1 = ld.shared.b32 r7, 0
    d14 = mad.wide.u32 r7, 1, d12
    st.global.b32 d14, 256, r0
    st.global.b32 d14, 384, r1
    bra.uni end
  end:
"""


def test_a_producer_waits_for_its_consumers():
    wait = f"@p0 p2 = mbarrier.try_wait.parity {EMPTY}, 0, 0, 10000000"
    fault, found = ends(PIPELINE.format(waits=wait), 64)
    assert fault is None and found[64:128] == list(range(64))
    own = f"@p0 p2 = mbarrier.try_wait.parity {FULL}, 0, 0, 10000000"
    assert ends(PIPELINE.format(waits=own), 64)[0] in (RACE, RACE_WITH_LOAD)


OUT = "p0 = setp.eq.s32 r8, 63\n@p0 cp.async.bulk.global.shared d12, 512, 0, 0, 512\n"
STORE, FENCE = "st.shared.b32 r9, 0, r8\n", "fence.proxy.async.cta\n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (STORE + FENCE + MEET + OUT, None),
        (STORE + MEET + FENCE + OUT, None),
        (STORE + MEET + OUT, RACE_WITH_STORE),
        (STORE + FENCE + OUT, RACE_WITH_STORE),
        (STORE + "membar.cta\n" + MEET + OUT, RACE_WITH_STORE),
        (FENCE + STORE + MEET + OUT, RACE_WITH_STORE),
    ],
)
def test_stores_that_a_copy_reads(text: str, kind: str | None):
    """Thread 63 copies what all have stored."""
    assert ends(text, 64)[0] == kind


@pytest.mark.parametrize(
    ("between", "kind"),
    [("@p0 cp.async.bulk.wait_group.read 0\n" + MEET, None), (MEET, RACE),
     ("@p0 cp.async.bulk.wait_group.read 0\n", RACE)],
)  # fmt: skip
def test_what_goes_out_others_may_not_write(between: str, kind: str | None):
    text = STORE + FENCE + MEET + OUT + "@p0 cp.async.bulk.commit_group\n" + between + STORE
    assert ends(text, 64)[0] == kind
