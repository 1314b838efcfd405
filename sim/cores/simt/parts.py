"""The SMs of a core in parts, each of which a thread of the host advances (see `turns`).

    parts = Parts(core, state, 2)
    status = parts.advance(until)           # as one thread would: the same in every bit

A part has arrays of its own for what it works with and for what is only summed up; all others are
those of the state.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

import numpy as np

from sim.cores.addresses import table_of
from sim.cores.machine_code import Code
from sim.cores.returned import WAITS
from sim.cores.simt import state as at
from sim.cores.simt.memory import parameters as of_memory
from sim.cores.simt.units.block_dispatcher import DISPATCHED

State = TypeVar("State", bound=NamedTuple)


class Parts:
    """A state, and what else its parts need."""

    def __init__(self, core: Code, state: at.CoreState, count: int):
        self._core, self._count = core, count
        self._state = state._replace(progress=np.zeros((count + 1) * at.HOST_LINE, np.int64))
        self._others = [_own(self._state) for _ in range(count - 1)]
        if self._others:  # who has none does not wait for its import
            from concurrent.futures import ThreadPoolExecutor

            self._threads = ThreadPoolExecutor(count - 1)
        self.tables = [table_of(one) for one in (self._state, *self._others)]

    def advance(self, until: int) -> int:
        """Advance all parts up to a cycle; what `sim.cores.returned` says."""
        self._state.progress[:] = 0
        self._state.progress[-at.HOST_LINE] = until
        self._state.scalars[DISPATCHED.ENDED] = 0
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
    memory = _emptied(state.memory, of_memory.SUMS + of_memory.SCRATCH)
    return _emptied(state._replace(memory=memory), at.SUMS + at.SCRATCH)


def _emptied(state: State, names: Iterable[str]) -> State:
    return state._replace(**{name: np.zeros_like(getattr(state, name)) for name in names})


def _add_up(state: at.CoreState, part: at.CoreState) -> None:
    """Let a part's sums be those of the state."""
    for one, other, names in (
        (state, part, at.SUMS),
        (state.memory, part.memory, of_memory.SUMS),
    ):
        for name in names:
            getattr(one, name)[:] += getattr(other, name)
            getattr(other, name)[:] = 0
