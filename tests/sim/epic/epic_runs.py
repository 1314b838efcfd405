"""Runs of programs on an EPIC core, with everything that tests look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from machines.description.load import Machine
from machines.diagnostics import Location
from machines.kinds.epic.program import BundleProgram
from machines.layout import Memory
from sim.cores import Failure, Request
from sim.cores.epic.run import ISSUING, Registers
from sim.results.vocabulary import vocabulary_of
from sim.simulate import simulate as simulate_request


@dataclass(frozen=True)
class Fault:
    """A failure as the machine interpreter tells it; `syllable` is 3 * bundle + slot."""

    kind: str
    location: Location | None
    address: int | None
    syllable: int
    cycle: int


@dataclass(frozen=True)
class EpicRun:
    """How a run ended; `lost` are the cycles lost to each cause, by the machine's priority."""

    status: str
    cycles: int
    counters: dict[str, int]
    value: int | float | None
    fault: Fault | None
    registers: Registers
    issuing: int
    lost: dict[str, int]
    executed: np.ndarray
    squashed: np.ndarray
    stalls: np.ndarray
    waits_for: str | None

    @property
    def breakdown(self) -> dict[str, int]:
        return {ISSUING: self.issuing, **self.lost}


def simulate(
    program: BundleProgram,
    machine: Machine,
    memory: Memory,
    arguments: Mapping[str, object],
    *,
    cycle_limit: int = 10**12,
    quantum: int | None = None,
) -> EpicRun:
    """Run a program on `memory`, which it changes; an argument that is an array may be left out."""
    asked = Request(
        program, machine, memory, arguments, cycle_limit=cycle_limit, quantum=quantum
    )  # fmt: skip
    done = simulate_request(asked)
    lost = dict(done.breakdown)
    return EpicRun(
        done.status, done.cycles, vocabulary_of(machine.kind).count(done.statistics), done.value,
        _fault(done.failure), done.state, lost.pop(ISSUING), lost, done.executed,
        done.statistics.squashed, done.stalls, done.waits_for,
    )  # fmt: skip


def _fault(failure: Failure | None) -> Fault | None:
    if failure is None:
        return None
    syllable = 3 * failure.details["bundle"] + failure.details["slot"]
    return Fault(failure.kind, failure.location, failure.address, syllable, failure.cycle)
