"""What a resident warp does in a cycle, by Nsight Compute's names; the last is this model's own.

The constants are what the core calls them by.
"""

from __future__ import annotations

from sim.results.vocabulary import Reason, numbered

REASONS: list[Reason] = []
"""The reasons by number."""


def _reason(name: str, sentence: str, since: int = 1) -> int:
    return numbered(REASONS, Reason(name, sentence, since))


SELECTED = _reason("selected", "Issuing an instruction.")
NOT_SELECTED = _reason("not_selected", "Ready to issue, and another warp was picked.")
WAIT = _reason("wait", "Waiting for a result of fixed latency.")
LONG_SCOREBOARD = _reason("long_scoreboard", "Waiting for global or local memory.")
SHORT_SCOREBOARD = _reason(
    "short_scoreboard", "Waiting for shared memory, special functions, conversions or shuffles."
)
MATH_PIPE_THROTTLE = _reason("math_pipe_throttle", "Waiting for an arithmetic pipe.")
MIO_THROTTLE = _reason(
    "mio_throttle", "Waiting for the queue of shared memory and special functions."
)
LG_THROTTLE = _reason("lg_throttle", "Waiting for the queue of local and global memory.")
BARRIER = _reason("barrier", "Waiting at a barrier of its block or cluster.")
MEMBAR = _reason("membar", "Waiting for a memory fence.")
BRANCH_RESOLVING = _reason("branch_resolving", "Waiting for the target of a branch.")
DISPATCH_STALL = _reason(
    "dispatch_stall", "Held back in dispatch by registers that lie in one bank."
)
DRAIN = _reason(
    "drain",
    "Waiting after its end until the path to memory has its stores, for the latency of its exit, "
    "or, as the last one of its launch, for all stores.",
)
SLEEPING = _reason("sleeping", "Asleep, or all its lanes blocked.")
RECONVERGENCE_CHECK = _reason("reconvergence_check", "Choosing which of its threads run.")

ISSUED = Reason("issued", "An instruction issued.")
EMPTY_CORE = Reason("empty", "There was no warp.", idle=True)
"""What a sub-core does in a cycle beside what its oldest warp does."""
COUNT = len(REASONS)
EMPTY = COUNT
"""The number of that, where sub-cores are counted: behind those of warps."""
LOST_COLUMNS = EMPTY + 1
