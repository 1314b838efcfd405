"""Runs a program on the core of its machine; every run is held to the laws of its kind.

outcome = simulate(Request(program, machine, memory, arguments))
"""

from __future__ import annotations

from sim.cores import Outcome, Request, core_of
from sim.results.laws import check_outcome
from sim.results.vocabulary import vocabulary_of


def simulate(request: Request) -> Outcome:
    """Run a program on the machine's core, and check what the run says of itself.

    Raises LawBroken if the simulator contradicts itself.
    """
    outcome = core_of(request.machine).run(request)
    check_outcome(vocabulary_of(request.machine.kind), outcome)
    return outcome
