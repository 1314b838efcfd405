"""Carries runs through time under SimPy: the clock, limits, progress and interruption, what the
host does, and cores that advance by themselves between the events of the others.

    engine = Engine(request)
    carrier = Carrier(engine, core)                        # of a core that advances by itself
    yield from engine.run(engine.streams(perform), core)   # until all that the host does has ended
    return Outcome(engine.status, engine.cycles, …)

SimPy's time is the machine's base clock.  A core goes on until something outside could affect it,
so an event costs a whole stretch of cycles, not an instruction; results do not depend on where a
run is cut into stretches, nor on where it pauses.  Cores that are SimPy processes need no carrier.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable
from math import inf
from typing import Any

import simpy
from simpy.core import EventPriority
from simpy.events import NORMAL

from sim import collector
from sim.cores import Request
from sim.cores.returned import DONE as NOTHING_LEFT
from sim.cores.returned import FAULTED, STUCK
from sim.interruption import held_back
from sim.livelock import WATCH_EVERY, Livelock
from sim.status import DONE, FAULT, HANG, INTERRUPTED, LIMIT

CALL_SECONDS = 0.1
"""Host time that one call of a core should take, so that Ctrl-C and progress are served."""
FIRST_QUANTUM = 10_000
"""Cycles of the first call."""

BEHIND_ALL = EventPriority(NORMAL + 1)

NOTHING_COMES = "nothing that is waited for can ever happen"

Process = Generator[simpy.Event, Any, None]


class Engine:
    """One run.

    pause      cycle before which it pauses next
    status     how it ended, one of `sim.status`
    waits_for  of a hang: what repeats, or who waits for whom
    steps      what the host did, in the order in which it ended
    """

    def __init__(self, request: Request):
        self.request = request
        self.environment = simpy.Environment()
        self.pause = 0.0
        self.status: str | None = None
        self.waits_for: str | None = None
        self.steps: list[dict[str, Any]] = []
        self._carriers: list[Carrier] = []
        self._told = time.perf_counter()

    @property
    def now(self) -> int:
        return int(self.environment.now)

    @property
    def cycles(self) -> int:
        """How far the run has come."""
        return max([self.now, *(carrier.core.cycle for carrier in self._carriers)])

    def run(
        self,
        processes: Iterable[Process],
        state: Any = None,
        who_waits: Callable[[], str] = lambda: NOTHING_COMES,
    ) -> Generator[Any, float, None]:
        """Let processes run until all have ended, the run is stopped, or its limit is reached.

        If nothing more can happen although they have not ended, it hangs, as `who_waits` says.

        state  what the machine holds: yielded, and what is sent back is `pause`; first before
               anything has happened (see `sim.cores.Running`)
        """
        collector.resume()
        environment = self.environment
        ended = environment.all_of([environment.process(process) for process in processes])
        self.pause = yield state
        while self._goes_on(ended, who_waits):
            self.pause = yield state
        self.status = self.status or DONE

    def _goes_on(self, ended: simpy.Event, who_waits: Callable[[], str]) -> bool:
        """Let everything happen that comes before the pause; whether more may come."""
        limit, pause = self.request.cycle_limit, self.pause
        peek, step = self.environment.peek, self.environment.step
        try:
            with held_back() as let_through:
                while self.status is None and not ended.processed:
                    following = peek()
                    if pause <= following < inf and pause <= limit:
                        return True
                    if following > limit:
                        self._give_up(following == inf, limit, who_waits)
                    else:
                        step()
                        self._tell()
                    let_through()
        except KeyboardInterrupt:
            self.status = self.status or INTERRUPTED
        return False

    def _give_up(self, forever: bool, limit: int, who_waits: Callable[[], str]) -> None:
        """Nothing happens before the limit, or ever."""
        if forever:
            self.stop(HANG, who_waits())
            return
        for carrier in self._carriers:
            carrier.core.wait_until(limit)
        if self.now < limit:
            self.environment.run(until=limit)
        self.stop(LIMIT)

    def streams(self, perform: Callable[[int, Any], Process]) -> list[Process]:
        """A process for each stream of the request's host, which does its actions in order.

        perform  perform(stream, action): a process that does one
        """

        def stream(number: int, actions: Iterable[Any]) -> Process:
            for action in actions:
                yield from perform(number, action)

        return [stream(number, actions) for number, actions in self.request.host.items()]

    def stop(self, status: str, waits_for: str | None = None) -> None:
        """End the run, now."""
        self.status, self.waits_for = status, waits_for

    def note(self, stream: int, begin: int, **what: Any) -> None:
        """Keep what the host did in a stream, from `begin` until now."""
        self.steps.append({**what, "stream": stream, "begin": begin, "end": self.now})

    def _tell(self) -> None:
        """Tell the caller how far it is, now and then."""
        told = self.request.on_progress
        if told is not None and time.perf_counter() - self._told >= CALL_SECONDS:
            self._told = time.perf_counter()
            told(self.cycles)


class Carried(ABC):
    """A core that advances by itself."""

    @property
    @abstractmethod
    def cycle(self) -> int:
        """The cycle up to which everything has happened."""

    @property
    @abstractmethod
    def issued(self) -> int:
        """Instructions so far."""

    @abstractmethod
    def advance(self, until: int) -> int:
        """Go on up to cycle `until`; gives one of `sim.cores.returned`."""

    @abstractmethod
    def finished(self) -> Iterable[int]:
        """The numbers of what has been done since the last call."""

    @abstractmethod
    def fingerprint(self) -> tuple | None:
        """What decides how the core goes on: equal means that it is where it was, whatever the
        clock says.  None while that cannot be."""

    @abstractmethod
    def where_it_loops(self) -> str:
        """'the program loops at …', said of a core that is where it was."""

    @abstractmethod
    def wait_until(self, cycle: int) -> None:
        """Nothing happens up to a cycle: there is nothing to do."""

    def who_waits(self) -> str:
        """Who waits for whom, said of a core that is STUCK."""
        return NOTHING_COMES

    def drain_trace(self) -> Any:
        """The events of the trace since the last call."""
        return ()


class Turn(simpy.Event):
    """Comes in this cycle, behind all other events of it."""

    def __init__(self, environment: simpy.Environment):
        super().__init__(environment)
        self._ok, self._value = True, None
        environment.schedule(self, priority=BEHIND_ALL)


class Carrier:
    """Carries one core through the time of a run, from event to event of the others.

    Of several cores that have something to do, each goes on by one cycle in turn: when one of them
    ends what it does, none of the others is ahead of what may follow from it.
    """

    def __init__(self, engine: Engine, core: Carried):
        self.engine, self.core = engine, core
        self.watch, self.pace = Livelock(), Pace(core, engine.request.quantum)
        self._ends: dict[int, simpy.Event] = {}
        self._busy = engine.environment.event()
        engine._carriers.append(self)
        engine.environment.process(self._carry())

    def do(self, begin: Callable[[int], None]) -> simpy.Event:
        """Give the core something to do, now; the event is its end.

        begin  is called with a number, larger than those before, for `Carried.finished`
        """
        self.core.wait_until(self.engine.now)
        number = len(self._ends)
        begin(number)
        self._ends[number] = self.engine.environment.event()
        if not self._busy.triggered:
            self._busy.succeed()
        return self._ends[number]

    def _carry(self) -> Process:
        core, environment = self.core, self.engine.environment
        limit = self.engine.request.cycle_limit
        look = min(WATCH_EVERY, limit)
        while True:
            yield self._busy
            yield Turn(environment)
            until = environment.now + 1 if self._others_are_busy else environment.peek()
            status, until = None, min(until, look, self.engine.pause)
            if until > core.cycle:
                status = self.pace.advance(int(until))
            yield environment.timeout(core.cycle - environment.now)
            if self.engine.request.on_trace is not None:
                self.engine.request.on_trace(core.drain_trace())
            for number in core.finished():
                self._ends[number].succeed()
            if status == FAULTED:
                return self.engine.stop(FAULT)
            if status == STUCK:
                return self.engine.stop(HANG, core.who_waits())
            if status == NOTHING_LEFT:
                self._busy = environment.event()
            elif core.cycle >= limit:
                return self.engine.stop(LIMIT)
            elif core.cycle >= look:
                look = min(look + WATCH_EVERY, limit)
                if environment.peek() < float("inf"):
                    continue  # what is still to come may be what the core waits for
                since = self.watch.repeats_since(core.cycle, core.issued, core.fingerprint)
                if since is not None:
                    return self.engine.stop(HANG, self._what_repeats(since))

    @property
    def _others_are_busy(self) -> bool:
        return any(one._busy.triggered for one in self.engine._carriers if one is not self)

    def _what_repeats(self, since: int) -> str:
        return (
            f"{self.core.where_it_loops()}: at cycle {self.core.cycle} all registers are as they "
            f"were at cycle {since}, and memory has not changed"
        )


class Pace:
    """Advances a core in calls of about CALL_SECONDS, or of `quantum` cycles if that is given."""

    def __init__(self, core: Carried, quantum: int | None):
        self.core, self.quantum = core, quantum
        self.cycles = FIRST_QUANTUM

    def advance(self, until: int) -> int:
        """Go towards `until`, for one call at most; gives what the core returns."""
        core, first = self.core, self.core.cycle
        if self.quantum is not None:
            return core.advance(min(until, first + self.quantum))
        start = time.perf_counter()
        status = core.advance(min(until, first + self.cycles))
        seconds = max(time.perf_counter() - start, 1e-6)
        rate = (core.cycle - first) / seconds
        self.cycles = int(min(max(rate * CALL_SECONDS, 1000), 4 * self.cycles))
        return status
