"""What is written down while the machine runs, if somebody wants its timeline."""

from __future__ import annotations

from sim.cores.simt.tables import events, parameters, scalars
from sim.cores.simt.unit import Unit

EVENT = events.columns(
    KIND="Which one of `trace_events`.",
    CYCLE="When.",
    SM="In which SM.",
    SLOT="Of what happens to a warp: its slot there.",
    PC="Where it stands.",
    LANES="With which lanes, as bits.",
    BLOCK="Index of its block.",
    BLOCK_SLOT="The slot of that in the SM.",
    HELD="Of waits: HELD_UNTIL, as in `units.stalls` what follows.",
    CHECK="CHECK_UNTIL.",
    READY="`ready_at`.",
    HOLD_REASON="HOLD_REASON.",
    WAIT_REASON="WAIT_REASON.",
    SINCE="SINCE.",
    THROTTLED="Cycles in which its pipe kept it back.",
    THROTTLE="For which reason.",
    CONFLICTS="Of an issue: cycles that the dispatch port is held.",
    SERVED="When its pipe has served it, or NOT_SERVED.",
    DONE="When an access is done, or NOT_SERVED.",
    BARRIER="Of barriers: its number.",
    VALUE="Threads that have come, or when they go on.",
)
NOT_SERVED = -1
TRACE = parameters.columns(
    TRACES="Rows of `events` that there is room for, while something is noted; else 0."
)
TRACED = scalars.columns(COUNT="Rows so far.")

UNIT = Unit("trace")
