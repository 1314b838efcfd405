"""A run at rest: between two steps of its host, when nothing else is under way.

    stream 0   ├ copy ┤├ launch ┤├ launch ┤         at rest after 1, 2 (and 4) steps; not after 3,
    stream 1             ├─ launch ──┤              while another stream is in the midst of one

No process of SimPy holds anything then: the memory, what the machine says of itself, and how far
the host has come are all there is to know, and a run can be taken up from these.

What a host does may depend on what it sees in memory.  A `Script` remembers what was seen, so that
its actions can be gone through again up to where it was, when memory is not what it was any more.
A run is taken up only by one that did the same until then: of every stream the same actions, and no
action that would have begun before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol, TypeVar

Plain = Any
"""Numbers, texts, None, numpy arrays, and lists and mappings (from texts) of these."""
Seen = TypeVar("Seen")
_ORDER = count()


class Kept(Protocol):
    """What holds all of a machine's state."""

    def at_rest(self) -> Plain:
        """What it holds while nothing is under way, but for the memory of the request."""

    def restore(self, state: Plain) -> None:
        """Hold what another one held, of the same program on the same machine."""


@dataclass(frozen=True)
class Rest:
    """A point of rest.

    steps    of the host that have ended
    outcome  outcome() -> what the run would come to if it ended here, a `sim.cores.Outcome`; arrays
             in it go on changing
    state    state() -> all there is to know, but for the memory; raises InputError if the kind of
             machine does not say what it holds
    """

    steps: int
    cycle: int
    outcome: Callable[[], Any]
    state: Callable[[], Plain]


class Script:
    """What the host does in a stream, as far as that depends on memory.

    make  make(script) -> actions, each asked for when the one before has ended; memory is looked at
          and changed by `look` and `change`
    seen  what it has seen: numbers and texts
    """

    def __init__(self, make: Callable[[Script], Iterable[Any]]):
        self.make = make
        self.seen: list[Any] = []
        self._again: Iterator[Any] | None = None

    def look(self, see: Callable[[], Seen]) -> Seen:
        """What is seen now; of a script that is gone through again what was seen then."""
        if self._again is not None:
            return next(self._again)
        found = see()
        self.seen.append(found)
        return found

    def change(self, write: Callable[[], None]) -> None:
        """Change memory, in which that has been done if the script is gone through again."""
        if self._again is None:
            write()

    def begin_again(self, seen: Sequence[Any]) -> None:
        self.seen = list(seen)
        self._again = iter(self.seen)

    def go_on(self) -> None:
        """It is where it was: from now on memory is what it is."""
        self._again = None


@dataclass
class Stream:
    """One stream of a host at work.

    asked      actions that were asked for, `done`: that have ended; `asked_at`: among the streams
    action     the one that was asked for last; `arrival`: the cycle before which it does not begin
    waits      whether it has not begun
    has_ended  whether there are no more
    """

    number: int
    given: Iterable[Any]
    asked: int = 0
    done: int = 0
    asked_at: int = 0
    action: Any = None
    arrival: int = 0
    waits: bool = False
    has_ended: bool = False
    in_flight: bool = False
    script: Script = field(init=False)

    def __post_init__(self) -> None:
        given = self.given
        self.script = given if isinstance(given, Script) else Script(lambda script: given)
        self._actions = iter(self.script.make(self.script))
        self._digest = hashlib.sha256()

    def ask(self) -> None:
        """Ask for the next action."""
        self.asked, self.asked_at = self.asked + 1, next(_ORDER)
        try:
            self.action, self.waits = next(self._actions), True
            self._digest.update(f"{self.action!r}\n".encode())
        except StopIteration:
            self.action, self.has_ended = None, True
            self._digest.update(b"end")

    def begin(self) -> None:
        self.waits, self.in_flight = False, True

    def end(self) -> None:
        self.in_flight, self.done, self.asked_at = False, self.done + 1, next(_ORDER)

    def is_idle_after(self, cycle: int) -> bool:
        """Whether it does nothing now, and nothing that was asked for begins in this cycle."""
        if self.asked == 0 or self.in_flight:
            return False
        return not self.waits or self.arrival > cycle

    def state(self) -> Plain:
        return {
            "stream": self.number,
            "asked": self.asked,
            "done": self.done,
            "waits": self.waits,
            "arrival": self.arrival,
            "seen": list(self.script.seen),
            "digest": self._digest.hexdigest(),
        }

    def again(self, state: Mapping[str, Any]) -> bool:
        """Go through what was asked for before; whether it was the same."""
        self.script.begin_again(state["seen"])
        try:
            while self.asked < state["asked"] and not self.has_ended:
                self.ask()
        except StopIteration:  # it looks at more than was seen: it is another
            return False
        self.script.go_on()
        self.done, self.waits, self.arrival = state["done"], state["waits"], state["arrival"]
        return self.state() == dict(state)


@dataclass(frozen=True)
class Resumed:
    """A run that was kept at rest, to be taken up: parts of `Engine`'s state.

    notes    what the host had done
    streams  in the order in which they go on
    given    of each carrier, how much it had been given to do
    machine  what the machine held
    """

    cycle: int
    notes: Sequence[Mapping[str, Any]]
    streams: Sequence[Mapping[str, Any]]
    given: Sequence[int]
    machine: Plain

    @property
    def steps(self) -> int:
        """Of the host, that had ended."""
        return sum(one["done"] for one in self.streams)

    def order_in(self, streams: Mapping[int, Stream]) -> list[int] | None:
        """The order of the streams, which are brought to where they were; None if they did not do
        the same until then."""
        order = [one["stream"] for one in self.streams]
        if sorted(order) != sorted(streams):
            return None
        is_same = all(streams[one["stream"]].again(one) for one in self.streams)
        return order if is_same else None
