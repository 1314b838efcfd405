"""The timing of the EPIC core a second time, in plain Python: an oracle for tests.

`simulate_plainly` walks through a program once, packet by packet, and works out cycles, where they
were lost, and all counters, from the machine's description.  It shares with the jitted core only
what is tested elsewhere: the static dispersal of a window (`machines.dispersal.disperse`) and the
actions of the machine interpreter, which give values, addresses and branch outcomes (its private
parts, because it hands out no trace).

The rules, as this model reads them:

1.  A packet is what issues in one cycle: the syllables that dispersal takes from the window.  The
    window holds `bundles_per_cycle` bundles; right after a taken branch (and at the entry) only
    those up to the end of the aligned block of `fetch_bytes` that the target stands in.
2.  A packet needs its lines of code.  The line used last is still at hand; any other is asked of
    the L1I when the packet is due, after flush and bubble.  Every fetch takes the L1I's latency, so
    only what exceeds it delays.
3.  A packet waits as a whole for the registers of its syllables.  A guard is always waited for,
    the rest of a syllable only if its guard is true, or unknown since the packet computes it.
4.  A value is there for a use when as many cycles have gone by since its producer issued as the
    latency of the producer's class towards that use.  A loaded value counts as if its load had
    issued as much later as its data came later than from the nearest cache that holds such data.
    A write waits until it cannot finish before the last write of that register.
5.  A lost cycle belongs to the first cause of `stall_order` that is unmet in it.
6.  A wrong prediction holds the next packet `mispredict` cycles, a taken branch foreseen
    `taken_bubble`, a full queue until it has room.  A syllable of the same packet that accesses
    memory after the one that met the full queue does so when the queue has room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from compiler.targets.epic import interpret as functional
from machines.dispersal import bundle_views, disperse
from machines.instructions import operations
from machines.instructions.ia64_control import EXIT_ADDRESS
from machines.instructions.ia64_operands import BRANCH_HINTS
from machines.isa import Label, Operation, RegisterKind
from machines.kinds.epic import Cache, Epic
from machines.layout import Memory, MemoryFault
from machines.program import (
    BUNDLE_BYTES,
    CODE_BASE,
    CONTINUATION,
    FIRST_OPERAND,
    GUARD,
    OPERATION,
    Program,
)

# ---------------------------------------------------------------------------------- the caches


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

    def __init__(self, name: str, cache: Cache, following: Level | MainMemory):
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
            data = walk.come + walk.extra * cache.fp_extra
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
        self.l1i = Level("L1I", memory.l1i, self.l2)
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


# -------------------------------------------------------------------------- branch prediction


class Predictor:
    """Branch prediction.

    A branch with a dynamic hint has a history of its last outcomes in a table indexed by syllable
    number; branch and history together choose a two-bit counter, which begins at the weak side of
    the hint.  A branch with a static hint follows it.  Unconditional branches are always taken.
    Targets: direct ones are known; a return goes where the return stack says, which knows the
    caller of the program; other indirect branches go where they went last.
    """

    def __init__(self, machine: Epic):
        self.of = machine.branches.predictor
        self.history: Counter[int] = Counter()
        self.strength: dict[int, int] = {}
        self.targets: dict[int, int] = {}
        self.returns: dict[int, int] = {0: EXIT_ADDRESS}
        self.depth = 1
        self.counts: Counter[str] = Counter()

    def foresees(self, step: Step, row: Operation, hint: str) -> bool:
        """Whether a branch goes as predicted; learns from it."""
        self.counts["ALL_PRED"] += 1
        counted = "ar.lc" in row.implicit_reads
        if counted and self.of.perfect_counted_loops:
            return True
        right_path = True
        if counted or step.is_guarded:
            right_path = self.direction(step.syllable, hint, step.taken) == step.taken
        right_target = not step.taken or self.target_is_right(step, row)
        if not right_path:
            self.counts["WRONG_PATH"] += 1
        elif not right_target:
            self.counts["WRONG_TARGET"] += 1
        return right_path and right_target

    def direction(self, syllable: int, hint: str, taken: bool) -> bool:
        """The predicted direction."""
        hinted = hint.endswith("tk")
        if hint.startswith("s") or self.of.kind == "static":
            return hinted
        entry = syllable % self.of.entries
        bits = self.of.history_bits
        past = self.history[entry]
        counter = ((entry << bits) + past) % self.of.counters
        strength = self.strength.get(counter, 2 if hinted else 1)
        self.strength[counter] = min(3, strength + 1) if taken else max(0, strength - 1)
        self.history[entry] = (2 * past + taken) % (1 << bits)
        return strength >= 2

    def target_is_right(self, step: Step, row: Operation) -> bool:
        """Whether a taken branch goes where it was thought to go."""
        size = self.of.return_stack
        if row.control == "call" and size:
            self.returns[self.depth % size] = CODE_BASE + BUNDLE_BYTES * (step.syllable // 3 + 1)
            self.depth += 1
        if any(isinstance(operand.kind, Label) for operand in row.operands):
            return True
        entry = step.syllable % self.of.entries
        foreseen = self.targets.get(entry, 0)
        if row.control == "return" and size and self.depth:
            self.depth -= 1
            foreseen = self.returns.get(self.depth % size, 0)
        self.targets[entry] = step.target
        return foreseen == step.target


# ------------------------------------------------------------------------------- what executes


def is_floating(row: Operation) -> bool:
    """True for an access whose data is in a floating register."""
    kinds = (operand.kind for operand in row.operands)
    return any(isinstance(kind, RegisterKind) and kind.name == "fr" for kind in kinds)


@dataclass(frozen=True)
class Use:
    """A register that a syllable reads for a use, or writes as a class (then `use` is None)."""

    register: tuple[str, int]
    use: str | None = None
    produces: str | None = None


@dataclass
class Syllable:
    """A syllable of the program, with what the timing needs to know of it."""

    row: Operation
    guard: int
    operands: list[int]
    guard_reads: list[Use] = field(default_factory=list)
    reads: list[Use] = field(default_factory=list)
    writes: list[Use] = field(default_factory=list)

    @property
    def hint(self) -> str:
        """The prediction hint of a branch."""
        for operand, value in zip(self.row.operands, self.operands, strict=False):
            if operand.name == "hint":
                return BRANCH_HINTS[value]
        return "sptk"

    @property
    def address_register(self) -> int:
        names = [operand.name for operand in self.row.operands]
        return self.operands[names.index(self.row.access.address)]


def resource_uses(name: str, **how) -> list[Use]:
    """A resource without an operand: an application register, all predicates, or the ip."""
    if name == "pr":
        return [Use(("pr", number), **how) for number in range(1, 64)]
    return [Use((name, 0), **how)] if name.startswith("ar.") else []


def read_syllable(row: Operation, code: list[int], machine: Epic) -> Syllable:
    """What a syllable reads and writes; registers that hold constants are no one's to wait for."""
    syllable = Syllable(row, code[GUARD], code[FIRST_OPERAND:])
    if syllable.guard:
        use = "branch" if row.control else "predicate"
        syllable.guard_reads.append(Use(("pr", syllable.guard), use))
    for operand, number in zip(row.operands, syllable.operands, strict=False):
        if not isinstance(operand.kind, RegisterKind):
            continue
        register = (operand.kind.name, number)
        if number in fixed_registers(machine, operand.kind.name):
            continue
        if operand.is_read:
            syllable.reads.append(Use(register, operand.use))
        if operand.is_written:
            produces = operand.produces or row.scheduling_class
            syllable.writes.append(Use(register, produces=produces))
    for name in row.implicit_reads:
        use = "predicate" if name == "pr" else "application"
        syllable.reads += resource_uses(name, use=use)
    for name in row.implicit_writes:
        syllable.writes += resource_uses(name, produces=row.scheduling_class)
    return syllable


