"""Carries runs through time under SimPy: the clock, limits, progress and interruption, what the
host does, and cores that advance by themselves between the events of the others.

    engine = Engine(request)
    carrier = Carrier(engine, core)                        # of a core that advances by itself
    yield from engine.run(engine.streams(perform), core)   # until all that the host does has ended
    return Outcome(engine.status, engine.cycles, …)

SimPy's time is the machine's base clock.  A core goes on until something outside could affect it,
so an event costs a whole stretch of cycles, not an instruction; results do not depend on where a
run is cut into stretches, nor on where it pauses.  Cores that are SimPy processes need no carrier.

Between two steps of its host a run may be at rest (`sim.cores.rest`): then it is what arrays and
numbers say, and can be kept and begun again from there.
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

from machines.diagnostics import InputError, input_error
from sim import collector
from sim.cores import Outcome, Request
from sim.cores.rest import Kept, Plain, Rest, Resumed, Stream
from sim.cores.returned import DONE as NOTHING_LEFT
from sim.cores.returned import FAULTED, STUCK
from sim.interruption import held_back
from sim.livelock import WATCH_EVERY, Livelock
from sim.status import DONE, FAULT, HANG, INTERRUPTED, LIMIT
from sim.timeline.span import Happening

CALL_SECONDS = 0.1
"""Host time that one call of a core should take, so that Ctrl-C and progress are served."""
FIRST_QUANTUM = 10_000
"""Cycles of the first call."""

BEHIND_ALL, AT_THE_END = EventPriority(NORMAL + 1), EventPriority(NORMAL + 2)

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
        before = request.resumed
        self.request = request
        self.environment = simpy.Environment(before.cycle if before else 0)
        self.pause = 0.0
        self.status: str | None = None
        self.waits_for: str | None = None
        self.steps: list[dict[str, Any]] = [dict(step) for step in before.notes] if before else []
        self._carriers: list[Carrier] = []
        self._streams: dict[int, Stream] = {}
        self._outcome: Callable[[], Outcome] | None = None
        self._kept: Kept | None = None
        self._pauses = False
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
        if self.request.resumed is not None:
            self._restore(self.request.resumed)
        if self.request.on_start is not None and self._outcome is not None:
            self.request.on_start(self._if_it_ended)
        ended = environment.all_of([environment.process(process) for process in processes])
        self.pause = yield state
        while self._goes_on(ended, who_waits):
            self.pause = yield state
        self.status = self.status or DONE
        if self.request.on_trace is not None:
            for carrier in self._carriers:
                self.request.on_trace(carrier.core.still_happens())

    def _goes_on(self, ended: simpy.Event, who_waits: Callable[[], str]) -> bool:
        """Let everything happen that comes before the pause; whether more may come."""
        limit, pause = self.request.cycle_limit, self.pause
        peek, step = self.environment.peek, self.environment.step
        tells = self.request.on_progress is not None
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
                        if tells:
                            self._tell()
                    let_through()
                    if self._pauses:
                        self._pauses = False
                        return True
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

    # The host, and where it rests

    def rests(self, outcome: Callable[[], Outcome], kept: Kept | None = None) -> None:
        """Say what a run that rests between steps of its host is there; to be called before `run`.

        outcome  what it would come to if it ended now
        kept     gives and takes what the machine holds; None: it cannot be kept
        """
        self._outcome, self._kept = outcome, kept

    def streams(
        self,
        perform: Callable[[int, Any], Process],
        arrival: Callable[[Any], int] = lambda action: 0,
    ) -> list[Process]:
        """A process for each stream of the request's host, which does its actions in order.

        perform  perform(stream, action): a process that does one
        arrival  the cycle before which an action does not begin
        """
        self._streams = {k: Stream(k, script) for k, script in self.request.host.items()}
        before = self.request.resumed
        order = before.order_in(self._streams) if before is not None else self._streams
        assert order is not None, "who takes a run up has looked whether it is this one"
        return [self._stream(self._streams[k], perform, arrival) for k in order]

    def _stream(
        self,
        stream: Stream,
        perform: Callable[[int, Any], Process],
        arrival: Callable[[Any], int],
    ) -> Process:
        while not stream.has_ended:
            if not stream.waits:
                stream.ask()
                continue
            stream.arrival = arrival(stream.action)
            if stream.arrival > self.now:
                yield self.environment.timeout(stream.arrival - self.now)
            stream.begin()
            yield from perform(stream.number, stream.action)
            stream.end()
            if all(one.is_idle_after(self.now) for one in self._streams.values()):
                yield from self._rest()

    def _rest(self) -> Process:
        """Be at rest, once all has happened that is left of this cycle."""
        yield Turn(self.environment, AT_THE_END)
        if self._outcome is None or self.request.on_rest is None or self.status is not None:
            return
        self._look_at(self.environment.peek() > self.now)
        if self._pauses:
            yield Turn(self.environment, AT_THE_END)

    def _look_at(self, is_quiet: bool) -> None:
        assert is_quiet, "at rest nothing is left to happen in its cycle"
        if self.request.on_rest is not None:
            steps = sum(stream.done for stream in self._streams.values())
            self._pauses = self.request.on_rest(Rest(steps, self.now, self._so_far, self._state))

    def _if_it_ended(self) -> Outcome:
        """What the run would come to if it ended where it pauses."""
        assert self._outcome is not None
        if self.now < self.pause < inf and self.status is None:
            self.environment.run(until=int(self.pause))
        return self._outcome()

    def _so_far(self) -> Outcome:
        """What the run would come to if it ended here."""
        assert self._outcome is not None
        for carrier in self._carriers:
            carrier.core.wait_until(self.now)
        return self._outcome()

    def _state(self) -> Plain:
        """All there is to know of the run at rest."""
        if self._kept is None:
            raise self._cannot_be_kept()
        return {
            "cycle": self.now,
            "notes": [dict(step) for step in self.steps],
            "streams": [one.state() for one in self._in_order()],
            "given": [carrier.given for carrier in self._carriers],
            "machine": self._kept.at_rest(),
        }

    def _cannot_be_kept(self) -> InputError:
        machine = self.request.machine
        hint = f"machines of kind '{machine.kind}' do not say what they hold"
        return input_error(f"a run on {machine.name} cannot be kept", hint=hint)

    def _in_order(self) -> list[Stream]:
        """The streams in the order in which they go on."""
        return sorted(self._streams.values(), key=lambda stream: stream.asked_at)

    def _restore(self, before: Resumed) -> None:
        """Go on from a run that was kept at rest."""
        if self._kept is None:
            raise self._cannot_be_kept()
        try:
            for carrier, given in zip(self._carriers, before.given, strict=True):
                carrier.given = given
            self._kept.restore(before.machine)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            raise input_error("what was kept of the run is damaged", hint="keep another") from None
        self._look_at(True)
        self._pauses = False

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

    def happened(self) -> Iterable[Happening]:
        """Of a run that is traced: what has happened since the last call."""
        return ()

    def still_happens(self) -> Iterable[Happening]:
        """Of a run that is traced and ends now: all that has not been told yet."""
        return ()


class Turn(simpy.Event):
    """Comes in this cycle, behind all other events of it."""

    def __init__(self, environment: simpy.Environment, priority: EventPriority = BEHIND_ALL):
        super().__init__(environment)
        self._ok, self._value = True, None
        environment.schedule(self, priority=priority)


class Carrier:
    """Carries one core through the time of a run, from event to event of the others.

    Of several cores that have something to do, each goes on by one cycle in turn: when one of them
    ends what it does, none of the others is ahead of what may follow from it.

    given  how much it has been given to do so far
    """

    def __init__(self, engine: Engine, core: Carried):
        self.engine, self.core = engine, core
        self.pace = Pace(core, engine.request.quantum)
        self.given = 0
        self._ends: dict[int, simpy.Event] = {}
        self._busy = engine.environment.event()
        engine._carriers.append(self)
        engine.environment.process(self._carry())

    def do(self, begin: Callable[[int], None]) -> simpy.Event:
        """Give the core something to do, now; the event is its end.

        begin  is called with a number, larger than those before, for `Carried.finished`
        """
        self.core.wait_until(self.engine.now)
        number, self.given = self.given, self.given + 1
        begin(number)
        ended = self._ends[number] = self.engine.environment.event()
        if not self._busy.triggered:
            self._busy.succeed()
        return ended

    def _carry(self) -> Process:
        while True:
            yield self._busy
            yield from self._carry_while_busy()
            self._busy = self.engine.environment.event()

    def _carry_while_busy(self) -> Process:
        """Until the core has nothing left to do, or the run ends."""
        core, environment, watch = self.core, self.engine.environment, Livelock()
        limit = self.engine.request.cycle_limit
        look = min((core.cycle // WATCH_EVERY + 1) * WATCH_EVERY, limit)
        while True:
            yield Turn(environment)
            until = environment.now + 1 if self._others_are_busy else environment.peek()
            status, until = None, min(until, look, self.engine.pause)
            if until > core.cycle:
                status = self.pace.advance(int(until))
            yield environment.timeout(core.cycle - environment.now)
            if self.engine.request.on_trace is not None:
                self.engine.request.on_trace(core.happened())
            for number in core.finished():
                self._ends.pop(number).succeed()
            if status == FAULTED:
                return self.engine.stop(FAULT)
            if status == STUCK:
                return self.engine.stop(HANG, core.who_waits())
            if status == NOTHING_LEFT:
                return
            if core.cycle >= limit:
                return self.engine.stop(LIMIT)
            if core.cycle >= look:
                look = min(look + WATCH_EVERY, limit)
                if environment.peek() < float("inf"):
                    continue  # what is still to come may be what the core waits for
                since = watch.repeats_since(core.cycle, core.issued, core.fingerprint)
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
