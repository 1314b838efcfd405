"""The shell of all cores: a run's end, its limit, a hang, Ctrl-C, and cores that it carries."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf
from types import FrameType
from typing import Any

import pytest
import simpy

from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.layout import Memory
from sim.cores import Request
from sim.cores.returned import DONE, FAULTED, QUANTUM, STUCK
from sim.engine import FIRST_QUANTUM, Carried, Carrier, Engine, Pace, Process
from sim.livelock import WATCH_EVERY

REQUEST = Request(None, load_machine("teaching_gpu"), Memory([]), cycle_limit=1000)


def run(engine: Engine, *asked: Any, pauses: Iterable[int] = ()) -> None:
    """Run it to its end, with pauses before these cycles."""
    running = engine.run(*asked)
    next(running)
    with suppress(StopIteration):
        for pause in (*pauses, inf):
            running.send(pause)
            assert engine.cycles <= pause


def waits(engine: Engine, *cycles: int) -> Process:
    """A process of so many cycles, one wait after the other."""
    for one in cycles:
        yield engine.environment.timeout(one)


# ---- Processes alone ----------------------------------------------------------------------------


def test_a_run_ends_with_its_last_process():
    engine = Engine(REQUEST)
    run(engine, [waits(engine, 3, 4), waits(engine, 5)])
    assert (engine.status, engine.cycles, engine.waits_for) == ("done", 7, None)


def test_a_run_without_processes_is_done():
    engine = Engine(REQUEST)
    run(engine, [])
    assert (engine.status, engine.cycles) == ("done", 0)


@pytest.mark.parametrize(("cycles", "status"), [(999, "done"), (1000, "done"), (1001, "limit")])
def test_the_limit_is_the_last_cycle_of_a_run(cycles: int, status: str):
    engine = Engine(REQUEST)
    run(engine, [waits(engine, cycles)])
    assert (engine.status, engine.cycles) == (status, min(cycles, 1000))


def test_who_waits_for_what_never_comes_hangs():
    engine = Engine(REQUEST)

    def waiting() -> Process:
        yield engine.environment.timeout(5)
        yield engine.environment.event()

    run(engine, [waiting(), waits(engine, 9)], None, lambda: "A waits for B")
    assert (engine.status, engine.cycles, engine.waits_for) == ("hang", 9, "A waits for B")


def test_what_a_process_raises_comes_out():
    engine = Engine(REQUEST)

    def wrong() -> Process:
        yield engine.environment.timeout(5)
        raise LookupError("no such thing")

    with pytest.raises(LookupError, match="no such thing"):
        run(engine, [wrong(), waits(engine, 9)])


def test_an_interrupted_run_says_how_far_it_came():
    engine = Engine(REQUEST)

    def interrupted() -> Process:
        yield engine.environment.timeout(5)
        raise KeyboardInterrupt

    run(engine, [interrupted(), waits(engine, 9)])
    assert (engine.status, engine.cycles) == ("interrupted", 5)


def test_streams_do_their_actions_in_order_and_side_by_side():
    engine = Engine(replace(REQUEST, host={0: iter((3, 4)), 2: (5,)}))
    lane = simpy.Resource(engine.environment)

    def perform(stream: int, cycles: int) -> Process:
        with lane.request() as turn:
            yield turn
            begin = engine.now
            yield engine.environment.timeout(cycles)
        engine.note(stream, begin, cycles=cycles)

    run(engine, engine.streams(perform))
    assert engine.steps == [
        {"cycles": 3, "stream": 0, "begin": 0, "end": 3},
        {"cycles": 5, "stream": 2, "begin": 3, "end": 8},
        {"cycles": 4, "stream": 0, "begin": 8, "end": 12},
    ]


@pytest.mark.parametrize(("number", "times", "whole"), [
    (signal.SIGINT, 1, True), (signal.SIGINT, 2, False), (signal.SIGTERM, 1, True)
])  # fmt: skip
def test_ctrl_c_waits_for_the_end_of_a_step_and_a_second_one_does_not(
    number: int, times: int, whole: bool
):
    engine, done = Engine(REQUEST), []

    def handler(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    def interrupted() -> Process:
        yield engine.environment.timeout(5)
        done.append("begun")
        for _ in range(times):
            signal.raise_signal(number)
        done.append("whole")
        yield engine.environment.timeout(5)
        done.append("next")

    before = signal.signal(number, handler)
    try:
        run(engine, [interrupted(), waits(engine, 9)])
        assert signal.getsignal(number) is handler
    finally:
        signal.signal(number, before)
    assert (engine.status, engine.cycles) == ("interrupted", 5)
    assert done == ["begun", "whole"][: 1 + whole]


def test_ctrl_c_does_not_hide_how_a_run_has_ended():
    engine = Engine(REQUEST)

    def last() -> Process:
        yield engine.environment.timeout(5)
        engine.stop("fault")
        signal.raise_signal(signal.SIGINT)

    run(engine, [last()])
    assert (engine.status, engine.cycles) == ("fault", 5)


def test_a_run_in_a_thread_leaves_signals_alone():
    engine = Engine(REQUEST)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(run, engine, [waits(engine, 3, 4)]).result()
    assert (engine.status, engine.cycles) == ("done", 7)


# ---- Cores that advance by themselves -----------------------------------------------------------


class Counting(Carried):
    """Does things that take some cycles each, one after the other, and issues once a cycle.

    `ending` is what it returns when it has come to the cycle `ends_at`.
    """

    def __init__(self, ends_at: int = 1 << 60, ending: int = FAULTED):
        self.now = self.count = 0
        self.ends_at, self.ending = ends_at, ending
        self.left: list[tuple[int, int]] = []
        self.ended: list[int] = []
        self.calls: list[int] = []
        self.repeats_from: int | None = None

    def begin(self, number: int, cycles: int) -> None:
        self.left.append((number, (self.left[-1][1] if self.left else self.now) + cycles))

    @property
    def cycle(self) -> int:
        return self.now

    @property
    def issued(self) -> int:
        return self.count

    def advance(self, until: int) -> int:
        number, end = self.left[0]
        until = min(until, end, self.ends_at)
        self.calls.append(until - self.now)
        self.count += until - self.now
        self.now = until
        if self.now == self.ends_at:
            return self.ending
        if self.now == end:
            self.ended.append(number)
            del self.left[0]
        return QUANTUM if self.left else DONE

    def wait_until(self, cycle: int) -> None:
        self.now = max(self.now, cycle)

    def finished(self) -> Iterable[int]:
        ended, self.ended = self.ended, []
        return ended

    def fingerprint(self) -> tuple | None:
        return None if self.repeats_from is None else (min(self.now, self.repeats_from),)

    def where_it_loops(self) -> str:
        return "it loops at home"

    def who_waits(self) -> str:
        return "one waits for two"

    def happened(self) -> Any:
        return [self.now]


def carried(
    core: Counting, streams: dict[int, tuple[int, ...]], pauses: Iterable[int] = (), **limits: Any
) -> Engine:
    """A run of a core that does what takes so many cycles, each 10 cycles after the one before."""
    engine = Engine(replace(REQUEST, host=streams, **limits))
    carrier = Carrier(engine, core)

    def perform(stream: int, cycles: int) -> Process:
        yield engine.environment.timeout(10)
        begin = engine.now
        yield carrier.do(lambda number: core.begin(number, cycles))
        engine.note(stream, begin, cycles=cycles)

    run(engine, engine.streams(perform), pauses=pauses)
    return engine


PAUSES = [(), range(70), (10, 40, 64)]


@pytest.mark.parametrize("pauses", PAUSES)
@pytest.mark.parametrize("quantum", [None, 1, 7, 10**6])
def test_results_do_not_depend_on_quantum_and_pauses(quantum: int | None, pauses: Iterable[int]):
    core = Counting()
    engine = carried(core, {0: (30, 5), 1: (20,)}, pauses, quantum=quantum)
    assert (engine.status, engine.cycles, core.issued) == ("done", 65, 55)
    assert engine.steps == [
        {"cycles": 30, "stream": 0, "begin": 10, "end": 40},
        {"cycles": 20, "stream": 1, "begin": 10, "end": 60},
        {"cycles": 5, "stream": 0, "begin": 50, "end": 65},
    ]
    assert max(core.calls) <= (quantum or 100)


@pytest.mark.parametrize("quantum", [None, 7])
def test_a_core_that_faults_or_is_stuck_ends_the_run(quantum: int | None):
    engine = carried(Counting(25, FAULTED), {0: (30,)}, quantum=quantum)
    assert (engine.status, engine.cycles, engine.waits_for) == ("fault", 25, None)
    engine = carried(Counting(25, STUCK), {0: (30,)}, quantum=quantum)
    assert (engine.status, engine.cycles, engine.waits_for) == ("hang", 25, "one waits for two")


@pytest.mark.parametrize(("limit", "status"), [(39, "limit"), (40, "done"), (41, "done")])
def test_the_limit_of_a_core_is_that_of_the_run(limit: int, status: str):
    engine = carried(Counting(), {0: (30,)}, cycle_limit=limit)
    assert (engine.status, engine.cycles) == (status, min(limit, 40))


def test_a_core_without_anything_to_do_comes_to_the_limit():
    core = Counting()
    engine = carried(core, {0: (30, 3)}, cycle_limit=45)  # it would go on at 50
    assert (engine.status, engine.cycles, core.cycle) == ("limit", 45, 45)


def test_a_core_that_is_where_it_was_hangs():
    core = Counting()
    core.repeats_from = WATCH_EVERY // 2
    engine = carried(core, {0: (1 << 40,)}, cycle_limit=1 << 41)
    assert (engine.status, engine.cycles) == ("hang", 2 * WATCH_EVERY)
    assert engine.waits_for == (
        f"it loops at home: at cycle {2 * WATCH_EVERY} all registers are as they were at cycle "
        f"{WATCH_EVERY}, and memory has not changed"
    )


@pytest.mark.parametrize(("waits_for", "status"), [("what comes", "done"), ("nothing", "hang")])
def test_a_core_is_where_it_was_only_when_nothing_else_can_come(waits_for: str, status: str):
    """It spins until another stream, after more than two looks, lets it go on."""
    comes = 5 * WATCH_EVERY // 2
    engine, core = Engine(replace(REQUEST, cycle_limit=1 << 41)), Counting()
    core.repeats_from = WATCH_EVERY // 2
    carrier = Carrier(engine, core)

    def spinning() -> Process:
        yield carrier.do(lambda number: core.begin(number, 1 << 40))

    def releasing() -> Process:
        yield engine.environment.timeout(comes)
        if waits_for == "what comes":
            core.left[0] = (core.left[0][0], comes + 5)

    run(engine, [spinning(), releasing()])
    assert engine.status == status
    assert engine.cycles == (comes + 5 if status == "done" else 4 * WATCH_EVERY)


@pytest.mark.parametrize("pauses", PAUSES)
@pytest.mark.parametrize("quantum", [None, 1, 7])
def test_two_cores_in_one_run_wait_for_each_other(quantum: int | None, pauses: Iterable[int]):
    """Both are busy at a time, and what one ends lets the other begin, in that very cycle."""
    engine = Engine(replace(REQUEST, quantum=quantum))
    cores = [Counting(), Counting()]
    carriers = [Carrier(engine, core) for core in cores]

    def work(stream: int, *parts: tuple[int, int]) -> Process:
        for place, cycles in parts:
            begin = engine.now
            yield carriers[place].do(partial(cores[place].begin, cycles=cycles))
            engine.note(stream, begin, core=place)

    run(engine, [work(0, (0, 30), (1, 20)), work(1, (1, 17), (0, 21))], pauses=pauses)
    assert (engine.status, engine.cycles) == ("done", 51)
    assert [tuple(step.values()) for step in engine.steps] == [
        (1, 1, 0, 17), (0, 0, 0, 30), (1, 0, 30, 50), (0, 1, 17, 51)
    ]  # fmt: skip
    assert [core.issued for core in cores] == [51, 37]


def test_a_core_tells_what_has_happened_after_every_call():
    events: list[int] = []
    carried(Counting(), {0: (30,)}, quantum=12, on_trace=events.extend)
    assert events == [22, 34, 40]


def test_calls_become_as_long_as_they_should_take():
    """Of a core that takes no time: four times the cycles of the call before."""
    core = Counting()
    core.begin(0, 1 << 60)
    pace = Pace(core, None)
    for _ in range(4):
        pace.advance(1 << 50)
    assert core.calls == [FIRST_QUANTUM * 4**k for k in range(4)]


# ---- At rest ------------------------------------------------------------------------------------


def rests_of(host: dict[int, list[int]], arrivals: Mapping[int, int], **asked: Any) -> list:
    """Where a host rests whose actions are waits: (steps, cycle)."""
    found: list[tuple[int, int]] = []
    on_rest = asked.pop("on_rest", lambda rest: found.append((rest.steps, rest.cycle)))
    engine = Engine(replace(REQUEST, host=host, on_rest=on_rest))

    def perform(stream: int, action: int) -> Process:
        yield engine.environment.timeout(action)

    engine.rests(lambda: None, **asked)
    run(engine, engine.streams(perform, lambda action: arrivals.get(action, 0)))
    return found


def test_a_run_rests_where_no_step_is_under_way():
    assert rests_of({0: [3, 4]}, {}) == [(1, 3), (2, 7)]
    assert rests_of({0: [3, 4, 5], 1: [6]}, {}) == [(3, 7), (4, 12)]  # 6 ends in the midst of 4
    assert rests_of({0: [3], 1: [3]}, {}) == [(2, 3)]


def test_who_waits_for_an_arrival_is_at_rest():
    assert rests_of({0: [3, 4], 1: [9]}, {9: 100}) == [(1, 3), (2, 7), (3, 109)]
    assert rests_of({0: [3, 4], 1: [9]}, {9: 3}) == [(3, 12)]  # it comes in that cycle


def test_what_does_not_say_what_it_holds_cannot_be_kept():
    with pytest.raises(InputError, match="a run on teaching_gpu cannot be kept"):
        rests_of({0: [3]}, {}, on_rest=lambda rest: rest.state())
