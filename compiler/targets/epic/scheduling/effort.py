"""How long a loop's schedule is searched for, so that compile time is in proportion to code.

The measure is what is counted, the same on every machine and whatever else runs there: questions to
the reservation what issues in one cycle, which all algorithms ask, those of plugins too, and tries
of the exhaustive search, which asks seldom.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from compiler.targets.epic.bundling.bundles import Syllable
from compiler.targets.epic.scheduling.problem import Fits


class EffortSpentError(Exception):
    """A search has used up what it had."""


class Effort:
    """What the searches of one loop have left."""

    def __init__(self, steps: float):
        self.left = steps

    def spend(self, steps: int) -> None:
        """Raises EffortSpentError if there are not so many left."""
        self.left -= steps
        if self.left < 0:
            raise EffortSpentError

    def of(self, fits: Fits) -> Fits:
        """A reservation whose questions count."""

        def asked(syllables: Sequence[Syllable], order: Collection[tuple[int, int]] = ()) -> object:
            self.spend(1)
            return fits(syllables, order)

        return asked
