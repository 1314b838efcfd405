"""Stall counts and dependence counters, for machines that go by control bits.

    ld.global.b32 r0, [d2+0]      stall 2 sets 0           (it takes as long as it takes)
    mul.lo.s32 r1, r4, r5         stall 4
    add.s32 r1, r1, r0            stall 1 wait 0           (4 cycles behind the mul, and r0 is here)

The hardware does not check what has a fixed latency: the rows in front of a reader hold it back by
their stalls.  What takes a time of its own counts a counter up when it issues and down when it is
done, and who needs it waits for 0.  One counter is for sources that are read late, the others for
results.  Within a block cycles are counted; what is on its way where blocks meet is the worst of
all ways there.  (Fields and rules: Huerta and others, *Analyzing Modern NVIDIA GPU cores*, 2025.)
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.ir.module import Function
from compiler.targets.simt.emit import CONTROL, Layout, Row, lay_out
from compiler.targets.simt.registers.operands import halves, reads, writes
from machines.kinds.simt.classes import comes_as_guard
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import NO_COUNTER

MOST_STALL = 15
RESULT_COUNTERS = 5
SOURCE_COUNTER = 5
"""The last of six counters."""
BEHIND_COUNTER = 2
"""Cycles until a counter that an instruction sets is seen to be set."""
LONGEST_WITHOUT_YIELD = 11
"""A longer stall is cut short by the hardware unless the yield bit stands with it."""
ROUNDS = 10_000


@dataclass(slots=True)
class _Needs:
    """What a row does with registers, each of 32 bits or a predicate.

    guards   predicates that decide whether it runs or where it goes
    """

    reads: list[str]
    guards: list[str]
    writes: list[str]
    scheduling_class: str


@dataclass(slots=True)
class _State:
    """What is on its way.

    ages              (register, class that writes it) -> cycles since that issued, of fixed
                      latencies
    results, sources  register -> counters to wait for before it is read or written; written
    """

    ages: dict[tuple[str, str], int] = field(default_factory=dict)
    results: dict[str, int] = field(default_factory=dict)
    sources: dict[str, int] = field(default_factory=dict)

    def copy(self) -> _State:
        return _State(dict(self.ages), dict(self.results), dict(self.sources))

    def join(self, other: _State) -> bool:
        """Take in what is on its way on another path; whether that is more."""
        grown = False
        for key, age in other.ages.items():
            if age < self.ages.get(key, MOST_STALL + 1):
                self.ages[key], grown = age, True
        for mine, its in ((self.results, other.results), (self.sources, other.sources)):
            for register, mask in its.items():
                if mask & ~mine.get(register, 0):
                    mine[register], grown = mine.get(register, 0) | mask, True
        return grown

    def wait(self, mask: int) -> None:
        """All of these counters are 0."""
        for pending in (self.results, self.sources):
            for register in [r for r, m in pending.items() if m & mask]:
                pending[register] &= ~mask
                if not pending[register]:
                    del pending[register]


def set_control_bits(function: Function, description: Simt) -> int:
    """Give every row of a function with registers its control bits; returns how many rows wait for
    counters."""
    return _Setter(function, description).run()


class _Setter:
    def __init__(self, function: Function, description: Simt):
        self.function, self.description = function, description
        self.layout: Layout = lay_out(function)
        self.needs = [_needs(row) for row in self.layout.rows]
        classes = dict.fromkeys(needs.scheduling_class for needs in self.needs)
        self.worst = {name: self._find_worst(name) for name in classes}
        self.counters = [self._counter_kind(n.scheduling_class) for n in self.needs]
        self.pieces = self._pieces()
        self.assigned = self._assign_counters()
        rows = len(self.layout.rows)
        self.stalls, self.masks = [1] * rows, [0] * rows
        self.entry: dict[str, _State] = {}

    def run(self) -> int:
        self._flow()
        for number, row in enumerate(self.layout.rows):
            row.instruction.attributes.setdefault(CONTROL, {})[row.part] = self._bits(number)
        return sum(1 for mask in self.masks if mask)

    def _bits(self, number: int) -> tuple[int, ...]:
        stall = self.stalls[number]
        result = self.assigned[number]
        source = SOURCE_COUNTER if self._reads_late(number) else NO_COUNTER
        return (
            stall,
            int(stall > LONGEST_WITHOUT_YIELD),
            NO_COUNTER if result is None else result,
            source,
            self.masks[number],
        )

    # ── figures ──────────────────────────────────────────────────────────────────────────────

    def _counter_kind(self, name: str) -> bool:
        """Whether what a class writes is waited for by a counter."""
        described = self.description.classes[name]
        return (
            described.result != "fixed"
            or described.latency is None
            or (self.worst[name] > MOST_STALL)
        )

    def _find_worst(self, name: str) -> int:
        """Cycles until any reader of a fixed result may issue."""
        distance = self.description.distance
        readers = (distance(name, reader) for reader in self.description.classes)
        return max(distance(name, guard=True), *readers)

    def _latency(self, name: str) -> int:
        return self.description.classes[name].latency or 0

    def _reads_late(self, number: int) -> bool:
        needs = self.needs[number]
        described = self.description.classes[needs.scheduling_class]
        return described.read > 0 and bool(needs.reads or needs.guards)

    # ── where rows and counters are ──────────────────────────────────────────────────────────

    def _pieces(self) -> dict[str, range]:
        """The rows of each block."""
        heads = [*self.layout.heads.values(), len(self.layout.rows)]
        return {
            name: range(first, end)
            for name, first, end in zip(self.layout.heads, heads, heads[1:], strict=False)
        }

    def _assign_counters(self) -> list[int | None]:
        """A counter for each row that needs one: one that nobody waits for any more in the order
        of the rows, else the one taken longest ago."""
        pending: dict[int, set[str]] = {k: set() for k in range(RESULT_COUNTERS)}
        assigned: list[int | None] = []
        for needs, wants in zip(self.needs, self.counters, strict=True):
            touched = {*needs.reads, *needs.guards, *needs.writes}
            for registers in pending.values():
                if registers & touched:
                    registers.clear()
            if not wants or not needs.writes:
                assigned.append(None)
                continue
            free = [k for k, registers in pending.items() if not registers]
            chosen = free[0] if free else next(iter(pending))
            pending[chosen] = pending.pop(chosen) | set(needs.writes)  # now the last
            assigned.append(chosen)
        return assigned

    # ── from block to block ──────────────────────────────────────────────────────────────────

    def _flow(self) -> None:
        """Repeat until no more is on its way anywhere.

        A longer stall somewhere may shorten what is left elsewhere; what was once on its way stays
        counted, so this ends and errs on the safe side.
        """
        names = list(self.function.blocks)
        self.entry = {name: _State() for name in names}
        pending = dict.fromkeys(names)
        for _ in range(ROUNDS * len(names)):
            if not pending:
                return
            name = next(iter(pending))
            del pending[name]
            after = self._block(name)
            for target in self.function.blocks[name].successors:
                if self.entry[target].join(after):
                    pending[target] = None
        raise AssertionError("control bits do not settle")

    def _block(self, name: str) -> _State:
        """Set waits and stalls of a block's rows; what is on its way behind it."""
        state, rows = self.entry[name].copy(), self.pieces[name]
        for position, number in enumerate(rows):
            mask = self._mask(state, number)
            self.masks[number] = mask
            state.wait(mask)
            if position:
                before = number - 1
                stall = self._short_of(state, number)
                if mask and self._sets_counter(before):
                    stall = max(stall, BEHIND_COUNTER)
                self.stalls[before] = stall
                self._pass(state, stall)
            self._issue(state, number)
        if rows:
            last = rows[-1]
            self.stalls[last] = self._wanted_behind(name, state)
            if self._sets_counter(last):
                self.stalls[last] = max(self.stalls[last], BEHIND_COUNTER)
            self._pass(state, self.stalls[last])
        return state

    def _sets_counter(self, number: int) -> bool:
        return self.assigned[number] is not None or self._reads_late(number)

    def _mask(self, state: _State, number: int) -> int:
        """The counters that a row has to wait for."""
        needs, mask = self.needs[number], 0
        for register in (*needs.reads, *needs.guards, *needs.writes):
            mask |= state.results.get(register, 0)
        for register in needs.writes:
            mask |= state.sources.get(register, 0)
        return mask

    def _short_of(self, state: _State, number: int) -> int:
        """Cycles until the fixed latencies that a row depends on are over.

        A result must also not be overtaken by one that is written sooner.
        """
        needs, distance = self.needs[number], self.description.distance
        own = needs.scheduling_class
        wanted = 1
        for (register, producer), age in state.ages.items():
            if register in needs.reads:
                wanted = max(wanted, distance(producer, own) - age)
            if register in needs.guards:
                wanted = max(wanted, distance(producer, guard=True) - age)
            if register in needs.writes:
                sooner = self._latency(producer) - self._latency(own)
                wanted = max(wanted, sooner - age + 1)
        return min(MOST_STALL, wanted)

    def _wanted_behind(self, name: str, state: _State) -> int:
        """The stall that the first rows of the blocks behind this one need of its last."""
        wanted, seen = 1, set()
        pending = list(self.function.blocks[name].successors)
        while pending:
            target = pending.pop()
            if target in seen:
                continue
            seen.add(target)
            if self.pieces[target]:
                wanted = max(wanted, self._short_of(state, self.pieces[target][0]))
            else:
                pending += self.function.blocks[target].successors
        return wanted

    def _issue(self, state: _State, number: int) -> None:
        """What a row sets out to do."""
        needs = self.needs[number]
        if self._reads_late(number):
            for register in (*needs.reads, *needs.guards):
                state.sources[register] = state.sources.get(register, 0) | 1 << SOURCE_COUNTER
        counter = self.assigned[number]
        for register in needs.writes:
            for key in [key for key in state.ages if key[0] == register]:
                del state.ages[key]
            if counter is None:
                state.ages[register, needs.scheduling_class] = 0
            else:
                state.results[register] = 1 << counter

    def _pass(self, state: _State, cycles: int) -> None:
        """Time goes by; what every reader may have by then is no longer on its way."""
        state.ages = {
            (register, producer): age + cycles
            for (register, producer), age in state.ages.items()
            if age + cycles < self.worst[producer]
        }


def _needs(row: Row) -> _Needs:
    """The registers of a row as they are encoded: of a branch its guard alone."""
    found = _Needs([], [], [], row.operation.scheduling_class)
    if row.guard is not None:
        found.guards.append(row.guard.name)
    if row.target is not None:
        return found
    for name, lane in reads(row.instruction):
        if comes_as_guard(row.operation, lane):
            found.guards.append(name)
        elif row.guard is None or name != row.guard.name:
            found.reads += halves(name)
    for name, _ in writes(row.instruction):
        found.writes += halves(name)
    return found
