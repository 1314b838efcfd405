"""What the statistics of an EPIC machine keep in every run, beside the breakdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from machines.kinds.epic.program import CONTINUATION
from sim.cores.epic import state as at
from sim.cores.epic.memory import hierarchy as caches
from sim.cores.epic.statistics import Statistics
from sim.kinds.epic.counters import is_nop
from sim.results.vocabulary import Law


def _useful_nops_and_squashed(run: Statistics) -> int:
    useful = run.effective_where(lambda row: not is_nop(row))
    return useful + run.effective_where(is_nop) + int(run.squashed.sum())


def _restored_and_still_saved(run: Statistics) -> int:
    return int(run.state.frame[at.REGISTERS_RESTORED] + run.state.frame[at.SAVED])


# ---- Caches -------------------------------------------------------------------------------------


def _accesses(run: Statistics) -> Iterator[tuple[str, int, int]]:
    """By level and who asks: accesses that were answered, and those that came: by what was
    executed, or by what the level before sent on."""
    state, memory = run.state, run.state.caches
    far, near = int(state.parameters[at.FAR_LEVEL]), int(state.parameters[at.NEAR_LEVEL])
    # The last row is for what goes past the last level: OUTSIDE is -1.
    arriving = np.zeros((len(memory.shape) + 1, len(caches.REQUESTS)), dtype=np.int64)
    for plan_flags, request in ((at.LOADS, caches.LOAD), (at.STORES, caches.STORE)):
        arriving[near, request] += _executed(run, plan_flags, far=False)
        arriving[far, request] += _executed(run, plan_flags, far=True)
    prefetches = _executed(run, at.PREFETCHES, far=False)
    prefetches -= int(state.scalars[at.PREFETCHES_DROPPED])
    arriving[int(state.parameters[at.PREFETCH_LEVEL]), caches.PREFETCH] += prefetches
    arriving[caches.L1I, caches.FETCH] = run.seen(caches.L1I, caches.FETCH)
    for level, shape in enumerate(memory.shape):
        following = int(shape[caches.NEXT])
        for request, who in enumerate(caches.REQUESTS):
            seen = run.seen(level, request)
            passed = memory.counts[level][caches.MISS + request]
            if request == caches.STORE and shape[caches.WRITE] == caches.WRITE_THROUGH:
                passed = seen
            if request == caches.STORE and shape[caches.WRITE] == caches.WRITE_NONE:
                passed = seen = arriving[level, request]
            fetches = shape[caches.WRITE] == caches.WRITE_BACK and shape[caches.ALLOCATE_ON_WRITE]
            if request == caches.STORE and fetches:  # the following levels only read the line
                arriving[following, caches.LOAD] += passed
                passed = 0
            arriving[following, request] += passed
            yield f"{caches.LEVEL_NAMES[level]} {who}", int(seen), int(arriving[level, request])


def _executed(run: Statistics, flag: int, *, far: bool) -> int:
    """Executed accesses of a kind that enter the caches at the far (or near) level."""
    plans = run.decoded.plans
    return sum(
        int(run.effective[k])
        for k, operation in enumerate(run.operations.tolist())
        if operation != CONTINUATION
        and plans[operation].row.access
        and plans[operation].flags & flag
        and bool(plans[operation].flags & at.FAR) == far
    )


def _by_level(count: Callable[[np.ndarray, np.ndarray], int]) -> Callable[[Statistics], dict]:
    """What `count` makes of the shape and the counts of each level of caches."""

    def value(run: Statistics) -> dict[str, int]:
        memory = run.state.caches
        levels = zip(caches.LEVEL_NAMES, memory.shape, memory.counts, strict=False)
        return {name: count(shape, counts) for name, shape, counts in levels}

    return value


def _misses_that_fetch(shape: np.ndarray, counts: np.ndarray) -> int:
    misses = counts[caches.MISS : caches.MISS + len(caches.REQUESTS)].sum()
    without = 0 if shape[caches.ALLOCATE_ON_WRITE] else counts[caches.MISS + caches.STORE]
    return int(misses - without)


LAWS = (
    Law(
        "retired = executions of all syllables",
        lambda run: run.retired,
        lambda run: int(run.executed.sum()),
    ),
    Law(
        "retired = useful + nops + squashed",
        lambda run: run.retired,
        _useful_nops_and_squashed,
    ),
    Law(
        "issuing = packets issued",
        lambda run: run.issuing,
        lambda run: int(run.state.packet_counts.sum()),
    ),
    Law(
        "registers saved = restored + still saved",
        lambda run: int(run.state.frame[at.REGISTERS_SAVED]),
        _restored_and_still_saved,
    ),
    Law(
        "hits + misses + merges = accesses",
        lambda run: {part: answered for part, answered, _ in _accesses(run)},
        lambda run: {part: came for part, _, came in _accesses(run)},
    ),
    Law(
        "lines filled = misses that fetch",
        _by_level(lambda shape, counts: int(counts[caches.FILLS])),
        _by_level(_misses_that_fetch),
    ),
    Law(
        "lines read from memory = lines filled in the last level",
        lambda run: int(run.state.caches.main[caches.LINES_READ]),
        lambda run: int(run.state.caches.counts[-1, caches.FILLS]),
    ),
)
