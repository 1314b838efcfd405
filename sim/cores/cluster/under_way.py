"""What is under way at once must not touch the same bytes, if one of the two writes them.

Commands of one queue keep their order; of those of different queues, one that begins while another
one moves or computes the same bytes is a race, whatever comes out of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sim.cores.cluster.bytes_touched import Bytes
from sim.cores.cluster.command import Command
from sim.cores.cluster.dram import segments
from sim.cores.cluster.scratchpads import CoreNumber, Owner, owner


class RaceFault(Exception):
    """Two commands that touch the same bytes at once."""

    def __init__(self, first: Command, second: Command, memory: Owner, begin: int, end: int):
        super().__init__(first, second, memory, begin, end)
        self.first, self.second, self.memory = first, second, memory
        self.begin, self.end = begin, end


class _Touch(NamedTuple):
    command: Command
    bytes: Bytes
    first: int
    end: int


class UnderWay:
    """The commands that move or compute, by memory."""

    def __init__(self) -> None:
        self._touches: dict[Owner, list[_Touch]] = {}

    def begin(self, command: Command, targets: Iterable[CoreNumber]) -> None:
        """Raises RaceFault if it touches what another one does."""
        targets = list(targets)
        for one in command.cost.touched:
            if not one.size:
                continue
            first, end = one.span
            for core in targets if one.stores else [command.core]:
                memory = owner(one.space, core)
                touches = self._touches.setdefault(memory, [])
                for other in touches:
                    if other.first < end and first < other.end:
                        _compare(other, _Touch(command, one, first, end), memory)
                touches.append(_Touch(command, one, first, end))

    def end(self, command: Command) -> None:
        for one in {owner(b.space, core) for b in command.cost.touched for core in command.reaches}:
            touches = self._touches[one]
            touches[:] = [touch for touch in touches if touch.command is not command]


def _compare(old: _Touch, new: _Touch, memory: Owner) -> None:
    a, b = old.command, new.command
    same = (a.core, a.instruction.queue) == (b.core, b.instruction.queue)
    if same or not (old.bytes.stores or new.bytes.stores):
        return
    for first in segments(old.bytes.start, old.bytes.length, old.bytes.steps):
        for second in segments(new.bytes.start, new.bytes.length, new.bytes.steps):
            begin = max(int(first), int(second))
            end = min(int(first) + old.bytes.length, int(second) + new.bytes.length)
            if begin < end:
                raise RaceFault(a, b, memory, begin, end)
