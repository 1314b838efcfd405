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

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

import numpy as np

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
from compiler.ir.module import Descriptor, Function, Instruction

Pair = tuple[Access, Access]
"""An access, and a later one that must come after it."""


def memory_conflicts(
    function: Function,
    rules: str = "sound",
    queue_of: Callable[[Instruction], str | None] | None = None,
) -> list[Pair]:
    """Pairs of which at least one stores, in the order of the later one.

    rules     'sound' or 'seed', which can miss pairs
    queue_of  where given, only pairs of two queues are wanted: what one queue holds keeps its order
              by itself, and what is in none (None) is not asked for.  Most pairs may be of one,
              as those of stores with bounds that are not known, and nothing is made of them
    """
    memory, options = memory_accesses(function), MemoryOptions(rules)
    asked = [_as_it_is(memory)]
    asked += [_loads_stay(memory)] if rules == "sound" else [_exchanged(memory), _stores(memory)]
    accesses, count = memory.accesses, len(memory)
    queues = np.arange(count) if queue_of is None else _queue_numbers(accesses, queue_of)
    pairs = np.zeros(0, np.int64)
    for view in asked:
        first, stores, *_ = rules_for(function, view, options).dependences()
        origin = np.asarray(view.origin, np.int64)
        later = np.repeat(origin, np.diff(np.asarray(first, np.int64)))
        earlier = origin[np.asarray(stores, np.int64)]
        kept = np.minimum(queues[earlier], queues[later]) >= 0
        if queue_of is not None:
            kept &= queues[earlier] != queues[later]
        pairs = np.union1d(pairs, later[kept] * count + earlier[kept])
    strided = [_has_known_strides(access) for access in accesses]
    numbers = np.divmod(pairs, max(count, 1))
    return [
        (accesses[earlier], accesses[later])
        for later, earlier in zip(*(part.tolist() for part in numbers), strict=True)
        if not (strided[earlier] or strided[later])
        or not are_apart(accesses[earlier], accesses[later])
    ]


def _queue_numbers(
    accesses: Sequence[Access], queue_of: Callable[[Instruction], str | None]
) -> np.ndarray:
    """A number for the queue of each access, -1 for none."""
    numbers: dict[str | None, int] = {None: -1}
    found = [queue_of(access.instruction) for access in accesses]
    return np.array([numbers.setdefault(queue, len(numbers)) for queue in found], np.int64)


def _has_known_strides(access: Access) -> bool:
    """Whether bytes between those of its interval may be known to be free; of other ones the rules
    have said already what they share."""
    interval = access.instruction.operands[access.position]
    return isinstance(interval, Descriptor) and bool(interval.steps)


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
