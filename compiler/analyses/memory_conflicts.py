"""Which accesses to memory must not change places: what one of them writes, another one touches.

    1  tensor.copy.f32 a[0:64], x[0:64]
    2  tensor.add.f32 b[0:64], a[0:64], a[0:64]      after 1, which it reads (read after write)
    3  tensor.copy.f32 a[0:64], x[64:128]            after 2, which reads what it overwrites (write
                                                     after read), and after 1 (write after write)

Reads after writes are those of `compiler.analyses.memory_dependence`.  The other two are found by
the same rules with the parts exchanged: there a store asks which loads and stores it may find in
its bytes, a load leaves itself behind and takes nothing away, and a store takes away what it
overwrites for certain.  What was taken away needs no pair of its own: the store in between has one
with either side.

`rules: seed` exchanges to the letter: loads are defined and kill as stores do there, so of two
loads of the same bytes only the last is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from compiler.analyses.memory.descriptors import (
    GUARDED_STORE,
    LOAD,
    STORE,
    Access,
    MemoryAccesses,
    memory_accesses,
)
from compiler.analyses.memory.strides import are_apart
from compiler.analyses.memory_dependence import MemoryOptions, rules_for
from compiler.ir.module import Function

Pair = tuple[Access, Access]
"""An access, and a later one that must come after it."""


def memory_conflicts(function: Function, rules: str = "sound") -> list[Pair]:
    """Pairs of which at least one stores, in the order of the later one.

    rules  'sound' or 'seed', which can miss pairs
    """
    memory, options = memory_accesses(function), MemoryOptions(rules)
    asked = [_as_it_is(memory)]
    asked += [_loads_stay(memory)] if rules == "sound" else [_exchanged(memory), _stores(memory)]
    found: set[tuple[int, int]] = set()
    for view in asked:
        first, stores, *_ = rules_for(function, view, options).dependences()
        for number, (begin, end) in enumerate(pairwise(first)):
            later = view.origin[number]
            found.update((view.origin[earlier], later) for earlier in stores[begin:end])
    pairs = sorted(found, key=lambda pair: (pair[1], pair[0]))
    accesses = memory.accesses
    return [
        (accesses[earlier], accesses[later])
        for earlier, later in pairs
        if not are_apart(accesses[earlier], accesses[later])
    ]


class _View:
    """Accesses in other parts: what `MemoryAccesses` says, and of which access each one is."""

    def __init__(self, memory: MemoryAccesses, entries: Sequence[tuple[int, int]]):
        self.descriptors, self.names, self.accesses = memory.descriptors, memory.names, ()
        self.origin = [number for number, _ in entries]
        self.kinds = [kind for _, kind in entries]
        self.named = [memory.named[number] for number in self.origin]
        self.begins, at = [0], 0
        for end in memory.begins[1:]:
            while at < len(entries) and self.origin[at] < end:
                at += 1
            self.begins.append(at)

    def __len__(self) -> int:
        return len(self.kinds)


def _as_it_is(memory: MemoryAccesses) -> _View:
    return _View(memory, list(enumerate(memory.kinds)))


def _loads_stay(memory: MemoryAccesses) -> _View:
    """Stores ask, and then all of the instruction leave themselves behind; a guarded store takes
    nothing away, and neither does a load."""
    entries: list[tuple[int, int]] = []
    for numbers in _by_instruction(memory):
        kinds = [(number, memory.kinds[number]) for number in numbers]
        entries += [(number, LOAD) for number, kind in kinds if kind != LOAD]
        entries += [(number, GUARDED_STORE if kind == LOAD else kind) for number, kind in kinds]
    return _View(memory, entries)


def _exchanged(memory: MemoryAccesses) -> _View:
    """Loads for stores and stores for loads."""
    entries: list[tuple[int, int]] = []
    for numbers in _by_instruction(memory):
        kinds = [(number, memory.kinds[number]) for number in numbers]
        entries += [(number, LOAD) for number, kind in kinds if kind != LOAD]
        entries += [
            (number, GUARDED_STORE if memory.accesses[number].is_guarded else STORE)
            for number, kind in kinds
            if kind == LOAD
        ]
    return _View(memory, entries)


def _stores(memory: MemoryAccesses) -> _View:
    """Stores for both."""
    entries: list[tuple[int, int]] = []
    for numbers in _by_instruction(memory):
        kinds = [(n, memory.kinds[n]) for n in numbers if memory.kinds[n] != LOAD]
        entries += [(number, LOAD) for number, _ in kinds] + kinds
    return _View(memory, entries)


def _by_instruction(memory: MemoryAccesses) -> Iterator[list[int]]:
    """The accesses of every instruction."""
    of = groupby(range(len(memory)), key=lambda number: memory.accesses[number].instruction)
    return (list(numbers) for _, numbers in of)
