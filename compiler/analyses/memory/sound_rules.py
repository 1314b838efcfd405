"""Which definitions reach a use of memory, one kill set per definition: the rules 'sound'.

    1  fill a[0:32]            a[0,31]: 1 kill {}
    2  @p fill a[0:16]         a[0,31]: 1 kill {}              a[0,15]: 2 kill {}
    3  fill a[8:24]            a[0,31]: 1 kill {[8,23]}        a[0,15]: 2 kill {[8,15]}
                               a[8,23]: 3 kill {}
    4  sum a[0:16]  uses 1 (bytes 0 … 7), 2 (0 … 7) and 3 (8 … 15)

Only an exact definition without a guard kills: its bytes, of every definition that touches them.
At a join definitions are united and the kill sets of one definition intersected, so a byte of a
definition is alive if it is on any way.  A use gets every definition of which a byte that it may
read is alive.

It is therefore kept the other way round: for every byte the definitions that are alive there.
Bytes that begin and end together in all descriptors are one cell, and a state is a map of
intervals of cells to definitions (`compiler.analyses.memory.interval_sets`); what has been killed
of a definition is what its descriptor has and the map has no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise

from compiler.analyses.control_flow import control_flow
from compiler.analyses.memory.descriptors import Access, MemoryAccesses, MemoryDescriptor
from compiler.analyses.memory.interval_sets import Line, Tree, joined, without
from compiler.analyses.memory.intervals import NONE, Intervals, removed, united
from compiler.ir.module import Function


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition in a record: the store and which bytes of the descriptor are overwritten."""

    access: int
    kill: Intervals


@dataclass(frozen=True, slots=True)
class SoundRecord:
    """The definitions of a descriptor that are alive at a point, in layout order."""

    descriptor: MemoryDescriptor
    definitions: tuple[Definition, ...]


class SoundRules:
    """States are trees over the cells; the state before anything is defined is None."""

    def __init__(self, memory: MemoryAccesses):
        self.memory = memory
        self.cells = _Cells(memory.descriptors)
        self.line = Line(len(self.cells))
        self._spans: dict[str, Intervals] = {}

    def settle(self, function: Function, order: Sequence[str]) -> tuple[dict[str, Tree], int]:
        """The state at the head of every block, and the visits of the block visited most often.

        Of the blocks to which something new has come the first in `order` is visited next.  It
        passes on what is new and what it does not kill, no more (semi-naive evaluation: Bancilhon,
        *Naive Evaluation of Recursively Defined Relations*, 1986).
        """
        successors = control_flow(function).successors
        positions = {name: position for position, name in enumerate(order)}
        heads: dict[str, Tree] = {}
        come: dict[str, Tree] = dict.fromkeys(order)
        visits = dict.fromkeys(order, 0)
        waiting = list(range(len(order)))
        while waiting:
            name = order[heappop(waiting)]
            new, come[name] = without(come[name], heads.get(name)), None
            if name not in heads:
                heads[name], passed_on = new, self._after(name, new)
            elif new is not None:
                heads[name] = joined(heads[name], new)
                passed_on = self._left_by(name, new)
            else:
                continue
            visits[name] += 1
            if passed_on is not None:
                for target in successors[name]:
                    if target in heads and come[target] is None:
                        heappush(waiting, positions[target])
                    come[target] = joined(come[target], passed_on)
        return heads, max(visits.values())

    def _after(self, block: str, state: Tree) -> Tree:
        for access in self.memory.of_block[block]:
            if access.kind == "store":
                state = self.define(state, access)
        return state

    def _left_by(self, block: str, state: Tree) -> Tree:
        """What a block leaves of a state, without its own definitions."""
        for access in self.memory.of_block[block]:
            if state is None:
                return None
            if self._kills(access):
                state = self.line.erase(state, *self.cells.span(access.must))
        return state

    def _kills(self, access: Access) -> bool:
        if access.kind == "load" or access.must is None or access.is_guarded:
            return False
        return self.memory.descriptors[access.must].exact

    def define(self, state: Tree, access: Access) -> Tree:
        """The state after a store."""
        new = frozenset((access.number,))
        if access.must is not None:
            change = self.line.assign if self._kills(access) else self.line.add
            return change(state, *self.cells.span(access.must), new)
        for low, high in self._candidates(access):
            state = self.line.add(state, low, high, new)
        return state

    def reaching(self, state: Tree, access: Access) -> tuple[int, ...]:
        """The definitions that a load may read, in layout order."""
        if access.must is not None:
            return tuple(sorted(self.line.members(state, *self.cells.span(access.must))))
        found: set[int] = set()
        for low, high in self._candidates(access):
            found |= self.line.members(state, low, high)
        return tuple(sorted(found))

    def records(self, state: Tree) -> list[SoundRecord]:
        """In the order of the descriptors."""
        alive: dict[int, Intervals] = {}
        for (low, high), members in self.line.pieces(state):
            for cell in range(low, high):
                for number in members:
                    alive[number] = united(alive.get(number, NONE), *self.cells.bytes[cell])
        by_descriptor: dict[int, list[Definition]] = {}
        for number in sorted(alive):
            for candidate in self.memory.accesses[number].candidates:
                descriptor = self.memory.descriptors[candidate]
                kill = removed(descriptor.start, descriptor.end, alive[number])
                if kill != ((descriptor.start, descriptor.end),):
                    by_descriptor.setdefault(candidate, []).append(Definition(number, kill))
        return [
            SoundRecord(self.memory.descriptors[number], tuple(by_descriptor[number]))
            for number in sorted(by_descriptor)
        ]

    def _candidates(self, access: Access) -> Intervals:
        """The cells [low, high) of an access with several candidates, merged."""
        found = self._spans.get(access.text)
        if found is None:
            cells = NONE
            for candidate in access.candidates:
                low, high = self.cells.span(candidate)
                cells = united(cells, low, high - 1)
            found = self._spans[access.text] = tuple((low, high + 1) for low, high in cells)
        return found


class _Cells:
    """The line of all variables cut where a descriptor begins or ends; bytes that no descriptor
    has are left out.  `bytes` is the first and the last byte of every cell."""

    def __init__(self, descriptors: Sequence[MemoryDescriptor]):
        change: dict[int, int] = {}
        for one in descriptors:
            change[one.start] = change.get(one.start, 0) + 1
            change[one.end + 1] = change.get(one.end + 1, 0) - 1
        self.bytes: list[tuple[int, int]] = []
        self._first: dict[int, int] = {}
        depth = 0
        cuts = sorted(change)
        for cut, next_cut in pairwise([*cuts, None]):
            self._first[cut] = len(self.bytes)
            depth += change[cut]
            if depth:
                self.bytes.append((cut, next_cut - 1))
        self.spans = [(self._first[one.start], self._first[one.end + 1]) for one in descriptors]

    def __len__(self) -> int:
        return len(self.bytes)

    def span(self, descriptor: int) -> tuple[int, int]:
        """The cells [first, end) of a descriptor."""
        return self.spans[descriptor]
