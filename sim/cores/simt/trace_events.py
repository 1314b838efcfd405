"""What the core of a SIMT machine notes of what happens; the constants are what it calls it by."""

from __future__ import annotations

from sim.results.vocabulary import numbered
from sim.timeline.declared import Event

EVENTS: list[Event] = []
"""The events by number."""
FIELDS = ("sm", "warp", "block", "pc", "at", "lanes", "location")
"""SM and warp; the block of threads; where in the program (pc, label before it, source line); the
lanes as a hexadecimal mask."""


def _event(name: str, sentence: str) -> int:
    return numbered(EVENTS, Event(name, FIELDS, sentence, "warp"))


BLOCK_BEGUN = _event("block begun", "Lanes begin a basic block.")
CHECKED = _event("check", "It was decided anew which lanes run: these.")
MERGED = _event("merge", "Groups of lanes met; these run on together.")
DIVERGED = _event("diverge", "Lanes took both sides of a branch.")
AT_BARRIER = _event("barrier", "Lanes have come to a barrier of their block.")
EXITED = _event("exit", "Lanes have ended.")

WARP_BEGUN, ISSUED, WARP_LEFT, WARP_WAITS, ARRIVED, OPENED = range(len(EVENTS), len(EVENTS) + 6)
"""What is noted beside events, of which spans are made (see `sim.cores.simt.timeline`): a warp
begins, issues, leaves, or waits where the run ends; threads come to a barrier, which opens."""
