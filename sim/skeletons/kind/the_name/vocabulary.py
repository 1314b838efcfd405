"""What results say: reasons of the cycles, counters, a law that every run has to keep."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.results.vocabulary import ACCESSES, INSTRUCTIONS, Counter, Law, Reason, Vocabulary

REASONS = (
    Reason("issuing", "An instruction was taken."),
    Reason("load", "Waited for a load."),
    Reason("long", "Waited for a long operation."),
)
ISSUING, LOAD, LONG = range(len(REASONS))


@dataclass
class Statistics:
    """What a run counted.

    executed  int64[instructions]: how often each was taken
    lost      int64[instructions, reasons]: cycles that each made the next one wait
    """

    executed: np.ndarray
    lost: np.ndarray
    cycles: int = 0
    loads: int = 0
    stores: int = 0


VOCABULARY = Vocabulary(
    whole=lambda run: run.cycles,
    issuing="issuing",
    reasons=REASONS,
    counters=(
        Counter(
            "INSTRUCTIONS", INSTRUCTIONS, "That were taken.", lambda run: int(run.executed.sum())
        ),
        Counter("LOADS", ACCESSES, "Loads.", lambda run: run.loads),
        Counter("STORES", ACCESSES, "Stores.", lambda run: run.stores),
    ),
    laws=(
        Law(
            "cycles = instructions + lost cycles",
            lambda run: run.cycles,
            lambda run: int(run.executed.sum() + run.lost.sum()),
        ),
    ),
)
