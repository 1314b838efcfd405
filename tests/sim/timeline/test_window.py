"""Parts of timelines: cycles, the last ones, tracks, places; from both doors."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import sim
from machines.diagnostics import InputError, Location
from sim.timeline import window as windows
from sim.timeline.span import Happening, Instant, Span, Track
from sim.timeline.window import TraceWindow, Windowed
from tests.sim.timeline.test_from_python import GIVEN, WORKLOAD

pytestmark = pytest.mark.quick

SM = Track("SM 0", "sm")
WARPS = [Track(f"warp {k}", "warp", SM) for k in (1, 12)]
FIRST, SECOND = Location("a.py", 7, 1), Location("a.py", 9, 1)
HAPPENED: tuple[Happening, ...] = (
    Span(WARPS[0], 0, 10, "stall", {"location": FIRST, "at": "entry"}),
    Instant(WARPS[0], 10, "exit", {"location": None, "at": "loop"}),
    Span(WARPS[1], 4, 20, "stall", {"location": SECOND, "at": "loop"}),
    Span(WARPS[1], 20, 20, "stall", {"location": SECOND, "at": "loop"}),
    Span(WARPS[1], 20, 30, "stall", {"location": SECOND, "at": "loop"}),
)


def wanted(window: TraceWindow) -> tuple[list[int], list[str]]:
    """Numbers of what is handed on, and what was asked for in vain."""
    found: list[Happening] = []
    windowed = Windowed(window, found.append, lambda at: f"{at.file}:{at.line}")
    for one in HAPPENED:
        windowed.take(one)
    windowed.end(30)
    return [next(k for k, one in enumerate(HAPPENED) if one is f) for f in found], [
        *windowed.unmatched()
    ]


@pytest.mark.parametrize(
    "window, expected",
    [
        (TraceWindow(), [0, 1, 2, 3, 4]),
        (TraceWindow(begin=10), [1, 2, 3, 4]),
        (TraceWindow(begin=11), [2, 3, 4]),
        (TraceWindow(begin=20), [3, 4]),
        (TraceWindow(end=10), [0, 2]),
        (TraceWindow(end=11), [0, 1, 2]),
        (TraceWindow(9, 10), [0, 2]),
        (TraceWindow(last=9), [4]),
        (TraceWindow(last=10), [3, 4]),
        (TraceWindow(last=11), [2, 3, 4]),
        (TraceWindow(last=20), [1, 2, 3, 4]),
        (TraceWindow(last=1), [4]),
        (TraceWindow(last=100), [0, 1, 2, 3, 4]),
        (TraceWindow(tracks=("SM 0/warp 1",)), [0, 1]),
        (TraceWindow(tracks=("SM 0/warp 1*",)), [0, 1, 2, 3, 4]),
        (TraceWindow(tracks=("SM 0",)), [0, 1, 2, 3, 4]),
        (TraceWindow(places=("a.py:7",)), [0]),
        (TraceWindow(places=("a.py:7", "loop")), [0, 1, 2, 3, 4]),
        (TraceWindow(begin=20, tracks=("SM 0/warp 1?",), places=("loop",)), [3, 4]),
    ],
    ids=str,
)
def test_what_is_wanted(window: TraceWindow, expected: list[int]):
    assert wanted(window) == (expected, [])


def test_what_never_came_is_named():
    found = wanted(TraceWindow(tracks=("SM 1", "SM 0/warp 12"), places=("a.py:8", "loop")))
    assert found == ([2, 3, 4], ["SM 1", "a.py:8"])


def test_of_the_last_cycles_little_more_is_kept(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(windows, "LEAST", 64)
    windowed = Windowed(TraceWindow(last=50), list[Happening]().append, str)
    windowed._look_at = 64
    most = 0
    for cycle in range(10_000):
        windowed.take(Instant(SM, cycle, "exit", {}))
        most = max(most, len(windowed._kept))
    assert most <= 128


@pytest.mark.parametrize(
    "given, message",
    [
        ({"begin": 9, "end": 9}, "a trace from cycle 9 up to 9 would be empty"),
        ({"end": 0}, "a trace from cycle 0 up to 0 would be empty"),
        ({"begin": -1}, "a trace cannot begin in cycle -1"),
        ({"last": 0}, "a trace of the last 0 cycles would be empty"),
        ({"last": 5, "end": 9}, "a trace is of given cycles, or of the last ones"),
    ],
)
def test_windows_that_cannot_be(given: dict[str, int], message: str):
    with pytest.raises(InputError, match=message):
        TraceWindow(**given)


def test_from_python(tmp_path: Path):
    everything: list[Happening] = []
    some: list[Happening] = []
    whole = sim.run(WORKLOAD, **GIVEN, trace=everything.append)
    window = sim.TraceWindow(last=400, tracks=("SM 0/warp 0",))
    result = sim.run(WORKLOAD, **GIVEN, trace=some.append, trace_window=window)
    assert result.to_json() == whole.to_json()
    assert [*map(str, result.timeline.rows())] == [*map(str, whole.timeline.rows())]
    end = max(one.end for one in everything if isinstance(one, Span))
    kept = [
        one
        for one in everything
        if str(one.track) == "SM 0/warp 0"
        and (one.end if isinstance(one, Span) else one.cycle + 1) > end - 400
    ]
    # Tracks are objects of a run.
    plain = [[(str(one.track), *one[1:]) for one in happened] for happened in (some, kept)]
    assert plain[0] == plain[1] and 0 < len(some) < len(everything)
    with pytest.raises(InputError, match="trace_window: there is no trace"):
        sim.run(WORKLOAD, **GIVEN, trace_window=window)
    with pytest.raises(InputError, match=r"a sim\.TraceWindow is wanted, not tuple"):
        sim.run(WORKLOAD, **GIVEN, trace=some.append, trace_window=(1, 2))


def test_on_the_command_line(simrun: Callable, tmp_path: Path):
    (tmp_path / "fill.py").write_text(GIVEN["source"])
    described = WORKLOAD | {"program": "fill.py"}
    (tmp_path / "workload.yaml").write_text(json.dumps(described))
    path, words = tmp_path / "a.jsonl.gz", (str(tmp_path / "workload.yaml"), "--quiet")
    ended = simrun(*words, "--trace", str(path), "--trace-from", "3", "--trace-to", "5",
                   "--trace-on", "SM 0/warp *")  # fmt: skip
    assert (ended.code, ended.err) == (0, "")
    first = path.read_bytes()
    assert first[4:8] == bytes(4)  # no time of writing
    lines = [json.loads(line) for line in gzip.decompress(first).decode().splitlines()]
    assert lines and all(line["track"].startswith("SM 0/warp ") for line in lines)
    assert all(line["cycle"] < 5 and line.get("end", line["cycle"] + 1) > 3 for line in lines)
    simrun(*words, "--trace", str(path), "--trace-from", "3", "--trace-to", "5",
           "--trace-on", "SM 0/warp *")  # fmt: skip
    assert path.read_bytes() == first
    ended = simrun(*words, "--trace", str(path), "--trace-at", "fill.py:99")
    assert ended.err == "simrun: nothing of the run is on or at 'fill.py:99': the trace lacks it\n"
    ended = simrun(*words, "--trace-last", "9")
    assert ended.code == 2 and "a part of a trace: there is no --trace" in ended.err
