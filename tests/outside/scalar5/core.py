"""Runs programs of `scalar5`: what each instruction does, and when it is in EX.

    cycle   1  2  3  4  5  6  7  8         load r1      IF ID EX MEM WB
    load    IF ID EX ME WB                 add r2, r1      IF ID  -  EX MEM WB
    add        IF ID -- EX ME WB

An instruction is in EX when the one before has left it, its operands are there, and the path to it
is known; what keeps it longest is what the lost cycles go to.  The four cycles before the first and
behind the last instruction's EX are those of filling and draining.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from machines.layout import MemoryFault
from machines.operations.evaluate import OperationFault, executor
from machines.operations.row import Operation
from scalar5.fields import Scalar5
from scalar5.target import Line, Scalar5Program
from scalar5.vocabulary import BRANCH, FILL, LOAD, LONG, OPERAND, REASONS, Statistics
from sim.cores import Core, Failure, Outcome, Request
from sim.status import DONE, FAULT, INTERRUPTED, LIMIT

BEFORE_EX, BEHIND_EX = 2, 2
LOOK_EVERY = 10_000
"""Instructions between two looks at the clock of the one who waits."""
DIVISIONS = ("div", "rem", "sqrt")


@dataclass
class _Run:
    """A program on its way.

    free      first cycle in which EX takes the next instruction
    ready     cycle from which a register may be read in EX, and whether a load writes it
    """

    request: Request
    pc: int = 0
    free: int = 1 + BEFORE_EX
    reason: int = FILL
    value: int | float | None = None
    status: str = LIMIT
    failure: Failure | None = None
    registers: dict[str, int | float] = field(default_factory=dict)
    ready: dict[str, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        program, machine = self.request.program, self.request.machine.description
        self.program: Scalar5Program = program
        self.machine: Scalar5 = machine
        memory = self.request.memory
        self.registers |= {b.name: memory.address(b.name) for b in program.buffers}
        self.registers |= self.request.arguments
        size = len(program.code)
        self.statistics = Statistics(
            0, np.zeros(size, np.int64), np.zeros(size, np.int64),
            np.zeros((size, len(REASONS)), np.int64),
        )  # fmt: skip
        self.time = [cycles_in_ex(line.operation, machine) for line in program.code]
        self.statistics.lost[0, FILL] += BEFORE_EX

    def go(self) -> None:
        """Run to the end, a fault or the limit."""
        count = 0
        while self.free <= self.request.cycle_limit:
            if self.status == DONE:
                return
            try:
                self.step(self.program.code[self.pc])
            except (OperationFault, MemoryFault) as fault:
                self.fail(fault)
                return
            count += 1
            if count % LOOK_EVERY == 0 and self.request.on_progress is not None:
                self.request.on_progress(self.free)
        if self.status != DONE:
            self.status = LIMIT

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
        self.statistics.lost[pc, self.reason] += now - self.free
        self.statistics.executed[pc] += 1
        self.tell(now, pc, line.operation.name)
        self.pc += 1
        last = now + self.time[pc] - 1
        self.statistics.lost[pc, LONG] += last - now
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
            self.value, self.status = (values[0] if values else None), DONE
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
            self.statistics.lost[pc, BRANCH] += self.machine.branch_delay
            self.free += self.machine.branch_delay

    def operand(self, value: int | float | str) -> int | float:
        """A register's value (0 if nothing wrote it), a buffer's address, or the number itself."""
        return self.registers.get(value, 0) if isinstance(value, str) else value

    def fail(self, fault: OperationFault | MemoryFault) -> None:
        """End with a fault of the instruction before the next."""
        place = self.pc - 1
        self.status = FAULT
        where = f"instruction {place}"
        location = self.program.locations[place]
        self.failure = Failure(
            fault.kind, self.free, where, location, fault.address, {"instruction": place}
        )

    def tell(self, cycle: int, pc: int, operation: str) -> None:
        """An event of the trace."""
        if self.request.on_trace is not None:
            event = {"cycle": cycle, "event": "execute", "instruction": pc, "operation": operation}
            self.request.on_trace([event])


def cycles_in_ex(row: Operation, machine: Scalar5) -> int:
    kind, times = row.name.split(".")[0], machine.execute
    if kind.startswith(DIVISIONS):
        return times.divide
    is_float = any(getattr(o.kind, "is_float", False) for o in row.reads)
    if is_float and not row.access and not row.control and kind != "copy":
        return times.floating
    return times.multiply if kind.startswith("mul") else 1


def run(request: Request) -> Outcome:
    """Run a program from its first instruction to its return."""
    made = _Run(request)
    try:
        made.go()
    except KeyboardInterrupt:
        made.status = INTERRUPTED
    statistics = made.statistics
    statistics.lost[made.pc - 1, FILL] += BEHIND_EX
    statistics.cycles = made.free - 1 + BEHIND_EX
    lost = statistics.lost.sum(axis=0).tolist()
    executed = int(statistics.executed.sum())
    names = [reason.name for reason in REASONS]
    return Outcome(
        made.status,
        statistics.cycles,
        statistics,
        {names[0]: executed, **dict(zip(names[1:], lost[1:], strict=True))},
        value=made.value if made.status == DONE else None,
        failure=made.failure,
        causes=names[1:],
        executed=statistics.executed,
        stalls=statistics.lost[:, 1:],
    )


CORE = Core(run, model=1)
