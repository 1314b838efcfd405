"""Finds that a machine is where it was before and has issued, but not written to memory.

watch = Livelock()
since = watch.repeats_since(cycle, issued, state)      # now and then; the earlier cycle, or None
"""

from __future__ import annotations

from collections.abc import Callable

WATCH_EVERY = 1_000_003
"""Cycles between looks at the state for a livelock.  A prime, so that a loop whose length divides a
round number of cycles is not always met at the same place."""


class Livelock:
    """The state kept is replaced at the 1st, 2nd, 4th, … look (Brent's method), so a loop is found
    however long it takes to come round."""

    def __init__(self):
        self.kept: tuple | None = None
        self.kept_at = self.issued = 0
        self.looks, self.replace_at = 0, 1

    def repeats_since(
        self, cycle: int, issued: int, state: Callable[[], tuple | None]
    ) -> int | None:
        """The earlier cycle at which everything was as it is now, or None.

        issued  instructions so far: where there were none since the last look, the machine waits
        state   gives what decides how the machine goes on, memory by a count of its changes; None
                while it cannot be where it was
        """
        if issued == self.issued:
            return None
        now = state()
        if now is None:
            return None
        self.issued = issued
        if now == self.kept:
            return self.kept_at
        self.looks += 1
        if self.looks == self.replace_at:
            self.kept, self.kept_at = now, cycle
            self.replace_at *= 2
        return None
