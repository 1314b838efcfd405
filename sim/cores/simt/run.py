"""Runs launches, copies and streams under SimPy, and the core between their events.

SimPy's time is the machine's base clock.  A process for each stream does its steps in order; one
process carries the core up to the next event of a stream, or to the end of a grid that one waits
for.  The link to the host carries one copy at a time in each direction.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import simpy

from sim.cores import Core, Failure, Outcome, Request
from sim.cores.simt import stall_reasons as why
from sim.cores.simt.drive import DONE as ALL_ENDED
from sim.cores.simt.drive import FAULTED, STUCK, SimtCore, Waiting
from sim.cores.simt.host_steps import Copy, Launch
from sim.cores.simt.statistics import Statistics
from sim.livelock import WATCH_EVERY, Livelock
from sim.status import DONE, FAULT, HANG, INTERRUPTED, LIMIT

TRACE_EVENTS = 1 << 16
"""Events of a trace that the core holds between two of its calls."""


def run(request: Request) -> Outcome:
    """Do all steps of all streams."""
    trace = TRACE_EVENTS if request.on_trace else 0
    description = request.machine.description
    core = SimtCore(request.program, description, request.memory, trace_events=trace)
    host = _Host(request, core)
    try:
        host.live()
    except KeyboardInterrupt:
        host.status = INTERRUPTED
    statistics = Statistics(core)
    return Outcome(
        status=host.status,
        cycles=core.cycle if host.status != DONE else int(host.environment.now),
        statistics=statistics,
        breakdown=statistics.breakdown,
        failure=_failure(core) if host.status == FAULT else None,
        causes=[reason.name for reason in why.REASONS[1:]],
        executed=statistics.executed,
        stalls=statistics.stalls[:, 1:],
        waits_for=host.waits_for,
        steps=host.record,
    )


@dataclass
class _Host:
    """What happens outside of the core."""

    request: Request
    core: SimtCore
    status: str = DONE
    waits_for: str | None = None
    record: list[dict[str, Any]] = field(default_factory=list)
    environment: simpy.Environment = field(default_factory=simpy.Environment)
    ends: dict[int, simpy.Event] = field(default_factory=dict)
    watch: Livelock = field(default_factory=Livelock)

    def live(self) -> None:
        """Do everything."""
        environment = self.environment
        self.link = {to: simpy.Resource(environment) for to in ("device", "host")}
        self.started = environment.event()
        self.stopped = environment.event()
        streams = self.request.host.values()
        processes = [environment.process(self.stream(actions)) for actions in streams]
        environment.process(self.device())
        limit = environment.timeout(self.request.cycle_limit)
        environment.run(environment.any_of([environment.all_of(processes), self.stopped, limit]))
        if self.status == DONE and limit.processed:  # while no grid ran
            self.core.wait_until(self.request.cycle_limit)
            self.report_progress()
            self.status = LIMIT

    def stream(self, actions: Iterable[Launch | Copy]) -> Iterator[simpy.Event]:
        """Do what one stream does, in order."""
        for action in actions:
            yield from self.copy(action) if isinstance(action, Copy) else self.launch(action)

    def copy(self, step: Copy) -> Iterator[simpy.Event]:
        """Carry an array over the link."""
        machine = self.request.machine.description
        size = step.bytes
        with self.link[step.to].request() as turn:
            yield turn
            begin = self.environment.now
            seconds = machine.host.link_latency * 1e-9 + size / machine.host.link_bandwidth
            yield self.environment.timeout(_cycles(seconds, machine.clock))
        self.note(step, begin, copy=step.array, to=step.to, bytes=size)

    def launch(self, step: Launch) -> Iterator[simpy.Event]:
        """Launch a kernel and wait for its end."""
        core, environment = self.core, self.environment
        machine = self.request.machine.description
        latency = machine.host.launch_latency * 1e-9
        yield environment.timeout(_cycles(latency, machine.clock))
        number, begin = len(self.ends), environment.now
        core.wait_until(begin)
        core.start(number, step.kernel, step.grid, step.parameters)
        self.ends[number] = environment.event()
        if not self.started.triggered:
            self.started.succeed()
        yield self.ends[number]
        self.note(step, begin, kernel=step.kernel, blocks=list(step.grid.blocks))

    def note(self, step: Launch | Copy, begin: int, **what: Any) -> None:
        """Keep what was done and when."""
        times = {"stream": step.stream, "begin": begin, "end": self.environment.now}
        self.record.append({**what, **times})

    def device(self) -> Iterator[simpy.Event]:
        """Carry the core from event to event."""
        core, environment, request = self.core, self.environment, self.request
        look = min(WATCH_EVERY, request.cycle_limit)
        while True:
            yield self.started
            until = min(environment.peek(), look)
            if until > core.cycle:
                status = core.advance_for_a_while(int(until), request.quantum)
                yield environment.timeout(core.cycle - environment.now)
            else:
                status = None
                yield environment.timeout(0)
            self.report_progress()
            for number, _ in core.finished():
                self.ends[number].succeed()
            if status == FAULTED:
                return self.stop(FAULT)
            if status == STUCK:
                self.waits_for = _who_waits(core.stuck_report())
                return self.stop(HANG)
            if core.cycle >= request.cycle_limit:
                return self.stop(LIMIT)
            if core.cycle >= look:
                look = min(look + WATCH_EVERY, request.cycle_limit)
                since = self.livelock()
                if since is not None:
                    self.waits_for = _what_repeats(core, since)
                    return self.stop(HANG)
            if status == ALL_ENDED:
                self.started = environment.event()

    def report_progress(self) -> None:
        """Tell the caller how far it is, and what happened since."""
        request = self.request
        if request.on_progress is not None:
            request.on_progress(self.core.cycle)
        if request.on_trace is not None:
            request.on_trace(self.core.drain_trace())

    def livelock(self) -> int | None:
        """The earlier cycle at which the machine was where it is now."""
        state = self.core.fingerprint()
        if state is None:
            return None
        return self.watch.repeats_since(self.core.cycle, self.core.issued, lambda: state)

    def stop(self, status: str) -> None:
        """End the run."""
        self.status = status
        self.stopped.succeed()


def _cycles(seconds: float, clock: int) -> int:
    """Whole cycles of a time; the product is taken to six digits behind the point, where a figure
    in nanoseconds is still exact."""
    return math.ceil(round(seconds * clock, 6))


def _failure(core: SimtCore) -> Failure:
    fault = core.fault
    where = f"block {fault.block} thread {fault.thread}"
    details = {"row": fault.row, "block": list(fault.block), "thread": list(fault.thread)}
    return Failure(fault.kind, fault.cycle, where, fault.location, fault.address, details)


MOST_WAITING = 8
"""Warps that a report of a deadlock names."""


def _who_waits(waiting: Sequence[Waiting]) -> str:
    lines = [
        f"block {one.block} warp {one.warp}, lanes {one.lanes & 0xFFFF_FFFF_FFFF_FFFF:#x}, "
        f"at {one.location or f'row {one.row}'}: waits for {one.what}"
        for one in waiting[:MOST_WAITING]
    ]
    more = len(waiting) - len(lines)
    if more:
        lines.append(f"and {more} more")
    return "no thread can ever go on:\n    " + "\n    ".join(lines)


def _what_repeats(core: SimtCore, since: int) -> str:
    places = "; ".join(core.places()[:MOST_WAITING])
    return (
        f"the threads loop at {places}: at cycle {core.cycle} all registers are as they were at "
        f"cycle {since}, and memory has not changed"
    )


CORE = Core(run, model=1)
