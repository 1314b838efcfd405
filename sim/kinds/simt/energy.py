"""Events of a SIMT machine that energy is estimated of: what its rooflines count, and instructions,
of warps (fetched, decoded, scheduled) and of lanes (operands read, results written)."""

from __future__ import annotations

import numpy as np

from sim.cores.simt.statistics import Statistics
from sim.kinds.simt.roofline import ROOFLINE, operations_of_instructions
from sim.results.energy import Events

OF_WARPS, OF_LANES = "warp instruction", "lane instruction"


def of_instructions(run: Statistics) -> dict[str, np.ndarray]:
    """What belongs to instructions; bytes of memory belong to whoever was there first."""
    count = len(run.core.decoded.program.code)
    own = {OF_WARPS: run.executed[:count], OF_LANES: run.active[:count]}
    return {**operations_of_instructions(run), **own}


def counts(run: Statistics) -> dict[str, int]:
    """All events of a run."""
    own = {OF_WARPS: int(run.executed.sum()), OF_LANES: int(run.active.sum())}
    return {**ROOFLINE.work(run), **own}


ENERGY = Events(counts, lambda: (*ROOFLINE.names(), OF_WARPS, OF_LANES), of_instructions)
