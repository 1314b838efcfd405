"""The same of a memory to which one core alone comes: what it has not waited for, and no more.

    tensor.copy.f32 a[0:64], x[0:64]             io: a
    tensor.copy.f32 b[0:64], x[64:128]           io: a, b
    sync_io 1                                    io: b
    tensor.add.f32 c[0:64], a[0:64], a[0:64]     is not about b; what io did to a has ended: gone

What a core has waited for has an order to all that it does later.  So of each queue there is a list
of what it did to each buffer, and as soon as another queue comes to that buffer and the youngest of
the list has ended, all of it has.  Programs wait before they go on with the same bytes, so that
lists are short.  Where they are long, places are kept as of other memories.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sim.cores.cluster.races.accesses import Accesses, Spot, Unordered, Work
from sim.cores.cluster.races.bytes_touched import Bytes
from sim.cores.cluster.races.order import Lane

MOST_UNDER_WAY = 64
"""Intervals of a list."""


class _List:
    """What commands of a lane did to a buffer, from the oldest on, and the `last` one's epoch."""

    __slots__ = "last", "work"

    def __init__(self) -> None:
        self.last = 0
        self.work: dict[Bytes, Work] = {}


class OwnAccesses:
    """Those of one core's memory.

    parts  of every buffer the first of those with which it has bytes in common
    """

    def __init__(self, parts: Mapping[str, str]):
        self._parts = parts
        self._under_way: dict[str, dict[Lane, _List]] = {}
        self._many: dict[str, Accesses] = {}

    def come(self, work: Work, spot: Spot) -> Sequence[Unordered]:
        """A command comes to an interval; gives those to which it has no order."""
        one, lane = spot.bytes, work.lane
        part = self._parts[one.buffer]
        if part in self._many:
            return self._many[part].come(work, spot)
        found: Sequence[Unordered] = ()
        lists = self._under_way.get(part)
        if lists is None:
            lists = self._under_way[part] = {}
        for other, list_ in lists.items():
            if other is not lane and list_.work:
                if list_.last <= other.ended:
                    list_.work.clear()
                else:
                    found = [*found, *_unordered(work, one, list_)]
        own = lists.get(lane)
        if own is None:
            own = lists[lane] = _List()
        own.work.pop(one, None)  # so that it stands behind the others
        own.work[one] = work
        own.last = work.epoch
        if len(own.work) > MOST_UNDER_WAY:
            self._shorten(part, own)
        return found

    def _shorten(self, part: str, long: _List) -> None:
        """Forget what has ended; if that is little, all goes to places."""
        long.work = {one: work for one, work in long.work.items() if work.lane.ended < work.epoch}
        if len(long.work) > MOST_UNDER_WAY // 2:
            many = self._many[part] = Accesses(is_own=True)
            for list_ in self._under_way.pop(part).values():
                for one, work in list_.work.items():
                    many.remember(work, one)


def _unordered(work: Work, one: Bytes, list_: _List) -> list[Unordered]:
    """The youngest first."""
    return [
        Unordered(earlier, theirs, work, one)
        for theirs, earlier in reversed(list_.work.items())
        if earlier.epoch > earlier.lane.ended
        and (one.stores or theirs.stores)
        and theirs.common(one) is not None
    ]
