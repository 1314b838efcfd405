"""Runs the two engines of `duo` under SimPy: each takes the commands of its queue in order.

    wait for the other queue  →  the command's own time  →  the bus  →  what is computed

What an engine does in each cycle is one of the reasons of its breakdown; after its last command it
is idle until the other one ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import simpy

from compiler.ir.interpret.tensors import TensorUnit, tensor_arguments
from duo.fields import Duo
from duo.target import COMPUTE, COPY, Command, DuoProgram
from duo.vocabulary import REASONS
from machines.layout import MemoryFault
from machines.operations.evaluate import OperationFault
from sim.cores import Core, Failure, Outcome, Request
from sim.status import DONE, FAULT, INTERRUPTED, LIMIT


@dataclass
class Statistics:
    """What a run counted; `spent` is cycles by engine and what it did."""

    cycles: int = 0
    commands: dict[str, int] = field(default_factory=dict)
    bytes: dict[str, int] = field(default_factory=dict)
    bus_cycles: int = 0
    spent: dict[str, int] = field(default_factory=lambda: {r.name: 0 for r in REASONS})


class _Chip:
    """The engines at work."""

    def __init__(self, request: Request):
        self.request = request
        self.program: DuoProgram = request.program
        self.machine: Duo = request.machine.description
        self.environment = simpy.Environment()
        self.bus = simpy.Resource(self.environment)
        self.ended = {
            name: [self.environment.event() for _ in queue]
            for name, queue in self.program.queues.items()
        }
        self.statistics, self.failure = Statistics(), None
        self.stopped = self.environment.event()

    def engine(self, name: str) -> Iterator[simpy.Event]:
        """Do the commands of a queue."""
        other = self.ended[COPY if name == COMPUTE else COMPUTE]
        for place, command in enumerate(self.program.queues[name]):
            if command.waits is not None:
                yield from self.spend(name, "wait", other[command.waits])
            yield from self.spend(name, "begin", self.environment.timeout(self.machine.command))
            yield from self.carry(name, command)
            if name == COMPUTE:
                turns = -(-command.elements // self.machine.lanes)
                yield from self.spend(name, "work", self.environment.timeout(turns))
            if not self.do(command, name, place):
                return
            self.ended[name][place].succeed()
            self.tell(name, command.text)

    def carry(self, name: str, command: Command) -> Iterator[simpy.Event]:
        """The command's bytes on the bus."""
        with self.bus.request() as turn:
            yield from self.spend(name, "bus", turn)
            cycles = -(-command.bytes // self.machine.bus_bytes)
            self.statistics.bus_cycles += cycles
            yield from self.spend(name, "transfer", self.environment.timeout(cycles))

    def spend(self, name: str, what: str, until: simpy.Event) -> Iterator[simpy.Event]:
        """Wait for an event, and note the time."""
        begin = self.environment.now
        yield until
        self.statistics.spent[f"{name}.{what}"] += int(self.environment.now - begin)

    def do(self, command: Command, name: str, place: int) -> bool:
        """What the command computes; False if it faults."""
        statistics = self.statistics
        unit = TensorUnit(command.instruction, self.request.memory, lambda: 0)
        try:
            unit(*tensor_arguments(command.instruction))
        except (OperationFault, MemoryFault) as fault:
            where, location = f"{name} command {place}", command.instruction.location
            now = int(self.environment.now)
            self.failure = Failure(fault.kind, now, where, location, fault.address)
            self.stopped.succeed()
            return False
        statistics.commands[name] = statistics.commands.get(name, 0) + 1
        statistics.bytes[name] = statistics.bytes.get(name, 0) + command.bytes
        return True

    def tell(self, engine: str, text: str) -> None:
        """An event of the trace, and how far it is."""
        now = int(self.environment.now)
        if self.request.on_trace is not None:
            event = {"cycle": now, "event": "end", "engine": engine, "command": text}
            self.request.on_trace([event])
        if self.request.on_progress is not None:
            self.request.on_progress(now)

    def live(self) -> str:
        """Run to the end of both queues; the status."""
        environment = self.environment
        engines = [environment.process(self.engine(name)) for name in self.program.queues]
        limit = environment.timeout(self.request.cycle_limit)
        done = environment.all_of(engines)
        environment.run(environment.any_of([done, self.stopped, limit]))
        if self.failure is not None:
            return FAULT
        return DONE if done.processed else LIMIT


def run(request: Request) -> Outcome:
    """Run both queues."""
    chip = _Chip(request)
    try:
        status = chip.live()
    except KeyboardInterrupt:
        status = INTERRUPTED
    statistics = chip.statistics
    statistics.cycles = int(chip.environment.now)
    for name in chip.program.queues:
        busy = sum(n for reason, n in statistics.spent.items() if reason.startswith(f"{name}."))
        statistics.spent[f"{name}.idle"] = statistics.cycles - busy
    return Outcome(status, statistics.cycles, statistics, statistics.spent, failure=chip.failure)


CORE = Core(run, model=1)
