"""Runs a program on an EPIC core, and says how it ended."""

from __future__ import annotations

from dataclasses import dataclass

from machines.vocabulary.floating import Register
from sim.cores import Core, Failure, Outcome, Request, Running
from sim.cores.epic import state as at
from sim.cores.epic.drive import EpicCore
from sim.cores.epic.host_steps import Call
from sim.cores.epic.statistics import Statistics
from sim.cores.epic.timeline import Noted
from sim.cores.epic.write_core import application_registers, fault_kind
from sim.engine import Carrier, Engine, Process
from sim.status import DONE, FAULT

ISSUING = "issuing"


@dataclass(frozen=True, slots=True)
class Registers:
    """The registers at the end: integers, predicates 0 or 1, floating triples, `ar` by name."""

    gr: list[int]
    fr: list[Register]
    pr: list[int]
    br: list[int]
    ar: dict[str, int]


def run(request: Request) -> Running:
    """Run a program, which changes the memory.

    An argument that is an array may also be left out: it is the buffer of its name.
    """
    calls = [call for script in request.host.values() for call in script]
    first = calls[0].arguments if calls else request.arguments
    description = request.machine.description
    noted = Noted(request.trace_window) if request.on_trace is not None else None
    core = EpicCore(request.program, description, request.memory, first, noted)
    engine = Engine(request)
    carrier = Carrier(engine, core)

    def outcome() -> Outcome:
        statistics = Statistics(core)
        return Outcome(
            status=engine.status,
            cycles=engine.cycles,
            statistics=statistics,
            breakdown={ISSUING: statistics.issuing, **statistics.lost},
            value=core.value() if engine.status == DONE else None,
            failure=_failure(core) if engine.status == FAULT else None,
            causes=statistics.causes,
            executed=statistics.executed,
            stalls=statistics.stalls,
            waits_for=engine.waits_for,
            steps=engine.steps,
            state=_registers(core),
        )

    def call(stream: int, one: Call) -> Process:
        begin = engine.now
        yield carrier.do(lambda number: core.call(number, one.arguments) if number else None)
        engine.note(stream, begin, call=carrier.given)

    engine.rests(outcome, core)
    yield from engine.run(engine.streams(call) if calls else [_program(carrier)], core)
    return outcome()


def _program(carrier: Carrier) -> Process:
    """The whole program, which is in the core from the beginning on."""
    yield carrier.do(lambda number: None)


def _failure(core: EpicCore) -> Failure:
    scalars, instructions = core.state.scalars, core.machine.instructions
    syllable = int(scalars[at.FAULT_SYLLABLE])
    bundle, slot = divmod(syllable, 3)
    number, detail = int(scalars[at.FAULT]), int(scalars[at.FAULT_ADDRESS])
    return Failure(
        core.program.fault(fault_kind(instructions, number, detail), syllable),
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


CORE = Core(run, model=2, notes_windows=True)
