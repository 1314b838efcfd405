"""Runs a program on a core under SimPy: the clock, the watchdog, interruption, the outcome.

SimPy's time is the machine's base clock.  The core advances by itself until something outside could
affect it, so an event costs a whole stretch of cycles, not an instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import simpy

from machines.vocabulary.floating import Register
from sim.cores import Core, Failure, Outcome, Request
from sim.cores.epic import state as at
from sim.cores.epic.drive import EpicCore
from sim.cores.epic.statistics import Statistics
from sim.cores.epic.write_core import application_registers, fault_kind
from sim.livelock import WATCH_EVERY, Livelock
from sim.status import DONE, FAULT, HANG, INTERRUPTED, LIMIT

ISSUING = "issuing"


@dataclass(frozen=True, slots=True)
class Registers:
    """The registers at the end: integers, predicates 0 or 1, floating triples, `ar` by name."""

    gr: list[int]
    fr: list[Register]
    pr: list[int]
    br: list[int]
    ar: dict[str, int]


def run(request: Request) -> Outcome:
    """Run a program, which changes the memory.

    An argument that is an array may also be left out: it is the buffer of its name.
    """
    core = EpicCore(request.program, request.machine.description, request.memory, request.arguments)
    run = _Run(core, request.cycle_limit, request.quantum, request.on_progress)
    environment = simpy.Environment()
    environment.process(run.live(environment))
    try:
        environment.run()
    except KeyboardInterrupt:
        run.status = INTERRUPTED
    return _outcome(core, Statistics(core), run)


@dataclass
class _Run:
    """The process that carries a core through time."""

    core: EpicCore
    cycle_limit: int
    quantum: int | None
    on_progress: Callable[[int], None] | None
    status: str = LIMIT
    waits_for: str | None = None
    watch: Livelock = field(default_factory=Livelock)

    def live(self, environment: simpy.Environment) -> Iterator[simpy.Event]:
        core = self.core
        look = min(WATCH_EVERY, self.cycle_limit)
        while core.cycle < self.cycle_limit:
            status = core.advance_for_a_while(look, self.quantum)
            yield environment.timeout(core.cycle - environment.now)
            if status in (at.DONE, at.FAULTED):
                self.status = DONE if status == at.DONE else FAULT
                return
            if self.on_progress is not None:
                self.on_progress(core.cycle)
            if core.cycle == look:
                look = min(look + WATCH_EVERY, self.cycle_limit)
                issued = int(core.state.scalars[at.ISSUING])
                since = self.watch.repeats_since(core.cycle, issued, lambda: _state_of(core))
                if since is not None:
                    self.status, self.waits_for = HANG, _what_repeats(core, since)
                    return


def _state_of(core: EpicCore) -> tuple:
    """Everything that decides how a core goes on, but memory and the clock."""
    state = core.state
    return (
        int(state.scalars[at.PACKET]), int(state.scalars[at.MEMORY_WRITES]),
        *(part.tobytes() for part in (
            state.general, state.floating, state.significands, state.tags,
            state.predicates[: at.NO_PREDICATE],
            state.branch_registers, state.application,
            state.frame[: at.REGISTERS_SAVED], state.backing[: state.frame[at.SAVED]],
        )),
    )  # fmt: skip


def _what_repeats(core: EpicCore, since: int) -> str:
    place = core.place()
    where = f" at {place}" if place else ""
    return (
        f"the program loops{where}: at cycle {core.cycle} all registers are as they were at cycle "
        f"{since}, and memory has not changed"
    )


def _outcome(core: EpicCore, statistics: Statistics, run: _Run) -> Outcome:
    return Outcome(
        status=run.status,
        cycles=core.cycle,
        statistics=statistics,
        breakdown={ISSUING: statistics.issuing, **statistics.lost},
        value=core.value() if run.status == DONE else None,
        failure=_failure(core) if run.status == FAULT else None,
        causes=statistics.causes,
        executed=statistics.executed,
        stalls=statistics.stalls,
        waits_for=run.waits_for,
        state=_registers(core),
    )


def _failure(core: EpicCore) -> Failure:
    scalars, instructions = core.state.scalars, core.machine.instructions
    syllable = int(scalars[at.FAULT_SYLLABLE])
    bundle, slot = divmod(syllable, 3)
    number, detail = int(scalars[at.FAULT]), int(scalars[at.FAULT_ADDRESS])
    return Failure(
        fault_kind(instructions, number, detail),
        core.cycle,
        f"bundle {bundle} slot {slot}",
        core.location(syllable),
        detail if number in at.FAULTS_WITH_ADDRESS else None,
        {"bundle": bundle, "slot": slot},
    )


def _registers(core: EpicCore) -> Registers:
    names = application_registers(core.machine.instructions)
    return Registers(
        core.general_registers(),
        core.floating_registers(),
        core.predicates(),
        core.branch_registers(),
        dict(zip(names, core.state.application.tolist(), strict=False)),
    )


CORE = Core(run, model=1)
