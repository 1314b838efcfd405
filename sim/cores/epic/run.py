"""Runs a program on a core under SimPy: the clock, the watchdog, interruption, the outcome.

SimPy's time is the machine's base clock.  The core advances by itself until something outside could
affect it, so an event costs a whole stretch of cycles, not an instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import simpy

from machines.description.load import Machine
from machines.diagnostics import Location
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import BundleProgram
from machines.layout import Memory
from machines.vocabulary.floating import Register
from sim.cores import Failure, Request
from sim.cores.epic import state as at
from sim.cores.epic.counters import COUNTERS
from sim.cores.epic.drive import Core
from sim.cores.epic.tally import Tally, check_laws
from sim.cores.epic.write_core import application_registers, fault_kind
from sim.livelock import WATCH_EVERY, Livelock
from sim.results.counters import count
from sim.results.result import DONE, FAULT, HANG, INTERRUPTED, LIMIT

CYCLE_LIMIT = 10**12
"""Cycles after which a run ends unless the caller gives another limit."""
ISSUING = "issuing"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a program could not go on; everything before the syllable has happened.

    kind      'out of bounds', 'misaligned', 'division by zero', 'bad branch target', 'break N', …
    address   of the access or the branch target, None where there is none
    syllable  3 * bundle + slot
    """

    kind: str
    location: Location | None
    address: int | None
    syllable: int
    cycle: int


@dataclass(frozen=True, slots=True)
class Registers:
    """The registers at the end: integers, predicates 0 or 1, floating triples, `ar` by name."""

    gr: list[int]
    fr: list[Register]
    pr: list[int]
    br: list[int]
    ar: dict[str, int]


@dataclass(frozen=True)
class Outcome:
    """How a run ended and what it counted.

    status     'done', 'fault', 'limit', 'hang' (provably without progress) or 'interrupted'
    value      the program's result if it is done and has one
    lost       cycles lost to each stall cause, in the machine's order of priority
    executed   int64[syllables]: how often each syllable retired, squashed or not
    squashed   int64[syllables]: how often its guard was false
    stalls     int64[syllables, causes]: lost cycles by the syllable that waited for an operand or
               its code, or that made others wait: a branch, an access that met a full queue
    waits_for  of a hang: what repeats
    """

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
    waits_for: str | None = None
    columns: ClassVar[Mapping[str, np.ndarray]] = {}
    launches: ClassVar[Sequence[Mapping]] = ()

    @property
    def breakdown(self) -> dict[str, int]:
        """Every cycle once: issuing, or lost to one cause, in the machine's order of priority."""
        return {ISSUING: self.issuing, **self.lost}

    @property
    def causes(self) -> Sequence[str]:
        """The columns of `stalls`."""
        return tuple(self.lost)

    @property
    def failure(self) -> Failure | None:
        """The fault, as people and result files are told of it."""
        if self.fault is None:
            return None
        fault = self.fault
        bundle, slot = divmod(fault.syllable, 3)
        where = f"bundle {bundle} slot {slot}"
        details = {"bundle": bundle, "slot": slot}
        return Failure(fault.kind, fault.cycle, where, fault.location, fault.address, details)


def run(request: Request) -> Outcome:
    """Run a program as the workload wants it run."""
    return simulate(
        request.program,
        request.machine,
        request.memory,
        request.arguments,
        cycle_limit=request.cycle_limit,
        quantum=request.quantum,
        on_progress=request.on_progress,
    )


def simulate(
    program: BundleProgram,
    machine: Machine | Epic,
    memory: Memory,
    arguments: Mapping[str, object],
    *,
    cycle_limit: int = CYCLE_LIMIT,
    quantum: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Outcome:
    """Run a program on `memory`, which it changes.

    arguments    by name: numbers, or addresses of arrays (an array's buffer name does as well)
    quantum      cycles per call of the core, which results do not depend on; None: it chooses
    on_progress  called with the cycle now and then
    """
    description = machine.description if isinstance(machine, Machine) else machine
    core = Core(program, description, memory, arguments)
    run = _Run(core, cycle_limit, quantum, on_progress)
    environment = simpy.Environment()
    environment.process(run.live(environment))
    try:
        environment.run()
    except KeyboardInterrupt:
        run.status = INTERRUPTED
    tally = Tally(core)
    check_laws(tally)
    return _outcome(core, tally, run)


@dataclass
class _Run:
    """The process that carries a core through time."""

    core: Core
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


def _state_of(core: Core) -> tuple:
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


def _what_repeats(core: Core, since: int) -> str:
    place = core.place()
    where = f" at {place}" if place else ""
    return (
        f"the program loops{where}: at cycle {core.cycle} all registers are as they were at cycle "
        f"{since}, and memory has not changed"
    )


def _outcome(core: Core, tally: Tally, run: _Run) -> Outcome:
    state, machine = core.state, core.machine
    fault = None
    if run.status == FAULT:
        syllable = int(state.scalars[at.FAULT_SYLLABLE])
        number, detail = int(state.scalars[at.FAULT]), int(state.scalars[at.FAULT_ADDRESS])
        kind = fault_kind(machine.instructions, number, detail)
        has_address = number in at.FAULTS_WITH_ADDRESS
        fault = Fault(
            kind, core.location(syllable), detail if has_address else None, syllable, core.cycle
        )
    names = application_registers(machine.instructions)
    registers = Registers(
        core.general_registers(),
        core.floating_registers(),
        core.predicates(),
        core.branch_registers(),
        dict(zip(names, state.application.tolist(), strict=False)),
    )
    return Outcome(
        run.status,
        core.cycle,
        count(COUNTERS, tally),
        core.value() if run.status == DONE else None,
        fault,
        registers,
        tally.issuing,
        tally.lost,
        tally.executed,
        tally.squashed,
        tally.stalls,
        run.waits_for,
    )
