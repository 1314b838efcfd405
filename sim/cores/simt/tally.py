"""What a SIMT core counted, and the laws that the sums must keep.

Everything is counted by row of the program while it runs, or kept in whole stretches of cycles;
here it is read off, after the run.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from machines.kinds.simt import reconvergence as groups
from sim.cores.simt import state as at
from sim.cores.simt.drive import SimtCore
from sim.cores.simt.memory import counters as simt_counters
from sim.results.counters import LawBroken

ISSUED = "issued"
EMPTY = "empty"


class Tally:
    """The sums of one run.

    executed    int64[rows]  warp instructions
    active      int64[rows]  lanes that took part in them
    diverged    int64[rows]  branches both of whose sides were taken
    stalls      int64[rows, reasons]  cycles that warps spent at a row, by reason (`selected`
                included)
    breakdown   cycles of all sub-cores: issued, empty, or the reason of the oldest warp
    """

    def __init__(self, core: SimtCore):
        core.settle()
        self.core, self.state = core, core.state
        self.cycles = core.cycle
        self.width = core.machine.warp_width
        self.reasons = at.REASONS
        self.executed, self.active = self.state.executed, self.state.active
        self.diverged = self.state.diverged
        self.stalls = self.state.stalls.reshape(-1, len(at.REASONS))[: len(self.executed)]

    @property
    def instructions(self) -> int:
        return int(self.executed.sum())

    @cached_property
    def breakdown(self) -> dict[str, int]:
        cores = self.state.cores.reshape(-1, at.CORE_COLUMNS)
        lost = self.state.lost.reshape(-1, at.LOST_COLUMNS).sum(axis=0).tolist()
        named = dict(zip(at.REASONS, lost, strict=False))
        shown = {name: cycles for name, cycles in named.items() if name != "selected"}
        return {ISSUED: int(cores[:, at.ISSUED].sum()), **shown, EMPTY: lost[at.EMPTY]}

    @cached_property
    def columns(self) -> dict[str, np.ndarray]:
        """Figures by row beside executions and stalls."""
        return {
            "active_lanes": self.active,
            "idle_lanes": self.executed * self.width - self.active,
            "divergences": self.diverged,
        }

    @cached_property
    def convergence(self) -> np.ndarray:
        """int64[groups.STATISTICS]: of all warps, sums but for the most groups at a time."""
        statistics = self.state.groups.statistics
        sums = statistics.sum(axis=0)
        sums[groups.MOST_GROUPS] = statistics[:, groups.MOST_GROUPS].max(initial=0)
        return sums


def check_laws(tally: Tally) -> None:
    """Raise LawBroken if the counts of a run contradict each other."""
    for law, left, right in (*_core_laws(tally), *simt_counters.laws(tally.state.memory)):
        if left != right:
            raise LawBroken(f"{law}: {left} is not {right}")


def _core_laws(tally: Tally) -> Iterator[tuple[str, int, int]]:
    breakdown = tally.breakdown
    yield (
        "sub-cores: issued + empty + reasons of the oldest warp = cycles",
        sum(breakdown.values()),
        tally.core.core_cycles,
    )
    yield "warps: reasons = resident cycles", int(tally.stalls.sum()), tally.core.resident_cycles
    selected = int(tally.stalls[:, at.SELECTED].sum())
    yield "selected = issue slots taken", selected, breakdown[ISSUED]
    lanes = int((tally.active > tally.executed * tally.width).sum())
    yield "lanes of an instruction <= width of a warp", lanes, 0
