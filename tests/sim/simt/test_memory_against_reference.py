"""The jitted memory system against the plain one: every answer and every count of random accesses,
on machines so small that a few hundred of them fill everything.

    pytest -m campaign -n 2 tests/sim/simt/test_memory_against_reference.py    many more
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from sim.cores.simt.memory import parameters as at
from sim.kinds.simt.memory_counters import LAWS
from sim.results.laws import check_laws
from tests.campaign.seeds import campaign, check_all, cut
from tests.sim.simt.play_memory import machine, play
from tests.sim.simt.random_accesses import random_accesses
from tests.sim.simt.reference_memory import TICK, ReferenceMemory

VARIANTS = {
    "teaching": (),
    "tiny caches": ("memory.l1.size=2KiB", "memory.l2.size=4KiB", "memory.l2.ways=4",
                    "limits.carve_outs=[0 KiB, 1 KiB]", "limits.shared_per_cta=1KiB"),
    "few entries": ("memory.l1.mshrs=6", "memory.l1.merges=2", "memory.l2.mshrs=5"),
    "banks": ("memory.l1.banks=16", "memory.l1.interval=2cycles", "memory.lsu.interval=2cycles",
              "memory.l1.merges=0", "memory.lsu.results=64B", "memory.l1.store_interval=2.3cycles"),
    "narrow": ("warp_width=8", "limits.threads_per_cta=128", "memory.l2.bandwidth=16B",
               "memory.shared.banks=8",
               *(f"pipes.{pipe}.lanes=8" for pipe in machine().pipes)),
    "wide": ("warp_width=64", "memory.dram.bandwidth=48GB/s", "memory.dram.channels=3",
             "memory.l1.tags=3"),
    "pairs": ("memory.l2.fetch=64B", "memory.l2.partial_store=2.3cycles",
              "memory.l2.request_interval=1.3cycles",
              "memory.l2.atomic_interval=1.5cycles", "memory.dram.burst=64B",
              "memory.l2.float_interval=3.4cycles", "memory.l2.interleave=256B",
              "memory.shared.exchange_interval=2cycles", "memory.shared.compare_delay=6cycles"),
    "far pairs": ("memory.l2.partitions=2", "memory.l2.far_latency=60cycles", "sms=3",
                  "memory.l2.fetch=64B", "memory.l2.partial_store=5cycles",
                  "memory.dram.burst=128B", "memory.l2.request_interval=1.6cycles"),
    "rows": ("memory.dram.rows={interleave: 512 B, banks: 2, interval: 9.3 ns, cycle: 45 ns}",
             "memory.l2.size=4KiB", "memory.l2.ways=4", "memory.dram.channels=3"),
    "turns": ("memory.dram.writes={batch: 160 B, turnaround: 30.5 ns}",
              "memory.l2.size=4KiB", "memory.l2.ways=4"),
    "refreshed": ("memory.dram.refresh={interval: 170 ns, time: 60.3 ns}", "clock=1.98GHz",
                  "memory.dram.channels=5"),
    "turns, refreshed often": ("memory.dram.writes={batch: 64 B, turnaround: 5 ns}",
                               "memory.dram.refresh={interval: 90 ns, time: 60 ns}",
                               "memory.l2.size=4KiB", "memory.l2.ways=4"),
    "rows, turns, refreshed": (
        "memory.dram.rows={interleave: 256 B, banks: 3, interval: 5 ns, cycle: 30 ns}",
        "memory.dram.writes={batch: 256 B, turnaround: 10 ns}", "memory.l2.partitions=2",
        "memory.dram.refresh={interval: 300 ns, time: 40 ns}", "memory.dram.burst=64B",
        "memory.l2.size=8KiB", "memory.l2.ways=4", "memory.l2.far_latency=60cycles", "sms=3",
    ),
    "far": ("memory.l2.partitions=2", "memory.l2.far_latency=60cycles", "sms=3"),
}  # fmt: skip

REMEMBERED = 4000
"""Cycles that reservations may be ahead of an access: a little less than calendars have."""


def check(overrides: tuple[str, ...], seed: int, count: int = 150) -> None:
    """One stream gives equal answers and counts, and keeps the laws."""
    described = machine("teaching_gpu", *overrides)
    reference = ReferenceMemory(described)
    wanted = []
    for access in random_accesses(described, seed, count):
        wanted.append((access, reference.access(access)))
        if reference.latest > (access.cycle + REMEMBERED) * TICK:
            break  # the jitted calendars cannot tell such times from earlier ones
    answers, memory = play(described, [access for access, _ in wanted])
    for (access, expected), answer in zip(wanted, answers, strict=True):
        assert answer == expected, access
    for what, wanted in reference.counts.items():
        assert counted(memory, what) == wanted, what
    check_laws(LAWS, SimpleNamespace(memory=memory))


def counted(memory: at.WarpMemory, what: tuple[str, ...]) -> int:
    """What the jitted model counted of something the reference names."""
    others = {
        ("dram", "written"): at.DRAM_WRITTEN, ("l2", "dirtied"): at.L2_DIRTIED,
        ("shared", "conflicts"): at.SHARED_CONFLICTS, ("l2", "completed"): at.L2_COMPLETED,
        ("l2", "kept"): at.L2_KEPT, ("dram", "rows"): at.DRAM_ROWS,
        ("dram", "turns"): at.DRAM_TURNS, ("dram", "bank wait"): at.DRAM_BANK_WAIT,
        ("dram", "refresh wait"): at.DRAM_REFRESH_WAIT,
    }  # fmt: skip
    if what in others:
        return int(memory.counts[others[what]])
    level, kind, answer = what
    columns = {
        ("l1", "hits"): at.L1_HITS, ("l1", "merges"): at.L1_MERGED, ("l1", "misses"): at.L1_MISSES,
        ("l2", "hits"): at.L2_HITS, ("l2", "merges"): at.L2_MERGED, ("l2", "misses"): at.L2_MISSES,
        ("dram", "read"): at.DRAM_READ, ("far", "sectors"): at.L2_FAR,
    }  # fmt: skip
    return int(memory.counts[columns[level, answer] + at.KINDS.index(kind)])


@pytest.mark.parametrize("seeds", cut(2, 12))
@pytest.mark.parametrize("variant", VARIANTS)
def test_random_accesses(variant: str, seeds: range):
    for seed in seeds:
        check(VARIANTS[variant], seed)


@campaign(part=200, first=0, end=2000)
def test_many_random_accesses(seeds: range):
    names = list(VARIANTS)
    check_all(lambda seed: check(VARIANTS[names[seed % len(names)]], seed, 400), seeds)
