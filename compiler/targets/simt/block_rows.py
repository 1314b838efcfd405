"""The rows of a block as a scheduler sees them: what follows what and after how long, and values.

    0  ld.shared.b32 %a, [%p]         before[1] == {0: True}      1 reads what 0 writes
    1  fma.rn.f32    %s, %a, %b, %s   reads[1] == [a, b, s], writes[1] == [s']

A value is what a register holds from one write to the next, so each has one writer; a guarded write
reads the value before it.  Registers of 32 bits and predicates are counted apart.
"""

from __future__ import annotations

from collections.abc import Iterable

from compiler.analyses.liveness import kills
from compiler.ir.module import Instruction
from compiler.targets.simt.registers.operands import SIZES, files_of, reads, writes
from compiler.targets.simt.row_order import order
from machines.kinds.simt.classes import comes_as_guard
from machines.kinds.simt.fields import Simt

GENERAL, PREDICATES = BANKS = range(2)


class BlockRows:
    """The rows of one block, by number; values have numbers, too.

    before, after  the rows that a row has to follow -> whether it reads what they write; those that
                   have to follow it
    heights        cycles from a row's issue to the end of the block
    reads, writes  the values of a row, each once
    banks, sizes   of each value, the bank it lives in and how many registers of that it takes
    leaving        whether a value is alive where control leaves the block
    alive          how many registers of each bank are so at its head
    """

    def __init__(
        self,
        code: list[Instruction],
        live_out: Iterable[str],
        alive: tuple[int, ...],
        description: Simt,
    ):
        self.code, self.description, self.alive = code, description, alive
        self.before = order(code)
        self.after: list[list[int]] = [[] for _ in code]
        for number, rows in enumerate(self.before):
            for other in rows:
                self.after[other].append(number)
        self._number_values(live_out)
        self.heights = self._heights()

    def _number_values(self, live_out: Iterable[str]) -> None:
        self.banks: list[int] = []
        self.sizes: list[int] = []
        self.reads: list[list[int]] = []
        self.writes: list[list[int]] = []
        now: dict[str, int] = {}

        def begin(name: str, file: str) -> int:
            now[name] = len(self.sizes)
            self.banks.append(PREDICATES if file == "pred" else GENERAL)
            self.sizes.append(SIZES[file])
            return now[name]

        for instruction in self.code:
            files = dict(files_of(instruction))
            written = dict.fromkeys(name for name, _ in writes(instruction))
            read = dict.fromkeys(name for name, _ in reads(instruction))
            if not kills(instruction):
                read |= written
            held = [now[name] if name in now else begin(name, files[name]) for name in read]
            self.reads.append(held)
            self.writes.append([begin(name, files[name]) for name in written])
        last = {now[name] for name in live_out if name in now}
        self.leaving = [value in last for value in range(len(self.sizes))]

    def latency(self, first: int, second: int) -> int:
        """Cycles from one row to another that has to follow it; loads hit the nearest memory."""
        if not self.before[second][first]:
            return 1
        producer, consumer = self.code[first], self.code[second]
        as_guards = {
            name for name, lane in reads(consumer) if comes_as_guard(consumer.operation, lane)
        }
        if consumer.guard:
            as_guards.add(consumer.guard.name)
        decides = consumer.operation.control == "branch" or not as_guards.isdisjoint(
            producer.results
        )
        distance = self.description.distance
        names = producer.operation.scheduling_class, consumer.operation.scheduling_class
        return max(1, distance(names[0], guard=True) if decides else distance(*names))

    def _heights(self) -> list[int]:
        heights = [0] * len(self.code)
        for number in reversed(range(len(self.code))):
            for other in self.after[number]:
                way = heights[other] + self.latency(number, other)
                heights[number] = max(heights[number], way)
        return heights
