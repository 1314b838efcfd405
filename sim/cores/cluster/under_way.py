"""What is under way at once must not touch the same bytes, if one of the two writes them.

Commands of one queue keep their order; of those of different queues, one that begins while another
one moves or computes the same bytes is a race, whatever comes out of it.  So is a copy of the host.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from sim.cores.cluster.bytes_touched import Bytes
from sim.cores.cluster.scratchpads import Owner


class Work(Protocol):
    """What moves or computes.

    queue     what is in one queue keeps its order
    title, giver  what it does and who gave it, for messages
    location  its place among the locations of the program, if it has one
    touches   what it reads and writes, and in which memories
    """

    queue: tuple
    title: str
    giver: str
    location: int | None

    def touches(self) -> Iterable[tuple[Owner, Bytes]]: ...


class RaceFault(Exception):
    """Two that touch the same bytes of a memory, `begin` … `end` - 1, at once."""

    def __init__(self, first: Work, second: Work, memory: Owner, begin: int, end: int):
        super().__init__(first, second, memory, begin, end)
        self.first, self.second, self.memory = first, second, memory
        self.begin, self.end = begin, end


class UnderWay:
    """What moves or computes, by the memories that it touches."""

    def __init__(self) -> None:
        self._work: dict[Owner, dict[Work, None]] = {}

    def begin(self, work: Work) -> None:
        """Raises RaceFault if it touches what other work does."""
        memories = {memory for memory, _ in work.touches()}
        for other in {one: None for m in memories for one in self._work.get(m, ())}:
            if work.queue != other.queue:
                found = clash(work, other)
                if found is not None:
                    raise RaceFault(other, work, *found)
        for memory in memories:
            self._work.setdefault(memory, {})[work] = None

    def end(self, work: Work) -> None:
        for memory in {memory for memory, _ in work.touches()}:
            del self._work[memory][work]
            if not self._work[memory]:
                del self._work[memory]


def clash(a: Work, b: Work) -> tuple[Owner, int, int] | None:
    """Bytes that one of the two writes and the other one touches, if there are any."""
    for memory, one in a.touches():
        for place, two in b.touches():
            if place == memory and (one.stores or two.stores):
                common = one.common(two)
                if common is not None:
                    return memory, *common
    return None
