"""What warps of a block that is interpreted know of what the others have done.

    warp 1 tells the barrier at time 5     {1: 5}; then it is 6
    warp 2 learns of it                    it knows what warp 1 has done up to 5

The rule is the core's (`sim.cores.simt.cycle.meetings`).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

WAITS = 4
"""Waits that are remembered: what was waited for before these, all are taken to know of."""


@dataclass(slots=True)
class Known:
    """What a warp knows, or what has been told at a place.

    done    up to which time, of what each warp has done
    fenced  the same of what copies and products may see
    phases  how many phases of each barrier object are over
    """

    done: dict[int, int] = field(default_factory=dict)
    fenced: dict[int, int] = field(default_factory=dict)
    phases: dict[Hashable, int] = field(default_factory=dict)

    def learn(self, other: Known) -> None:
        for mine, theirs in (
            (self.done, other.done), (self.fenced, other.fenced), (self.phases, other.phases),
        ):  # fmt: skip
            for key, value in theirs.items():
                if value > mine.get(key, 0):
                    mine[key] = value


@dataclass(slots=True)
class Waits:
    """The last waits of somebody: what was waited for is what came before a number, and when."""

    landed: int = 1
    last: list[tuple[int, int]] = field(default_factory=list)

    def note(self, landed: int, now: int) -> None:
        if landed > self.landed:
            self.landed = landed
            self.last = [*self.last[1 - WAITS :], (landed, now)]

    def when(self, number: int) -> int:
        """When a number was first waited for, which has been; 0: long ago."""
        if len(self.last) == WAITS and self.last[0][0] > number:
            return 0
        return next(time for landed, time in self.last if landed > number)


class Meetings:
    """The time of a block, which goes on when somebody tells something; what warps know and what is
    known at places; waits for products by warp."""

    def __init__(self) -> None:
        self.now = 1
        self.warps: dict[int, Known] = {}
        self.places: dict[Hashable, Known] = {}
        self.products: dict[int, Waits] = {}

    def of(self, warp: int) -> Known:
        return self.warps.setdefault(warp, Known())

    def at(self, place: Hashable) -> Known:
        return self.places.setdefault(place, Known())

    def waits_of(self, warp: int) -> Waits:
        return self.products.setdefault(warp, Waits(0))

    def pass_time(self) -> int:
        self.now += 1
        return self.now - 1

    def tell(self, warp: int, place: Hashable) -> None:
        known = self.of(warp)
        known.done[warp] = self.pass_time()
        self.at(place).learn(known)

    def learn(self, warp: int, place: Hashable) -> None:
        self.of(warp).learn(self.at(place))

    def fence_proxies(self, warp: int) -> None:
        known = self.of(warp)
        known.done[warp] = self.pass_time()
        known.fenced = {**known.fenced, **known.done}
