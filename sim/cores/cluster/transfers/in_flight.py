"""What moves at once on several channels of an engine must not touch the same bytes, if one of the
two writes them: it goes one behind the other there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from sim.cores.cluster.races.bytes_touched import Bytes
from sim.cores.cluster.scratchpads import Owner


class Moving(Protocol):
    """What moves; `touches`: what it reads and writes, and in which memories."""

    def touches(self) -> Iterable[tuple[Owner, Bytes]]: ...


def clash(a: Moving, b: Moving) -> bool:
    """Whether one of the two writes what the other one touches."""
    others = _by_memory(b)
    return any(_meet(mine, others.get(memory, [])) for memory, mine in _by_memory(a).items())


def _by_memory(work: Moving) -> dict[Owner, list[Bytes]]:
    """What work touches of each memory."""
    found: dict[Owner, list[Bytes]] = {}
    for memory, one in work.touches():
        found.setdefault(memory, []).append(one)
    return found


def _meet(mine: list[Bytes], theirs: list[Bytes]) -> bool:
    return any(
        (one.stores or two.stores) and one.common(two) is not None for one in mine for two in theirs
    )
