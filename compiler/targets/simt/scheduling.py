"""An order for the rows of a block in which less is waited for.

    ld.shared.b32 %a, [%p]            ld.shared.b32 %a, [%p]
    fma.rn.f32    %s, %a, %b, %r  ->  ld.shared.b32 %c, [%p+4]
    ld.shared.b32 %c, [%p+4]          fma.rn.f32    %s, %a, %b, %r
    fma.rn.f32    %t, %c, %d, %s      fma.rn.f32    %t, %c, %d, %s

List scheduling for a machine that issues one row a cycle in order: of the rows that could issue,
the one with the longest way to the block's end goes first, and if none could, the one that can
soonest.  Where more values would be alive than there are registers for, be it at once or later, a
row has to wait, and the next of an order that needs few (`fewest_registers`) goes instead; so no
more are ever alive than there are registers for, or than that order needs.
"""

from __future__ import annotations

import heapq

from compiler.targets.simt.block_rows import GENERAL, PREDICATES, BlockRows
from compiler.targets.simt.fewest_registers import fewest_registers
from compiler.targets.simt.live_profile import LiveProfile, Registers
from compiler.targets.simt.registers.allocate import PREDICATES as MOST_PREDICATES

MOST_TRIED = 8
"""How many rows that find no registers are passed over before the next of the order goes."""


class Scheduler:
    """Orders the rows of one block.

    least   registers that the order with few needs
    """

    def __init__(self, rows: BlockRows):
        self.rows = rows
        written = list(range(len(rows.code)))
        orders = [written, self._soonest(), fewest_registers(rows)]
        found = [(LiveProfile(rows, order).most, order) for order in orders]
        self.least, self._order = min(found, key=lambda one: _needs(one[0]))

    def run(self, registers: int) -> list[int]:
        """The numbers of the rows in an order that keeps to `registers`, or to the `least`."""
        limit = max(registers, self.least[GENERAL]), max(MOST_PREDICATES, self.least[PREDICATES])
        profile = LiveProfile(self.rows, self._order)
        queue = _Queue(self.rows)
        done: list[int] = []
        while len(done) < len(self.rows.code):
            number = self._choose(queue, profile, limit)
            queue.issue(number)
            done.append(number)
        return done

    def _soonest(self) -> list[int]:
        """The order in which least is waited for, however many registers are alive."""
        queue, done = _Queue(self.rows), []
        while (number := queue.best()) is not None:
            queue.issue(number)
            done.append(number)
        return done

    def _choose(self, queue: _Queue, profile: LiveProfile, limit: Registers) -> int:
        """The row to issue next, of those that find the registers they need."""
        head, tried = profile.head, []
        chosen = head
        for _ in range(MOST_TRIED):
            number = queue.best()
            if number is None:
                break
            if profile.issue(number, limit):
                chosen = number
                break
            tried.append(number)
        else:
            number = None
        if number is None:
            profile.issue(head, limit)
        queue.give_back(tried)
        return chosen


def _needs(most: Registers) -> tuple[int, int]:
    """What an order is chosen by: predicates that would have to be kept as numbers, registers."""
    beyond = max(0, most[PREDICATES] - MOST_PREDICATES)
    return most[GENERAL] + beyond, beyond


class _Queue:
    """The rows whose predecessors have issued: best first.

    cycle   when the next row may issue
    """

    def __init__(self, rows: BlockRows):
        self.rows, self.cycle = rows, 0
        self._missing = [len(before) for before in rows.before]
        self._earliest = [0] * len(rows.code)
        self._done = [False] * len(rows.code)
        first = [number for number, count in enumerate(self._missing) if not count]
        self._now = [(-rows.heights[number], number) for number in first]
        self._later: list[tuple[int, int, int]] = []
        heapq.heapify(self._now)

    def best(self) -> int | None:
        """Take out the row that can issue soonest, of several the one furthest from the end."""
        self._ripen(self.cycle)
        for heap in (self._now, self._later):
            while heap:
                number = heapq.heappop(heap)[-1]
                if not self._done[number]:
                    return number
        return None

    def _ripen(self, cycle: int) -> None:
        """What waits for no more results is ready now."""
        while self._later and self._later[0][0] <= cycle:
            _, height, number = heapq.heappop(self._later)
            heapq.heappush(self._now, (height, number))

    def give_back(self, numbers: list[int]) -> None:
        for number in numbers:
            self._enter(number)

    def _enter(self, number: int) -> None:
        height, earliest = -self.rows.heights[number], self._earliest[number]
        if earliest <= self.cycle:
            heapq.heappush(self._now, (height, number))
        else:
            heapq.heappush(self._later, (earliest, height, number))

    def issue(self, number: int) -> None:
        """A row issues as soon as it can."""
        self._done[number] = True
        cycle = max(self.cycle, self._earliest[number])
        self.cycle = cycle + 1
        for other in self.rows.after[number]:
            self._earliest[other] = max(
                self._earliest[other], cycle + self.rows.latency(number, other)
            )
            self._missing[other] -= 1
            if not self._missing[other]:
                self._enter(other)
