"""The SIMT core with a program in memory: built before time starts, then advanced from outside.

    core = Core(program, machine, memory)
    core.start(0, "saxpy", Grid((128, 1, 1), (256, 1, 1)), parameters)
    while (status := core.advance_for_a_while(until)) == QUANTUM: ...
    core.finished()                                     # [(0, 4711)]: grid 0 ended at cycle 4711
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from machines.diagnostics import Location
from machines.grid import Grid, Triple
from machines.kinds.simt import Simt
from machines.layout import Memory
from machines.warp_program import WarpProgram

QUANTUM, DONE, FAULTED, STUCK = range(4)
"""What `advance` returns: `until` is reached, no grid is left, a thread has faulted, or threads are
left of which none can ever run."""


@dataclass(frozen=True, slots=True)
class ThreadFault:
    """Why a thread could not go on.

    kind     'out of bounds', 'misaligned', 'division by zero', 'trap', …
    row      row of the program; `location` its place in the source
    address  of the access, as the instruction named it; None where there is none
    grid, block, thread   the number that `start` gave the grid; indices in it
    """

    kind: str
    row: int
    location: Location | None
    address: int | None
    grid: int
    block: Triple
    thread: Triple
    cycle: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """Threads of a warp that wait for something that cannot come any more.

    what   'barrier 0', 'convergence barrier 3', 'warp barrier'
    lanes  bit mask of them; their threads are those of the warp times its width, and on
    """

    grid: int
    block: Triple
    warp: int
    lanes: int
    what: str
    row: int
    location: Location | None


class Core:
    """All SMs of a machine and their memory system; `state` is all there is to know about them."""

    def __init__(
        self, program: WarpProgram, machine: Simt, memory: Memory, *, trace_events: int = 0
    ):
        """`trace_events`: how many events the trace holds between two `drain_trace` (0: none)."""

    @property
    def cycle(self) -> int:
        """The cycle up to which everything has happened."""

    def start(self, number: int, kernel: str, grid: Grid, parameters: bytes) -> None:
        """Let the blocks of a grid begin from the current cycle on.

        number      names the grid in `finished`, faults and reports; larger than those before
        parameters  the kernel's parameter space, addresses already put in
        Grids run side by side; blocks of one started earlier go first where both could.
        Raises InputError if a block does not fit an SM.
        """

    def advance_for_a_while(self, until: int, quantum: int | None = None) -> int:
        """Run towards cycle `until`, no longer than `quantum` cycles, or about CALL_SECONDS.

        Returns QUANTUM, DONE (no grid left; `cycle` is that of the last end), FAULTED or STUCK.
        QUANTUM too, in the very cycle, when a grid ends while others run: the host may have waited
        for it (results must not depend on the quantum).
        """

    def wait_until(self, cycle: int) -> None:
        """Let time pass up to `cycle` (called while no grid runs, before `start`)."""

    @property
    def issued(self) -> int:
        """Warp instructions issued so far."""

    def places(self) -> list[str]:
        """Where the warps that are left stand: 'file:line' or 'row 12', each once."""

    def finished(self) -> list[tuple[int, int]]:
        """Grids that have ended since the last call: (number, cycle of the end)."""

    @property
    def fault(self) -> ThreadFault | None:
        """The fault that ended the run."""

    def stuck_report(self) -> list[Waiting]:
        """Who waits where, when `advance_for_a_while` has returned STUCK."""

    def fingerprint(self) -> tuple | None:
        """What a livelock repeats: registers, program counters and memory changes (equal means the
        machine is where it was, whatever the clock says).  None while it cannot be one."""

    def drain_trace(self) -> np.ndarray:
        """int64[events, 7]: (cycle, sm, warp, block, row, mask, kind) since the last call."""
