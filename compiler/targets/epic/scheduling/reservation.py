"""The rows of a kernel in the making: which operations issue in each, and what still fits.

    table.place(load, 3)            # II 2: row 1
    table.fits(add, 5)              # may it join them there?
    table.in_the_way(add, 5)        # the fewest operations that have to leave for it

What one cycle takes is said by a *reservation*: `automaton` knows bundles, templates and dispersal,
`ports` counts ports and slots only, as schedulers did that leave bundles to a later pass.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache, lru_cache
from itertools import combinations

from compiler.targets.epic.automaton import automaton
from compiler.targets.epic.bundles import Syllable
from compiler.targets.epic.ports import PortCounter
from compiler.targets.epic.scheduling.problem import Fits, Problem, order_in_row
from machines.diagnostics import input_error, nearest
from machines.kinds.epic.fields import Epic


@cache
def _by_automaton(description: Epic) -> Fits:
    packer = automaton(description)

    @lru_cache(maxsize=1 << 16)
    def known(syllables: tuple[Syllable, ...], order: frozenset[tuple[int, int]]) -> bool:
        return packer.fits(syllables, order) is not None

    return lambda syllables, order=(): known(tuple(syllables), frozenset(order))


@cache
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
    """The operations placed so far, by operation (`times`, None: not placed) and by row."""

    def __init__(self, problem: Problem, ii: int, fits: Fits):
        self.problem, self.ii = problem, ii
        self._fits = fits
        self.times: list[int | None] = [None] * problem.size
        self.rows: list[list[int]] = [[] for _ in range(ii)]

    def place(self, operation: int, time: int) -> None:
        self.times[operation] = time
        self.rows[time % self.ii].append(operation)

    def remove(self, operation: int) -> None:
        self.rows[self.times[operation] % self.ii].remove(operation)
        self.times[operation] = None

    def fits(self, operation: int, time: int, without: Collection[int] = ()) -> bool:
        """Whether an operation can join those of a row, some of them left out."""
        row = time % self.ii
        if operation == self.problem.branch and row != self.ii - 1:
            return False
        members = [n for n in self.rows[row] if n not in without]
        if not members:
            return True
        members.append(operation)
        before, self.times[operation] = self.times[operation], time
        pairs = order_in_row(self.problem, members, self.times, self.ii)
        position = {number: index for index, number in enumerate(members)}
        order = frozenset((position[a], position[b]) for a, b in pairs)
        self.times[operation] = before
        return bool(self._fits([self.problem.syllables[n] for n in members], order))

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
