"""Runs programs of `scalar5`: what each instruction does, and when it is in EX.

    cycle   1  2  3  4  5  6  7  8         load r1      IF ID EX MEM WB
    load    IF ID EX ME WB                 add r2, r1      IF ID  -  EX MEM WB
    add        IF ID -- EX ME WB

An instruction is in EX when the one before has left it, its operands are there, and the path to it
is known; what keeps it longest is what the lost cycles go to.  The four cycles before the first and
behind the last instruction's EX are those of filling and draining.
"""

from __future__ import annotations

from machines.layout import MemoryFault
from machines.operations.evaluate import OperationFault, executor
from scalar5.fields import Scalar5, cycles_in_ex
from scalar5.target import Line, Scalar5Program
from scalar5.vocabulary import BRANCH, FILL, ISSUING, LOAD, LONG, OPERAND, REASONS, Statistics
from sim.cores import Core, Failure, Outcome, Request, Running
from sim.cores.returned import DONE, FAULTED, QUANTUM
from sim.engine import Carried, Carrier, Engine, Process
from sim.timeline.span import Span, Track

BEFORE_EX, BEHIND_EX = 2, 2


class Pipeline(Carried):
    """A program on its way through the pipeline.

    free       first cycle in which EX takes the next instruction
    reason     why it is not earlier
    ready      cycle from which a register may be read in EX, and why not earlier
    registers  by the names of the program; what it names and nothing wrote is 0
    """

    def __init__(self, request: Request):
        self.request = request
        self.program: Scalar5Program = request.program
        self.machine: Scalar5 = request.machine.description
        self.pc, self.free, self.reason = 0, 1 + BEFORE_EX, OPERAND
        self.value: int | float | None = None
        self.ended, self.failure = False, None
        memory = request.memory
        self.registers = {b.name: memory.address(b.name) for b in self.program.buffers}
        given = request.arguments
        self.registers |= {p.register: given[p.name] for p in self.program.parameters}
        self.ready: dict[str, tuple[int, int]] = {}
        self.statistics = Statistics.of(len(self.program.code))
        self.time = [cycles_in_ex(line.operation, self.machine) for line in self.program.code]
        self.ex = Track("EX", "ex")
        self.spans: list[Span] = []
        self.lose(0, FILL, 0, BEFORE_EX)

    @property
    def cycle(self) -> int:
        return self.free - 1

    @property
    def issued(self) -> int:
        return int(self.statistics.executed.sum())

    def advance(self, until: int) -> int:
        """Take instructions into EX until the cycle; see `sim.engine.Carried`."""
        while self.cycle < until:
            try:
                self.step(self.program.code[self.pc])
            except (OperationFault, MemoryFault) as fault:
                self.fail(fault)
                return FAULTED
            if self.ended:
                return DONE
        return QUANTUM

    def finished(self) -> list[int]:
        return [0] if self.ended else []

    def fingerprint(self) -> tuple:
        waits = {name: ready - self.free for name, (ready, _) in self.ready.items()}
        late = tuple((name, wait) for name, wait in waits.items() if wait > 0)
        return self.pc, self.statistics.stores, late, tuple(self.registers.items())

    def where_it_loops(self) -> str:
        return f"the program loops at {self.program.locations[self.pc]}"

    def wait_until(self, cycle: int) -> None:
        """There is no host that could let it wait."""

    def happened(self) -> list[Span]:
        told, self.spans = self.spans, []
        return told

    still_happens = happened

    def step(self, line: Line) -> None:
        """Take one instruction into EX, do it, and find the next."""
        pc, now = self.pc, self.free
        guard = line.guard
        names = [value for value in line.reads if value in self.ready]
        if guard is not None and guard[0] in self.ready:
            names.append(guard[0])
        for name in names:
            ready, reason = self.ready[name]
            if ready > now:
                now, self.reason = ready, reason
        self.lose(pc, self.reason, self.free - 1, now - self.free)
        self.statistics.executed[pc] += 1
        self.tell("execute", now - 1, 1, instruction=pc, operation=line.operation.name)
        self.pc += 1
        last = now + self.time[pc] - 1
        self.lose(pc, LONG, now, last - now)
        self.free, self.reason = last + 1, OPERAND
        if guard is not None and self.registers.get(guard[0], 0) != guard[1]:
            self.statistics.squashed[pc] += 1
            return
        self.execute(line, pc, last)

    def execute(self, line: Line, pc: int, last: int) -> None:
        """What the instruction does; `last` is its last cycle in EX."""
        row = line.operation
        values = [self.operand(value) for value in line.reads]
        if row.control == "return":
            self.value, self.ended = (values[0] if values else None), True
            self.lose(pc, FILL, self.cycle, BEHIND_EX)
            self.free += BEHIND_EX
            return
        results = executor(row)(self.request.memory, *values[: len(row.reads)])
        self.statistics.loads += row.loads
        self.statistics.stores += row.stores
        if row.control:
            self.go_to(line, pc, bool(results[0]) if results else True)
            return
        delay = 1 + self.machine.delay(row.loads)
        reason = LOAD if row.loads else OPERAND
        for name, value in zip(line.results, results, strict=True):
            self.registers[name] = value
            self.ready[name] = last + delay, reason

    def go_to(self, line: Line, pc: int, taken: bool) -> None:
        """Go on where a jump or branch leads; behind it EX is empty if that is not the next."""
        self.pc = line.targets[0 if taken else -1]
        if self.pc != pc + 1:
            self.statistics.taken += 1
            self.lose(pc, BRANCH, self.cycle, self.machine.branch_delay)
            self.free += self.machine.branch_delay

    def operand(self, value: int | float | str) -> int | float:
        """A register's value (0 if nothing wrote it), a buffer's address, or the number itself."""
        return self.registers.get(value, 0) if isinstance(value, str) else value

    def fail(self, fault: OperationFault | MemoryFault) -> None:
        """End with a fault of the instruction before the next."""
        place = self.pc - 1
        location, details = self.program.locations[place], {"instruction": place}
        where = f"instruction {place}"
        self.failure = Failure(fault.kind, self.cycle, where, location, fault.address, details)

    def lose(self, pc: int, reason: int, since: int, cycles: int) -> None:
        """Charge an instruction cycles from one on."""
        self.statistics.lost[pc, reason] += cycles
        if cycles:
            self.tell("lost", since, cycles, instruction=pc, reason=REASONS[reason].name)

    def tell(self, event: str, begin: int, cycles: int, **arguments: object) -> None:
        """A span, of a run that is traced."""
        if self.request.on_trace is not None:
            self.spans.append(Span(self.ex, begin, begin + cycles, event, arguments))


def run(request: Request) -> Running:
    """Run a program from its first instruction to its return."""
    engine, core = Engine(request), Pipeline(request)
    carrier = Carrier(engine, core)

    def program() -> Process:
        yield carrier.do(lambda number: None)

    yield from engine.run([program()], core)
    statistics = core.statistics
    statistics.cycles = engine.cycles
    names, lost = [r.name for r in REASONS], statistics.lost.sum(axis=0).tolist()
    return Outcome(
        engine.status,
        engine.cycles,
        statistics,
        {names[ISSUING]: core.issued, **dict(zip(names[1:], lost[1:], strict=True))},
        value=core.value,
        failure=core.failure,
        causes=names[1:],
        executed=statistics.executed,
        stalls=statistics.lost[:, 1:],
        waits_for=engine.waits_for,
    )


CORE = Core(run, model=1)
