"""What pipelining a loop gains, as far as it can be told when it is compiled.

    II 48, 3 stages            12 iterations take (12 + 2) * 48 + 4 = 676 cycles
    50 cycles by itself        12 iterations take 600: it stays as it is

A kernel of S stages fills for S - 1 rounds and drains as long, each time that the loop is entered;
what that is worth depends on how often the loop turns.  Where nothing says it, a counted loop is
taken to turn often, and a while loop, which stops when it has found something, seldom.

The iteration that a list schedule gives is as long as its rows, or as what its end makes the next
beginning wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compiler.ir.module import Instruction
from compiler.targets.epic.dependences import dependences
from compiler.targets.epic.passes.schedule_blocks import schedule as list_schedule
from compiler.targets.epic.scheduling.problem import Fits, LoopSchedule
from machines.kinds.epic.fields import Epic

SET_UP = 4
"""Cycles before and after a pipelined loop that its list schedule does not need, about."""

LIKELY_COUNTED, LIKELY_WHILE = 100, 12
"""Iterations of a loop whose number is not known.  The lists, numbers and guesses of the loop suite
are gone through in about ten."""

LEAST_GAIN = 1 / 128
"""Share of the cycles that has to be gained: both figures leave out caches, banks and branches."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """A loop of `count` iterations, known or likely, that takes `alone` cycles for each by a list
    schedule."""

    count: int
    alone: int

    def is_worth_it(self, ii: int, stages: int) -> bool:
        """Whether a kernel is better."""
        return pipelined_cycles(ii, stages, self.count) < (1 - LEAST_GAIN) * self.count * self.alone

    @property
    def most_ii(self) -> int:
        """The greatest II that may be better, that of the fewest stages that overlap."""
        ii = self.alone - 1
        while ii > 0 and not self.is_worth_it(ii, 2):
            ii -= 1
        return ii


def pipelined_cycles(ii: int, stages: int, count: int) -> int:
    """What a pipelined loop takes for so many iterations."""
    return (count + stages - 1) * ii + SET_UP


def summary(schedule: LoopSchedule) -> str:
    bounds = f"resources {schedule.res_mii}, recurrences {schedule.rec_mii}"
    return f"II {schedule.ii} ({bounds}), {schedule.stages} stages"


def list_cycles(code: Sequence[Instruction], description: Epic, fits: Fits) -> int:
    """Cycles from one iteration to the next of a loop's block that is scheduled by itself."""
    issued = dict(list_schedule(list(code), description, fits))
    size, longest = len(code), 1 + max(issued.values())
    turned = dependences([*code, *code], description)  # with the iteration that follows
    waits = (
        issued[first] + latency - issued[later - size]
        for first in range(size)
        for later, latency in turned.after[first].items()
        if later >= size
    )
    return max([longest, *waits])
