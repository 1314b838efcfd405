"""The rows of a kernel in the making: which operations issue in each, and what still fits.

    table.place(load, 3)            # II 2: row 1
    table.fits(add, 5)              # may it join them there?
    table.in_the_way(add, 5)        # the fewest operations that have to leave for it

What one cycle takes is said by a *reservation*: `automaton` knows bundles, templates and dispersal,
`ports` counts ports and slots only, as schedulers did that leave bundles to a later pass.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import combinations

from compiler.targets.epic.bundling.automaton import automaton
from compiler.targets.epic.bundling.bundles import Syllable
from compiler.targets.epic.bundling.ports import PortCounter
from compiler.targets.epic.scheduling.problem import Fits, Problem, order_in_row
from machines.diagnostics import input_error, nearest
from machines.kinds.epic.fields import Epic


def _by_automaton(description: Epic) -> Fits:
    takes = automaton(description).takes
    return lambda syllables, order=(): takes(tuple(syllables), frozenset(order))


@lru_cache(maxsize=64)
def _by_ports(description: Epic) -> Fits:
    counter = PortCounter(description)

    def fits(syllables: Sequence[Syllable], order: Collection[tuple[int, int]] = ()) -> bool:
        return counter.fits([syllable.scheduling_class for syllable in syllables])

    return fits


RESERVATIONS: dict[str, Callable[[Epic], Fits]] = {
    "automaton": _by_automaton,
    "ports": _by_ports,
}
"""Ways to say what issues in one cycle, by name."""


def reservation(name: str, description: Epic) -> Fits:
    """The reservation of a machine; raises InputError for a name that is not there."""
    if name not in RESERVATIONS:
        message = f"there is no reservation '{name}'"
        raise input_error(message, hint=nearest(name, RESERVATIONS))
    return RESERVATIONS[name](description)


class ReservationTable:
    """The operations placed so far, by operation (`times`, None: not placed) and by row; of each
    row, which of its first 0, 1, 2, … must stand before which.

    tried  how often a row was asked whether it takes one more
    """

    def __init__(self, problem: Problem, ii: int, fits: Fits):
        self.problem, self.ii = problem, ii
        self._fits = fits
        self.times: list[int | None] = [None] * problem.size
        self.rows: list[list[int]] = [[] for _ in range(ii)]
        self._orders: list[list[frozenset[tuple[int, int]]]] = [[frozenset()] for _ in range(ii)]
        self.tried = 0

    def place(self, operation: int, time: int) -> None:
        row = time % self.ii
        members, orders = self.rows[row], self._orders[row]
        orders.append(orders[-1].union(self._pairs(operation, time, members)))
        self.times[operation] = time
        members.append(operation)

    def remove(self, operation: int) -> None:
        row = self.times[operation] % self.ii
        members, orders = self.rows[row], self._orders[row]
        is_last = members[-1] == operation
        members.remove(operation)
        self.times[operation] = None
        orders.pop()
        if not is_last:
            orders[1:] = [self._order(members[:count]) for count in range(1, len(members) + 1)]

    def fits(self, operation: int, time: int, without: Collection[int] = ()) -> bool:
        """Whether an operation can join those of a row, some of them left out."""
        row = time % self.ii
        if operation == self.problem.branch and row != self.ii - 1:
            return False
        members, order = self.rows[row], self._orders[row][-1]
        if without:
            members = [n for n in members if n not in without]
            order = self._order(members)
        if not members:
            return True
        self.tried += 1
        if pairs := self._pairs(operation, time, members):
            order = order.union(pairs)
        syllables = self.problem.syllables
        return bool(self._fits((*[syllables[n] for n in members], syllables[operation]), order))

    def _order(self, members: Sequence[int]) -> frozenset[tuple[int, int]]:
        """Which of a row's operations must stand before which, by position among them."""
        position = {number: index for index, number in enumerate(members)}
        pairs = order_in_row(self.problem, members, self.times, self.ii)
        return frozenset((position[a], position[b]) for a, b in pairs)

    def _pairs(self, operation: int, time: int, members: Sequence[int]) -> set[tuple[int, int]]:
        """What one more operation, at a time of the row, adds to its order."""
        size, stage, branch = len(members), time // self.ii, self.problem.branch
        found = set()
        for other, omega, is_first in self.problem.ordered[operation]:
            if other in members:
                apart = stage - self.times[other] // self.ii
                if omega == (apart if is_first else -apart):
                    k = members.index(other)
                    found.add((size, k) if is_first else (k, size))
        if operation == branch:
            found.update((k, size) for k in range(size))
        elif branch in members:
            found.add((size, members.index(branch)))
        return found

    def in_the_way(self, operation: int, time: int) -> tuple[int, ...] | None:
        """The fewest operations, of those the longest ago placed, without which one fits a row.

        None if it never fits there; the loop's branch stays.
        """
        row = [n for n in self.rows[time % self.ii] if n != self.problem.branch]
        for count in range(len(row) + 1):
            for leaving in combinations(row, count):
                if self.fits(operation, time, leaving):
                    return leaving
        return None

    def first_forcible(self, operation: int, start: int) -> int | None:
        """The first cycle from `start` on that takes an operation if others leave; None if no row
        does: the loop's branch stays."""
        times = range(start, start + self.ii)
        return next((t for t in times if self.in_the_way(operation, t) is not None), None)
