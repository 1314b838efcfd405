"""Which definitions reach a use of memory, by the rules of the patent to the letter: 'seed'.

    1  fill a[0:32]            a[0,31]: {1} kill {}
    2  fill a[0:16]            a[0,31]: {1} kill {[0,15]}    a[0,15]: {2} kill {}
    3  fill a[16:32]           a[0,15]: {2} kill {}          a[16,31]: {3} kill {}
    4  fill a[16:n]            a[0,15]: {2} is_kill …        a[16,31]: {3} is_kill, a[16,n]: {4}
    5  sum a[16:32]   uses 3: the kill set is empty, so 4 is not looked for and missed

A record is a list of defining instructions with one kill set and the flag `is_kill`, which says
that an unknown part was overwritten.  Figures 4 (uses; 5 is its variant 'fast'), 6, 7 and 8
(definitions) of the Chinese patent application "Method for computing data dependence in a program
and computer-readable storage medium", 2021.  `compiler.analyses.memory.sound_rules` misses none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import NamedTuple

from compiler.analyses.control_flow import control_flow
from compiler.analyses.dominators import dominators
from compiler.analyses.jitted import Integers, Kernel
from compiler.analyses.memory import kill_sets, member_sets, relations, seed_states, seed_versions
from compiler.analyses.memory.block_numbers import BlockNumbers, partners
from compiler.analyses.memory.descriptors import LOAD, Access, MemoryAccesses, MemoryDescriptor
from compiler.analyses.memory.interval_index import IntervalIndex
from compiler.analyses.memory.intervals import NONE, Intervals, covers, intersected, meets, united
from compiler.analyses.memory.persistent_table import Table, Tables
from compiler.analyses.memory.relations import inverse
from compiler.ir.module import Function
from machines.diagnostics import InputError, input_error

ROUNDS_PER_BLOCK = 8
"""Records that have not settled after so many rounds for every block never will."""


SEED = Kernel(
    "seed",
    seed_states.seed,
    10_000,
    (kill_sets, member_sets, relations, seed_versions),
)
"""Compiled for so many accesses."""


class SeedRecord(NamedTuple):
    """What is known of a descriptor at a point.

    definitions  numbers of accesses, in layout order
    kill         what exact definitions overwrote, on the line of all variables
    is_kill      whether an inexact one overwrote some of it
    """

    definitions: tuple[int, ...]
    kill: Intervals = NONE
    is_kill: bool = False


class SeedRules:
    """States are tables of records by descriptor; the state before anything is defined is None."""

    def __init__(
        self,
        function: Function,
        memory: MemoryAccesses,
        blocks: BlockNumbers,
        *,
        fast: bool,
        all_candidates: bool,
    ):
        self.function, self.memory, self.blocks = function, memory, blocks
        self.descriptors = memory.descriptors
        self.fast, self.all_candidates = fast, all_candidates
        self.tables = Tables(len(memory.descriptors))
        self.overlaps = _Overlaps(memory.descriptors)
        self._uncovered: dict[str, tuple[int, ...]] = {}

    def dependences(self) -> tuple[Integers, Integers, Integers, Integers, int]:
        """The stores of every load and the loads of every store, as `relations` of accesses, and
        the rounds until no record changed.

        Raises InputError if that never ends.
        """
        return self.by_versions() if self.blocks.is_reverse_postorder else self.by_states()

    def by_versions(self) -> tuple[Integers, Integers, Integers, Integers, int]:
        """In reverse post-order: only where records change."""
        order, names, tree = self.blocks.order, self.memory.names, dominators(self.function)
        number = {name: position for position, name in enumerate(order)}
        *found, rounds = SEED(
            len(self.memory),
            int(self.fast),
            int(self.all_candidates),
            self._most_rounds,
            self.memory.kinds,
            self.memory.named,
            [-1 if must is None else must for _, must, _ in names],
            *self._reads_and_writes(),
            [one.start for one in self.descriptors],
            [one.end + 1 for one in self.descriptors],
            [int(one.exact) for one in self.descriptors],
            self.blocks.begins,
            self.blocks.ends,
            self.blocks.next_first,
            self.blocks.nexts,
            [number[tree.parent.get(name, name)] for name in order],
            *partners([number[other] for other in tree.frontier[name]] for name in order),
        )
        if rounds[0] < 0:
            raise self._never_settles()
        return *found, int(rounds[0])

    def _reads_and_writes(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """Of every name the descriptors for whose records a use may ask and which a definition may
        change, as relations: its own first, and no others but those that are ever defined."""
        names = self.memory.names
        pairs = zip(self.memory.kinds, self.memory.named, strict=True)
        stored = {name for kind, name in pairs if kind != LOAD}
        defined = {one for name in stored for one in names[name][2]}
        reads, writes = [], []
        for name, (text, must, candidates) in enumerate(names):
            if must is None:
                reads.append([one for one in candidates if one in defined])
                every = self.all_candidates or name not in stored
                writes.append(candidates if every else self._not_covered(text, candidates))
            else:
                reads.append([must, *(one for one in self.overlaps.of(must) if one in defined)])
                writes.append(reads[-1])
        return *partners(reads), *partners(writes)

    def by_states(self) -> tuple[list[int], list[int], list[int], list[int], int]:
        """In any order, by going over all blocks."""
        heads, rounds = self.settle()
        found: list[Sequence[int]] = [()] * len(self.memory)
        for access, state in self._walk(heads):
            if access.kind == "load":
                found[access.number] = self.reaching(state, access)
        first, stores = partners(found)
        return first, stores, *inverse(len(found), first, stores), rounds

    def states(self) -> Iterator[tuple[int, Table]]:
        """The state behind every access of a reached block, in layout order."""
        for access, state in self._walk(self.settle()[0]):
            yield access.number, state

    def _walk(self, heads: dict[str, Table]) -> Iterator[tuple[Access, Table]]:
        for block, accesses in self.memory.of_block.items():
            if block in heads:
                state = heads[block]
                for access in accesses:
                    if access.kind == "store":
                        state = self.define(state, access)
                    yield access, state

    def settle(self) -> tuple[dict[str, Table], int]:
        """The state at the head of every block, and the rounds until none changed.

        It begins with what comes out of the immediate dominator.  In a round a block is visited if
        anything has changed behind one of its predecessors.  Raises InputError if that never ends,
        as may happen where what only the beginning knew goes round and round in a loop.
        """
        function, order = self.function, self.blocks.order
        flow, above = control_flow(function), dominators(function).parent
        heads: dict[str, Table] = {}
        ends: dict[str, Table] = {}
        for name in flow.reverse_postorder:
            heads[name] = ends[above[name]] if name in above else None
            ends[name] = self._after(name, heads[name])
        rounds, waiting = 0, set(order)
        while waiting:
            rounds += 1
            if rounds > self._most_rounds:
                raise self._never_settles()
            for name in order:
                if name in waiting:
                    waiting.remove(name)
                    state = self._join(ends[p] for p in flow.predecessors[name] if p in ends)
                    if state != heads[name]:
                        heads[name], ends[name] = state, self._after(name, state)
                        waiting.update(flow.successors[name])
        return heads, rounds

    @property
    def _most_rounds(self) -> int:
        return ROUNDS_PER_BLOCK * (len(self.blocks.order) + 1)

    def _never_settles(self) -> InputError:
        message = f"the records of @{self.function.name} by the rules 'seed' never settle"
        hint = "try another order, or the rules 'sound'"
        return input_error(message, self.function.location, hint=hint)

    def _join(self, states: Iterable[Table]) -> Table:
        """The union of the definitions and the intersection of the kill sets: a way on which a
        descriptor has no record adds no definition and counts as all killed."""
        return reduce(lambda a, b: self.tables.merge(a, b, _meet), states, None)

    def _after(self, block: str, state: Table) -> Table:
        for access in self.memory.of_block[block]:
            if access.kind == "store":
                state = self.define(state, access)
        return state

    def records(self, state: Table) -> list[tuple[MemoryDescriptor, SeedRecord]]:
        """In the order of the descriptors."""
        return [(self.descriptors[n], record) for n, record in self.tables.items(state)]

    # Uses: figures 4 and 5

    def reaching(self, state: Table, access: Access) -> tuple[int, ...]:
        """The definitions that a load may read, in layout order."""
        found: set[int] = set()
        for record in self._records_read(state, access):
            found.update(record.definitions)
        return tuple(sorted(found))

    def _records_read(self, state: Table, access: Access) -> list[SeedRecord]:
        must = access.must
        if must is None:
            return [record for _, record in self._having(state, access.candidates)]
        own = self.tables.get(state, must)
        found = [own] if own else []
        if own and self.descriptors[must].exact and not own.kill:
            return found
        may = self._having(state, self.overlaps.of(must))
        if self.descriptors[must].exact and not self.fast:
            may = [
                (number, record)
                for number, record in may
                if (own is None or self._meets(number, own.kill))
                and not self._is_killed_within(number, record, self.descriptors[must])
            ]
        return found + [record for _, record in may]

    def _having(self, state: Table, numbers: Iterable[int]) -> list[tuple[int, SeedRecord]]:
        """Those of some descriptors that have a record."""
        records = ((number, self.tables.get(state, number)) for number in numbers)
        return [(number, record) for number, record in records if record]

    def _meets(self, number: int, kill: Intervals) -> bool:
        one = self.descriptors[number]
        return not one.exact or meets(kill, one.start, one.end)

    def _is_killed_within(self, number: int, record: SeedRecord, used: MemoryDescriptor) -> bool:
        """Whether nothing is left of what a descriptor shares with the used interval, which for an
        inexact one is all of that."""
        one = self.descriptors[number]
        if not one.exact:
            return covers(record.kill, used.start, used.end)
        return covers(record.kill, max(one.start, used.start), min(one.end, used.end))

    # Definitions: figures 6, 7 and 8

    def define(self, state: Table, access: Access) -> Table:
        """The state after a store."""
        must = access.must
        if must is None:
            return self._define_one_of(state, access)
        own = self.tables.get(state, must)
        if access.is_guarded and own:
            definitions = tuple(sorted({*own.definitions, access.number}))
            return self.tables.set(state, must, own._replace(definitions=definitions))
        overwrite = self._kill if self.descriptors[must].exact else self._mark
        for number, record in self._having(state, self.overlaps.of(must)):
            state = self.tables.set(state, number, overwrite(number, record, must))
        return self.tables.set(state, must, SeedRecord((access.number,)))

    def _kill(self, number: int, record: SeedRecord, by: int) -> SeedRecord | None:
        """The record after an exact definition; None if nothing is left of it."""
        one, other = self.descriptors[number], self.descriptors[by]
        kill = united(record.kill, other.start, other.end)
        if one.exact and covers(kill, one.start, one.end):
            return None
        return record._replace(kill=kill)

    def _mark(self, number: int, record: SeedRecord, by: int) -> SeedRecord:
        """The record after an inexact definition."""
        return record._replace(is_kill=True)

    def _define_one_of(self, state: Table, access: Access) -> Table:
        candidates = access.candidates
        if not self.all_candidates:
            candidates = self._not_covered(access.text, candidates)
        for number in candidates:
            if self.all_candidates or not self.tables.get(state, number):
                state = self.tables.set(state, number, SeedRecord((access.number,)))
        return state

    def _not_covered(self, text: str, candidates: Sequence[int]) -> tuple[int, ...]:
        """The candidates that lie in no other one."""
        found = self._uncovered.get(text)
        if found is None:
            among = set(candidates)
            found = self._uncovered[text] = tuple(
                number
                for number in candidates
                if not any(
                    other in among and self._covers(other, number)
                    for other in self.overlaps.of(number)
                )
            )
        return found

    def _covers(self, a: int, b: int) -> bool:
        a, b = self.descriptors[a], self.descriptors[b]
        return a.exact and b.exact and a.start <= b.start and b.end <= a.end


def _meet(a: SeedRecord, b: SeedRecord) -> SeedRecord:
    if a == b:
        return a
    definitions = tuple(sorted({*a.definitions, *b.definitions}))
    return SeedRecord(definitions, intersected(a.kill, b.kill), a.is_kill or b.is_kill)


class _Overlaps:
    """The may descriptors of every descriptor: of its variable, intersecting it or inexact."""

    def __init__(self, descriptors: Sequence[MemoryDescriptor]):
        self.descriptors = descriptors
        self.of_variable: dict[str, list[int]] = {}
        for number, one in enumerate(descriptors):
            self.of_variable.setdefault(one.variable, []).append(number)
        exact = [number for number, one in enumerate(descriptors) if one.exact]
        self.exact = exact
        self.index = IntervalIndex([(descriptors[n].start, descriptors[n].end) for n in exact])
        self.inexact = {
            variable: [number for number in numbers if not descriptors[number].exact]
            for variable, numbers in self.of_variable.items()
        }
        self.found: dict[int, tuple[int, ...]] = {}

    def of(self, number: int) -> tuple[int, ...]:
        """In the order of the descriptors."""
        found = self.found.get(number)
        if found is None:
            one = self.descriptors[number]
            if one.exact:
                indices = self.index.overlapping(one.start, one.end)
                near = [self.exact[index] for index in indices] + self.inexact[one.variable]
            else:
                near = self.of_variable[one.variable]
            found = self.found[number] = tuple(sorted(n for n in near if n != number))
        return found
