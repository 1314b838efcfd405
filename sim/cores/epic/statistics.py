"""What a core counted, added up per syllable.

The core counts how often each packet issued, how often a guard was false, and what each cache
level saw; everything else follows from these and is worked out here after the run.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from machines.kinds.epic.dispersal import ENDS
from machines.kinds.epic.program import CONTINUATION, GUARD, OPERATION
from machines.operations.row import Operation
from sim.cores.epic import state as at
from sim.cores.epic.memory import hierarchy as caches

if TYPE_CHECKING:
    from sim.cores.epic.drive import EpicCore


class Statistics:
    """The sums of one run.

    executed   int64[syllables]  how often each syllable retired, guard true or not
    squashed   int64[syllables]  how often its guard was false
    effective  int64[syllables]  executed - squashed
    stalls     int64[syllables, causes]  lost cycles by syllable; see `sim.cores.Outcome`
    lost       cycles lost to each cause, in the machine's order of priority
    """

    def __init__(self, core: EpicCore):
        self.core = core
        self.decoded, self.state = core.decoded, core.state
        self.cycles, self.issuing = core.cycle, core.issued
        self.causes = tuple(core.machine.stall_order)
        self.lost = dict(zip(self.causes, self.state.lost.tolist(), strict=True))
        syllables = self.decoded.syllables
        self.stalls = self.state.stalls.reshape(-1, len(self.causes))[:syllables]
        self.squashed = self.state.squashed[:syllables]
        self.executed = self._executed()
        self.effective = self.executed - self.squashed

    def _executed(self) -> np.ndarray:
        """A packet's count is that of each of its syllables, less those that were cut off."""
        packets = self.decoded.packets.reshape(-1, at.PACKET_COLUMNS)
        change = np.zeros(self.decoded.syllables + 2, dtype=np.int64)
        np.add.at(change, self.decoded.starts, self.state.packet_counts)
        np.subtract.at(change, packets[:, at.END], self.state.packet_counts)
        executed = np.cumsum(change)[: self.decoded.syllables + 1] - self.state.cut
        executed = executed[: self.decoded.syllables]
        executed[self.operations == CONTINUATION] = 0
        return executed

    @cached_property
    def operations(self) -> np.ndarray:
        return self.decoded.program.code[:, OPERATION]

    @cached_property
    def rows(self) -> list[Operation | None]:
        """The row of each syllable, None for the second half of a long instruction."""
        plans = self.decoded.plans
        return [None if k == CONTINUATION else plans[k].row for k in self.operations.tolist()]

    def effective_where(self, wanted: Callable[[Operation], object]) -> int:
        """How often syllables whose row fulfils `wanted` executed with a true guard."""
        chosen = [k for k, row in enumerate(self.rows) if row is not None and wanted(row)]
        return int(self.effective[chosen].sum())

    def lost_where(self, cause: str, wanted: Callable[[Operation], object]) -> int:
        """Cycles lost to a cause by syllables whose row fulfils `wanted`."""
        chosen = [k for k, row in enumerate(self.rows) if row is not None and wanted(row)]
        return int(self.stalls[chosen, self.causes.index(cause)].sum())

    @cached_property
    def floating_operations(self) -> int:
        """Two for a fused multiply-add, one where it only adds (times 1.0) or multiplies (+ 0)."""
        total = 0
        code = self.decoded.program.code
        for k in np.flatnonzero(self.effective):
            row = self.rows[k]
            if row is not None and row.scheduling_class == "fp_arithmetic":
                _, first, second, addend = code[k, GUARD + 1 : GUARD + 5].tolist()
                work = (1 not in (first, second)) + (addend != 0)
                total += int(self.effective[k]) * work
        return total

    @cached_property
    def packet_slots(self) -> int:
        """Instructions dispersed, including those a branch in their packet cut off."""
        packets = self.decoded.packets.reshape(-1, at.PACKET_COLUMNS)
        return int((packets[:, at.COUNT] * self.state.packet_counts).sum())

    @cached_property
    def retired(self) -> int:
        """Instructions dispersed, less those that were cut off."""
        return self.packet_slots - int(self.state.cut.sum())

    @cached_property
    def ends(self) -> dict[str, int]:
        """How often packets ended for each reason (see `machines.kinds.epic.dispersal.ENDS`)."""
        counts = np.bincount(
            self.decoded.ends, weights=self.state.packet_counts[:-1], minlength=len(ENDS)
        )
        return {name: int(count) for name, count in zip(ENDS, counts, strict=True)}

    def seen(self, level: int, request: int) -> int:
        """Accesses of a kind that a level answered in any way."""
        counts = self.state.caches.counts[level]
        return int(sum(counts[way + request] for way in (caches.HIT, caches.MISS, caches.MERGE)))
