"""The caches of the plain model of the core's timing (see `reference_core`)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from machines.kinds.epic.fields import DataCache, Epic
from machines.operations.row import Operation
from tests.sim.epic.reference_program import is_floating


@dataclass
class Line:
    """A line in a cache: when its data came or comes, whether it is dirty, and its last use (a
    running number for LRU, a reference bit for NRU)."""

    number: int
    filled: int
    dirty: bool
    used: int = 0


class Ring:
    """Entries used in turn, each taken until a cycle; without entries there is no limit."""

    def __init__(self, size: int):
        self.until = [0] * size
        self.next = 0

    def free_from(self, time: int) -> int:
        """The first cycle from `time` on in which the next entry is free."""
        return max(time, self.until[self.next]) if self.until else time

    def take(self, until: int) -> None:
        if self.until:
            self.until[self.next] = until
            self.next = (self.next + 1) % len(self.until)


class MainMemory:
    """Main memory and its bus, which carries one line after another."""

    def __init__(self, machine: Epic, line: int):
        main = machine.memory.main
        waiting = Fraction(main.latency_time) * Fraction(machine.clock) / 10**9
        self.latency = main.latency_cycles + round(waiting)
        self.fp_extra = main.fp_extra
        self.line = line
        self.cycles_per_line = line * Fraction(machine.clock) / Fraction(main.bandwidth)
        self.bus_free = Fraction(0)
        self.read = self.written = 0

    def visit(self, walk: Walk, time: int, writing: bool) -> int:
        """A line is read, or the data of a store written that no cache keeps."""
        if writing:
            self.write_back()
            return walk.come
        self.read += 1
        self.bus_free = max(time + self.latency, self.bus_free + self.cycles_per_line)
        walk.come = ceil(self.bus_free)
        return walk.come + walk.extra * self.fp_extra

    def write_back(self, number: int = 0, line: int = 0, time: int = 0) -> None:
        """A dirty line takes its turn on the bus."""
        self.written += 1
        self.bus_free += self.cycles_per_line


@dataclass
class Walk:
    """One access on its way outward.

    extra       1 for a floating load, which takes `fp_extra` more at the level that has its data
    come        cycle at which an integer load has the data
    full_until  the cycle from which the first full queue on the way had room, 0 if none was full
    fetching    levels that miss and take the line, and whether it is then dirty there
    """

    address: int
    extra: int
    come: int = 0
    full_until: int = 0
    fetching: list[tuple[Level, bool]] = field(default_factory=list)


class Level:
    """One cache, in front of the `following` level.

    An access waits for an entry of the queue, then for its bank and a port, then looks for its
    line; a miss waits for a miss slot and goes on to the following level, in whose latency all
    earlier ones are contained.
    """

    def __init__(self, name: str, cache: DataCache, following: Level | MainMemory):
        self.name, self.cache, self.following = name, cache, following
        self.sets: list[list[Line | None]] = [[None] * cache.ways for _ in range(cache.sets)]
        self.queue, self.slots = Ring(cache.queue), Ring(cache.misses)
        self.bank_uses: Counter[tuple[int, int]] = Counter()
        self.port_uses: Counter[int] = Counter()
        self.clock = 0
        self.counts: Counter[str] = Counter()

    def access(self, address: int, time: int, writing: bool, extra: int = 0) -> tuple[int, int]:
        """(cycle at which the data is there, cycle until which a queue was full, 0 if none was).

        `writing` asks the level to take a store's data, which is not so where a store only brings
        its line.  The line is then put into the levels that fetch it, the nearest one first.
        """
        walk = Walk(address, extra)
        data = self.visit(walk, time, writing)
        for level, dirty in walk.fetching:
            level.install(address // level.cache.line, walk.come, dirty)
        return data, walk.full_until

    def visit(self, walk: Walk, time: int, writing: bool) -> int:
        """An access has come to this level; when its data is there."""
        cache = self.cache
        if writing and cache.write == "none":
            return self.following.visit(walk, time, writing)
        start = self.queue.free_from(time)
        self.counts["QUEUE_WAIT"] += start - time
        if start > time and not walk.full_until:
            walk.full_until = start
        start = self.enter(walk.address, start)
        line = self.find(walk.address // cache.line)
        if line is None:
            data = self.miss(walk, start, writing)
        else:
            walk.come = max(start + cache.latency, line.filled)
            data = walk.come + (cache.fp_extra if walk.extra else 0)
            self.counts["MERGES" if line.filled > start + cache.latency else "HITS"] += 1
            self.use(line)
            if writing and cache.write == "back":
                line.dirty = True
            elif writing:
                data = self.following.visit(walk, start, writing)
        self.queue.take(walk.come)
        return data

    def miss(self, walk: Walk, start: int, writing: bool) -> int:
        """The line is fetched, but for a store where stores do not allocate.  Of a miss slot there
        is need from when the level has looked for the line, its latency after the start."""
        cache = self.cache
        self.counts["MISSES"] += 1
        if writing and not cache.allocate_on_write:
            return self.following.visit(walk, start, writing)
        looked = start + cache.latency
        wait = self.slots.free_from(looked) - looked
        self.counts["MISS_WAIT"] += wait
        self.counts["FILLS"] += 1
        keeps = writing and cache.write == "back"
        walk.fetching.append((self, keeps))
        data = self.following.visit(walk, start + wait, writing and not keeps)
        self.slots.take(walk.come)
        return data

    def enter(self, address: int, time: int) -> int:
        """The cycle in which the access has a port and its bank: `retry` late if it lacks one,
        whether or not they are free then."""
        cache = self.cache
        bank = address // cache.bank_bytes % cache.banks if cache.banks else 0
        has_bank = not cache.banks or not self.bank_uses[bank, time]
        has_port = self.port_uses[time] < cache.accesses
        if not (has_bank and has_port):
            self.counts["RETRIES"] += 1
            time += cache.retry
        self.bank_uses[bank, time] += 1
        self.port_uses[time] += 1
        return time

    def find(self, number: int) -> Line | None:
        lines = self.sets[number % self.cache.sets]
        return next((line for line in lines if line and line.number == number), None)

    def use(self, line: Line) -> None:
        """Note a use: for LRU its number; for NRU the line's bit, and when all lines of the set
        have it the bits of the others are cleared."""
        self.clock += 1
        line.used = self.clock if self.cache.replacement == "lru" else 1
        lines = self.sets[line.number % self.cache.sets]
        if self.cache.replacement == "nru" and all(other and other.used for other in lines):
            for other in lines:
                other.used = int(other is line)

    def install(self, number: int, filled: int, dirty: bool) -> None:
        """Put a line into an empty way, or for the least recently (first not recently) used."""
        lines = self.sets[number % self.cache.sets]
        if None in lines:
            way = lines.index(None)
        else:
            way = min(range(len(lines)), key=lambda k: lines[k].used)
            if lines[way].dirty:
                self.counts["WRITE_BACKS"] += 1
                self.following.write_back(lines[way].number, self.cache.line, filled)
        lines[way] = Line(number, filled, dirty)
        self.use(lines[way])

    def write_back(self, number: int, line: int, time: int) -> None:
        """A dirty line comes from the level before, when the line that displaces it there comes."""
        number = number * line // self.cache.line
        held = self.find(number)
        if held is not None:
            held.dirty = True
        else:
            self.install(number, time, True)


class Caches:
    """All levels of a machine."""

    def __init__(self, machine: Epic):
        memory = machine.memory
        last = memory.l3 or memory.l2
        self.main = MainMemory(machine, last.line)
        self.l3 = Level("L3", memory.l3, self.main) if memory.l3 else None
        self.l2 = Level("L2", memory.l2, self.l3 or self.main)
        self.l1d = Level("L1D", memory.l1d, self.l2)
        # Nothing limits how many lines of code are asked for.
        free = {"accesses": 1 << 20, "banks": 0, "queue": 0, "misses": 0}
        code = memory.l2.model_copy(update=memory.l1i.model_dump() | free)
        self.l1i = Level("L1I", code, self.l2)
        self.levels = [level for level in (self.l1i, self.l1d, self.l2, self.l3) if level]

    def level_of(self, row: Operation) -> Level:
        """Where an access enters: floating point and semaphores bypass an L1D that holds no
        floating data, prefetches go to the L2."""
        if row.access.kind == "prefetch":
            return self.l2
        if row.access.kind != "load_store" and not is_floating(row):
            return self.l1d
        data = [level for level in (self.l1d, self.l2, self.l3) if level]
        return next(level for level in data if level.cache.holds_fp)
