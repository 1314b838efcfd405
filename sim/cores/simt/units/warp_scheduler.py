"""The warp scheduler of a sub-core."""

from __future__ import annotations

from sim.cores.simt.tables import numbered, parameters, subcores
from sim.cores.simt.unit import Decoded, Sizes, Unit

SCHEDULE = subcores.columns(
    READY="Warps that are ready, as bits.",
    NEXT_READY="The next cycle in which a warp becomes ready.",
    LAST="The bit number that issued last.",
    YIELDED="Before this cycle that warp is not picked.",
    FOLLOWING_PC="The pc behind what it issued.",
)
SCHEDULER = parameters.columns(POLICY="One of POLICY.")
POLICY = numbered(
    LRR="The warps in turn.",
    GTO="The last one, else the oldest.",
    GTY="The last one, else the youngest.",
)
POLICIES = {"lrr": POLICY.LRR, "gto": POLICY.GTO, "gty": POLICY.GTY}


def sizes(decoded: Decoded) -> Sizes:
    yield SCHEDULER.POLICY, POLICIES[decoded.machine.scheduler.policy]


UNIT = Unit("warp_scheduler", parameters=sizes)
