"""How transfers share what lies on their ways: buses, ports, memory controllers.

    a   64 KiB over bus 0                       alone: 64 KiB / width
    b   64 KiB over bus 0, later                both: they take turns on the bus
    c   64 KiB over bus 0 and controller 1      as fast as the slower of its two lets it

Of transfers that meet in one place only, and for which that place is the narrowest, each is served
`arbitration` bytes in turn, in the order of their places in the chip: round robin, to the byte.
Where ways cross in several places, what each gets is worked out as rates: all grow alike until some
place is full, whoever goes through it keeps that rate, and the others grow on (max-min fairness by
progressive filling: Bertsekas and Gallager, *Data Networks*, 1992, section 6.5).

Nothing happens between arrivals and ends: what was carried until then is worked out at once.
Amounts are whole numbers of *units*, so small a part of a byte that all bandwidths are whole
numbers of units a cycle.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from math import lcm
from operator import attrgetter
from typing import Any

from simpy import Environment, Event

from sim.engine import Turn

ALIKE = 720_720
"""A multiple of 1 … 16: so many sharers have a whole number of units each."""
WEIGHT = 1 << 20
NOT_BEGUN, TAKING_TURNS = (0, 2), (0, 1)
"""Rates of those that have none."""

Place = tuple[int, ...]
"""Where in the chip: the order of sharers."""


@dataclass(slots=True, eq=False)
class Link:
    """Something that carries so many units a cycle.

    users   the transfers that go through it, each with what a byte of it takes here, one of
            `WEIGHT` its unit, and its place among the links of that one's way
    load    what a byte of each of them takes here, together
    turns   of those that take turns, None while rates are worked out
    carried bytes so far
    """

    name: str
    capacity: int
    users: dict[Transfer, tuple[int, int]] = field(default_factory=dict)
    load: int = 0
    turns: Turns | None = None
    carried: int = 0


@dataclass(slots=True, eq=False)
class Transfer:
    """Bytes on their way.

    place  in the chip
    size   in bytes
    way    the links, and how many bytes each has to carry for it
    done   called when the last byte has arrived
    opens  gives links that depend on who went there before; of those that set out in one cycle
           the first in the chip is asked first
    left   units, as of cycle `since`; from then on `rate` of them a cycle, as a ratio
    begun  the cycle in which it set out
    version  changes when what was expected of its end no longer holds
    shared   the links of its way that others go through, too
    narrow   of the links that it has to itself the one that is full first: at which rate, and its
             number; None if it has none
    """

    place: Place
    size: int
    way: tuple[tuple[Link, int], ...]
    done: Callable[[], None]
    opens: Callable[[], tuple[tuple[Link, int], ...]] = tuple
    left: int = 0
    since: int = 0
    begun: int = 0
    rate: tuple[int, int] = NOT_BEGUN
    version: int = 0
    shared: tuple[Link, ...] = ()
    narrow: tuple[int, int] | None = None

    def sets_out(self, now: int, met: dict[Transfer, None]) -> None:
        """All of its way is known; `met` gets those who are no longer alone on a link."""
        self.since = self.begun = now
        self.way += self.opens()
        whole = self.size
        for number, (link, size) in enumerate(self.way):
            users = link.users
            if len(users) == 1:
                met.update(dict.fromkeys(users))
            weight = size * WEIGHT // whole
            users[self] = weight, number
            link.load += weight
            link.carried += size
        met[self] = None

    def leaves(self) -> None:
        """It is on its way no longer."""
        for link, _ in self.way:
            link.load -= link.users.pop(self)[0]

    def look_around(self) -> None:
        """Find out anew which links others go through, too."""
        rate, at = 0, -1
        shared = []
        for number, (link, _) in enumerate(self.way):
            if len(link.users) > 1:
                shared.append(link)
            elif load := link.load:
                alone = link.capacity * WEIGHT // load
                if at < 0 or alone < rate:
                    rate, at = alone, number
        self.shared = tuple(shared)
        self.narrow = (rate, at) if at >= 0 else None


_BY_PLACE = attrgetter("place")


@dataclass(slots=True)
class Turns:
    """Transfers that are served in turn on a link.

    waiting  in the order of their places
    at       whose turn it is, and `chunk`: what is left of that turn
    turn     units of a full turn; `units` of a byte
    """

    link: Link
    turn: int
    units: int
    since: int
    waiting: list[Transfer] = field(default_factory=list)
    at: int = 0
    chunk: int = 0

    def add(self, transfer: Transfer) -> None:
        insort(self.waiting, transfer, key=_BY_PLACE)
        position = self.waiting.index(transfer)
        if len(self.waiting) == 1:
            done = transfer.size * self.units - transfer.left
            self.at, self.chunk = 0, min(self.turn - done % self.turn, transfer.left)
        elif position <= self.at:
            self.at += 1

    def serve(self, now: int) -> None:
        """Carry what is carried until now."""
        amount = (now - self.since) * self.link.capacity
        self.since = now
        while amount and self.waiting:
            amount -= self._rounds(amount)
            transfer = self.waiting[self.at]
            step = min(amount, self.chunk)
            transfer.left -= step
            amount -= step
            self.chunk -= step
            if not self.chunk:
                self._next(transfer)

    def _next(self, transfer: Transfer) -> None:
        """The next one's turn."""
        if transfer.left:
            self.at += 1
        else:
            self.waiting.pop(self.at)
        if self.waiting:
            self.at %= len(self.waiting)
            self.chunk = min(self.turn, self.waiting[self.at].left)

    def _rounds(self, amount: int) -> int:
        """Serve as many whole rounds at once as there are in which all have full turns."""
        everyone = len(self.waiting) * self.turn
        if self.chunk < self.turn or amount < everyone:
            return 0
        full = min(transfer.left for transfer in self.waiting) // self.turn - 1
        rounds = min(amount // everyone, full)
        if rounds <= 0:
            return 0
        for transfer in self.waiting:
            transfer.left -= rounds * self.turn
        return rounds * everyone

    def first_end(self) -> tuple[Transfer, int]:
        """Who ends first, and when."""
        order = self.waiting[self.at :] + self.waiting[: self.at]
        turns = [-(-transfer.left // self.turn) for transfer in order]
        turns[0] = 1 - (self.chunk - order[0].left) // self.turn
        last = min(turns)
        first = turns.index(last)
        units = 0
        for position, transfer in enumerate(order):
            had = last if position <= first else last - 1
            short = self.turn - self.chunk if position == 0 and had else 0
            units += min(transfer.left, had * self.turn - short)
        return order[first], self.since - (-units // self.link.capacity)


class Network:
    """All links of a chip, and what is on its way over them.

    tells  of a run that is traced: called with what has arrived, and when
    """

    def __init__(self, environment: Environment, widths: Iterable[Fraction], arbitration: int):
        """`widths` are all bandwidths there are, in bytes a cycle."""
        self.environment = environment
        self.units = ALIKE * lcm(*(width.denominator for width in widths))
        self.turn = arbitration * self.units
        self._new: list[Transfer] = []
        self._left: dict[Link, None] = {}
        self._met: dict[Transfer, None] = {}  # or left alone on a link
        self._in_turn: dict[Link, None] = {}
        self._settling = False
        self._ends: list[tuple[int, Place, int, int, Transfer]] = []
        self._expected = 0  # ends so far: two of one place can be expected in the same cycle
        self._wakes: list[tuple[int, int, Event]] = []
        self._on_their_way = 0
        self.tells: Callable[[Transfer, int], None] | None = None

    def link(self, name: str, width: Fraction) -> Link:
        """A link that carries so many bytes a cycle."""
        return Link(name, int(width * self.units))

    def start(self, transfer: Transfer) -> None:
        """Something sets out, at the end of this cycle's events."""
        transfer.left = transfer.size * self.units
        self._on_their_way += 1
        self._new.append(transfer)
        self._settle_later()

    def _settle_later(self) -> None:
        if not self._settling:
            self._settling = True
            Turn(self.environment).callbacks.append(self._settle)

    def _settle(self, event: Any) -> None:
        """Work out anew what all get that are concerned by what came and what ended."""
        self._settling = False
        now = self.environment.now
        for transfer in sorted(self._new, key=_BY_PLACE):
            transfer.sets_out(now, self._met)
        for transfer in self._met:
            transfer.look_around()
        self._met = {}
        pending = [*self._new, *(next(iter(link.users)) for link in self._left if link.users)]
        self._new, self._left = [], {}
        seen: set[Transfer] = set()
        for transfer in pending:
            if transfer not in seen:
                together, links = _together(transfer)
                seen.update(together)
                self._share(list(together), links, now)

    def _share(self, together: list[Transfer], links: Iterable[Link], now: int) -> None:
        """Of transfers that are concerned by one another, over `links` that several go through."""
        for link in self._turning(together):
            link.turns.serve(now)
        if len(together) == 1:
            (alone,) = together
            _carry(alone, now)
            self._alone(alone)
            self._ends_at(alone, now - (-alone.left * alone.rate[1] // alone.rate[0]))
            return
        together.sort(key=_BY_PLACE)
        link = _only_narrow_place(together)
        if link is not None:
            self._take_turns(link, together, now)
            return
        for transfer in together:
            _carry(transfer, now)
        for link in self._turning(together):
            self._stop_turns(link)
        before = [transfer.rate for transfer in together]
        _fill(together, links)
        for transfer, rate in zip(together, before, strict=True):
            if transfer.rate != rate or rate[1] != 1 or not rate[0]:  # else it ends as expected
                self._ends_at(transfer, now - (-transfer.left // transfer.rate[0]))

    def _turning(self, together: list[Transfer]) -> list[Link]:
        """The links on which some of them take turns."""
        if not self._in_turn:
            return []
        return [link for link in self._in_turn if any(one in together for one in link.users)]

    def _stop_turns(self, link: Link) -> None:
        link.turns = None
        self._in_turn.pop(link, None)

    def _alone(self, transfer: Transfer) -> None:
        """As fast as the narrowest link lets it."""
        amount, parts = 1, 0
        for link, size in transfer.way:
            if link.capacity * transfer.size * parts < amount * size:
                amount, parts = link.capacity * transfer.size, size
            self._stop_turns(link)
        transfer.rate = amount, parts

    def _take_turns(self, link: Link, together: list[Transfer], now: int) -> None:
        turns = link.turns
        if turns is None:
            turns = link.turns = Turns(link, self.turn, self.units, now)
            self._in_turn[link] = None
        together.sort(key=lambda transfer: transfer.rate == NOT_BEGUN)  # who was there goes on
        for transfer in together:
            if transfer.rate != TAKING_TURNS:
                _carry(transfer, now)
                turns.add(transfer)
            transfer.rate = TAKING_TURNS
            transfer.version += 1
        self._ends_at(*turns.first_end())

    def _ends_at(self, transfer: Transfer, time: int) -> None:
        transfer.version += 1
        self._expected += 1
        entry = (time, transfer.place, self._expected, transfer.version, transfer)
        heappush(self._ends, entry)
        self._wake_at(time)

    def _wake_at(self, time: int) -> None:
        if not self._wakes or time < self._wakes[0][0]:
            event = self.environment.timeout(time - self.environment.now)
            event.callbacks.append(self._wake)
            heappush(self._wakes, (time, self._expected, event))

    def _wake(self, event: Any) -> None:
        """Something may have arrived."""
        now = self.environment.now
        while self._wakes and self._wakes[0][0] <= now:
            heappop(self._wakes)
        arrived: dict[Transfer, None] = {}
        while self._ends and self._ends[0][0] <= now:
            *_, version, transfer = heappop(self._ends)
            if version == transfer.version:
                arrived |= dict.fromkeys(_arrived_with(transfer, now))
        for transfer in sorted(arrived, key=_BY_PLACE):
            self._end(transfer)
        if self._ends:
            self._wake_at(self._ends[0][0])

    def _end(self, transfer: Transfer) -> None:
        self._on_their_way -= 1
        if self.tells is not None:
            self.tells(transfer, int(self.environment.now))
        transfer.leaves()
        for link, _ in transfer.way:
            users = link.users
            if users:
                self._left[link] = None
                if len(users) == 1:
                    self._met.update(dict.fromkeys(users))
            elif link.turns is not None:
                self._stop_turns(link)
        if not self._on_their_way:
            self._forget()
        if self._left:
            self._settle_later()
        transfer.done()

    def _forget(self) -> None:
        """Nothing is on its way: what was expected and did not come to pass will not."""
        for _, _, event in self._wakes:
            event.callbacks.clear()
        self._ends, self._wakes, self._expected = [], [], 0


def _arrived_with(transfer: Transfer, now: int) -> list[Transfer]:
    """It and those that take turns with it and end in the same cycle."""
    found = [transfer]
    for link, _ in transfer.way:
        if link.turns is not None:
            link.turns.serve(now)
            found += [user for user in link.users if not user.left]
    for one in found:
        one.version += 1
    return found


def _together(transfer: Transfer) -> tuple[dict[Transfer, None], dict[Link, None]]:
    """The transfers that share a link with it, or with one that does, and so on; and all links that
    several of them go through."""
    found, pending, seen = {transfer: None}, [transfer], {}
    while pending:
        for link in pending.pop().shared:
            if link not in seen:
                seen[link] = None
                for user in link.users:
                    if user not in found:
                        found[user] = None
                        pending.append(user)
    return found, seen


def _only_narrow_place(together: list[Transfer]) -> Link | None:
    """The one link that all go through, if no other holds one of them up."""
    place: Link | None = None
    for transfer in together:
        for link in transfer.shared:
            if link is not place:
                if place is not None:
                    return None
                place = link
    if place is None:
        return None
    for transfer in together:
        for link, size in transfer.way:
            if link is place and size != transfer.size:
                return None
            if link.capacity * transfer.size < place.capacity * size:
                return None
    return place


def _carry(transfer: Transfer, now: int) -> None:
    """What has been carried at the rate that it had."""
    amount, parts = transfer.rate
    transfer.left -= min(transfer.left, (now - transfer.since) * amount // parts)
    transfer.since = now


def _fill(together: list[Transfer], links: Iterable[Link]) -> None:
    """Give each a rate: all grow alike until a link is full.

    Links that one transfer has to itself are full at a rate that does not depend on the others: of
    these the narrowest stands for all.  Of links that are full at one rate the first counts, in the
    order of transfers and of their ways.  Mostly the first one that is full ends it all.
    """
    full_at = {link: link.capacity * WEIGHT // link.load for link in links if link.load}
    loads: dict[Link, int] = {}
    rooms: dict[Link, int] = {}
    left = dict.fromkeys(together)
    while True:
        alone = [transfer.narrow[0] for transfer in left if transfer.narrow is not None]
        rate = min([*full_at.values(), *alone])
        full = _first_full(together, rate, full_at, left)
        done = [full] if isinstance(full, Transfer) else [t for t in full.users if t in left]
        for transfer in done:
            del left[transfer]
            transfer.rate = (max(rate, 1), 1)
        if not left:
            return
        changed: dict[Link, None] = {}
        for transfer in done:
            for link in transfer.shared:
                weight = link.users[transfer][0]
                loads[link] = loads.get(link, link.load) - weight
                rooms[link] = max(rooms.get(link, link.capacity) - rate * weight // WEIGHT, 0)
                changed[link] = None
        for link in changed:
            if loads[link]:
                full_at[link] = rooms[link] * WEIGHT // loads[link]
            else:
                full_at.pop(link, None)


def _first_full(
    together: list[Transfer], rate: int, full_at: dict[Link, int], left: dict[Transfer, None]
) -> Link | Transfer:
    """The first link that is full at a rate; of those that one has to itself that one."""
    for transfer in together:
        shared = next((link for link in transfer.shared if full_at.get(link) == rate), None)
        narrow = transfer.narrow if transfer in left else None
        is_first = narrow is not None and narrow[0] == rate
        if is_first and (shared is None or narrow[1] < shared.users[transfer][1]):
            return transfer
        if shared is not None:
            return shared
    raise AssertionError("some link is full first")
