"""Does what the host of a SIMT machine does, and says how it ended.

Each stream does its steps in order, all streams at a time.  The link to the host carries one copy
at a time in each direction.
"""

from __future__ import annotations

import math

import simpy

from machines.kinds.simt import copy_faults
from sim.cores import Core, Failure, Outcome, Request, Running
from sim.cores.simt import stall_reasons as why
from sim.cores.simt.drive import SimtCore
from sim.cores.simt.host_steps import Copy, Launch
from sim.cores.simt.statistics import Statistics
from sim.engine import Carrier, Engine, Process
from sim.status import FAULT

MEET = ", and let other threads meet behind that (bar.sync, mbarrier.try_wait)"
RACES = {
    copy_faults.RACE: (
        "the copy at {} may still be on its way",
        f"wait for the copy before (cp.async.wait_group){MEET}",
    ),
    copy_faults.RACE_WITH_PRODUCT: (
        "the product at {} may still read it",
        f"wait for the product before (wgmma.wait_group){MEET}",
    ),
    copy_faults.RACE_WITH_LOAD: (
        "the load at {} may still read it",
        "let the threads that load meet the one that copies (bar.sync, mbarrier.try_wait)",
    ),
    copy_faults.RACE_WITH_STORE: (
        "what the store at {} writes may not be seen yet",
        "fence.proxy.async stands behind stores that copies or products read; then threads meet",
    ),
}
"""What a race is about, and what would help."""
TRACE_EVENTS = 1 << 16
"""Events of a trace that the core holds between two of its calls."""


def run(request: Request) -> Running:
    """Do all steps of all streams."""
    trace = TRACE_EVENTS if request.on_trace else 0
    description = request.machine.description
    core = SimtCore(
        request.program,
        description,
        request.memory,
        trace_events=trace,
        threads=request.threads,
        window=request.trace_window,
    )
    engine = Engine(request)
    host = _Host(engine, core)

    def outcome() -> Outcome:
        statistics = Statistics(core)
        return Outcome(
            status=engine.status,
            cycles=engine.cycles,
            statistics=statistics,
            breakdown=statistics.breakdown,
            failure=_failure(core) if engine.status == FAULT else None,
            causes=[reason.name for reason in why.REASONS[1:]],
            executed=statistics.executed,
            stalls=statistics.stalls[:, 1:],
            waits_for=engine.waits_for,
            steps=engine.steps,
        )

    engine.rests(outcome, core)
    yield from engine.run(engine.streams(host.step), core)
    return outcome()


class _Host:
    """What happens outside of the core."""

    def __init__(self, engine: Engine, core: SimtCore):
        self.engine, self.core = engine, core
        self.carrier = Carrier(engine, core)
        self.link = {to: simpy.Resource(engine.environment) for to in ("device", "host")}

    def step(self, stream: int, step: Launch | Copy) -> Process:
        """Do one step of a stream."""
        return self.copy(stream, step) if isinstance(step, Copy) else self.launch(stream, step)

    def copy(self, stream: int, step: Copy) -> Process:
        """Carry an array over the link."""
        engine, host = self.engine, self.core.machine.host
        with self.link[step.to].request() as turn:
            yield turn
            begin = engine.now
            yield self.wait(host.link_latency * 1e-9 + step.bytes / host.link_bandwidth)
        engine.note(stream, begin, copy=step.array, to=step.to, bytes=step.bytes)

    def launch(self, stream: int, step: Launch) -> Process:
        """Launch a kernel and wait for its end."""
        engine = self.engine
        yield self.wait(self.core.machine.host.launch_latency * 1e-9)
        begin = engine.now
        yield self.carrier.do(
            lambda number: self.core.start(number, step.kernel, step.grid, step.parameters)
        )
        engine.note(stream, begin, kernel=step.kernel, blocks=list(step.grid.blocks))

    def wait(self, seconds: float) -> simpy.Event:
        """The event that comes after a time, in whole cycles; the product is taken to six digits
        behind the point, where a figure in nanoseconds is still exact."""
        cycles = math.ceil(round(seconds * self.core.machine.clock, 6))
        return self.engine.environment.timeout(cycles)


def _failure(core: SimtCore) -> Failure:
    fault = core.fault
    where = f"block {fault.block} thread {fault.thread}"
    details = {"pc": fault.pc, "block": list(fault.block), "thread": list(fault.thread)}
    about, hint = _explained(core)
    return Failure(
        fault.kind, fault.cycle, where, fault.location, fault.address, details, about, hint
    )


def _explained(core: SimtCore) -> tuple[str, str | None]:
    """What a fault is about, and what would help, where the kernel's frame says it."""
    fault = core.fault
    kernel, grid = core.running(fault.grid)
    frame, place = kernel.frame, fault.location
    if fault.kind == "trap" and place is not None:
        at = (place.file, place.line, place.column)
        texts = [text for *where, text in frame.traps if tuple(where) == at]
        return (texts[0], None) if texts else ("", None)
    if fault.copy is not None:
        told, hint = RACES[fault.kind]
        return told.format(fault.copy), hint
    if "local" in fault.kind and frame.recurs:
        return "", "calls within calls need more stack, perhaps: --set limits.stack=4KiB"
    if "shared" in fault.kind and frame.dynamic_alignment and not grid.dynamic_shared:
        return "", "the kernel uses dynamic shared memory, and its launch gives none: shared: 4 KiB"
    return "", None


CORE = Core(run, model=5, has_threads=True, notes_windows=True)
