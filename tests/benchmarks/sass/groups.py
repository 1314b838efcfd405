"""Which threads of a warp issue together, and where they meet again.

A warp begins as one group.  A branch that not all of a group take parts it; groups become one again
only at BSYNC, where all wait that were together at its BSSY and neither ended nor left by BREAK,
and at WARPSYNC.  Who goes first makes no difference to what issues.  A group is called by the first
of its threads, so that no two have one name.
"""

from __future__ import annotations

import numpy as np

from tests.benchmarks.sass.lanes import WARP

RUNS, WAITS, ENDED, SYNCS = range(4)
"""States of a thread; WAITS for its block, SYNCS for its warp."""
NOBODY = -1


class Groups:
    """`state` and `group` of each thread; whom it will wait for at each convergence barrier."""

    def __init__(self, is_thread: np.ndarray, lanes_of_block: int):
        number = len(is_thread)
        self.state = np.where(is_thread, RUNS, ENDED).astype(np.int8)
        self.group = np.repeat(np.arange(0, number, WARP), WARP)
        self.lanes_of_block = lanes_of_block
        self._meeting: dict[str, np.ndarray] = {}
        self._waits_for = np.full(number, NOBODY, np.int64)
        self._begun = 0

    def issues(self, here: np.ndarray) -> int:
        """How many groups some threads are."""
        seen = np.zeros(len(self.group), bool)
        seen[self.group[here]] = True
        return int(seen.sum())

    def part(self, taken: np.ndarray, others: np.ndarray) -> None:
        """Threads that go different ways: indices, in order."""
        if len(taken) and len(others):
            for some in (taken, others):
                self._name(some)

    def begin(self, barrier: str, at: np.ndarray) -> None:
        """BSSY: the threads of each group will meet."""
        self._begun += 1
        meeting = self._meeting.setdefault(barrier, np.full(len(self.group), NOBODY, np.int64))
        meeting[at] = self._begun * len(self.group) + self.group[at]

    def leave(self, barrier: str, at: np.ndarray) -> None:
        """BREAK: nobody waits for them there."""
        if barrier in self._meeting:
            self._meeting[barrier][at] = NOBODY

    def sync(self, barrier: str, at: np.ndarray) -> None:
        """BSYNC."""
        meeting = self._meeting.get(barrier)
        if meeting is not None:
            found = at[meeting[at] != NOBODY]
            self._waits_for[found] = meeting[found]
            self.state[found] = SYNCS

    def sync_warp(self, at: np.ndarray) -> None:
        """WARPSYNC, of all threads of the warp that have not ended."""
        self._waits_for[at] = -2 - at // WARP
        self.state[at] = SYNCS

    def release(self) -> bool:
        """Let go on who waits for nobody any more, when no thread runs; False: nobody does."""
        waiting = np.flatnonzero(self.state == SYNCS)
        if len(waiting):
            ready = self._complete(waiting)
            if not len(ready):
                ready = waiting  # for threads that wait for their block: all together
            self.state[ready] = RUNS
            self._merge(ready)
            return True
        blocks = self.state.reshape(-1, self.lanes_of_block)
        held = blocks == WAITS
        blocks[held] = RUNS
        return bool(held.any())

    def _complete(self, waiting: np.ndarray) -> np.ndarray:
        """Those of whose meeting all have come."""
        missing = set()
        absent = (self.state != SYNCS) & (self.state != ENDED)
        for meeting in self._meeting.values():
            missing.update(np.unique(meeting[absent]).tolist())
            # Inner meetings are waited for first: who waits elsewhere has not come here.
            elsewhere = (self.state == SYNCS) & (self._waits_for != meeting)
            missing.update(np.unique(meeting[elsewhere]).tolist())
        missing.update((-2 - np.unique(np.flatnonzero(absent) // WARP)).tolist())
        wanted = self._waits_for[waiting]
        return waiting[~np.isin(wanted, np.fromiter(missing, np.int64, len(missing)))]

    def _merge(self, ready: np.ndarray) -> None:
        order = ready[np.argsort(self._waits_for[ready], kind="stable")]
        keys = self._waits_for[order]
        starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
        first = np.repeat(order[starts], np.diff(np.r_[starts, len(order)]))
        self.group[order] = first
        self._waits_for[ready] = NOBODY

    def _name(self, some: np.ndarray) -> None:
        """Call the groups of some threads by their first."""
        first = np.zeros(len(self.group), np.int64)
        old = self.group[some]
        first[old[::-1]] = some[::-1]
        self.group[some] = first[old]