def fixed_registers(machine: Epic, kind: str) -> Mapping[int, float]:
    """Registers of a file ('gr', 'fr', 'pr', 'br') that never change."""
    names = {"gr": "general", "fr": "floating", "pr": "predicate", "br": "branch"}
    return machine.registers[names[kind]].fixed


def read_program(program: Program, machine: Epic) -> list[Syllable | None]:
    """All syllables; None for the second half of a long instruction."""
    rows = [operations()[machine.instructions, name] for name in program.operations]
    return [
        None
        if code[OPERATION] == CONTINUATION
        else read_syllable(rows[code[OPERATION]], code, machine)
        for code in program.code.tolist()
    ]


@dataclass(frozen=True)
class Step:
    """What one syllable did.

    executes   its guard was true
    address    of its memory access, if any; `mapped` is False for a prefetch of no buffer
    taken      a branch was taken, to code address `target`
    faulted    it faulted, so nothing of it happened
    """

    syllable: int
    is_guarded: bool
    executes: bool
    address: int | None = None
    mapped: bool = True
    taken: bool = False
    target: int = 0
    faulted: bool = False


class Execution:
    """The program's values: executes syllables in order, with the interpreter's actions."""

    def __init__(self, program: Program, memory: Memory, arguments: Mapping, syllables):
        self.memory, self.syllables = memory, syllables
        self.state = functional._State(memory, program.bundles)
        functional._pass_arguments(program, self.state, arguments)
        self.actions = functional._actions(program, self.state)

    def guard_is_true(self, syllable: int) -> bool:
        return bool(self.state.pr[self.syllables[syllable].guard])

    def step(self, place: int) -> Step:
        """Execute one syllable."""
        guard, action, squashed = self.actions[place]
        if not self.state.pr[guard]:
            if squashed is not None:
                squashed()
            return Step(place, bool(guard), executes=False)
        syllable = self.syllables[place]
        address, mapped = None, True
        if syllable.row.access:
            address = self.state.gr[syllable.address_register]
            mapped = self.is_mapped(address)
        taken, target = False, 0
        try:
            bundle = action() if action is not None else None
        except MemoryFault:
            return Step(place, bool(guard), executes=False, faulted=True)
        except functional._Stop as stop:
            if stop.kind is not None:
                return Step(place, bool(guard), executes=False, faulted=True)
            taken, target = True, EXIT_ADDRESS
        else:
            if bundle is not None:
                taken, target = True, CODE_BASE + BUNDLE_BYTES * bundle
        return Step(place, bool(guard), True, address, mapped, taken, target)

    def is_mapped(self, address: int) -> bool:
        try:
            self.memory.check(address, 1)
        except MemoryFault:
            return False
        return True


