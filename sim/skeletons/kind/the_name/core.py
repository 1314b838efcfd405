"""Runs programs: what each instruction does, and when."""

from __future__ import annotations

import numpy as np

from machines.layout import MemoryFault
from machines.operations.evaluate import OperationFault, executor
from sim.cores import Core, Failure, Outcome, Request, Running
from sim.cores.returned import DONE, FAULTED, QUANTUM
from sim.engine import Carried, Carrier, Engine, Process

from .fields import TheName
from .target import Code, Line
from .vocabulary import ISSUING, LOAD, LONG, REASONS, Statistics


class Processor(Carried):
    """A program on its way; `values` are those of its variables: what nothing wrote is 0."""

    def __init__(self, request: Request):
        self.request = request
        self.program: Code = request.program
        self.machine: TheName = request.machine.description
        self.pc, self.now = 0, 0
        self.value: int | float | None = None
        self.ended, self.failure = False, None
        self.values = {b.name: request.memory.address(b.name) for b in self.program.buffers}
        self.values |= request.arguments
        count = len(self.program.lines)
        self.statistics = Statistics(
            np.zeros(count, np.int64), np.zeros((count, len(REASONS)), np.int64)
        )

    @property
    def cycle(self) -> int:
        return self.now

    @property
    def issued(self) -> int:
        return int(self.statistics.executed.sum())

    def advance(self, until: int) -> int:
        """Take instructions until the cycle; see `sim.engine.Carried`."""
        while self.now < until:
            try:
                self.step(self.program.lines[self.pc])
            except (OperationFault, MemoryFault) as fault:
                place = self.pc - 1
                location, where = self.program.locations[place], f"instruction {place}"
                self.failure = Failure(fault.kind, self.now, where, location, fault.address)
                return FAULTED
            if self.ended:
                return DONE
        return QUANTUM

    def step(self, line: Line) -> None:
        """Take one instruction, do it, and find the next."""
        place, row, statistics = self.pc, line.operation, self.statistics
        self.pc += 1
        self.now += 1
        statistics.executed[place] += 1
        if line.guard is not None and self.values.get(line.guard[0], 0) != line.guard[1]:
            return
        waits = self.machine.cycles_of(row) - 1
        statistics.lost[place, LOAD if row.loads else LONG] += waits
        self.now += waits
        operands = [self.values.get(v, 0) if isinstance(v, str) else v for v in line.reads]
        if row.control == "return":
            self.value, self.ended = (operands[0] if operands else None), True
            return
        results = executor(row)(self.request.memory, *operands[: len(row.reads)])
        statistics.loads += row.loads
        statistics.stores += row.stores
        if row.control:
            taken = bool(results[0]) if results else True
            self.pc = line.targets[0 if taken else -1]
            return
        self.values.update(zip(line.results, results, strict=True))

    def finished(self) -> list[int]:
        return [0] if self.ended else []

    def fingerprint(self) -> tuple:
        """Equal twice means that the program loops for ever; memory is told by its stores."""
        return self.pc, self.statistics.stores, tuple(self.values.items())

    def where_it_loops(self) -> str:
        return f"the program loops at {self.program.locations[self.pc]}"

    def wait_until(self, cycle: int) -> None:
        """There is no host that could let it wait."""


def run(request: Request) -> Running:
    """Run a program from its first instruction to its return."""
    engine, core = Engine(request), Processor(request)
    carrier = Carrier(engine, core)

    def program() -> Process:
        yield carrier.do(lambda number: None)

    yield from engine.run([program()], core)
    statistics = core.statistics
    statistics.cycles = engine.cycles
    lost = statistics.lost.sum(axis=0).tolist()
    lost[ISSUING] = core.issued
    names = [reason.name for reason in REASONS]
    return Outcome(
        engine.status,
        engine.cycles,
        statistics,
        dict(zip(names, lost, strict=True)),
        value=core.value,
        failure=core.failure,
        causes=names[1:],
        executed=statistics.executed,
        stalls=statistics.lost[:, 1:],
        waits_for=engine.waits_for,
    )


CORE = Core(run, model=1)
