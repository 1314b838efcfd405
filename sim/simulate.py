"""Runs a program on the core of its machine; every run is held to the laws of its kind.

outcome = simulate(Request(program, machine, memory, arguments))

run = Simulation(request)                   # the same, piece by piece
while run.outcome is None: run.go_on(before=…)
"""

from __future__ import annotations

from math import inf
from typing import Any

from sim.cores import Outcome, Request, core_of
from sim.results.laws import check_outcome
from sim.results.vocabulary import vocabulary_of


class Simulation:
    """A run that pauses where it is told to.

    state    what the machine holds, as its core gives it; it changes as the run goes on
    outcome  how it ended, None until then
    """

    def __init__(self, request: Request):
        self._kind = request.machine.kind
        self._running = core_of(request.machine).run(request)
        self.state: Any = next(self._running)
        self.outcome: Outcome | None = None

    def go_on(self, before: float = inf) -> None:
        """Let everything happen that comes before a cycle; without one, everything.

        Raises LawBroken if the simulator contradicts itself.
        """
        try:
            self.state = self._running.send(before)
        except StopIteration as end:
            check_outcome(vocabulary_of(self._kind), end.value)
            self.outcome = end.value

    def close(self) -> None:
        """Leave the rest."""
        self._running.close()
        self.state = None


def simulate(request: Request) -> Outcome:
    """Run a program on the machine's core, and check what the run says of itself.

    Raises LawBroken if the simulator contradicts itself.
    """
    run = Simulation(request)
    run.go_on()
    assert run.outcome is not None
    return run.outcome
