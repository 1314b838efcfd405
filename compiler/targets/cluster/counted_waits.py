"""Waits that leave the youngest commands of a queue under way, for machines that count.

    mul o1, r1, w    compute
    mul o0, r0, w    compute
    copy z, o1       io          wait for compute but its youngest: o1, and not o0

Of every command that may be under way it is known how many of its queue have been given since on
every way that leads here, at least: its *age*.  A wait stands directly before a command that needs
others, and leaves as many as the youngest of those is old.  It ends what is as old or older, and
nothing that nobody has asked for; where waits are for empty queues fewer of them may suffice
(`compiler.targets.cluster.fewest_waits`).
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import zip_longest

from compiler.targets.cluster.under_way import UnderWay

CountedWait = tuple[str, int, str, int]
"""Before instruction `index` of a block, for a queue, and how many may be left there."""
Ages = list[int]
"""Of one queue the commands of each age, as sets of `UnderWay`; the last are as old or older."""
OLDEST = 64
"""Ages are not told apart beyond this."""


def counted_waits(under_way: UnderWay) -> set[CountedWait]:
    """Waits that suffice, each directly before what needs it."""
    place = {name: k for k, name in enumerate(under_way.order)}
    heads: dict[str, dict[str, Ages]] = {under_way.order[0]: {q: [] for q in under_way.queues}}
    found: dict[str, list[CountedWait]] = {}
    pending, waiting = [0], {0}
    while pending:
        number = heappop(pending)
        waiting.remove(number)
        name = under_way.order[number]
        ages = {queue: [*own] for queue, own in heads[name].items()}
        found[name] = _through(under_way, name, ages)
        for target in under_way.successors[name]:
            old = heads.get(target)
            joined = {q: _joined(old[q], own) if old else own for q, own in ages.items()}
            if old != joined:
                heads[target] = joined
                if place[target] not in waiting:
                    waiting.add(place[target])
                    heappush(pending, place[target])
    return {wait for waits in found.values() for wait in waits}


def _through(under_way: UnderWay, name: str, ages: dict[str, Ages]) -> list[CountedWait]:
    """The waits of a block; `ages` becomes what holds behind it."""
    waits = []
    code = under_way.function.blocks[name].instructions
    for step in under_way.steps[name]:
        for queue, own in ages.items():
            late = next((age for age, some in enumerate(own) if some & step.needs), None)
            if late is not None:
                waits.append((name, step.index, queue, late))
                del own[late:]
        if step.begins:
            command = code[step.index]
            _begin(ages[command.attributes["queue"]], step.begins, command.guard is None)
        for queue, own in ages.items():
            if step.ends & under_way.queues[queue]:
                own.clear()
    return waits


def _begin(ages: Ages, command: int, for_certain: bool) -> None:
    """Give a command, which makes those before it older if it happens `for_certain`."""
    ages[:] = [some & ~command for some in ages]  # the same one, of another turn of a loop
    if for_certain or not ages:
        ages.insert(0, command)
    else:
        ages[0] |= command
    if len(ages) > OLDEST + 1:
        last = ages.pop()
        ages[OLDEST] |= last


def _joined(a: Ages, b: Ages) -> Ages:
    """What may be under way on one of two ways, as young as it may be."""
    found, younger = [], 0
    for one, other in zip_longest(a, b, fillvalue=0):
        found.append((one | other) & ~younger)
        younger |= one | other
    return found
