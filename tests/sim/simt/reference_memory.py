"""The memory system of a SIMT machine in plain Python, with lists, dictionaries and fractions: the
judge of the jitted one.  It shares no code with it but the hash of lines.

Times are in 1/256 of a cycle (TICK), as services are rounded to that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256

from machines.kinds.simt.fields import Simt
from sim.cores.simt.memory.parameters import (
    ATOMIC,
    COMPARE,
    EXCHANGE,
    FLOAT_SUM,
    KINDS,
    LOAD,
    LOCAL_LOAD,
    LOCAL_MEMORY,
    LOCAL_STORE,
    REDUCTION,
    STORE,
)
from tests.sim.simt.play_memory import CONSTANT, FENCE, LOCAL, SHARED, Access

TICK = 256
WINDOW = 8 * TICK
GOLDEN, OF_BLOCKS = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B


def fraction_of(number: int, parts: int, factor: int = GOLDEN) -> int:
    """Which of equal parts of the range the hash of a number lies in."""
    return (number * factor % 2**64 >> 32) * parts >> 32


@dataclass
class Calendar:
    """A server that is reserved: window -> from when it is free in there."""

    free: dict[int, int] = field(default_factory=dict)

    def take(self, arrival: int, service: int) -> int:
        window = arrival // WINDOW
        time = max(arrival, self._free(window))
        while time >= (window + 1) * WINDOW:
            window += 1
            time = max(window * WINDOW, self._free(window))
        self.free[window] = time
        begin = time
        while service:
            room = (window + 1) * WINDOW - self._free(window)
            self.free[window] = self._free(window) + min(room, service)
            service -= min(room, service)
            window += 1
        return begin

    def _free(self, window: int) -> int:
        return self.free.get(window, window * WINDOW)


class Channel:
    """A channel of the DRAM: what it does with reads and writes, with lists of intervals."""

    def __init__(self, machine: Simt, refreshed: int, counts: Counter):
        self.counts = counts
        dram = machine.memory.dram
        self.rows, self.writes, self.refresh = dram.rows, dram.writes, dram.refresh
        self.calendar = Calendar()
        self.tick = Fraction(machine.clock, 10**9) * TICK
        self.open: dict[int, int] = {}
        self.written: dict[int, int] = {}
        self.ready: dict[int, int] = defaultdict(int)
        self.waiting: list[tuple[int, int]] = []
        self.has_read, self.out = False, 0
        self.refreshed = refreshed

    def ticks(self, nanoseconds: float) -> int:
        return round(Fraction(nanoseconds) * self.tick)

    def take(self, time: int, service: int) -> tuple[int, int]:
        """When it begins something, and when that is over."""
        if not self.refresh:
            begin = self.calendar.take(time, service)
            return begin, begin + service
        self.counts["dram", "refresh wait"] += self._when(self._worked(time)) - time
        begin = self.calendar.take(self._worked(time), service)
        return self._when(begin), self._when(begin + service)

    def _worked(self, time: int) -> int:
        """The ticks before `time` without those of refreshes, which begin `refreshed` before 0."""
        whole, idle = self.ticks(self.refresh.interval), self.ticks(self.refresh.time)
        refreshes, rest = divmod(time + self.refreshed, whole)
        return refreshes * (whole - idle) + (rest - idle if rest > idle else 0)

    def _when(self, worked: int) -> int:
        """The tick that has so many before it, behind the refresh if one begins there."""
        whole, idle = self.ticks(self.refresh.interval), self.ticks(self.refresh.time)
        refreshes, rest = divmod(worked, whole - idle)
        return refreshes * whole + idle + rest - self.refreshed

    def read(self, bank: int, block: int, time: int, moved: int) -> int:
        self.has_read = True
        if not self.rows or self.open.get(bank) == block:
            return self.take(time, moved)[0]
        occupied = max(moved, self.ticks(self.rows.interval))
        self.counts["dram", "rows"] += 1
        self.counts["dram", "bank wait"] += max(time, self.ready[bank]) - time
        begin, _ = self.take(max(time, self.ready[bank]), occupied)
        self.open[bank], self.ready[bank] = block, begin + self.ticks(self.rows.cycle)
        return begin

    def write(self, bank: int, block: int, time: int, moved: int, bytes_: int) -> int:
        if self.rows and self.written.get(bank) != block:
            self.written[bank] = block
            self.counts["dram", "rows"] += 1
            moved = max(moved, self.ticks(self.rows.interval))
        if not self.writes:
            return self.take(time, moved)[0]
        self.waiting.append((bytes_, moved))
        if sum(bytes_ for bytes_, _ in self.waiting) < self.writes.batch:
            return time
        turn = self.ticks(self.writes.turnaround) if self.has_read else 0
        self.counts["dram", "turns"] += self.has_read
        taken = max(time, self.out)
        _, self.out = self.take(time, sum(moved for _, moved in self.waiting) + turn)
        self.waiting, self.has_read = [], False
        return taken


def _channels(machine: Simt, counts: Counter) -> list[Channel]:
    """The channels, their refreshes apart by equal times in the order of a hash."""
    dram = machine.memory.dram
    hashed = {sha256(str(k).encode()).digest(): k for k in range(dram.channels)}
    places = {hashed[digest]: place for place, digest in enumerate(sorted(hashed))}
    tick = Fraction(machine.clock, 10**9) * TICK
    interval = round(Fraction(dram.refresh.interval) * tick) if dram.refresh else 0
    return [
        Channel(machine, places[k] * interval // dram.channels, counts)
        for k in range(dram.channels)
    ]


@dataclass
class Table:
    """Entries that are held until a time."""

    size: int
    held: list[tuple[int, int]] = field(default_factory=list)

    def wait(self, time: int, wanted: int) -> int:
        while self.held and sum(count for _, count in self.held) + wanted > self.size:
            first = min(self.held)
            self.held.remove(first)
            time = max(time, first[0])
        return time

    def hold(self, count: int, until: int) -> None:
        self.held.append((until, min(count, self.size)))


@dataclass
class Line:
    """A line of a cache: due[sector] when a sector that may be read comes, or came."""

    number: int
    due: dict[int, int] = field(default_factory=dict)
    waiting: dict[int, int] = field(default_factory=dict)
    dirty: set[int] = field(default_factory=set)
    written: set[int] = field(default_factory=set)


class Cache:
    """Sets of lines, those used last at the end."""

    def __init__(self, sets: int, ways: int, blocked: bool):
        self.sets: dict[int, list[Line]] = defaultdict(list)
        self.count, self.ways = sets, ways
        self.block = min(64, sets & -sets) if blocked else 0

    def set_of(self, number: int) -> list[Line]:
        if not self.block:
            return self.sets[number % self.count]
        block = fraction_of(number // self.block, self.count // self.block, OF_BLOCKS)
        first = number // self.block * OF_BLOCKS % 2**64 >> 16
        return self.sets[block * self.block + (number + first) % self.block]

    def use(self, number: int) -> Line | None:
        lines = self.set_of(number)
        for line in lines:
            if line.number == number:
                lines.remove(line)
                lines.append(line)
                return line
        return None

    def add(self, number: int) -> tuple[Line, Line | None]:
        """(the new line, the line that left for it)."""
        lines, left = self.set_of(number), None
        if len(lines) == self.ways:
            left = lines.pop(0)
        lines.append(Line(number))
        return lines[-1], left


def _drop(cache: Cache, number: int, sectors) -> None:
    """Forget sectors of a line, if it is there; that is no use of it."""
    for line in cache.set_of(number):
        if line.number == number:
            for sector in sectors:
                line.due.pop(sector, None)


class ReferenceMemory:
    """All of it; `counts[what, kind]` and `counts[what]`."""

    def __init__(self, machine: Simt, carve_out: int = 0):
        self.machine, memory = machine, machine.memory
        self.memory = memory
        l1_sets = machine.l1_sets(carve_out)
        self.l1 = [Cache(l1_sets, memory.l1.ways, False) for _ in range(machine.sms)]
        l2 = memory.l2
        l2_sets = l2.slices // l2.partitions * l2.sets
        self.l2 = [Cache(l2_sets, l2.ways, True) for _ in range(l2.partitions)]
        self.paths = [Calendar() for _ in range(machine.sms)]
        self.slices = [Calendar() for _ in range(memory.l2.slices)]
        self.l1_tables = [Table(memory.l1.mshrs) for _ in range(machine.sms)]
        self.l2_tables = [Table(memory.l2.mshrs) for _ in range(memory.l2.slices)]
        self.blocked = [0] * machine.sms
        self.counts: Counter = Counter()
        self.channels = _channels(machine, self.counts)
        self.sector = memory.l1.sector
        self.sectors = memory.l1.line // memory.l1.sector
        self.l2_service = round(Fraction(self.sector, memory.l2.bandwidth) * TICK)
        rate = Fraction(memory.dram.bandwidth) / Fraction(machine.clock) / memory.dram.channels
        self.dram_service = round(self.sector / rate * TICK)

    def access(self, access: Access) -> tuple[int, int]:
        """(done, taken) of an access, in whole cycles."""
        if access.space == FENCE:
            self.l1[access.sm].sets.clear()
            return access.cycle, access.cycle
        if access.space == SHARED:
            begin, done = self._shared(access)
        elif access.space == CONSTANT:
            begin, done = self._constant(access)
        else:
            begin, done = self._cached(access)
        return -(-done // TICK), -(-begin // TICK)

    @property
    def latest(self) -> int:
        """The last tick that anything is reserved for."""
        channels = [channel.calendar for channel in self.channels]
        calendars = (*self.paths, *self.slices, *channels)
        ends = [max(calendar.free.values()) for calendar in calendars if calendar.free]
        return max([*ends, *self.blocked])

    # Coalescing.

    def _lanes(self, access: Access) -> list[int]:
        return [a for lane, a in enumerate(access.addresses) if access.lanes >> lane & 1]

    def _bytes(self, access: Access) -> list[list[int]]:
        """The addresses of the bytes that each lane wants."""
        if access.space != LOCAL:
            return [list(range(a, a + access.size)) for a in self._lanes(access)]
        width, line = self.machine.warp_width, self.memory.l1.line
        room = -(-access.frame * width // line) * line
        base = LOCAL_MEMORY + (access.sm * self.machine.limits.warps + access.slot) * room
        wanted = []
        for lane, offset in enumerate(access.addresses):
            if access.lanes >> lane & 1:
                own = range(offset, offset + access.size)
                wanted.append([base + (o // 4 * width + lane) * 4 + o % 4 for o in own])
        return wanted

    def _requests(self, access: Access) -> dict[int, dict[int, set[int]]]:
        """line -> sector -> the words of it that are wanted; lines in the order of lanes."""
        requests: dict[int, dict[int, set[int]]] = {}
        for addresses in self._bytes(access):
            for address in addresses:
                line, offset = divmod(address, self.memory.l1.line)
                sectors = requests.setdefault(line, {})
                sectors.setdefault(offset // self.sector, set()).add(address // 4)
        return requests

    def _passes_of_l1(self, access: Access, kind: int) -> int:
        l1 = self.memory.l1
        if not l1.banks or kind not in (LOAD, LOCAL_LOAD):
            return 1
        words = {a // l1.bank_width for addresses in self._bytes(access) for a in addresses}
        return max(Counter(word % l1.banks for word in words).values())

    def _results(self, access: Access) -> int:
        """Cycles in which the registers of all lanes are written."""
        lanes = min(self.memory.lsu.results // access.size, self.machine.warp_width)
        active = [k for k in range(self.machine.warp_width) if access.lanes >> k & 1]
        return len({lane // lanes for lane in active})

    # Global and local memory.

    def _cached(self, access: Access) -> tuple[int, int]:
        l1, sm, kind = self.memory.l1, access.sm, access.kind
        if access.space == LOCAL:
            kind = LOCAL_LOAD if kind == LOAD else LOCAL_STORE
        requests = self._requests(access)
        least = max(self.memory.lsu.interval, l1.interval) * TICK
        tags = l1.interval * TICK * -(-len(requests) // l1.tags)
        degree, wide = self._passes_of_l1(access, kind), self._results(access)
        service, last, late = max(least, tags, degree * TICK), tags - l1.interval * TICK, 0
        if degree > wide:
            further = (degree - wide) * l1.conflict_interval * TICK
            late = max(last, further) + (wide - 1) * TICK
            last = max(last, further - l1.conflict_interval * TICK)
        if kind in (STORE, LOCAL_STORE):
            further = max(0, len(requests) - l1.tags) * round(l1.store_interval * TICK)
            service, last = max(service, least + further), max(last, further)
        elif kind != REDUCTION:
            service = max(service, wide * TICK)
        arrival = max(access.cycle * TICK, self.blocked[sm])
        begin = self.paths[sm].take(arrival, service)
        time = begin + l1.latency * TICK
        if kind in (LOAD, LOCAL_LOAD):
            done = self._load(sm, kind, requests, time, max(late, service - least))
        elif kind in (STORE, LOCAL_STORE):
            self.lanes_of = Counter(a[0] // l1.line for a in self._bytes(access))
            done = self._store(sm, kind, requests, access.size, time)
        else:
            done = self._atomic(access, requests, time)
        return begin + last, done

    def _times(self, requests, time):
        l1 = self.memory.l1
        for k, (line, sectors) in enumerate(requests.items()):
            yield line, sectors, time + k // l1.tags * l1.interval * TICK

    def _hold_back(self, sm: int, time: int, until: int) -> int:
        if until > time:
            path = until - self.memory.l1.latency * TICK
            self.blocked[sm] = max(self.blocked[sm], path)
        return until

    def _load(self, sm, kind, requests, time, extra):
        done, floor = time + extra, time
        for number, sectors, looked_up in self._times(requests, time):
            floor = max(floor, looked_up)
            line = self.l1[sm].use(number)
            there = [s for s in sectors if line and s in line.due]
            late = [s for s in there if line.due[s] > floor]
            if late:
                done = max(done, *(line.due[s] for s in late))
                go_on = floor
                most = self.memory.l1.merges
                for s in late:
                    if not most or line.waiting[s] < most:
                        line.waiting[s] += 1
                    else:
                        go_on = max(go_on, line.due[s])
                floor = self._hold_back(sm, floor, go_on)
            missing = [s for s in sectors if s not in there]
            if missing:
                go_on = self.l1_tables[sm].wait(floor, len(missing))
                floor = self._hold_back(sm, floor, go_on)
                ready = self._ask_l2(sm, kind, number, missing, floor)
                self.l1_tables[sm].hold(len(missing), ready)
                line = line or self.l1[sm].add(number)[0]
                line.due |= dict.fromkeys(missing, ready)
                line.waiting |= dict.fromkeys(missing, 1)
                done = max(done, ready)
            self._count("l1", kind, len(there) - len(late), len(late), len(missing))
        return done

    def _store(self, sm, kind, requests, size, time):
        done, floor = time, time
        for number, sectors, looked_up in self._times(requests, time):
            floor = max(floor, looked_up)
            go_on = self.l1_tables[sm].wait(floor, len(sectors))
            floor = self._hold_back(sm, floor, go_on)
            words = set().union(*sectors.values())
            if size < 4 and size * self.lanes_of[number] != 4 * len(words):
                words = set()
            ready = self._store_to_l2(sm, kind, number, list(sectors), words, floor)
            self.l1_tables[sm].hold(len(sectors), ready)
            done = max(done, ready)
            line = self.l1[sm].use(number)
            found = sum(s in line.due for s in sectors) if line else 0
            self._count("l1", kind, found, 0, len(sectors) - found)
        return done

    def _atomic(self, access, requests, time):
        sm, kind = access.sm, access.kind
        wanted = sum(map(len, requests.values()))
        further = self.memory.l2.float_interval if access.how == FLOAT_SUM else None
        time = self._hold_back(sm, time, self.l1_tables[sm].wait(time, wanted))
        done, one = time, round(self.memory.l2.atomic_interval * TICK)
        further = round(further * TICK) if further else one
        unit, again = max(4, access.size), Counter()
        for place, lanes in Counter(a // unit for a in self._lanes(access)).items():
            again[place * unit // self.memory.l1.line] += lanes - 1
        for number, sectors, looked_up in self._times(requests, time):
            slice_, place = self._home(sm, number)
            last = self._reach_home(sm, slice_, len(sectors), looked_up)
            line, ready = self._bring_in(kind, slice_, place, number, list(sectors), last)
            turn = len(sectors) * one + again[number] * further - self._busy(len(sectors))
            begin = self.slices[slice_].take(ready, max(0, turn))
            done = max(done, begin + max(0, turn) + self._back(place))
            self._soil(line, sectors)
            self._drop_copies(slice_, number, sectors)
            _drop(self.l1[sm], number, sectors)
        self._count("l1", kind, 0, 0, wanted)
        self.l1_tables[sm].hold(wanted, done)
        return done

    def _count(self, level, kind, hits, merges, misses):
        name = KINDS[kind]
        self.counts[level, name, "hits"] += hits
        self.counts[level, name, "merges"] += merges
        self.counts[level, name, "misses"] += misses

    # L2 and DRAM.

    def _home(self, sm, number):
        """(slice, latency of a hit in it)."""
        l2 = self.memory.l2
        slice_ = fraction_of(number * l2.line // l2.interleave, l2.slices)
        near = self._partition(slice_) == sm % l2.partitions
        return slice_, l2.near_latency if near else l2.far_latency

    def _partition(self, slice_):
        return slice_ * self.memory.l2.partitions // self.memory.l2.slices

    def _out(self, latency):
        return (latency - self.memory.l1.latency) * TICK // 2

    def _back(self, latency):
        return (latency - self.memory.l1.latency) * TICK - self._out(latency)

    def _dram_out(self, latency):
        return (self.memory.dram.latency - latency) * TICK // 2

    def _busy(self, count, partial=0):
        """How long a request of some sectors keeps a slice."""
        l2 = self.memory.l2
        least = max(l2.request_interval, l2.partial_store if partial else 0)
        return max(count * self.l2_service, round(least * TICK))

    def _reach(self, slice_, count, arrival, partial=0):
        """When the last sector of a request has passed its slice, as seen by a hit."""
        begin = self.slices[slice_].take(arrival, self._busy(count, partial))
        return begin + (count - 1) * self.l2_service

    def _reach_home(self, sm, slice_, count, time, partial=0):
        """The same of a store or atomic, by way of the SM's own partition."""
        l2 = self.memory.l2
        arrival, own = time + self._out(l2.near_latency), self._own_slice(sm, slice_)
        if own != slice_:
            arrival = self._reach(own, 1, arrival)
            arrival += self._out(l2.far_latency) - self._out(l2.near_latency)
        return self._reach(slice_, count, arrival, partial)

    def _own_slice(self, sm, slice_):
        """The slice that has a slice's place in the partition of an SM."""
        in_partition = self.memory.l2.slices // self.memory.l2.partitions
        return sm % self.memory.l2.partitions * in_partition + slice_ % in_partition

    def _hold_line(self, partition, number):
        line = self.l2[partition].use(number)
        return (line, None) if line else self.l2[partition].add(number)

    def _drop_copies(self, slice_, number, sectors):
        for partition, cache in enumerate(self.l2):
            if partition != self._partition(slice_):
                _drop(cache, number, sectors)

    def _bring_in(self, kind, slice_, latency, number, sectors, time):
        line, left = self._hold_line(self._partition(slice_), number)
        there = [s for s in sectors if s in line.due]
        late = [s for s in there if line.due[s] > time]
        ready = max([time, *(line.due[s] for s in late)])
        missing = [s for s in sectors if s not in line.due]
        if missing:
            fetched = missing
            if kind in (LOAD, LOCAL_LOAD):
                own = self.memory.l2.fetch // self.sector
                groups = {s // own for s in missing}
                all_ = (s for g in groups for s in range(g * own, (g + 1) * own))
                fetched = [s for s in all_ if s not in line.due]
            filled = self._read(slice_, latency, number, fetched, time)
            self.counts["dram", KINDS[kind], "read"] += len(fetched)
            line.due |= dict.fromkeys(fetched, filled)
            ready = max(ready, filled)
        self._count("l2", kind, len(there) - len(late), len(late), len(missing))
        self._write_back(left, time)
        return line, ready

    def _read(self, slice_, latency, number, sectors, time):
        go_on = self.l2_tables[slice_].wait(time, len(sectors))
        begin = self._transfer(number, sectors, go_on + self._dram_out(latency))
        whole = (self.memory.dram.latency - latency) * TICK
        last = self._moved(sectors) - self.dram_service
        filled = begin + last + whole - self._dram_out(latency)
        self.l2_tables[slice_].hold(len(sectors), filled)
        return filled

    def _moved(self, sectors):
        """Time that a channel takes for some sectors."""
        own = self.memory.dram.burst // self.sector
        return len({s // own for s in sectors}) * own * self.dram_service

    def _place(self, number):
        """(channel, bank in it, block) of a line."""
        rows = self.memory.dram.rows
        block = number * self.memory.l2.line // rows.interleave if rows else number
        channel = fraction_of(block, self.memory.dram.channels)
        bank = (block * GOLDEN % 2**32) * rows.banks >> 32 if rows else 0
        return self.channels[channel], bank, block

    def _transfer(self, number, sectors, time):
        channel, bank, block = self._place(number)
        return channel.read(bank, block, time, self._moved(sectors))

    def _write_back(self, left, time):
        """When the DRAM takes the write-back of a line, if it must be written, else `time`."""
        if left is None or not left.dirty:
            return time
        self.counts["dram", "written"] += len(left.dirty)
        out = self._dram_out(self.memory.l2.near_latency)
        asked, partial = time + out, left.dirty - set(left.due)
        self.counts["l2", "completed"] += len(partial)
        if partial:
            asked = self._transfer(left.number, partial, asked) + self._moved(partial)
        channel, bank, block = self._place(left.number)
        bytes_ = len(left.dirty) * self.sector
        return channel.write(bank, block, asked, self._moved(left.dirty), bytes_) - out

    def _ask_l2(self, sm, kind, number, sectors, time):
        slice_ = self._home(sm, number)[0]
        partition = sm % self.memory.l2.partitions
        near, far = self.memory.l2.near_latency, self.memory.l2.far_latency
        if self._partition(slice_) == partition:
            last = self._reach(slice_, len(sectors), time + self._out(near))
            _, ready = self._bring_in(kind, slice_, near, number, sectors, last)
            return ready + self._back(near)
        own = self._own_slice(sm, slice_)
        seen = self._reach(own, len(sectors), time + self._out(near))
        line, left = self._hold_line(partition, number)
        there = [s for s in sectors if s in line.due]
        late = [s for s in there if line.due[s] > seen]
        ready = max([seen, *(line.due[s] for s in late)])
        missing = [s for s in sectors if s not in line.due]
        if missing:
            arrival = seen + self._out(far) - self._out(near)
            last = self._reach(slice_, len(missing), arrival)
            _, filled = self._bring_in(kind, slice_, far, number, missing, last)
            filled += self._back(far) - self._back(near)
            line.due |= dict.fromkeys(missing, filled)
            ready = max(ready, filled)
            self.counts["far", KINDS[kind], "sectors"] += len(missing)
        self._count("l2", kind, len(there) - len(late), len(late), 0)
        self._write_back(left, seen)
        return ready + self._back(near)

    def _written(self, words):
        """The sectors of a line of which all words are among these."""
        found = Counter(word * 4 % self.memory.l1.line // self.sector for word in words)
        return [s for s, count in found.items() if count == self.sector // 4]

    def _store_to_l2(self, sm, kind, number, sectors, words, time):
        slice_, latency = self._home(sm, number)
        whole = self._written(words)
        last = self._reach_home(sm, slice_, len(sectors), time, len(sectors) - len(whole))
        line, left = self._hold_line(self._partition(slice_), number)
        found = sum(s in line.due or s in line.dirty for s in sectors)
        self._count("l2", kind, found, 0, len(sectors) - found)
        line.written |= words
        for s in self._written(line.written):
            line.due.setdefault(s, 0)
        self._soil(line, sectors)
        self._drop_copies(slice_, number, sectors)
        done = max(last, self._write_back(left, last)) + self._back(latency)
        own = sm % self.memory.l2.partitions
        if whole and own != self._partition(slice_):
            copy, left = self._hold_line(own, number)
            copy.due |= dict.fromkeys(whole, last)
            self._write_back(left, last)
            self.counts["l2", "kept"] += len(whole)
        return done

    def _soil(self, line, sectors):
        self.counts["l2", "dirtied"] += len(set(sectors) - line.dirty)
        line.dirty |= set(sectors)

    # Shared memory and constants.

    def _shared(self, access: Access) -> tuple[int, int]:
        shared, width = self.memory.shared, self.machine.warp_width
        lanes = width // max(1, access.size // 8)
        passes = parts = 0
        for first in range(0, width, lanes):
            own = [a for k, a in enumerate(access.addresses)
                   if access.lanes >> k & 1 and first <= k < first + lanes]  # fmt: skip
            if own:
                words = {b // shared.bank_width for a in own for b in range(a, a + access.size)}
                passes += max(Counter(word % shared.banks for word in words).values())
                bytes_ = {b // 4 for a in own for b in range(a, a + access.size)}
                row = shared.banks * shared.bank_width // 4
                parts += -(-len(bytes_) // row) if access.size > 4 else 1
        self.counts["shared", "conflicts"] += passes - parts
        turns = passes - parts + 1
        delay = shared.conflict_first + (turns - 2) * shared.conflict_further if turns > 1 else 0
        if access.kind >= ATOMIC:
            equal = max(Counter(self._lanes(access)).values())
            passes += equal - 1
            turn = shared.exchange_interval if access.how == EXCHANGE else shared.atomic_interval
            delay += (equal - 1) * turn + (shared.compare_delay if access.how == COMPARE else 0)
        service = max(self.memory.lsu.interval, passes) * TICK
        begin = self.paths[access.sm].take(access.cycle * TICK, service)
        return begin, begin + (shared.latency + delay) * TICK

    def _constant(self, access: Access) -> tuple[int, int]:
        constant = self.memory.constant
        further = (len(set(self._lanes(access))) - 1) * constant.interval
        service = max(self.memory.lsu.interval, constant.interval + further) * TICK
        begin = self.paths[access.sm].take(access.cycle * TICK, service)
        return begin, begin + (constant.latency + further) * TICK
