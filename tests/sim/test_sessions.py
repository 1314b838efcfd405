"""A session ends as `sim.run` does, however it is let on, and shows what the machine does."""

from __future__ import annotations

import gc
import signal
import threading
import weakref
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import cycle as cycle_of
from typing import Any

import numpy as np
import pytest

import sim
from sim.cores.simt.stall_reasons import REASONS
from sim.prepared_case import PreparedCase, prepare
from sim.runner import Compiled, compile_workload, execute, request_of
from sim.state_views import StateTable
from sim.workload.schema import Source, workload_of

LOOP = """from compiler.kernel import i64, kernel

@kernel
def total(n: i64, x: i64[:]) -> i64:
    t = 0
    for i in range(n):
        t += x[i] * x[i] // 3
    return t
"""
THREADS = """from compiler.kernel import grid, i32, kernel

@kernel
def collatz(start: i32[:], steps: i32[:]):
    i = grid(1)
    x = start[i]
    k: i32 = 0
    while x != 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        k += 1
    steps[i] = k
"""
TILES = """
x: f32[256] in dram
y: f32[256] in dram
old: f32[64] in nram
new: f32[64] in nram

func @run() {
entry:
    t = task_id
    low = mul.i64 t, 64
    high = add.i64 low, 64
    tensor.copy.f32 old[0:64], x[low:high]
    sync_io 0
    tensor.exp.f32 new[0:64], old[0:64]
    sync_compute 0
    tensor.copy.f32 y[low:high], new[0:64]
    sync_io 0
    return
}
"""
LAUNCH = {"grid": [2], "block": [32]}
STARTS = np.arange(1, 65, dtype="i4")
CASES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "itanium2": (LOOP, "python", {"arguments": {"n": 12, "x": np.arange(12)}}),
    "teaching_gpu": (
        THREADS,
        "python",
        {"launch": LAUNCH, "arguments": {"start": STARTS, "steps": np.zeros(64, "i4")}},
    ),
    "teaching_chip": (
        TILES,
        "ir_text",
        {"arguments": {"x": np.ones(256, "f4"), "y": np.zeros(256, "f4")}},
    ),
}
"""By machine: a program, its language, the rest of the workload."""


@cache
def compiled(machine: str, source: str | None = None, *overrides: str) -> Compiled:
    """A case's program, or another in its place."""
    own, language, content = CASES[machine]
    suffix = {"python": ".py", "ir_text": ".sir"}[language]
    workload = {"workload": "w", "program": f"w{suffix}", "machine": machine, **content}
    return compile_workload(workload_of(workload, Source(None, source or own)), None, overrides)


def prepared(*which: str | None) -> PreparedCase:
    program = compiled(*which)
    return prepare(program, program.workload.case())


def session_of(case: PreparedCase, **limits: int) -> sim.Session:
    return sim.Session(case, request_of(case, **limits))


def stepped(session: sim.Session, *steps: int) -> str:
    """The result of a session that is let on by these steps, again and again.  What is seen of it
    does not change later."""
    with session:
        turns, cycle = cycle_of(steps), 0
        seen: dict[str, StateTable] = {}
        while session.advance(step := next(turns)):
            cycle += step
            assert session.cycle == cycle and cycle <= step * 10_000
            if cycle % 9 == 0 and len(seen) < 300:
                seen |= {str(table): table for table in map(session.view, session.views)}
        result = session.finish()
        assert cycle <= result.cycles == session.cycle
    assert all(str(table) == text for text, table in seen.items())
    return result.to_json()


@pytest.mark.parametrize("machine", CASES)
def test_a_session_ends_as_the_run(machine: str):
    result = execute(prepared(machine))
    assert result.ok and result.cycles > 100
    for steps in ((1,), (7,), (1000,), (1, 7, 1000, 3), (result.cycles,), (result.cycles - 1, 1)):
        assert stepped(session_of(prepared(machine)), *steps) == result.to_json(), steps


ONE_COMES = """some = lt_s.i64 t, 1
    branch some, meet, done
meet:
    sync_cluster 0
    jump done
done:
    return"""
ENDS = {
    "limit": ("itanium2", {"cycle_limit": 300}, LOOP),
    "limit of a wait": ("teaching_chip", {"cycle_limit": 40}, TILES),
    "fault": ("itanium2", {}, LOOP.replace("x[i]", "x[i + 9]")),
    "hang": ("teaching_chip", {}, TILES.replace("return", ONE_COMES)),
}


@pytest.mark.parametrize("end", ENDS)
def test_it_ends_as_badly(end: str):
    """Of a hang the cycle is the last in which something happened, wherever it was to pause."""
    machine, limits, source = ENDS[end]
    result = execute(prepared(machine, source), **limits)
    assert result.status == end.partition(" ")[0]
    for steps in ((7,), (41,), (299, 1), (300,), (10**6,)):
        session = session_of(prepared(machine, source), **limits)
        assert stepped(session, *steps) == result.to_json(), steps


