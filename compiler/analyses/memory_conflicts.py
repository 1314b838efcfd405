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

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

import numpy as np

from compiler.analyses.memory.access_views import (
    Entry,
    View,
    as_it_is,
    exchanged,
    loads_stay,
    stores,
    view_of_queue,
    view_of_some,
)
from compiler.analyses.memory.descriptors import Access, MemoryAccesses, memory_accesses
from compiler.analyses.memory.strides import are_apart
from compiler.analyses.memory_dependence import MemoryOptions, rules_for
from compiler.ir.module import Descriptor, Function, Instruction

Pair = tuple[Access, Access]
"""An access, and a later one that must come after it."""


def memory_conflicts(function: Function, rules: str = "sound") -> list[Pair]:
    """Pairs of which at least one stores, in the order of the later one.

    rules  'sound' or 'seed', which can miss pairs
    """
    memory, options = memory_accesses(function), MemoryOptions(rules)
    views = [as_it_is(memory)]
    views += [loads_stay(memory)] if rules == "sound" else [exchanged(memory), stores(memory)]
    return list(_pairs(memory, (_dependences(function, view, options) for view in views)))


def conflicts_of_queues(
    function: Function, queue_of: Callable[[Instruction], str | None], rules: str = "sound"
) -> list[Pair]:
    """As many of these pairs, of accesses of two queues, as it takes to have them all in order.

    queue_of  of an instruction; what is in none (None) is not asked for

    What one queue holds keeps its order by itself.  So of a queue a younger access answers for the
    older ones whose bytes lie within those that it may touch: whoever waits for it has waited for
    these.  Without that most pairs may say the same, as all of what reads and what writes bounds
    that are not known.  What nobody of another queue touches is not looked at.
    """
    memory, options = memory_accesses(function), MemoryOptions(rules)
    queues = _queue_numbers(memory.accesses, queue_of)
    if rules != "sound":
        pairs = memory_conflicts(function, rules)
        numbers = ((queues[one.number], queues[other.number]) for one, other in pairs)
        return [
            pair
            for pair, (one, other) in zip(pairs, numbers, strict=True)
            if min(one, other) >= 0 and one != other
        ]
    found = []
    for queue, loads_ask in product(range(max(queues, default=-1) + 1), (True, False)):
        view = view_of_queue(memory, queues, queue, loads_ask=loads_ask)
        earlier, later = _dependences(function, view, options)
        own = np.asarray(queues)[earlier] == queue
        found.append((earlier[own], later[own]))
    return list(_pairs(memory, found))


def readers_of(
    function: Function,
    writes: Callable[[Instruction], bool],
    reads: Callable[[Instruction], bool],
) -> list[Pair]:
    """The stores of some instructions, each with the loads of some that may find what it wrote.

    They are those of `compiler.analyses.memory_dependence` that are asked for; nothing is made of
    others.
    """

    def asks(access: Access) -> bool:
        return access.kind == "load" and reads(access.instruction)

    return _of_some(function, writes, asks)


def overwritten_by(function: Function, writes: Callable[[Instruction], bool]) -> list[Pair]:
    """The stores of some instructions, each with the stores that may overwrite what it wrote."""
    pairs = _of_some(function, writes, lambda access: access.kind == "store")
    return [(one, other) for one, other in pairs if not are_apart(one, other)]


def _of_some(
    function: Function,
    writes: Callable[[Instruction], bool],
    asks: Callable[[Access], bool],
) -> list[Pair]:
    memory = memory_accesses(function)
    accesses = memory.accesses
    left = [
        Entry(access.number, memory.kinds[access.number])
        for access in accesses
        if access.kind == "store" and writes(access.instruction)
    ]
    wanted = {entry.number for entry in left}
    view = view_of_some(memory, left, [one.number for one in accesses if asks(one)])
    earlier, later = (part.tolist() for part in _dependences(function, view, MemoryOptions()))
    pairs = sorted((two, one) for one, two in zip(earlier, later, strict=True) if one in wanted)
    return [(accesses[one], accesses[two]) for two, one in pairs]


def _dependences(
    function: Function, view: View, options: MemoryOptions
) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of accesses, earlier and later ones."""
    first, found, *_ = rules_for(function, view, options).dependences()
    origin = np.asarray(view.origin, np.int64)
    later = np.repeat(origin, np.diff(np.asarray(first, np.int64)))
    return origin[np.asarray(found, np.int64)], later


def _pairs(
    memory: MemoryAccesses, found: Iterable[tuple[np.ndarray, np.ndarray]]
) -> Iterator[Pair]:
    """Each once; but those that strides keep apart."""
    accesses, count = memory.accesses, max(len(memory), 1)
    keys = [later * count + earlier for earlier, later in found]
    pairs = np.unique(np.concatenate([np.zeros(0, np.int64), *keys]))
    strided = [_has_known_strides(access) for access in accesses]
    for later, earlier in zip(*(part.tolist() for part in np.divmod(pairs, count)), strict=True):
        one, other = accesses[earlier], accesses[later]
        if not (strided[earlier] or strided[later]) or not are_apart(one, other):
            yield one, other


def _queue_numbers(
    accesses: Sequence[Access], queue_of: Callable[[Instruction], str | None]
) -> list[int]:
    """A number for the queue of each access, -1 for none."""
    numbers: dict[str | None, int] = {None: -1}
    found = [queue_of(access.instruction) for access in accesses]
    return [numbers.setdefault(queue, len(numbers) - 1) for queue in found]


def _has_known_strides(access: Access) -> bool:
    """Whether bytes between those of its interval may be known to be free; of other ones the rules
    have said already what they share."""
    interval = access.instruction.operands[access.position]
    return isinstance(interval, Descriptor) and bool(interval.steps)
