"""What the statistics of a SIMT machine keep in every run, beside the breakdown."""

from __future__ import annotations

from sim.cores.simt import stall_reasons as why
from sim.kinds.simt import memory_counters
from sim.results.vocabulary import Law

LAWS = (
    Law(
        "warps: cycles by reason = resident cycles",
        lambda t: int(t.stalls.sum()),
        lambda t: t.core.resident_cycles,
    ),
    Law(
        "cycles of warps that were selected = issue slots taken",
        lambda t: int(t.stalls[:, why.SELECTED].sum()),
        lambda t: t.breakdown[why.ISSUED.name],
    ),
    Law(
        "instructions with more lanes than a warp has = none",
        lambda t: int((t.active > t.executed * t.width).sum()),
        lambda t: 0,
    ),
    *memory_counters.LAWS,
)