# ------------------------------------------------------------------------------------ the core


@dataclass
class Reference:
    """What the plain model found: see `sim.engine.Outcome`."""

    status: str
    cycles: int
    issuing: int
    lost: dict[str, int]
    counters: dict[str, int]


class Core:
    """The walk through time."""

    def __init__(self, program: Program, machine: Epic, memory: Memory, arguments: Mapping):
        self.machine, self.program = machine, program
        self.syllables = read_program(program, machine)
        self.execution = Execution(program, memory, arguments, self.syllables)
        self.views = bundle_views(program, machine)
        self.caches, self.predictor = Caches(machine), Predictor(machine)
        self.producers: dict[tuple[str, int], tuple[int, str]] = {}
        self.cycle, self.line_at_hand = 0, None
        self.held = dict.fromkeys(machine.stall_order, 0)
        self.lost = dict.fromkeys(machine.stall_order, 0)
        self.counts: Counter[str] = Counter()
        self.status = "running"

    def run(self, cycle_limit: int) -> Reference:
        place, available = self.arrive(self.program.entry)
        while self.status == "running" and self.cycle < cycle_limit:
            place, available = self.packet(place, available)
        return Reference(
            self.status, self.cycle, self.counts["ISSUE_CYCLES"], self.lost, self.counters()
        )

    def arrive(self, bundle: int) -> tuple[int, int]:
        """Where the pipe goes on after a branch, and how many bundles it finds there."""
        block = self.machine.branches.fetch_bytes // BUNDLE_BYTES
        return 3 * bundle, min(self.machine.dispersal.bundles_per_cycle, block - bundle % block)

    def packet(self, place: int, available: int) -> tuple[int, int]:
        """Issue the packet that begins at a syllable; returns where the next one begins."""
        bundle, slot = divmod(place, 3)
        dispersed = disperse(self.machine, self.views[bundle : bundle + available], slot)
        places = range(place, place + dispersed.count)
        self.fetch(places)
        self.wait(places)
        self.counts["ISSUE_CYCLES"] += 1
        self.counts["INST_DISPERSED"] += sum(self.syllables[k] is not None for k in places)
        if dispersed.end.startswith("split:"):
            rule = dispersed.end.removeprefix("split:").upper().replace(" ", "_")
            self.counts["SPLIT_ISSUES"] += 1
            self.counts[f"SPLIT_ISSUES.{rule}"] += 1
        following = places.stop, self.machine.dispersal.bundles_per_cycle
        for k in places:
            if self.syllables[k] is None:
                continue
            step = self.execution.step(k)
            if step.faulted:
                self.status = "fault"
                break
            self.account(step)
            if step.taken:
                if step.target == EXIT_ADDRESS:
                    self.status = "done"
                else:
                    following = self.arrive((step.target - CODE_BASE) // BUNDLE_BYTES)
                break
        self.cycle += 1
        return following

    def fetch(self, places: range) -> None:
        """Ask for the lines of code of a packet (rule 2)."""
        due = max(self.cycle, self.held["branch_flush"], self.held["taken_branch"])
        l1i = self.caches.l1i
        first, last = (
            (CODE_BASE + BUNDLE_BYTES * (k // 3)) // l1i.cache.line for k in (places[0], places[-1])
        )
        for line in range(first, last + 1):
            if line != self.line_at_hand:
                come, _ = l1i.access(line * l1i.cache.line, due, writing=False)
                ready = come - l1i.cache.latency
                if ready > due:
                    self.held["instruction_miss"] = max(self.held["instruction_miss"], ready)
        self.line_at_hand = last

    def wait(self, places: range) -> None:
        """Let cycles go by until the packet may issue, each charged to one cause (rule 5)."""
        until = dict(self.held)
        computed: set[tuple[str, int]] = set()
        for k in places:
            syllable = self.syllables[k]
            if syllable is None:
                continue
            needs = list(syllable.guard_reads)
            if ("pr", syllable.guard) in computed or self.execution.guard_is_true(k):
                needs += syllable.reads + syllable.writes
            for need in needs:
                if need.register in self.producers:
                    ready, cause = self.usable(need)
                    until[cause] = max(until[cause], ready)
            computed.update(write.register for write in syllable.writes)
        while cause := next((c for c in self.lost if until[c] > self.cycle), None):
            self.lost[cause] += 1
            self.cycle += 1

    def usable(self, need: Use) -> tuple[int, str]:
        """From which cycle on a register may be used, and the cause of waiting for it (rule 4)."""
        issued, name = self.producers[need.register]
        machine, wait = self.machine, self.machine.latencies[name].wait
        if need.use is not None:
            return issued + machine.latency(name, need.use), wait
        return issued + machine.latency(name) - machine.latency(need.produces), wait

    def account(self, step: Step) -> None:
        """What a syllable that issues in this cycle counts as and causes."""
        syllable = self.syllables[step.syllable]
        row = syllable.row
        self.counts["IA64_INST_RETIRED"] += 1
        if step.executes:
            self.count_retired(syllable)
            come = self.cycle
            if row.access:
                come = self.access_memory(step, syllable)
            for write in syllable.writes:
                issued = self.cycle
                if row.access and write.produces == row.scheduling_class:
                    issued = come - self.hit_latency(row)
                self.producers[write.register] = (issued, write.produces)
        else:
            self.counts["PREDICATE_SQUASHED_RETIRED"] += 1
            if "unconditional" in row.flags:  # it clears its predicates all the same
                for write in syllable.writes:
                    self.producers[write.register] = (self.cycle, write.produces)
        if row.control:
            branches = self.machine.branches
            if not self.predictor.foresees(step, row, syllable.hint):
                self.held["branch_flush"] = self.cycle + 1 + branches.mispredict
            elif step.taken:
                self.held["taken_branch"] = self.cycle + 1 + branches.taken_bubble

    def hit_latency(self, row: Operation) -> int:
        """Cycles a load takes when it hits the cache at which it enters."""
        cache = self.caches.level_of(row).cache
        return cache.latency + is_floating(row) * cache.fp_extra

    def access_memory(self, step: Step, syllable: Syllable) -> int:
        """Make a memory access; the cycle at which a load has its data."""
        kind = syllable.row.access.kind
        if kind == "prefetch" and not step.mapped:
            self.counts["PREFETCHES_DROPPED"] += 1
            return self.cycle
        level = self.caches.level_of(syllable.row)
        extra = int(kind == "load" and is_floating(syllable.row))
        come = self.cycle
        for request in {"load_store": ("load", "store")}.get(kind, (kind,)):
            begin = max(come, self.held["queue_full"])  # a semaphore stores when it has loaded
            data, full = level.access(step.address, begin, request == "store", extra)
            if request == "load":
                come = data
            self.held["queue_full"] = max(self.held["queue_full"], full)
        return come

    # ------------------------------------------------------------------------------- counters

    def count_retired(self, syllable: Syllable) -> None:
        """Count a syllable whose guard was true."""
        row, counts = syllable.row, self.counts
        if "nop" in row.flags:
            counts["NOPS_RETIRED"] += 1
            counts[f"NOPS_RETIRED.{row.name[-1].upper()}"] += 1
        else:
            counts["USEFUL_INST_RETIRED"] += 1
        if row.access:
            counts["LOADS_RETIRED"] += row.access.kind in ("load", "load_store")
            counts["STORES_RETIRED"] += row.access.kind in ("store", "load_store")
        if row.scheduling_class == "fp_arithmetic":
            _, factor, other, addend = syllable.operands[:4]
            counts["FP_OPS_RETIRED"] += (factor != 1 and other != 1) + (addend != 0)

    def counters(self) -> dict[str, int]:
        """All counters by name; those that never moved are there as 0 (see `differences`)."""
        found = dict(self.counts)
        found["CPU_CYCLES"] = self.cycle
        for name, value in self.predictor.counts.items():
            found[f"BR_MISPRED_DETAIL.{name}"] = value
        events: Counter[str] = Counter()
        for cause, event in self.machine.stall_order.items():
            events[event] += self.lost[cause]
        found |= events
        load, other = "BE_EXE_BUBBLE.GRALL-GRGR", "BE_EXE_BUBBLE.GRGR"
        found["BE_EXE_BUBBLE.GRALL"] = events[load] + events[other]
        for total, part in (
            ("BE_EXE_BUBBLE.ALL", "BE_EXE_"),
            ("BE_L1D_FPU_BUBBLE.ALL", "BE_L1D_"),
            ("BE_FLUSH_BUBBLE.ALL", "BE_FLUSH_"),
            ("BACK_END_BUBBLE.FE", "FE_"),
            ("BACK_END_BUBBLE.ALL", ""),
        ):
            found[total] = sum(n for event, n in events.items() if event.startswith(part))
        for level in self.caches.levels:
            found |= {f"{level.name}_{name}": value for name, value in level.counts.items()}
        found["BUS_BYTES_READ"] = self.caches.main.read * self.caches.main.line
        found["BUS_BYTES_WRITTEN"] = self.caches.main.written * self.caches.main.line
        return found


def simulate_plainly(
    program: Program,
    machine: Epic,
    memory: Memory,
    arguments: Mapping[str, int | float],
    cycle_limit: int = 10**9,
) -> Reference:
    """Run a program on `memory`, which it changes; `arguments` as the interpreter takes them."""
    return Core(program, machine, memory, arguments).run(cycle_limit)


def differences(reference: Reference, outcome) -> dict[str, tuple[object, object]]:
    """What differs between the plain model and the core: name -> (plain, core)."""
    pairs: dict[str, tuple[object, object]] = {
        "status": (reference.status, outcome.status),
        "cycles": (reference.cycles, outcome.cycles),
        "issuing": (reference.issuing, outcome.issuing),
    }
    for cause in reference.lost:
        pairs[f"lost to {cause}"] = (reference.lost[cause], outcome.lost[cause])
    for name in sorted(reference.counters.keys() | outcome.counters.keys()):
        pairs[name] = (reference.counters.get(name, 0), outcome.counters.get(name, 0))
    return {name: (a, b) for name, (a, b) in pairs.items() if a != b}
