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

from compiler.ir.module import Instruction
from compiler.targets.cluster.under_way import UnderWay

CountedWait = tuple[str, int, str, int]
"""Before instruction `index` of a block, for a queue, and how many may be left there."""
Ages = dict[Instruction, int]
OLDEST = 64
"""Ages are not told apart beyond this."""


def counted_waits(under_way: UnderWay) -> set[CountedWait]:
    """Waits that suffice, each directly before what needs it."""
    place = {name: k for k, name in enumerate(under_way.order)}
    heads: dict[str, Ages] = {under_way.order[0]: {}}
    found: dict[str, list[CountedWait]] = {}
    pending = [0]
    while pending:
        name = under_way.order[heappop(pending)]
        ages = dict(heads[name])
        found[name] = _through(under_way, name, ages)
        for target in under_way.successors[name]:
            joined = _joined(heads.get(target, {}), ages)
            if heads.get(target) != joined:
                heads[target] = joined
                if place[target] not in pending:
                    heappush(pending, place[target])
    return {wait for waits in found.values() for wait in waits}


def _through(under_way: UnderWay, name: str, ages: Ages) -> list[CountedWait]:
    """The waits of a block; `ages` becomes what holds behind it."""
    waits = []
    code = under_way.function.blocks[name].instructions
    for step in under_way.steps[name]:
        for queue in under_way.queues:
            late = [
                age
                for command, age in ages.items()
                if command.attributes["queue"] == queue and under_way.bits[command] & step.needs
            ]
            if late:
                waits.append((name, step.index, queue, min(late)))
                _end(ages, queue, min(late))
        if step.begins:
            command = code[step.index]
            queue = command.attributes["queue"]
            if command.guard is None:
                for other, age in ages.items():
                    if other.attributes["queue"] == queue:
                        ages[other] = min(age + 1, OLDEST)
            ages[command] = 0
        for command in [c for c in ages if under_way.bits[c] & step.ends]:
            del ages[command]
    return waits


def _end(ages: Ages, queue: str, left: int) -> None:
    """What a wait that leaves so many of a queue ends."""
    ended = [c for c, age in ages.items() if c.attributes["queue"] == queue and age >= left]
    for command in ended:
        del ages[command]


def _joined(a: Ages, b: Ages) -> Ages:
    """What may be under way on one of two ways, as young as it may be."""
    return {command: min(a.get(command, OLDEST), b.get(command, OLDEST)) for command in {**a, **b}}
