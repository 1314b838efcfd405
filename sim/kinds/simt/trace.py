"""The trace of a SIMT machine as its vocabulary declares it, from what the core writes down."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from machines.kinds.simt.program import WarpProgram
from sim.cores.simt.trace_events import EVENTS

if TYPE_CHECKING:
    import numpy as np


def described(events: np.ndarray, program: WarpProgram) -> Iterator[dict[str, Any]]:
    """int64[events, 7]: (cycle, SM, warp, block, pc, lanes, number of the event)."""
    heads = sorted(program.labels)
    for cycle, sm, warp, block, pc, lanes, number in events.tolist():
        yield {
            "cycle": cycle,
            "event": EVENTS[number].name,
            "sm": sm,
            "warp": warp,
            "block": block,
            "pc": pc,
            "at": program.labels[heads[bisect_right(heads, pc) - 1]] if heads else None,
            "lanes": f"{lanes & 0xFFFF_FFFF_FFFF_FFFF:#x}",
            "location": program.locations[pc] if 0 <= pc < len(program.locations) else None,
        }
