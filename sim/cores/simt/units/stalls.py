"""Where the cycles of warps and sub-cores go.

A waiting warp's time from SINCE on is HOLD_REASON up to HELD_UNTIL, a reconvergence check up to
CHECK_UNTIL, WAIT_REASON up to the cycle in `ready_at`; then it is kept back by its pipe or by other
warps.
"""

from __future__ import annotations

from sim.cores.simt.tables import subcores, warps
from sim.cores.simt.unit import Unit

WAIT = warps.columns(
    SINCE="The cycle up to which its time is charged.",
    HELD_UNTIL="The cycle up to which something holds it that it has done.",
    HOLD_REASON="What that is.",
    CHECK_UNTIL="The cycle up to which it is checked which of its threads run.",
    WAIT_REASON="What its next instruction waits for.",
    THROTTLE_SEEN="Cycles that its pipe had kept warps back when it became ready.",
)
IDLE = subcores.columns(
    SINCE="The cycle up to which `lost` is settled.",
    OLDEST="The bit number of the oldest warp, -1: none.",
    ISSUED="Cycles in which it issued.",
)

UNIT = Unit("stalls")
