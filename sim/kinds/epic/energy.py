"""Events of an EPIC machine that energy is estimated of: what its rooflines count, and instructions
that retire."""

from __future__ import annotations

import numpy as np

from sim.cores.epic.statistics import Statistics
from sim.kinds.epic.roofline import ROOFLINE
from sim.results.energy import Events

INSTRUCTION = "instruction"


def of_instructions(run: Statistics) -> dict[str, np.ndarray]:
    """What belongs to instructions here: that they retire, squashed or not."""
    return {INSTRUCTION: run.executed}


def counts(run: Statistics) -> dict[str, int]:
    """All events of a run."""
    return {**ROOFLINE.work(run), INSTRUCTION: run.retired}


ENERGY = Events(counts, lambda: (*ROOFLINE.names(), INSTRUCTION), of_instructions)