def cycle_by_cycle(*which: str | None) -> Iterator[sim.Session]:
    with session_of(prepared(*which)) as session:
        yield session
        while session.advance(1):
            yield session


@pytest.mark.parametrize("changes", [(), ("subcores=1", "pipes.alu.lanes=8")])
def test_warps_wait_for_what_the_counters_say(changes: tuple[str, ...]):
    """What is shown before every cycle adds up to where the cycles went.  A warp comes in a cycle
    in which it issues, and was not there before; in the one in which it goes it still has its slot,
    until it is the turn of its sub-core, and none is charged."""
    which = ("teaching_gpu", None, *changes)
    rows = [row for one in cycle_by_cycle(*which) for row in one.view("warps")]
    seen = Counter(row["reason"] for row in rows)
    warps = len({(row["sm"], row["block"], row["thread"]) for row in rows})
    counters = execute(prepared(*which)).counters
    ready = counters["WARPS_SELECTED"] + counters["WARPS_NOT_SELECTED"]
    assert seen.pop(None) + warps == ready
    seen["drain"] -= warps
    waits = {reason.name: counters[f"WARPS_{reason.name.upper()}"] for reason in REASONS[2:]}
    assert len(seen) > 3 and seen == Counter({name: n for name, n in waits.items() if n})
    assert ("math_pipe_throttle" in seen) == bool(changes)


def test_cores_do_what_the_breakdown_says():
    seen: Counter[str] = Counter()
    for session in cycle_by_cycle("teaching_chip"):
        cores, queues, engines = (session.view(name) for name in ("cores", "queues", "engines"))
        seen.update(f"{row['role']}.{row['does']}" for row in cores)
        # A core waits for a queue only while there is something in it, which an engine has.
        waiting = {(r["cluster"], r["core"]) for r in cores if r["does"] == "wait_io"}
        copying = {(r["cluster"], r["core"]) for r in queues if r["queue"] == "io"}
        assert waiting <= copying
        at_work = {(r["cluster"], r["core"]) for r in engines if r["command"] is not None}
        assert {(r["cluster"], r["core"]) for r in queues} <= at_work
    breakdown = execute(prepared("teaching_chip")).breakdown
    assert seen == Counter({n: c for n, c in breakdown.items() if n.startswith("ipu.") and c})


def test_packets_issue_as_they_are_shown():
    """The syllables of a packet that is gone in the next cycle have been dispersed, but for those
    behind a branch that was taken."""
    issued, before, count = 0, 0, 0
    for session in cycle_by_cycle("itanium2"):
        now = sum(row["operation"] is not None for row in session.view("packet"))
        core = session._simulation.state
        issued += before if core.issued > count else 0
        before, count = now, core.issued
    behind = int(core.state.cut.sum())
    with session_of(prepared("itanium2")) as session:
        result = session.finish()
        registers = {row["register"]: row["value"] for row in session.view("registers")}
    assert before == 0 and issued - behind == result.counters["INST_DISPERSED"]
    assert registers["r8"] == result.returned == sum(i * i // 3 for i in range(12))


def test_a_session_that_is_left_leaves_nothing():
    handler, threads = signal.getsignal(signal.SIGINT), threading.active_count()
    with session_of(prepared("teaching_gpu")) as session:
        session.advance(100)
        assert signal.getsignal(signal.SIGINT) is handler
        core = weakref.ref(session._simulation.state)
        warps = session.view("warps")
        kept = list(map(dict, warps))
        assert core() is not None and repr(session).endswith("running, cycle 100>")
    gc.collect()
    assert core() is None and threading.active_count() == threads
    assert list(warps) == kept
    for use in (session.finish, session.advance, lambda: session.view("warps")):
        with pytest.raises(sim.InputError, match="the session is closed"):
            use()


def test_a_result_stays_after_a_session():
    with session_of(prepared("itanium2")) as session:
        result = session.finish()
    assert session.done and session.finish() is result and not session.advance(5)
    assert session.cycle == result.cycles


@pytest.mark.parametrize(
    "use, message",
    [
        (lambda s: s.advance(0), "cycles: expected an integer from 1"),
        (lambda s: s.advance(None), "cycles: expected an integer"),
        (lambda s: s.view("packets"), "has no view 'packets'.*\n.*did you mean 'packet'"),
    ],
)
def test_what_is_wrong_is_said(use: Any, message: str):
    with (
        session_of(prepared("itanium2")) as session,
        pytest.raises(sim.InputError, match=message),
    ):
        use(session)
