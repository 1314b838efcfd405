"""How many registers are alive after each row of an order, and what moving a row forward changes.

    order   0: %a = …   1: %b = f(%a)   2: %c = …   3: %d = g(%b, %c)       alive  1 1 2 1

    2 goes first: %c lives from there on                                    alive  1 | 2 2 1

A row that is moved forward writes earlier what lives until where it stood anyway, and what it was
the last to read ends with the reader before it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from compiler.targets.simt.block_rows import BANKS, BlockRows

ISSUED = -(1 << 30)
"""Alive after a row that is issued: less than any limit."""

Registers = tuple[int, ...]
"""How many of each bank."""


class LiveProfile:
    """The rows of a block that are not issued yet, in an order, and what is alive meanwhile.

    now    registers alive after what is issued
    most   at once, in the order as it was given
    """

    def __init__(self, rows: BlockRows, order: Sequence[int]):
        self.rows, self.order, self.now = rows, list(order), list(rows.alive)
        self._position = [0] * len(order)
        for position, number in enumerate(order):
            self._position[number] = position
        self._uses: list[list[int]] = [[] for _ in rows.sizes]
        for position, number in enumerate(order):
            for value in rows.reads[number]:
                self._uses[value].append(position)
        self._alive = self._count()
        self._issued = [False] * len(order)
        peaks = self._alive.max(axis=1).tolist()
        self.most = tuple(map(max, rows.alive, peaks))
        self._first = 0

    def _count(self) -> np.ndarray:
        """int64[banks, rows]: alive after each, what it writes and none reads included."""
        rows, end = self.rows, len(self.order)
        steps = np.zeros((len(BANKS), end), np.int64)
        steps[:, 0] = rows.alive
        unread = np.zeros((len(BANKS), end), np.int64)
        for position, number in enumerate(self.order):
            for value in rows.writes[number]:
                lives = self._uses[value] or rows.leaving[value]
                (steps if lives else unread)[rows.banks[value], position] += rows.sizes[value]
        for value, uses in enumerate(self._uses):
            if uses and not rows.leaving[value]:
                steps[rows.banks[value], uses[-1]] -= rows.sizes[value]
        return np.cumsum(steps, axis=1) + unread

    @property
    def head(self) -> int:
        """The first row of the order that is not issued."""
        return self.order[self._first]

    def issue(self, number: int, limits: Registers) -> bool:
        """Issue a row next, if no more registers than the limits are alive then, nor later for it;
        whether it was.  The head always is."""
        place, first = self._position[number], self._first
        now, changes, unread = self._changes(number)
        if place != first:
            if any(now[bank] + unread[bank] > limits[bank] for bank in BANKS):
                return False
            later = {bank: self._alive[bank, first:place].copy() for _, bank, _ in changes}
            for start, bank, size in changes:
                later[bank][start - first :] += size
            if any(int(alive.max()) > limits[bank] for bank, alive in later.items()):
                return False
            for bank, alive in later.items():
                self._alive[bank, first:place] = alive
        self._alive[:, place] = ISSUED
        self._issued[place] = True
        self.now = now
        while self._first < len(self.order) and self._is_issued(self._first):
            self._first += 1
        return True

    def _changes(self, number: int) -> tuple[list[int], list[tuple[int, int, int]], list[int]]:
        """If a row issues next: what is alive after it, (position, bank, how many more are alive
        from there until where the row stood), and how many registers it writes that none reads."""
        rows, place, first = self.rows, self._position[number], self._first
        now, unread = list(self.now), [0] * len(BANKS)
        changes = []
        for value in rows.writes[number]:
            bank, size = rows.banks[value], rows.sizes[value]
            if self._uses[value] or rows.leaving[value]:
                now[bank] += size
                changes.append((first, bank, size))
            else:
                unread[bank] += size
        for value in rows.reads[number]:
            if rows.leaving[value] or self._last_use(value) != place:
                continue
            bank, size = rows.banks[value], rows.sizes[value]
            before = self._use_before(value)
            if before is None:
                now[bank] -= size
            changes.append((first if before is None else before, bank, -size))
        return now, changes, unread

    def _is_issued(self, position: int) -> bool:
        return self._issued[position]

    def _last_use(self, value: int) -> int:
        """The last row that reads a value, of those that are not issued."""
        uses = self._uses[value]
        while self._is_issued(uses[-1]):
            uses.pop()
        return uses[-1]

    def _use_before(self, value: int) -> int | None:
        """The row before the last that reads a value, of those that are not issued."""
        earlier = reversed(self._uses[value][:-1])
        return next((position for position in earlier if not self._is_issued(position)), None)
