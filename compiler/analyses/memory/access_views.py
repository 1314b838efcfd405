"""Accesses of a function in other parts than they have, for the rules of memory dependence.

The rules say which stores a load may find.  Who wants to know which loads a store comes behind, or
which accesses of one queue those of others do, shows them the accesses as other kinds, some twice
and some not at all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from compiler.analyses.memory.descriptors import (
    GUARDED_STORE,
    LOAD,
    STORE,
    MemoryAccesses,
)
from compiler.ir.module import Instruction


class Entry(NamedTuple):
    """What an access is shown as.

    number, kind  of which access, and as what: LOAD, STORE, GUARDED_STORE
    covers        whether its interval counts as exact, from the first byte that it may touch to the
                  last
    """

    number: int
    kind: int
    covers: bool = False


class View:
    """Accesses in other parts: what `MemoryAccesses` says, and of which access each one is."""

    def __init__(self, memory: MemoryAccesses, entries: Iterable[Entry]):
        entries = list(entries)
        self.accesses = ()
        self.origin = [entry.number for entry in entries]
        self.kinds = [entry.kind for entry in entries]
        keys = [(memory.named[entry.number], entry.covers) for entry in entries]
        numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self.named = [numbers[key] for key in keys]
        self._descriptors: dict[tuple[int, bool], int] = {}
        self.names = [self._name(memory, *key) for key in numbers]
        self.descriptors = [
            replace(one, exact=True) if covers else one
            for one, covers in ((memory.descriptors[n], c) for n, c in self._descriptors)
        ]
        self.begins, at = [0], 0
        for end in memory.begins[1:]:
            while at < len(entries) and self.origin[at] < end:
                at += 1
            self.begins.append(at)

    def __len__(self) -> int:
        return len(self.kinds)

    def _name(
        self, memory: MemoryAccesses, name: int, covers: bool
    ) -> tuple[str, int | None, Sequence[int]]:
        text, must, candidates = memory.names[name]
        own = self._descriptors
        found = tuple(own.setdefault((number, covers), len(own)) for number in candidates)
        return text, None if must is None else own[must, covers], found


def as_it_is(memory: MemoryAccesses) -> View:
    return View(memory, map(Entry, range(len(memory)), memory.kinds))


def loads_stay(memory: MemoryAccesses) -> View:
    """Stores ask, and then all of the instruction leave themselves behind; a guarded store takes
    nothing away, and neither does a load."""
    entries: list[Entry] = []
    for numbers in _by_instruction(memory):
        kinds = [(number, memory.kinds[number]) for number in numbers]
        entries += [Entry(number, LOAD) for number, kind in kinds if kind != LOAD]
        entries += [Entry(number, kind or GUARDED_STORE) for number, kind in kinds]
    return View(memory, entries)


def exchanged(memory: MemoryAccesses) -> View:
    """Loads for stores and stores for loads."""
    entries: list[Entry] = []
    for numbers in _by_instruction(memory):
        kinds = [(number, memory.kinds[number]) for number in numbers]
        entries += [Entry(number, LOAD) for number, kind in kinds if kind != LOAD]
        entries += [
            Entry(number, GUARDED_STORE if memory.accesses[number].is_guarded else STORE)
            for number, kind in kinds
            if kind == LOAD
        ]
    return View(memory, entries)


def stores(memory: MemoryAccesses) -> View:
    """Stores for both."""
    entries: list[Entry] = []
    for numbers in _by_instruction(memory):
        own = [Entry(n, memory.kinds[n]) for n in numbers if memory.kinds[n] != LOAD]
        entries += [entry._replace(kind=LOAD) for entry in own] + own
    return View(memory, entries)


def _by_instruction(memory: MemoryAccesses) -> Iterator[list[int]]:
    """The accesses of every instruction."""
    of = groupby(range(len(memory)), key=lambda number: memory.accesses[number].instruction)
    return (list(numbers) for _, numbers in of)


# Of some accesses alone


def view_of_some(memory: MemoryAccesses, left: Iterable[Entry], asked: Iterable[int]) -> View:
    """What some accesses leave behind, of which others ask.

    left   accesses as stores
    asked  numbers of others, which ask as loads do

    Of the rest there are only those stores that overwrite something for certain.  What is left
    where nobody asks, and who asks where nothing is left, are no part of it.
    """
    left, asked = list(left), list(asked)
    numbers = {entry.number for entry in left}
    own, others = _Bytes(memory, numbers), _Bytes(memory, asked)
    entries = [entry for entry in left if others.meet(entry.number)]
    entries += [Entry(number, LOAD) for number in asked if own.meet(number)]
    entries += [
        Entry(number, STORE)
        for number, kind in enumerate(memory.kinds)
        if kind == STORE and number not in numbers and _is_exact(memory, number)
        if own.meet(number)
    ]
    return View(memory, _in_order(memory, entries))


def view_of_queue(
    memory: MemoryAccesses, queues: Sequence[int], queue: int, *, loads_ask: bool
) -> View:
    """What accesses of one queue leave behind, of which those of others ask: its stores, of which
    loads do, or all of it, of which stores do.

    queues  of each access, -1 for those that ask nothing

    A younger access of the queue takes older ones away, whether it loads or stores, if theirs lies
    in what it may touch.
    """
    numbered = list(enumerate(zip(memory.kinds, queues, strict=True)))
    left = [
        Entry(number, *((STORE, True) if _covers(memory, number) else (GUARDED_STORE,)))
        for number, (kind, its) in numbered
        if its == queue and not (loads_ask and kind == LOAD)
    ]
    asked = [
        number
        for number, (kind, its) in numbered
        if its not in (-1, queue) and (kind == LOAD) == loads_ask
    ]
    return view_of_some(memory, left, asked)


def _is_exact(memory: MemoryAccesses, number: int) -> bool:
    _, must, _ = memory.names[memory.named[number]]
    return must is not None and memory.descriptors[must].exact


def _covers(memory: MemoryAccesses, number: int) -> bool:
    """Whether it happens for certain, here, and strides leave nothing out."""
    access = memory.accesses[number]
    interval = access.instruction.operands[access.position]
    is_plain = access.must is not None and not getattr(interval, "steps", ())
    return is_plain and not access.is_guarded and memory.kinds[number] != GUARDED_STORE


def _in_order(memory: MemoryAccesses, entries: Iterable[Entry]) -> list[Entry]:
    """As instructions follow each other; one asks before it leaves anything."""
    first: dict[Instruction, int] = {}
    of = [first.setdefault(access.instruction, access.number) for access in memory.accesses]
    return sorted(entries, key=lambda entry: (of[entry.number], entry.kind != LOAD, entry.number))


class _Bytes:
    """All bytes that some accesses may touch."""

    def __init__(self, memory: MemoryAccesses, numbers: Iterable[int]):
        self._memory = memory
        self._met: dict[int, bool] = {}
        names = {memory.named[number] for number in numbers}
        spans = sorted(span for name in names for span in self._spans(name))
        self._begins: list[int] = []
        self._ends: list[int] = []
        for begin, end in spans:
            if self._ends and begin <= self._ends[-1] + 1:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._begins.append(begin)
                self._ends.append(end)

    def _spans(self, name: int) -> Iterator[tuple[int, int]]:
        """The first and the last bytes."""
        for number in self._memory.names[name][2]:
            descriptor = self._memory.descriptors[number]
            yield descriptor.start, descriptor.end

    def meet(self, number: int) -> bool:
        """Whether an access may touch one of them."""
        name = self._memory.named[number]
        if name not in self._met:
            self._met[name] = any(map(self._meets, self._spans(name)))
        return self._met[name]

    def _meets(self, span: tuple[int, int]) -> bool:
        at = bisect_right(self._begins, span[1]) - 1
        return at >= 0 and self._ends[at] >= span[0]
