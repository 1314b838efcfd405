"""The SMs of a core in parts, each of which a thread of the host advances (see `turns`).

    parts = Parts(core, state, 2)
    status = parts.advance(until)           # as one thread would: the same in every bit

A part has arrays of its own for what it works with and for what is only summed up; all others are
those of the state.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from sim.cores.addresses import table_of
from sim.cores.machine_code import Code
from sim.cores.returned import WAITS
from sim.cores.simt import state as at
from sim.cores.simt.memory.parameters import OF_A_PART


class Parts:
    """A state, and what else its parts need."""

    def __init__(self, core: Code, state: at.CoreState, count: int):
        self._core, self._count = core, count
        self._state = state._replace(progress=np.zeros((count + 1) * at.HOST_LINE, np.int64))
        self._others = [_own(self._state) for _ in range(count - 1)]
        self._threads = ThreadPoolExecutor(count - 1) if self._others else None
        self.tables = [table_of(one) for one in (self._state, *self._others)]

    def advance(self, until: int) -> int:
        """Advance all parts up to a cycle; what `sim.cores.returned` says."""
        self._state.progress[:] = 0
        self._state.progress[-at.HOST_LINE] = until
        self._state.scalars[at.ENDED] = 0
        others = range(1, self._count)
        waiting = [self._threads.submit(self._advance, part) for part in others]
        self._advance(0)
        for one in waiting:
            one.result()
        for one in self._others:
            _add_up(self._state, one)
        return self._core["conclude"](self.tables[0], self._count)

    def _advance(self, part: int) -> None:
        while self._core["advance"](self.tables[part], part, self._count) == WAITS:
            time.sleep(0)


def _own(state: at.CoreState) -> at.CoreState:
    """The state with what a part has of its own, and nothing in it."""
    memory = {name: np.zeros_like(getattr(state.memory, name)) for name in OF_A_PART}
    own = {name: np.zeros_like(getattr(state, name)) for name in at.OF_A_PART}
    return state._replace(**own, memory=state.memory._replace(**memory))


def _add_up(state: at.CoreState, part: at.CoreState) -> None:
    """Let a part's sums be those of the state."""
    for one, other in ((state, part), (state.memory, part.memory)):
        for name in SUMS & set(one._fields):
            getattr(one, name)[:] += getattr(other, name)
            getattr(other, name)[:] = 0


SUMS = {"stalls", "executed", "active", "diverged", "counts"}
