"""Spread operations over the rows of a kernel, so that each row issues in one cycle.

    two I, two F, a branch (Itanium 2)   ->   {I, F, branch} {I, F}; no two bundles have all

An exhaustive search with a budget, over kinds of operations and not over operations.  Rows are
filled one after the other, each as full as it gets: that is no loss, since what fits still fits
when something is taken away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from compiler.targets.epic.bundling.bundles import Syllable
from compiler.targets.epic.scheduling.problem import Fits

MOST_TOGETHER = 3
"""Sets of so many kinds are looked at for how many of them a row takes."""


@dataclass(frozen=True)
class Row:
    """What stands in a row already, and its order; a loop branch is followed by nothing."""

    syllables: tuple[Syllable, ...] = ()
    order: frozenset[tuple[int, int]] = frozenset()
    last: int | None = None

    def takes(self, more: Sequence[Syllable], fits: Fits) -> bool:
        """Whether the row still issues in one cycle with more operations, wherever but last."""
        size = len(self.syllables)
        order = self.order
        if self.last is not None:
            order = order | {(size + k, self.last) for k in range(len(more))}
        return bool(fits([*self.syllables, *more], order))


@dataclass(frozen=True)
class Spread:
    """What each row gets, or None, after so many tries; `ran_out`: they were too few to tell."""

    rows: tuple[tuple[Syllable, ...], ...] | None
    tries: int
    ran_out: bool = False


def spread(rows: Sequence[Row], counts: Mapping[Syllable, int], fits: Fits, budget: int) -> Spread:
    """Spread so many operations of each kind over rows, with `budget` tries of a row at most.

    Rows with something in them should stand first: they have the fewest ways.
    """
    kinds = _scarce_first(counts, fits)
    start = tuple(counts[kind] for kind in kinds)
    tries = 0
    # Most questions are easy; for the others it pays to know what kinds keep one another out.
    for share, together in ((budget // 4, 1), (budget - budget // 4, MOST_TOGETHER)):
        search = _Search(rows, kinds, fits, share, together)
        try:
            found = search.fill(0, start)
        except _RanOut:
            tries += share
            continue
        tries += share - search.budget
        return Spread(None if found is None else tuple(found), tries)
    return Spread(None, tries, ran_out=True)


def capacity(syllable: Syllable, fits: Fits) -> int:
    """How many operations of a kind issue in one cycle."""
    count = 0
    while fits([syllable] * (count + 1), ()):
        count += 1
    return count


def _most(kinds: Sequence[Syllable], fits: Fits, row: tuple[Syllable, ...] = ()) -> int:
    """How many operations of some kinds, in any mixture, issue in one cycle."""
    return max(
        (
            _most(kinds[k:], fits, (*row, kind))
            for k, kind in enumerate(kinds)
            if fits((*row, kind), ())
        ),
        default=len(row),
    )


def _scarce_first(counts: Mapping[Syllable, int], fits: Fits) -> list[Syllable]:
    """The kinds that need most of what the machine has of them first."""
    kinds = sorted(kind for kind, count in counts.items() if count)
    return sorted(kinds, key=lambda kind: -counts[kind] / capacity(kind, fits))


class _RanOut(Exception):
    """The budget is spent."""


class _Search:
    """Fills one row after the other.

    room     most operations of each kind in a row
    limits   sets of kinds, by number, and the most operations of them in a row
    failed   rows left and operations left for which no way was found
    """

    def __init__(
        self, rows: Sequence[Row], kinds: list[Syllable], fits: Fits, budget: int, together: int
    ):
        self.rows, self.kinds, self.fits, self.budget = rows, kinds, fits, budget
        self.room = [capacity(kind, fits) for kind in kinds]
        self.limits = [
            (numbers, _most([kinds[n] for n in numbers], fits))
            for size in range(1, together + 1)
            for numbers in combinations(range(len(kinds)), size)
        ]
        self.failed: set[tuple[int, tuple[int, ...]]] = set()

    def fill(self, index: int, left: tuple[int, ...]) -> list[tuple[Syllable, ...]] | None:
        """Contents of the rows from `index` on that use up what is left."""
        if not any(left):
            return [()] * (len(self.rows) - index)
        remaining = len(self.rows) - index
        if any(sum(left[n] for n in numbers) > remaining * most for numbers, most in self.limits):
            return None
        if (index, left) in self.failed:
            return None
        for chosen in self.fullest(self.rows[index], left):
            rest = tuple(n - k for n, k in zip(left, chosen, strict=True))
            found = self.fill(index + 1, rest)
            if found is not None:
                return [self.syllables(chosen), *found]
        self.failed.add((index, left))
        return None

    def fullest(self, row: Row, left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """How many of each kind a row can take, such that it takes nothing more."""
        for chosen in self.fillings(row, left, ()):
            if not any(
                n > k and self.takes(row, (*chosen[:i], k + 1, *chosen[i + 1 :]))
                for i, (n, k) in enumerate(zip(left, chosen, strict=True))
            ):
                yield chosen

    def fillings(
        self, row: Row, left: tuple[int, ...], chosen: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        if len(chosen) == len(left):
            yield chosen
            return
        for count in range(min(left[len(chosen)], self.room[len(chosen)]), -1, -1):
            if self.takes(row, (*chosen, count)):
                yield from self.fillings(row, left, (*chosen, count))

    def takes(self, row: Row, chosen: tuple[int, ...]) -> bool:
        self.budget -= 1
        if self.budget < 0:
            raise _RanOut
        return row.takes(self.syllables(chosen), self.fits)

    def syllables(self, chosen: tuple[int, ...]) -> tuple[Syllable, ...]:
        pairs = zip(self.kinds, chosen, strict=False)
        return tuple(Counter(dict(pairs)).elements())
