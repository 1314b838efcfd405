"""What a core counted, added up per syllable, and the laws that the sums must keep.

The core counts how often each packet issued, how often a guard was false, and what each cache
level saw; everything else follows from these and is worked out here after the run.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from machines.kinds.epic.dispersal import ENDS
from machines.kinds.epic.program import CONTINUATION, GUARD, OPERATION
from machines.operations.row import Operation
from sim.cores.epic import state as at
from sim.cores.epic.drive import EpicCore
from sim.cores.epic.memory import hierarchy as caches
from sim.results.counters import LawBroken


class Tally:
    """The sums of one run.

    executed   int64[syllables]  how often each syllable retired, guard true or not
    squashed   int64[syllables]  how often its guard was false
    effective  int64[syllables]  executed - squashed
    stalls     int64[syllables, causes]  lost cycles by syllable; see `sim.cores.epic.run.Outcome`
    lost       cycles lost to each cause, in the machine's order of priority
    """

    def __init__(self, core: EpicCore):
        self.core = core
        self.decoded, self.state = core.decoded, core.state
        self.cycles, self.issuing = core.cycle, int(self.state.scalars[at.ISSUING])
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

    def effective_where(self, wanted) -> int:
        """How often syllables whose row fulfils `wanted` executed with a true guard."""
        chosen = [k for k, row in enumerate(self.rows) if row is not None and wanted(row)]
        return int(self.effective[chosen].sum())

    def lost_where(self, cause: str, wanted) -> int:
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


def check_laws(tally: Tally) -> None:
    """Raise LawBroken if the counts of a run contradict each other."""
    for law, left, right in (*_core_laws(tally), *_cache_laws(tally)):
        if left != right:
            raise LawBroken(f"{law}: {left} is not {right}")


def _core_laws(tally: Tally):
    lost = sum(tally.lost.values())
    yield "cycles = issuing + lost", tally.cycles, tally.issuing + lost
    yield "lost cycles by syllable = lost cycles", int(tally.stalls.sum()), lost
    retired = int(tally.state.scalars[at.RETIRED])
    yield "retired = executions of all syllables", retired, int(tally.executed.sum())
    yield "issuing = packets issued", tally.issuing, int(tally.state.packet_counts.sum())
    frame = tally.state.frame
    saved, restored = int(frame[at.REGISTERS_SAVED]), int(frame[at.REGISTERS_RESTORED])
    yield "registers saved = restored + still saved", saved, restored + int(frame[at.SAVED])
    nops = tally.effective_where(lambda row: "nop" in row.flags)
    useful = tally.effective_where(lambda row: "nop" not in row.flags)
    yield "retired = useful + nops + squashed", retired, useful + nops + int(tally.squashed.sum())


def _cache_laws(tally: Tally):
    """hits + misses + merges = accesses, where accesses are counted by what was executed or by
    what the level before sent on; lines in = lines asked for."""
    state, memory = tally.state, tally.state.caches
    figures = state.figures
    far, near = int(figures[at.FAR_LEVEL]), int(figures[at.NEAR_LEVEL])
    arriving = np.zeros((len(memory.shape) + 1, len(caches.REQUESTS)), dtype=np.int64)
    for plan_flags, request in ((at.LOADS, caches.LOAD), (at.STORES, caches.STORE)):
        arriving[near, request] += _accesses(tally, plan_flags, far=False)
        arriving[far, request] += _accesses(tally, plan_flags, far=True)
    prefetches = _accesses(tally, at.PREFETCHES, far=False)
    prefetches -= int(state.scalars[at.PREFETCHES_DROPPED])
    arriving[int(figures[at.PREFETCH_LEVEL]), caches.PREFETCH] += prefetches
    arriving[caches.L1I, caches.FETCH] = tally.seen(caches.L1I, caches.FETCH)
    for level, shape in enumerate(memory.shape):
        name, counts = caches.LEVEL_NAMES[level], memory.counts[level]
        following = int(shape[caches.NEXT])  # OUTSIDE is the row after the last level
        for request, who in enumerate(caches.REQUESTS):
            seen = tally.seen(level, request)
            passed = counts[caches.MISS + request]
            if request == caches.STORE and shape[caches.WRITE] == caches.WRITE_THROUGH:
                passed = seen
            if request == caches.STORE and shape[caches.WRITE] == caches.WRITE_NONE:
                passed = seen = arriving[level, request]
            fetches = shape[caches.WRITE] == caches.WRITE_BACK and shape[caches.ALLOCATE_ON_WRITE]
            if request == caches.STORE and fetches:  # the following levels only read the line
                arriving[following, caches.LOAD] += passed
                passed = 0
            arriving[following, request] += passed
            yield f"{name}: {who} hits + misses + merges", seen, int(arriving[level, request])
        fetched = counts[caches.MISS : caches.MISS + len(caches.REQUESTS)].sum()
        if not shape[caches.ALLOCATE_ON_WRITE]:
            fetched -= counts[caches.MISS + caches.STORE]
        yield f"{name}: lines filled = misses that fetch", counts[caches.FILLS], fetched
    read = int(memory.main[caches.LINES_READ])
    yield "bytes read from memory = bytes filled", read, int(memory.counts[-1, caches.FILLS])


def _accesses(tally: Tally, flag: int, *, far: bool) -> int:
    """Executed accesses of a kind that enter the caches at the far (or near) level."""
    plans = tally.decoded.plans
    operations = tally.operations.tolist()
    return sum(
        int(tally.effective[k])
        for k, operation in enumerate(operations)
        if operation != CONTINUATION
        and plans[operation].row.access
        and plans[operation].flags & flag
        and bool(plans[operation].flags & at.FAR) == far
    )
