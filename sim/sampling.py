"""Takes series of counters while a run goes on (`sim.results.series`).

    sampling = Sampling(wanted_of("1000", vocabulary))
    outcome = sampling.simulate(request)
    sampling.series

What is sampled is what the run would come to if it ended there, so nothing of the run depends on
it, and the sum of a column is the counter.  Memory is bounded: when there are MOST_ROWS intervals,
two neighbours become one, twice as long, and so are those to come.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from machines.diagnostics import input_error
from sim.cores import Outcome, Request
from sim.results.series import Series, Wanted
from sim.simulate import Simulation

MOST_ROWS = 4096
"""Intervals of a series at most; an even number."""


class Sampling:
    """Takes a series of a run."""

    def __init__(self, wanted: Wanted):
        self.wanted, self.every = wanted, wanted.every
        self._so_far: Callable[[], Outcome] | None = None
        self._last: dict[str, int] = {}
        self._ends: list[int] = []
        self._rows: list[dict[str, int]] = []

    def simulate(self, request: Request) -> Outcome:
        """Run it, and take the series; raises InputError if its kind says nothing in the midst of a
        run."""
        run = Simulation(replace(request, on_start=self._begin))
        if self._so_far is None:
            machine = request.machine
            message = f"{machine.name}, a machine of kind '{machine.kind}', has no series"
            raise input_error(message, hint="its runs do not say what they would come to")
        begin = request.resumed.cycle if request.resumed is not None else 0
        self._last = self._counts(self._so_far())
        next_end = begin + self.every
        while run.outcome is None:
            run.go_on(next_end)
            if run.outcome is None:
                self._add(next_end, self._so_far())
                next_end += self.every
        last = self._ends[-1] if self._ends else None
        if last is None or run.outcome.cycles > last:
            self._add(run.outcome.cycles, run.outcome)
        else:  # it ended where an interval did: what was left belongs to that
            self._join(len(self._rows) - 1, self._grown(run.outcome))
        return run.outcome

    @property
    def series(self) -> Series:
        """What was taken."""
        counters = {one.name: [row.get(one.name, 0) for row in self._rows]
                    for one in self.wanted.counters if one.name in self._last}  # fmt: skip
        reasons = [key for key in self._last if key not in counters]
        breakdown = {key[1:]: [row.get(key, 0) for row in self._rows] for key in reasons}
        return Series(self.every, tuple(self._ends), counters, breakdown)

    def _begin(self, so_far: Callable[[], Outcome]) -> None:
        self._so_far = so_far

    def _counts(self, outcome: Outcome) -> dict[str, int]:
        """Counters by name, reasons behind a space."""
        values = {one.name: one.of(outcome.statistics) for one in self.wanted.counters}
        found = {name: value for name, value in values.items() if value is not None}
        return found | {f" {name}": int(value) for name, value in outcome.breakdown.items()}

    def _grown(self, outcome: Outcome) -> dict[str, int]:
        now, before = self._counts(outcome), self._last
        levels = {one.name for one in self.wanted.counters if one.region == "level"}
        self._last = now
        return {
            name: value if name in levels else value - before.get(name, 0)
            for name, value in now.items()
        }

    def _add(self, end: int, outcome: Outcome) -> None:
        self._ends.append(end)
        self._rows.append(self._grown(outcome))
        if len(self._rows) == MOST_ROWS:
            self._halve()

    def _halve(self) -> None:
        """Two neighbours become one; intervals to come are as long."""
        for k in range(0, MOST_ROWS, 2):
            self._join(k, self._rows[k + 1])
        self._rows, self._ends = self._rows[::2], self._ends[1::2]
        self.every *= 2

    def _join(self, place: int, further: Mapping[str, int]) -> None:
        levels = {one.name for one in self.wanted.counters if one.region == "level"}
        row = self._rows[place]
        for name, value in further.items():
            row[name] = value if name in levels else row.get(name, 0) + value
