"""What a SIMT core counted.

Everything is counted by pc while it runs, or kept in whole stretches of cycles;
here it is read off, after the run.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sim.cores.simt import stall_reasons as why
from sim.cores.simt import state as at
from sim.cores.simt.memory.parameters import WarpMemory
from sim.cores.simt.units.stalls import IDLE

if TYPE_CHECKING:
    from sim.cores.simt.drive import SimtCore


class Statistics:
    """The sums of one run.

    executed    int64[pcs]  warp instructions
    active      int64[pcs]  lanes that took part in them
    diverged    int64[pcs]  branches both of whose sides were taken
    stalls      int64[pcs, reasons]  cycles that warps spent at a pc, by reason (`selected`
                included)
    """

    def __init__(self, core: SimtCore):
        core.settle()
        self.core, self.state = core, core.state
        self.cycles = core.cycle
        self.width = core.machine.warp_width
        self.executed, self.active = self.state.executed, self.state.active
        self.diverged = self.state.diverged
        self.stalls = self.state.stalls.reshape(-1, why.COUNT)[: len(self.executed)]

    @property
    def memory(self) -> WarpMemory:
        return self.state.memory

    @property
    def idle(self) -> np.ndarray:
        """int64[pcs]: lanes that took no part."""
        return self.executed * self.width - self.active

    @cached_property
    def breakdown(self) -> dict[str, int]:
        """Cycles of all sub-cores: issued, empty, or the reason of the oldest warp."""
        subcores = self.state.subcores.reshape(-1, at.SUBCORE_COLUMNS)
        lost = self.state.lost.reshape(-1, why.LOST_COLUMNS).sum(axis=0).tolist()
        of_warps = {reason.name: lost[number] for number, reason in enumerate(why.REASONS)}
        del of_warps[why.REASONS[why.SELECTED].name]
        issued = int(subcores[:, IDLE.ISSUED].sum())
        return {why.ISSUED.name: issued, **of_warps, why.EMPTY_CORE.name: lost[why.EMPTY]}

    @property
    def groups(self) -> np.ndarray:
        """int64[warps, machines.kinds.simt.reconvergence.WARP_COLUMNS]"""
        return self.state.groups.statistics
