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
    """What moves or computes, by the memories that it touches, and which of their bytes."""

    def __init__(self) -> None:
        self._work: dict[Owner, dict[Work, list[Bytes]]] = {}

    def begin(self, work: Work) -> None:
        """Raises RaceFault if it touches what other work does."""
        queue, touched = work.queue, by_memory(work)
        for memory, mine in touched.items():
            for other, theirs in self._work.get(memory, {}).items():
                found = _common(mine, theirs) if other.queue != queue else None
                if found is not None:
                    raise RaceFault(other, work, memory, *found)
        for memory, mine in touched.items():
            self._work.setdefault(memory, {})[work] = mine

    def end(self, work: Work) -> None:
        for memory in by_memory(work):
            del self._work[memory][work]
            if not self._work[memory]:
                del self._work[memory]


def by_memory(work: Work) -> dict[Owner, list[Bytes]]:
    """What work touches of each memory."""
    found: dict[Owner, list[Bytes]] = {}
    for memory, one in work.touches():
        found.setdefault(memory, []).append(one)
    return found


def clash(a: Work, b: Work) -> bool:
    """Whether one of the two writes what the other one touches."""
    others = by_memory(b)
    return any(_common(mine, others.get(m, [])) is not None for m, mine in by_memory(a).items())


def _common(mine: list[Bytes], theirs: list[Bytes]) -> tuple[int, int] | None:
    """Bytes of a memory that one of the two writes and the other one touches, if there are any."""
    for one in mine:
        for two in theirs:
            if one.stores or two.stores:
                common = one.common(two)
                if common is not None:
                    return common
    return None
