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
intervals of cells to definitions (`sound_states`, `interval_trees`); what has been killed
of a definition is what its descriptor has and the map has no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from compiler.analyses.jitted import Integers, Kernel
from compiler.analyses.memory import interval_trees, member_sets, relations, sound_states, waiting
from compiler.analyses.memory.block_numbers import BlockNumbers, partners
from compiler.analyses.memory.descriptors import MemoryAccesses, MemoryDescriptor
from compiler.analyses.memory.intervals import NONE, Intervals, removed, united
from compiler.analyses.memory.member_sets import Sets
from compiler.analyses.memory.sound_states import KILL, LOAD, replayed, settled

SOUND = Kernel(
    "dependence", sound_states.sound, 10_000, (interval_trees, member_sets, relations, waiting)
)
"""Compiled for so many accesses."""

State = tuple[Integers, Sets, int]
"""A tree, and what it is made of."""


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
    """The rules for one function, whose blocks are visited in the order of their numbers."""

    def __init__(self, memory: MemoryAccesses, blocks: BlockNumbers):
        self.memory, self.blocks = memory, blocks
        self.cells = _Cells(memory.descriptors)
        spans = [self._spans(must, candidates) for _, must, candidates in memory.names]
        first, cells = partners(spans)
        self.accesses = (
            1 << max(len(self.cells) - 1, 0).bit_length(),
            self._kinds(),
            memory.named,
            first,
            [low for low, _ in cells],
            [high for _, high in cells],
        )
        self.flow = (blocks.begins, blocks.ends, blocks.next_first, blocks.nexts)

    def _kinds(self) -> list[int]:
        """As `sound_states` has them: a store kills if it is exact and happens for certain."""
        kills = [
            must is not None and self.memory.descriptors[must].exact
            for _, must, _ in self.memory.names
        ]
        of_kind = ((LOAD, LOAD), (sound_states.STORE, KILL), (sound_states.STORE,) * 2)
        pairs = zip(self.memory.kinds, self.memory.named, strict=True)
        return [of_kind[kind][kills[name]] for kind, name in pairs]

    def _spans(self, must: int | None, candidates: Sequence[int]) -> Intervals:
        """The cells [low, high) of an access, merged."""
        if must is not None:
            return (self.cells.spans[must],)
        cells = NONE
        for candidate in candidates:
            low, high = self.cells.spans[candidate]
            cells = united(cells, low, high - 1)
        return tuple((low, high + 1) for low, high in cells)

    def dependences(self) -> tuple[Integers, Integers, Integers, Integers, int]:
        """The stores of every load and the loads of every store, as `relations` of accesses, and
        the visits of the block visited most often."""
        size, flow = len(self.memory), (*self.flow, self.blocks.in_layout)
        *found, most = SOUND(size, *self.accesses, *flow)
        return *found, int(most[0])

    def states(self) -> Iterator[tuple[int, State]]:
        """The state behind every access of a reached block, in layout order."""
        trees, sets, heads, _ = settled(*self.accesses, *self.flow)
        for block in self.blocks.in_layout:
            state = heads[block]
            for access in range(self.blocks.begins[block], self.blocks.ends[block]):
                trees, sets, state = replayed(*self.accesses, access, trees, sets, state)
                yield access, (trees, sets, state)

    def records(self, state: State) -> list[SoundRecord]:
        """In the order of the descriptors."""
        alive: dict[int, Intervals] = {}
        for cell, number in self._members(*state):
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

    def _members(self, trees: Integers, sets: Sets, tree: int) -> Iterator[tuple[int, int]]:
        """Every cell with every member of its set, from low to high."""
        first, items, *_ = sets
        pending = [(tree, 0, self.accesses[0], [])]
        while pending:
            node, start, size, above = pending.pop()
            own = trees[node]
            members = above + items[first[own] : first[own + 1]]
            if trees[node + 1] or trees[node + 2]:
                half = size >> 1
                pending.append((trees[node + 2], start + half, half, members))
                pending.append((trees[node + 1], start, half, members))
            elif members:
                yield from ((c, m) for c in range(start, start + size) for m in members)


class _Cells:
    """The line of all variables cut where a descriptor begins or ends; bytes that no descriptor
    has are left out.  `bytes` is the first and the last byte of every cell, `spans` are the cells
    [first, end) of every descriptor."""

    def __init__(self, descriptors: Sequence[MemoryDescriptor]):
        change: dict[int, int] = {}
        for one in descriptors:
            change[one.start] = change.get(one.start, 0) + 1
            change[one.end + 1] = change.get(one.end + 1, 0) - 1
        self.bytes: list[tuple[int, int]] = []
        first: dict[int, int] = {}
        depth = 0
        cuts = sorted(change)
        for cut, next_cut in pairwise([*cuts, None]):
            first[cut] = len(self.bytes)
            depth += change[cut]
            if depth:
                self.bytes.append((cut, next_cut - 1))
        self.spans = [(first[one.start], first[one.end + 1]) for one in descriptors]

    def __len__(self) -> int:
        return len(self.bytes)
