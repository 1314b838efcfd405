"""Who read and wrote which bytes of a memory last, and whether what comes next has an order to it.

    tensor.copy.f32 a[0:64], x[0:64]             the place a[0:64] is written
    tensor.add.f32 b[0:32], a[0:32], a[0:32]     the place a[0:32] is read; it lies in a[0:64]

A *place* is an interval that commands read, or that they write, with its steps.  Programs come to
the same places again and again, so which places have bytes in common is worked out once for each
two of them, and an access looks at who came last to the few that its own place meets: first whether
they are known to have ended, which they nearly always are.

An access is forgotten once a later one answers for it: whoever has no order to the earlier one has
none to the later one either.  A write answers for all it comes behind and whose bytes it covers, a
read for reads of the same place.  Where many are unordered that only read, those of two jobs answer
for all: a third one's write has no order to at least one of them.  What all that come later know to
have ended is forgotten, too, so that a run of any length needs memory for what is done between
meetings.  (Last accesses in place of all:
Flanagan and Freund, *FastTrack*, PLDI 2009; here of intervals, with as many readers as there are.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, Protocol

from machines.tensors.spans import Spans
from sim.cores.cluster.races.bytes_touched import Bytes
from sim.cores.cluster.races.order import CoreOrder, Lane, Step

FEW_PLACES = 64
"""Below which a memory is not swept."""


class Work(Protocol):
    """What moves or computes, or has done so.

    lane, epoch   its place in the order: which one of its lane it is, from 1
    title, giver  what it does and who gave it, for messages
    location      its place among the locations of the program, if it has one
    """

    lane: Lane
    epoch: int
    title: str
    giver: str
    location: int | None

    def interval(self, one: Bytes) -> str:
        """One that it touches, as programs write it."""
        ...


@dataclass(slots=True, eq=False)
class Place:
    """An interval that is read, or one that is written.

    stores     whether it is written
    is_dense   whether it has all bytes of its span, `low` to `high`
    is_there   whether it is still looked at
    last       who came to it last, by lane
    step       of whoever came last of all
    meets      places of which this one has bytes, if one of the two is written, with whether this
               one covers all of it
    """

    bytes: Bytes
    stores: bool
    is_dense: bool
    low: int
    high: int
    is_there: bool = True
    last: dict[Lane, Work] = field(default_factory=dict)
    step: Step | None = None
    meets: list[tuple[Place, bool]] = field(default_factory=list)

    def covers(self, other: Place) -> bool:
        """Whether it has all bytes that the other one has; False where that is not plain."""
        if self.is_dense:
            return self.low <= other.low and other.high <= self.high
        return self.bytes[3:] == other.bytes[3:]


@dataclass(slots=True, eq=False)
class Spot:
    """What a command touches, for whoever gives it again.

    place  of the interval, once it was looked for
    """

    bytes: Bytes
    place: Place | None = None


class Unordered(NamedTuple):
    """An earlier command without an order to a later one, and where each went."""

    earlier: Work
    theirs: Bytes
    later: Work
    ours: Bytes


class Accesses:
    """Those of one memory.

    is_own  whether one core alone comes to it
    only    a step, where nobody comes to it but that one's cores until `forget`
    """

    def __init__(self, is_own: bool = False):
        self.is_own = is_own
        self.only: Step | None = None
        self._places: dict[Bytes, Place] = {}
        self._spans: dict[bool, Spans[Place]] = {}
        self._room = FEW_PLACES
        self.forget()

    def _place(self, one: Bytes) -> Place:
        return self._places.get(one) or self._new(one)

    def come(self, work: Work, spot: Spot) -> Sequence[Unordered]:
        """A command comes to an interval; gives those to which it has no order."""
        place = spot.place
        if place is None or not place.is_there:
            place = spot.place = self._place(spot.bytes)
        lane, stores, core = work.lane, place.stores, work.lane.core
        found: list[Unordered] = []
        for other, is_covered in place.meets:
            last = other.last
            if not last:
                continue
            is_ordered = True
            for their, earlier in last.items():
                if their is not lane and not core.knows(their, earlier.epoch):
                    is_ordered = False
                    found.append(Unordered(earlier, other.bytes, work, place.bytes))
            if is_covered and is_ordered and stores:
                last.clear()
        if place.step is core.step or self._is_needed(place, core):
            place.last[lane] = work
            place.step = core.step
        return found

    def remember(self, work: Work, one: Bytes) -> None:
        """Somebody was at an interval; whether that had an order is no question."""
        self._place(one).last[work.lane] = work

    def _is_needed(self, place: Place, core: CoreOrder) -> bool:
        """Forget whom the access of another step answers for; whether none answer for it."""
        if not place.last:
            return True
        place.last = {lane: work for lane, work in place.last.items()
                      if not core.knows(lane, work.epoch)}  # fmt: skip
        others = {lane.core.step for lane in place.last} - {core.step}
        return sum(step.stream == core.step.stream for step in others) < 2 or place.stores

    def _new(self, one: Bytes) -> Place:
        if len(self._places) >= self._room:
            self._sweep()
        place = self._places[one] = Place(one, one.stores, one.is_dense, *one.span)
        self._find(place)
        return place

    def _find(self, place: Place) -> None:
        """Note which places have bytes in common with a new one, and it with them."""
        low, high, meets = place.low, place.high, place.meets
        for stores in (False, True) if place.stores else (True,):
            for other in self._spans[stores].near(low, high):
                if other.low < high and low < other.high:
                    if place.is_dense and other.is_dense:
                        meets.append((other, low <= other.low and other.high <= high))
                        other.meets.append((place, other.low <= low and high <= other.high))
                    elif place.bytes.meets(other.bytes):
                        meets.append((other, place.covers(other)))
                        other.meets.append((place, other.covers(place)))
        if place.stores:
            meets.append((place, True))
        self._spans[place.stores].add(place, low, high)

    def _sweep(self) -> None:
        """Forget places that nobody has come to since, as far as anyone must know."""
        if self.is_own:
            self._forget(lambda lane: lane.ended)
        elif self.only is not None:
            self._forget(cache(self.only.known_to_all))
        places = [place for place in self._places.values() if place.last]
        if len(places) <= len(self._places) // 2:
            self.forget()
            for place in places:
                place.meets, place.is_there = [], True
                self._places[place.bytes] = place
                self._find(place)
        self._room = max(2 * len(self._places), FEW_PLACES)

    def _forget(self, ended: Callable[[Lane], int]) -> None:
        """What has ended for whoever comes later: of each lane so many."""
        for place in self._places.values():
            place.last = {lane: work for lane, work in place.last.items()
                          if ended(lane) < work.epoch}  # fmt: skip

    def forget(self) -> None:
        """All that was done has ended for whoever comes later."""
        for place in self._places.values():
            place.is_there = False
        self._places, self._spans = {}, {False: Spans(), True: Spans()}
        self._room = FEW_PLACES

    @property
    def last(self) -> Iterator[tuple[Bytes, Work]]:
        """All that is remembered: where it went, and what it was."""
        for place in self._places.values():
            for work in place.last.values():
                yield place.bytes, work
