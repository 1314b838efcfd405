"""Runs of the SIMT core with and without a trace, and what their timelines are held to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import WarpProgram
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.returned import QUANTUM
from sim.cores.simt.drive import SimtCore
from sim.cores.simt.statistics import Statistics
from sim.kinds.simt.vocabulary import VOCABULARY
from sim.results.laws import check_sums
from sim.timeline.recording import Recording
from sim.timeline.span import Happening

ROOM = 1 << 14
SUMS = ("stalls", "executed", "active", "diverged", "lost", "bytes")
"""What a run leaves, whether it was traced or not."""


@dataclass(frozen=True)
class Launch:
    """A grid of a program, and the cycle in which its run is cut off."""

    program: WarpProgram
    machine: Simt
    memory: Memory
    grid: Grid
    parameters: bytes = b""
    limit: int = 10**6

    def run(self, memory: Memory, room: int, recording: Recording | None = None) -> SimtCore:
        core = SimtCore(self.program, self.machine, memory, trace_events=room)
        (kernel,) = self.program.kernels
        core.start(0, kernel, self.grid, self.parameters)
        going = True
        while going and core.cycle < self.limit:
            going = core.advance(self.limit) == QUANTUM
            if recording is not None:
                recording.take(core.happened())
        if recording is not None:
            recording.take(core.still_happens())
        core.settle()
        return core


def timeline(launch: Launch) -> tuple[list[Happening], SimtCore]:
    """The timeline of a run, which adds up to its figures; a run without is the same."""
    before = launch.memory.bytes.copy()
    plain = launch.run(launch.memory, 0)
    cycle, kept = plain.cycle, {name: getattr(plain.state, name).copy() for name in SUMS}
    launch.memory.bytes[...] = before
    happened: list[Happening] = []
    recording = Recording(VOCABULARY, happened.append)
    core = launch.run(launch.memory, ROOM, recording)
    check_sums(VOCABULARY, recording.summary, Statistics(core))
    assert core.cycle == cycle
    assert [n for n in SUMS if not np.array_equal(getattr(core.state, n), kept[n])] == []
    return happened, core
