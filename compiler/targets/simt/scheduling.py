"""An order for the rows of a block in which less is waited for.

    ld.shared.b32 %a, [%p]            ld.shared.b32 %a, [%p]
    fma.rn.f32    %s, %a, %b, %r  ->  ld.shared.b32 %c, [%p+4]
    ld.shared.b32 %c, [%p+4]          fma.rn.f32    %s, %a, %b, %r
    fma.rn.f32    %t, %c, %d, %s      fma.rn.f32    %t, %c, %d, %s

List scheduling for a machine that issues one row a cycle in order: of the rows that could issue,
the one with the longest way to the block's end goes first, and if none could, the one that can
soonest.  Loads are taken to hit the nearest memory.  Where more values would be alive than the
registers that cost no resident warps, rows that end the life of values go first (Goodman, Hsu,
*Code scheduling and register allocation in large basic blocks*, 1988).
"""

from __future__ import annotations

from collections.abc import Iterable

from compiler.ir.module import Instruction
from compiler.targets.simt.registers.operands import SIZES, files_of, reads, writes
from compiler.targets.simt.row_order import order
from machines.kinds.simt.fields import Simt


class Scheduler:
    """Orders the rows of one block; registers of 32 bits are counted, predicates are not."""

    def __init__(
        self,
        code: list[Instruction],
        live_in: Iterable[str],
        live_out: Iterable[str],
        description: Simt,
    ):
        self.code, self.description = code, description
        self.live_in, self.live_out = frozenset(live_in), frozenset(live_out)
        self.before = order(code)
        self.after: list[list[int]] = [[] for _ in code]
        for number, rows in enumerate(self.before):
            for other in rows:
                self.after[other].append(number)
        self.sizes: dict[str, int] = {}
        for instruction in code:
            for name, file in files_of(instruction):
                self.sizes[name] = 0 if file == "pred" else SIZES[file]
        self.reads = [dict.fromkeys(name for name, _ in reads(i)) for i in code]
        self.writes = [dict.fromkeys(name for name, _ in writes(i)) for i in code]
        self.heights = self._heights()

    def _latency(self, first: int, second: int) -> int:
        """Cycles from one row to another that has to follow it."""
        if not self.before[second][first]:
            return 1
        producer, consumer = self.code[first].operation, self.code[second]
        guard = consumer.guard.name if consumer.guard else None
        decides = consumer.operation.control == "branch" or guard in self.writes[first]
        distance = self.description.distance
        names = producer.scheduling_class, consumer.operation.scheduling_class
        return max(1, distance(names[0], guard=True) if decides else distance(*names))

    def _heights(self) -> list[int]:
        heights = [0] * len(self.code)
        for number in reversed(range(len(self.code))):
            for other in self.after[number]:
                way = heights[other] + self._latency(number, other)
                heights[number] = max(heights[number], way)
        return heights

    def pressure(self, alive: int) -> int:
        """Most registers alive at once in the order there is, when `alive` are so before."""
        pressure = _Pressure(self, alive)
        for number in range(len(self.code)):
            pressure.issue(number)
        return pressure.most

    def run(self, registers: int, alive: int) -> list[Instruction]:
        """The rows in an order that keeps to `registers` where it can."""
        missing = [len(rows) for rows in self.before]
        earliest = [0] * len(self.code)
        ready = [number for number, count in enumerate(missing) if not count]
        pressure = _Pressure(self, alive)
        done: list[Instruction] = []
        cycle = 0
        while ready:
            room = registers - pressure.now
            number = self._choose(ready, earliest, cycle, pressure, room)
            ready.remove(number)
            cycle = max(cycle, earliest[number])
            pressure.issue(number)
            done.append(self.code[number])
            for other in self.after[number]:
                earliest[other] = max(earliest[other], cycle + self._latency(number, other))
                missing[other] -= 1
                if not missing[other]:
                    ready.append(other)
            cycle += 1
        return done

    def _choose(
        self, ready: list[int], earliest: list[int], cycle: int, pressure: _Pressure, room: int
    ) -> int:
        """The row to issue next, of those that find the registers they need if there are any."""
        heights, changes = self.heights, pressure.changes
        fits = [n for n in ready if changes[n] <= room]
        if not fits:
            return min(ready, key=lambda n: (changes[n], n))
        return min(fits, key=lambda n: (max(cycle, earliest[n]), -heights[n], n))


class _Pressure:
    """How many registers are alive, as rows issue one after another.

    most     at once so far; what a row reads for the last time makes room for what it writes
    changes  row -> how many more would be alive behind it than before it
    """

    def __init__(self, scheduler: Scheduler, registers: int):
        self.s, self.now, self.most = scheduler, registers, registers
        self.alive = set(scheduler.live_in)
        self.readers: dict[str, set[int]] = {}
        self.writers: dict[str, set[int]] = {}
        for rows, names_of in ((self.readers, self.s.reads), (self.writers, self.s.writes)):
            for number, names in enumerate(names_of):
                for name in names:
                    rows.setdefault(name, set()).add(number)
        self.changes = [0] * len(scheduler.code)
        for number in range(len(scheduler.code)):
            self._count(number)

    def _count(self, number: int) -> None:
        s = self.s
        begun = sum(s.sizes[name] for name in s.writes[number] if name not in self.alive)
        ended = sum(s.sizes[name] for name in s.reads[number] if self._is_last(name, number))
        self.changes[number] = begun - ended

    def _is_last(self, name: str, number: int) -> bool:
        """Whether a row is the only one left that reads a register, which nobody needs then."""
        return self.readers[name] == {number} and name not in self.s.live_out

    def issue(self, number: int) -> None:
        self._count(number)
        self.now += self.changes[number]
        self.most = max(self.most, self.now)
        written, touched = self.s.writes[number], set()
        for name in self.s.reads[number]:
            if self._is_last(name, number):
                self.alive.discard(name)
                touched |= self.writers.get(name, set())
            self.readers[name].discard(number)
            if len(self.readers[name]) == 1:
                touched |= self.readers[name]
        for name in written:
            if name not in self.alive:
                self.alive.add(name)
                touched |= self.writers[name]
        for other in touched:
            self._count(other)
