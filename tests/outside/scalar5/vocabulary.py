"""What results of a `scalar5` machine say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sim.results.vocabulary import (
    ACCESSES,
    EVENTS,
    INSTRUCTIONS,
    Counter,
    Headline,
    Law,
    Reason,
    Vocabulary,
)
from sim.timeline.declared import CYCLES, Event, Sum, TrackFamily

REASONS = (
    Reason("issuing", "An instruction came into EX."),
    Reason("operand", "Waited for a result of an operation, which is not forwarded."),
    Reason("load", "Waited for a load."),
    Reason("long", "An operation kept EX for more than a cycle."),
    Reason("branch", "Behind a branch that was taken."),
    Reason("fill", "The pipeline filled before the first instruction, or drained behind the last."),
)
ISSUING, OPERAND, LOAD, LONG, BRANCH, FILL = range(len(REASONS))


@dataclass
class Statistics:
    """What a run counted.

    executed  int64[instructions]: how often each was in EX
    squashed  of these, how often its guard was false
    lost      int64[instructions, reasons]: cycles that an instruction came later into EX
    """

    cycles: int
    executed: np.ndarray
    squashed: np.ndarray
    lost: np.ndarray
    taken: int = 0
    loads: int = 0
    stores: int = 0

    @classmethod
    def of(cls, instructions: int) -> Statistics:
        """Of a program that has not run."""
        executed, squashed = np.zeros((2, instructions), np.int64)
        return cls(0, executed, squashed, np.zeros((instructions, len(REASONS)), np.int64))


COUNTERS = (
    Counter("INSTRUCTIONS", INSTRUCTIONS, "In EX, squashed ones included.",
            lambda run: run.executed),
    Counter("SQUASHED", INSTRUCTIONS, "With a guard that was false.", lambda run: run.squashed),
    Counter("TAKEN", EVENTS, "Jumps and branches that led away.", lambda run: run.taken),
    Counter("LOADS", ACCESSES, "Loads.", lambda run: run.loads),
    Counter("STORES", ACCESSES, "Stores.", lambda run: run.stores),
)  # fmt: skip


def _instructions(counters: Mapping[str, int], cycles: int) -> tuple[str, str, str]:
    executed = counters["INSTRUCTIONS"]
    return "instructions", str(executed), f"{executed / cycles:.2f} a cycle"


VOCABULARY = Vocabulary(
    whole=lambda run: run.cycles,
    issuing="issuing",
    reasons=REASONS,
    counters=COUNTERS,
    headlines=(Headline("INSTRUCTIONS", _instructions),),
    tracks=(TrackFamily("ex", "The stage EX."),),
    events=(
        Event("execute", ("instruction", "operation"), "An instruction comes into EX.", "ex",
              lasts=True, label="operation"),
        Event("lost", ("instruction", "reason"), "EX does not take the next instruction.", "ex",
              lasts=True, label="reason"),
    ),
    sums=(
        Sum("instructions", "execute", CYCLES, lambda run: int(run.executed.sum())),
        Sum("lost cycles by reason", "lost", CYCLES,
            lambda run: {r.name: int(n) for r, n in zip(REASONS, run.lost.sum(0), strict=True)},
            by="reason"),
    ),
    laws=(
        Law("cycles = instructions + lost cycles",
            lambda run: run.cycles, lambda run: int(run.executed.sum() + run.lost.sum())),
    ),
)  # fmt: skip
