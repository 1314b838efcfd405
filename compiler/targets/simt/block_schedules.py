"""Which blocks a warp issues, for which of its threads, if each thread takes a given path.

    edges 0>1 0>5 1>2 1>3 2>4 3>4 3>5 4>0, marked 0 3 4 5; paths 0-1-2-4-0-5 twice, 0-1-3-4-0-5,
    0-1-3-5

    markers   0 {0,1,2,3}  1 {0,1,2,3}  2 {0,1}  3 {2,3}  4 {0,1,2}  0 {0,1,2}  5 {0,1,2,3}
              7 blocks, 4 checks

A block stands for its instructions: it is one step, whatever its length.  The rules are those the
simulated hardware goes by (`machines/kinds/simt/reconvergence.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from compiler.analyses.layout_graph import LayoutGraph, members
from compiler.targets.simt.analyses.convergence import Convergence
from compiler.targets.simt.analyses.convergence_barriers import OUTSIDE
from machines.kinds.simt import reconvergence as rules_of
from machines.kinds.simt.reconvergence import (
    BARRIERS,
    BEFORE,
    CHECKS,
    DIVERGED_CHECKS,
    DIVERGENCES,
    FINISHED,
    MASK,
    MERGES,
    MOST_GROUPS,
    NOTHING_CAN_RUN,
    NOWHERE,
    PC,
    POLICIES,
    SELECTIONS,
)

ROWS = 4
"""Rows of a block: for barriers that end there, its own, for those that begin, its branch."""
_ENDS, _OWN, _BRANCH = 0, 1, 3

MOST_THREADS = 64
"""Of a warp."""

Path = Sequence[int]


@dataclass(frozen=True, slots=True)
class Step:
    """A block that a warp issues, and the threads that run it."""

    block: int
    threads: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BlockSchedule:
    """What a warp does under a policy; the counts are those of
    `machines/kinds/simt/reconvergence.py`."""

    policy: str
    steps: list[Step]
    checks: int
    diverged_checks: int
    divergences: int
    merges: int
    most_groups: int


def block_schedule(
    graph: LayoutGraph,
    placed: Convergence,
    paths: Sequence[Path],
    policy: str,
    selection: str = "earliest_pc",
    yield_after: int = 0,
) -> BlockSchedule:
    """Run threads, at most MOST_THREADS, along their paths from the entry to a block without
    successors.

    Raises RuntimeError if the threads end up waiting for each other, or one is led off its path.
    """
    warp = _Warp(graph, placed, paths, policy, selection, yield_after)
    while not warp.events & FINISHED:
        if warp.events & NOTHING_CAN_RUN:
            raise RuntimeError(f"under '{policy}' the threads wait for each other")
        warp.step()
    counts = warp.groups.statistics[0].tolist()
    if any(position < len(path) for position, path in zip(warp.positions, paths, strict=True)):
        raise RuntimeError(f"under '{policy}' a thread ends before its path does")
    columns = (CHECKS, DIVERGED_CHECKS, DIVERGENCES, MERGES, MOST_GROUPS)
    return BlockSchedule(policy, warp.steps, *(counts[column] for column in columns))


class _Warp:
    """One warp of `machines/kinds/simt/reconvergence.py`, block b at the rows from ROWS * b on."""

    def __init__(
        self,
        graph: LayoutGraph,
        placed: Convergence,
        paths: Sequence[Path],
        policy: str,
        selection: str,
        yield_after: int,
    ):
        self.graph, self.paths = graph, paths
        self.meets = placed.meets
        self.positions = [0] * len(paths)
        self.steps: list[Step] = []
        self.events = 0
        numbers = POLICIES.index(policy), SELECTIONS.index(selection), yield_after
        self.rules = np.array(numbers, np.int64)
        self.marked = np.zeros(ROWS * len(graph.names), np.uint8)
        for block in members(placed.markers):
            self.marked[ROWS * block] = BEFORE
        self.broken: dict[int, list[int]] = {}
        self.begun: dict[int, list[int]] = {}
        self.met: dict[int, int] = {}
        for barrier in placed.barriers if policy == POLICIES[BARRIERS] else ():
            self.begun.setdefault(barrier.start, []).append(barrier.number)
            self.met[barrier.meet] = barrier.number
            for block in barrier.breaks:
                self.broken.setdefault(block, []).append(barrier.number)
        self.groups = rules_of.make_groups(1, max(len(paths), 1))
        everyone = np.int64(-1) if len(paths) == MOST_THREADS else np.int64((1 << len(paths)) - 1)
        rules_of.begin(self.groups, 0, 0, everyone)
        for number in self.begun.get(OUTSIDE, ()):
            rules_of.bssy(self.groups, 0, number)

    def step(self) -> None:
        """What the running group does in the row where it is."""
        block, part = divmod(int(self.groups.running[0, PC]), ROWS)
        if part == _ENDS:
            for number in self.broken.get(block, ()):
                rules_of.break_(self.groups, 0, number)
            self.groups.running[0, PC] += 1
            if block in self.met:
                row, number = ROWS * block, self.met[block]
                self.events = rules_of.bsync(self.groups, 0, self.rules, row, number)
        elif part == _OWN:
            self._run(block)

    def _run(self, block: int) -> None:
        mask = int(self.groups.running[0, MASK])
        running = tuple(k for k in range(len(self.paths)) if mask >> k & 1)
        self.steps.append(Step(block, running))
        for thread in running:
            if self.positions[thread] >= len(self.paths[thread]) or (
                self.paths[thread][self.positions[thread]] != block
            ):
                raise RuntimeError(f"thread {thread} is led off its path into block {block}")
            self.positions[thread] += 1
        for number in self.begun.get(block, ()):
            rules_of.bssy(self.groups, 0, number)
        self.events = self._lead_on(block, running)

    def _lead_on(self, block: int, running: tuple[int, ...]) -> int:
        targets = self.graph.successors[block]
        row = ROWS * block + _BRANCH
        if not targets:
            return rules_of.leave(self.groups, 0, self.rules, self.groups.running[0, MASK])
        if len(targets) == 1:
            target = ROWS * targets[0]
            return rules_of.jump(self.groups, 0, self.rules, self.marked, row, target)
        fall, taken = targets
        there = [k for k in running if self.paths[k][self.positions[k]] == taken]
        mask = sum((np.int64(1) << np.int64(k) for k in there), np.int64(0))
        meet = self.meets[block]
        meet = NOWHERE if meet < 0 else ROWS * meet
        ways = ROWS * taken, ROWS * fall
        return rules_of.branch(self.groups, 0, self.rules, self.marked, row, *ways, mask, meet)
