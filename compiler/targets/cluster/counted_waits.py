"""Waits that leave the youngest commands of a queue in flight, for machines that count.

    mul o1, r1, w    compute
    mul o0, r0, w    compute
    copy z, o1       io          wait for compute but its youngest: o1, and not o0

Of every command that may be in flight it is known how many of its queue have been given since on
every path that leads here, at least: its *age*.  A wait stands directly before a command that needs
others, and leaves as many as the youngest of those is old.  It ends what is as old or older, and
nothing that nobody has asked for; where waits are for empty queues fewer of them may suffice
(`compiler.targets.cluster.fewest_waits`).

What is guarded may not happen, and makes nothing older: a guarded copy between a command and the
wait for it takes away what the wait could leave.  So ages are also kept as if guarded commands were
given, and where the two differ it is said.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import zip_longest
from typing import NamedTuple

from compiler.ir.module import Instruction
from compiler.targets.cluster.in_flight import InFlight

CountedWait = tuple[str, int, str, int]
"""Before instruction `index` of a block, for a queue, and how many may be left there."""
Ages = list[int]
"""Of one queue the commands of each age, as sets of `InFlight`; the last are as old or older."""
OLDEST = 64
"""Ages are not told apart beyond this."""


class Loss(NamedTuple):
    """How many a wait could leave if guarded commands always happened, and which these are."""

    could: int
    guarded: tuple[Instruction, ...]


class _State(NamedTuple):
    """Of a queue: ages that are certain, and ages if guarded commands happen."""

    certain: Ages
    hoped: Ages

    def copy(self) -> _State:
        return _State([*self.certain], [*self.hoped])

    def end(self, age: int) -> None:
        """A wait that leaves the younger ones."""
        ended = 0
        for some in self.certain[age:]:
            ended |= some
        del self.certain[age:]
        self.hoped[:] = [some & ~ended for some in self.hoped]

    def begin(self, command: int, *, is_guarded: bool) -> None:
        _begin(self.certain, command, not is_guarded)
        _begin(self.hoped, command, for_certain=True)

    def joined(self, other: _State) -> _State:
        return _State(*(_joined(a, b) for a, b in zip(self, other, strict=True)))


def counted_waits(in_flight: InFlight) -> dict[CountedWait, Loss | None]:
    """Waits that suffice, each directly before what needs it, and what guards take away."""
    place = {name: k for k, name in enumerate(in_flight.order)}
    heads = {in_flight.order[0]: {queue: _State([], []) for queue in in_flight.queues}}
    found: dict[str, dict[CountedWait, Loss | None]] = {}
    pending, waiting = [0], {0}
    while pending:
        number = heappop(pending)
        waiting.remove(number)
        name = in_flight.order[number]
        states = {queue: own.copy() for queue, own in heads[name].items()}
        found[name] = _through(in_flight, name, states)
        for target in in_flight.successors[name]:
            old = heads.get(target)
            joined = {q: old[q].joined(own) if old else own for q, own in states.items()}
            if old != joined:
                heads[target] = joined
                if place[target] not in waiting:
                    waiting.add(place[target])
                    heappush(pending, place[target])
    return {wait: loss for waits in found.values() for wait, loss in waits.items()}


def _through(
    in_flight: InFlight, name: str, states: dict[str, _State]
) -> dict[CountedWait, Loss | None]:
    """The waits of a block; `states` becomes what holds behind it."""
    waits: dict[CountedWait, Loss | None] = {}
    code = in_flight.function.blocks[name].instructions
    for step in in_flight.steps[name]:
        for queue, state in states.items():
            left = _youngest(state.certain, step.needs)
            if left is not None:
                could = _youngest(state.hoped, step.needs)
                wait = (name, step.index, queue, left)
                waits[wait] = _loss(in_flight, state, could) if could > left else None
                state.end(left)
        if step.begins:
            command = code[step.index]
            state = states[command.attributes["queue"]]
            state.begin(step.begins, is_guarded=command.guard is not None)
        for queue, state in states.items():
            if step.ends & in_flight.queues[queue]:
                state.end(0)
    return waits


def _youngest(ages: Ages, commands: int) -> int | None:
    """The age of the youngest of them, None if none is in flight."""
    return next((age for age, some in enumerate(ages) if some & commands), None)


def _loss(in_flight: InFlight, state: _State, could: int) -> Loss:
    younger = 0
    for some in state.hoped[:could]:
        younger |= some
    guarded = [c for c in in_flight.commands if c.guard and in_flight.bits[c] & younger]
    return Loss(could, tuple(guarded))


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
    """What may be in flight on one of two paths, as young as it may be."""
    found, younger = [], 0
    for one, other in zip_longest(a, b, fillvalue=0):
        found.append((one | other) & ~younger)
        younger |= one | other
    return found
