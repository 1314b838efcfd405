"""Runs the two engines of `duo` under SimPy: each takes the commands of its queue in order.

    wait for the other queue  →  the command's own time  →  the bus  →  what is computed

What an engine does in each cycle is one of the reasons of its breakdown; after its last command it
is idle until the other one ends.  Where a run ends before its program, the engines are closed, and
what they were doing is charged until then.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import simpy

from compiler.interpret.tensors import TensorUnit, tensor_arguments
from duo.fields import Duo
from duo.target import COMPUTE, COPY, Command, DuoProgram
from duo.vocabulary import REASONS
from machines.layout import MemoryFault
from machines.operations.evaluate import OperationFault
from sim.cores import Core, Failure, Outcome, Request, Running
from sim.engine import Engine, Process
from sim.status import FAULT
from sim.timeline.span import Span, Track


@dataclass
class Statistics:
    """What a run counted; `spent` is cycles by engine and what it did, `elements` were computed."""

    cycles: int = 0
    commands: dict[str, int] = field(default_factory=dict)
    bytes: dict[str, int] = field(default_factory=dict)
    bus_cycles: int = 0
    elements: int = 0
    spent: dict[str, int] = field(default_factory=lambda: {r.name: 0 for r in REASONS})


class Chip:
    """The engines at work."""

    def __init__(self, request: Request):
        self.request, self.clock = request, Engine(request)
        self.program: DuoProgram = request.program
        self.machine: Duo = request.machine.description
        self.environment = self.clock.environment
        self.bus = simpy.Resource(self.environment)
        self.ended = {
            name: [self.environment.event() for _ in queue]
            for name, queue in self.program.queues.items()
        }
        self.statistics, self.failure = Statistics(), None
        engines = {name: Track(name, "engine") for name in self.program.queues}
        self.tracks = {(name, "engine"): track for name, track in engines.items()}
        self.tracks |= {(n, "queue"): Track("commands", "queue", t) for n, t in engines.items()}

    def engine(self, name: str) -> Process:
        """Do the commands of a queue."""
        other = self.ended[COPY if name == COMPUTE else COMPUTE]
        for place, command in enumerate(self.program.queues[name]):
            if command.waits is not None:
                yield from self.spend(name, "wait", other[command.waits])
            yield from self.spend(name, "begin", self.environment.timeout(self.machine.command))
            begun = self.clock.now
            yield from self.carry(name, command)
            if name == COMPUTE:
                turns = -(-command.elements // self.machine.lanes)
                yield from self.spend(name, "work", self.environment.timeout(turns))
            if not self.do(command, name, place):
                return
            self.ended[name][place].succeed()
            self.tell(Span(self.tracks[name, "queue"], begun, self.clock.now, "command",
                           {"command": command.text}))  # fmt: skip
        if other:
            yield from self.spend(name, "idle", other[-1])

    def carry(self, name: str, command: Command) -> Process:
        """The command's bytes on the bus."""
        with self.bus.request() as turn:
            yield from self.spend(name, "bus", turn)
            taken = self.environment.now
            try:
                cycles = -(-command.bytes // self.machine.bus_bytes)
                yield from self.spend(name, "transfer", self.environment.timeout(cycles))
            finally:
                self.statistics.bus_cycles += int(self.environment.now - taken)

    def spend(self, name: str, what: str, until: simpy.Event) -> Process:
        """Wait for an event, and note the time, also if it is closed before."""
        begin = self.environment.now
        try:
            yield until
        finally:
            reason, now = f"{name}.{what}", int(self.environment.now)
            self.statistics.spent[reason] += now - begin
            if now > begin:
                track = self.tracks[name, "engine"]
                self.tell(Span(track, int(begin), now, "engine", {"reason": reason}))

    def do(self, command: Command, name: str, place: int) -> bool:
        """What the command computes; False if it faults."""
        statistics = self.statistics
        unit = TensorUnit(command.instruction, self.request.memory, lambda: 0)
        try:
            unit(*tensor_arguments(command.instruction))
        except (OperationFault, MemoryFault) as fault:
            where, location = f"{name} command {place}", command.instruction.location
            self.failure = Failure(fault.kind, self.clock.now, where, location, fault.address)
            self.clock.stop(FAULT)
            return False
        statistics.commands[name] = statistics.commands.get(name, 0) + 1
        statistics.elements += command.elements if name == COMPUTE else 0
        statistics.bytes[name] = statistics.bytes.get(name, 0) + command.bytes
        return True

    def tell(self, span: Span) -> None:
        """Of a run that is traced."""
        if self.request.on_trace is not None:
            self.request.on_trace([span])


def run(request: Request) -> Running:
    """Run both queues."""
    chip = Chip(request)
    clock, statistics = chip.clock, chip.statistics
    engines = [chip.engine(name) for name in chip.program.queues]

    def outcome() -> Outcome:
        statistics.cycles = clock.cycles
        return Outcome(
            clock.status,
            statistics.cycles,
            statistics,
            statistics.spent,
            failure=chip.failure,
            waits_for=clock.waits_for,
        )

    clock.rests(outcome)
    yield from clock.run(engines, chip)
    for engine in engines:
        engine.close()
    return outcome()


CORE = Core(run, model=1)
