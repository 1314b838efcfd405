"""The timeline of a SIMT machine, of what its core wrote down while it ran."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np

from machines.kinds.simt.program import WarpProgram
from sim.cores.simt.trace_events import EVENTS
from sim.timeline.declared import TrackFamily
from sim.timeline.span import Happening, Instant, Track

TRACKS = (
    TrackFamily("sm", "A streaming multiprocessor."),
    TrackFamily("warp", "A slot of it for a warp.", "sm"),
)


class Timeline:
    """Of one run of a program."""

    def __init__(self, program: WarpProgram):
        self._program, self._heads = program, sorted(program.labels)
        self._sms: dict[int, Track] = {}
        self._warps: dict[tuple[int, int], Track] = {}

    def of(self, events: np.ndarray) -> Iterator[Happening]:
        """int64[events, 7]: (cycle, SM, warp, block, pc, lanes, number of the event)."""
        for cycle, sm, warp, block, pc, lanes, number in events.tolist():
            arguments = {
                "sm": sm,
                "warp": warp,
                "block": block,
                **self._where(pc),
                "lanes": f"{lanes & 0xFFFF_FFFF_FFFF_FFFF:#x}",
            }
            yield Instant(self._warp(sm, warp), cycle, EVENTS[number].name, arguments)

    def _where(self, pc: int) -> dict[str, Any]:
        """Where in the program: the label before it, and the line of the source."""
        program, heads = self._program, self._heads
        return {
            "pc": pc,
            "at": program.labels[heads[bisect_right(heads, pc) - 1]] if heads else None,
            "location": program.locations[pc] if 0 <= pc < len(program.locations) else None,
        }

    def _warp(self, sm: int, warp: int) -> Track:
        if (sm, warp) not in self._warps:
            if sm not in self._sms:
                self._sms[sm] = Track(f"SM {sm}", "sm")
            self._warps[sm, warp] = Track(f"warp {warp}", "warp", self._sms[sm])
        return self._warps[sm, warp]
