"""Counters over time and histograms: they add up to the result's figures, change nothing of it,
and take as much memory as they may, whatever the run does."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter as Tally
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

import sim
from machines.diagnostics import InputError
from machines.kinds import kinds
from sim import sampling
from sim.cores import Outcome
from sim.results.histograms import FINE, Counted, Histogram, Histograms, behind, first_of
from sim.results.result import Result
from sim.results.sections import sparkline
from sim.results.series import Series, Wanted, wanted_of
from sim.results.vocabulary import Counter, vocabulary_of
from sim.sampling import Sampling
from sim.timeline.span import Instant, Span, Track

ROOT = Path(__file__).parents[3]
RUNS = {
    "epic": ("workloads/hand_tuned/strlen", "itanium2"),
    "simt": ("workloads/gpu/strided", "teaching_gpu"),
    "cluster": ("workloads/chip/copies/sram", "teaching_chip"),
}


@cache
def result(kind: str) -> Result:
    """Of a run without a series."""
    return run(kind)


def run(kind: str, **asked) -> Result:
    path, machine = RUNS[kind]
    return sim.run(ROOT / path, machine=machine, **asked)


def without(found: Result, *keys: str) -> dict:
    return {key: value for key, value in found.to_dict().items() if key not in keys}


@pytest.mark.parametrize("kind", RUNS)
def test_series_add_up_to_the_counters_and_change_nothing(kind: str):
    plain = result(kind)
    every = max(plain.cycles // random.Random(kind).randrange(7, 40), 1)
    found = run(kind, series=every)
    assert without(found, "series") == plain.to_dict()
    series = found.series
    assert series.every == every and series.cycles[-1] == plain.cycles
    lengths = [end - begin for begin, end in pairwise((0, *series.cycles))]
    assert set(lengths[:-1]) == {every} and 0 < lengths[-1] <= every
    known = {one.name: one for one in plain.vocabulary.counters}
    told = {name for name in plain.counters if known[name].region != "none"}
    assert series.counters.keys() == told
    for name, of in series.counters.items():
        last = of[-1] if known[name].region == "level" else sum(of)
        assert last == plain.counters[name], name
    for name, of in series.breakdown.items():
        assert sum(of) == plain.breakdown[name], name
        assert min(of) >= 0
    # In each interval time goes somewhere, all of it.
    whole = sum(plain.breakdown.values())
    for k, length in enumerate(lengths):
        spent = sum(of[k] for of in series.breakdown.values())
        assert spent * plain.cycles == whole * length


def test_all_kinds_are_looked_at():
    assert RUNS.keys() == kinds().keys()


def test_intervals_are_what_a_session_sees():
    """The instructions of a run up to a cycle, which another door tells, too."""
    found = run("epic", series="1000:IA64_INST_RETIRED").series
    assert found.counters.keys() == {"IA64_INST_RETIRED"}
    limited = run("epic", cycle_limit=found.cycles[2]).counters["IA64_INST_RETIRED"]
    assert sum(found.counters["IA64_INST_RETIRED"][:3]) == limited


class Steady:
    """A run of `cycles` cycles that counts two a cycle, and one more when it has ended; it holds as
    many as there were cycles."""

    def __init__(self, request):
        self.now, self.outcome, self.cycles = 0, None, request.cycles
        self.has_ended = False
        request.on_start(self.so_far)

    def so_far(self) -> Outcome:
        statistics = SimpleNamespace(now=self.now, ended=self.has_ended)
        return Outcome("done", self.now, statistics, {"busy": self.now})

    def go_on(self, before: int) -> None:
        self.now = min(before, self.cycles)
        self.has_ended = before > self.cycles
        self.outcome = self.so_far() if self.has_ended else None


COUNTERS = (
    Counter("TWO", "events", "Two a cycle.", lambda t: 2 * t.now + t.ended),
    Counter("HELD", "events", "A level.", lambda t: t.now, region="level"),
)


def steady(cycles: int, every: int, monkeypatch) -> Series:
    monkeypatch.setattr(sampling, "Simulation", Steady)
    monkeypatch.setattr(sampling, "replace", lambda request, on_start: SimpleNamespace(
        on_start=on_start, cycles=request.cycles))  # fmt: skip
    taking = Sampling(Wanted(every, COUNTERS))
    taking.simulate(SimpleNamespace(cycles=cycles, resumed=None))
    return taking.series


def test_a_series_by_hand(monkeypatch):
    found = steady(25, 10, monkeypatch)
    assert found.to_dict() == {
        "every": 10, "cycles": [10, 20, 25], "breakdown": {"busy": [10, 10, 5]},
        "counters": {"TWO": [20, 20, 11], "HELD": [10, 20, 25]},
    }  # fmt: skip
    assert list(found.rows())[1] == {"cycle": 20, "busy": 10, "TWO": 20, "HELD": 20}


def test_a_run_that_ends_with_an_interval(monkeypatch):
    """What it does behind its last interval belongs to that."""
    found = steady(20, 10, monkeypatch)
    assert found.cycles == (10, 20) and found.counters["TWO"] == [20, 21]


@pytest.mark.parametrize("cycles", [63, 64, 65, 1000, 4321])
def test_intervals_become_longer_where_there_would_be_too_many(cycles: int, monkeypatch):
    monkeypatch.setattr(sampling, "MOST_ROWS", 8)
    found = steady(cycles, 8, monkeypatch)
    assert len(found.cycles) <= 8 and found.cycles[-1] == cycles
    assert all(end % found.every == 0 for end in found.cycles[:-1])
    assert found.counters["HELD"] == list(found.cycles)
    lengths = [end - begin for begin, end in pairwise((0, *found.cycles))]
    assert set(lengths[:-1]) == {found.every}
    *counted, last = found.counters["TWO"]
    assert [*counted, last - 1] == [2 * length for length in lengths]


@pytest.mark.parametrize(
    "written, said",
    [
        ("0", "'0' is no number of cycles"),
        ("often", "'often' is no number of cycles"),
        ("-5", "'-5' is no number of cycles"),
        ("10:", "there is no counter ''"),
        ("10:L2_MISES", "there is no counter 'L2_MISES'"),
        ("10:L2_*,ABSENT_*", "there is no counter 'ABSENT_*'"),
    ],
)
def test_what_is_no_series(written: str, said: str):
    with pytest.raises(InputError) as refused:
        wanted_of(written, vocabulary_of("epic"))
    assert f"series: {said}" in str(refused.value)


def test_a_maximum_has_no_series():
    with pytest.raises(InputError, match="cannot be told of a part of a run"):
        wanted_of("10:RECONVERGENCE_MOST_GROUPS", vocabulary_of("simt"))


def test_python_says_what_it_takes():
    with pytest.raises(InputError, match="expected a number of cycles or a text, found True"):
        run("epic", series=True)
    with pytest.raises(InputError, match="made by one thread, of the whole run"):
        run("simt", histograms=True, trace_window=sim.TraceWindow(begin=5), trace=print)


@pytest.mark.parametrize("suffix", [".csv", ".json", ".parquet"])
def test_files_have_the_series(suffix: str, tmp_path: Path):
    from sim.results.series_files import check_series_file, write_series

    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    found, path = run("epic", series="1000:CPU_CYCLES,IA64_*"), tmp_path / f"series{suffix}"
    check_series_file(path)
    write_series(found, path)
    rows = [*found.series.rows()]
    if suffix == ".csv":
        read = [{k: int(v) for k, v in row.items()} for row in csv.DictReader(path.open())]
        assert read == rows
    elif suffix == ".json":
        assert json.loads(path.read_text()) == found.series.to_dict()
    else:
        pandas = pytest.importorskip("pandas")
        assert pandas.read_parquet(path).to_dict("records") == rows


# Histograms


def test_buckets_leave_no_gap():
    values, bucket = range(5000), (0, 0)
    for value in values:
        first = first_of(value)
        assert first <= value < behind(first)
        assert first in (bucket[0], bucket[1])
        bucket = first, behind(first)
        assert value >= FINE or first == value
        assert (bucket[1] - first) * 8 <= max(first, 8)


def test_a_histogram_by_hand():
    track = Track("t", "family")
    wait = Histogram("wait", "cycles", "Waits.", "stall", by="reason")
    lanes = Histogram("lanes", "lanes", "Lanes.", "begun", lambda one: one.arguments["lanes"])
    taking = Histograms((wait, lanes))
    taking.take([
        Span(track, 0, 5, "stall", {"reason": "slow"}),
        Span(track, 5, 9, "stall", {"reason": "late"}),
        Span(track, 9, 1009, "stall", {"reason": "late"}),
        Instant(track, 3, "begun", {"lanes": 32}),
        Instant(track, 3, "other", {}),
    ])  # fmt: skip
    late, slow, of_lanes = (one.to_dict() for one in taking.found())
    assert late == {
        "name": "wait", "unit": "cycles", "reason": "late", "count": 2, "total": 1004, "least": 4,
        "most": 1000, "buckets": [[4, 5, 1], [960, 1024, 1]],
    }  # fmt: skip
    assert slow["buckets"] == [[5, 6, 1]] and of_lanes["buckets"] == [[32, 33, 1]]
    assert "reason" not in of_lanes


def test_active_lanes_are_those_of_the_mask():
    (lanes,) = (one for one in vocabulary_of("simt").histograms if one.name == "active lanes")
    assert lanes.value(Instant(Track("t", "warp"), 0, "block begun", {"lanes": "0x80000001"})) == 2


@pytest.mark.parametrize("kind", RUNS)
def test_histograms_add_up_and_change_nothing(kind: str):
    found = run(kind, histograms=True)
    assert without(found, "histograms") == result(kind).to_dict()
    by_name: dict[str, Tally] = {}
    for one in found.histograms:
        assert sum(one.counts.values()) == one.count
        by_name.setdefault(one.declared.name, Tally())[one.of] += one.total
    stalls = by_name["stall length"]
    if kind == "epic":
        lost = {k: n for k, n in found.breakdown.items() if n and k != "issuing"}
        assert dict(stalls) == lost
        packets = by_name["instructions of a packet"][""]
        assert packets == found.counters["INST_DISPERSED"]
    elif kind == "simt":
        waits = {k: found.counters[f"WARPS_{k.upper()}"] for k in stalls}
        assert dict(stalls) == waits
    else:
        assert all(found.breakdown[reason] == cycles for reason, cycles in stalls.items())
        moved = by_name["transfer size"]
        assert moved["dram"] == found.counters["DRAM_CARRIED"]


def test_kinds_declare_what_can_be():
    from sim.results.histograms import problems

    events = vocabulary_of("epic").events
    declared = [
        Histogram("a", "cycles", ".", "absent"),
        Histogram("b", "cycles", ".", "stall", by="colour"),
        Histogram("c", "cycles", ".", "branch"),
    ]
    assert [*problems(declared, events)] == [
        "histogram 'a' is of event 'absent', which is not declared",
        "histogram 'b' is by 'colour', which is no field of 'stall'",
        "histogram 'c' is of cycles, which 'branch' does not last",
    ]


def test_bars_of_a_series():
    assert sparkline([]) == "" and sparkline([0, 0]) == "▁▁"
    assert sparkline(list(range(96)))[-1] == "█" and len(sparkline(list(range(96)))) == 48
    assert Counted(Histogram("x", "cycles", ".", "e"), "").buckets == []
