"""Why an EPIC core does not issue, and the events that count the cycles lost to it.

The constants are what a core calls the causes by.  Which cause wins a cycle that several want, and
the event that counts it, a machine's `stall_order` says.
"""

from __future__ import annotations

from typing import NamedTuple


class Cause(NamedTuple):
    """A cause.

    is_wait  for an operand that is not there yet; the others hold the pipe until a cycle that is
             known beforehand
    since    version of the vocabulary of results that had it first
    """

    name: str
    sentence: str
    is_wait: bool = False
    since: int = 1


class Event(NamedTuple):
    """An event that counts lost cycles; `since` is like that of causes."""

    sentence: str
    since: int = 1


CAUSES: list[Cause] = []
"""The causes by number."""


def _cause(name: str, sentence: str, *, is_wait: bool = False, since: int = 1) -> int:
    CAUSES.append(Cause(name, sentence, is_wait, since))
    return len(CAUSES) - 1


BRANCH_FLUSH = _cause("branch_flush", "Refilling after a wrong branch prediction.")
MISALIGNED = _cause("misaligned", "Serving accesses that are not aligned.")
QUEUE_FULL = _cause("queue_full", "The queue of a cache was full.")
LOAD = _cause("load", "Waiting for a loaded integer.", is_wait=True)
FLOAT = _cause("float", "Waiting for a floating register, loaded or computed.", is_wait=True)
INTEGER = _cause("integer", "Waiting for an integer that was not loaded.", is_wait=True)
PREDICATE = _cause("predicate", "Waiting for a predicate.", is_wait=True)
APPLICATION = _cause("application", "Waiting for an application register.", is_wait=True)
REGISTER_STACK = _cause("register_stack", "Saving or restoring stacked registers.")
INSTRUCTION_MISS = _cause("instruction_miss", "The code was not in the L1I.")
TAKEN_BRANCH = _cause("taken_branch", "Fetching from the target of a taken branch.")

EVENTS = {
    "BE_FLUSH_BUBBLE.BRU": Event("Lost to the refill after a wrong branch prediction."),
    "BE_FLUSH_BUBBLE.XPN": Event("Lost while accesses were served that are not aligned."),
    "BE_L1D_FPU_BUBBLE.L1D_L2BPRESS": Event("Lost because the queue of the L2 was full."),
    "BE_EXE_BUBBLE.GRALL-GRGR": Event("Lost waiting for a loaded integer."),
    "BE_EXE_BUBBLE.FRALL": Event("Lost waiting for a floating register, loaded or computed."),
    "BE_EXE_BUBBLE.GRGR": Event("Lost waiting for an integer that was not loaded."),
    "BE_EXE_BUBBLE.PR": Event("Lost waiting for a predicate."),
    "BE_EXE_BUBBLE.ARCR": Event("Lost waiting for an application register."),
    "BE_RSE_BUBBLE.ALL": Event("Lost while the register stack engine saved or restored registers."),
    "FE_BUBBLE.IMISS": Event("Lost because code was not in the L1I."),
    "FE_BUBBLE.BUBBLE": Event("Lost after a taken branch."),
}
"""Events that count lost cycles, by name."""
