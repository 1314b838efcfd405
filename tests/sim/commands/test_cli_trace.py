"""The file of `--trace`: its folder is made, and it is there whole or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sim.results.vocabulary import vocabulary_of

pytestmark = pytest.mark.quick

INSTANTS = {one.name for one in vocabulary_of("simt").events if not one.lasts}
KERNEL = """from compiler.kernel import grid, i32, kernel


@kernel
def fill(x: i32[32]):
    x[grid(1)] = 7
"""
WORKLOAD = """workload: fill
program: fill.py
machine: teaching_gpu
arguments:
  x: {dtype: i32, shape: [32], value: 0}
launch: {grid: [1], block: [32]}
expect:
  x: {equals: "x + 7"}
"""


@pytest.fixture
def fill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "fill.py").write_text(KERNEL)
    (tmp_path / "workload.yaml").write_text(WORKLOAD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_its_folder_is_made(fill: Path, simrun):
    assert simrun("workload.yaml", "--trace", "a/b/fill.jsonl").code == 0
    lines = (fill / "a/b/fill.jsonl").read_text().splitlines()
    events = [one for one in map(json.loads, lines) if one["event"] in INSTANTS]
    assert [event["cycle"] for event in events] == sorted(event["cycle"] for event in events)
    assert {"block begun", "exit"} <= {event["event"] for event in events}
    assert events[0]["location"].startswith("fill.py:")


def test_it_speaks_of_the_program_as_its_listing_does(fill: Path, simrun):
    parts = (
        "    if grid(1) < 5:\n        x[grid(1)] = 7\n    else:\n        x[grid(1)] = x[31] * 3\n"
    )
    (fill / "fill.py").write_text(KERNEL.replace("    x[grid(1)] = 7\n", parts))
    text = WORKLOAD.partition("expect:")[0]
    (fill / "workload.yaml").write_text(text)
    passes = "--passes", "default,-guard_branches"
    assert simrun("workload.yaml", "--trace", "fill.jsonl", *passes).code == 0
    listing, label = {}, None
    for line in simrun("explain", "workload.yaml", "--show", "asm", *passes).out.splitlines():
        number, _, rest = line.strip().partition(" ")
        if line.endswith(":"):
            label = line[:-1]
        elif number.isdecimal():
            listing[int(number)] = label, rest.split()[-1], rest
    lines = (fill / "fill.jsonl").read_text().splitlines()
    events = [one for one in map(json.loads, lines) if one["event"] in INSTANTS]
    for event in events:
        assert (event["at"], event["location"]) == listing[event["pc"]][:2]
    (parted,) = (event for event in events if event["event"] == "diverge")
    assert "bra else.1" in listing[parted["pc"]][2]
    assert parted["lanes"] == "0xffffffe0"  # those that leave
    begun = [(e["at"], e["lanes"]) for e in events if e["event"] == "block begun"]
    assert begun == [
        ("entry", "0xffffffff"), ("then.1", "0x1f"), ("else.1", "0xffffffe0"),
        ("join.1", "0xffffffff"),
    ]  # fmt: skip


def test_an_old_trace_stays_where_a_new_one_cannot_be_written(fill: Path, simrun, monkeypatch):
    def full(*arguments: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sim.timeline.writers.jsonl.Lines.write", full)
    (fill / "old.jsonl").write_text("{}\n")
    for name in ("old.jsonl", "new.jsonl"):
        ended = simrun("workload.yaml", "--trace", name)
        assert ended.code == 2
        assert (
            ended.err
            == f"error: cannot write {fill / name}: No space left on device  [cannot-write]\n"
        )
    assert (fill / "old.jsonl").read_text() == "{}\n"
    left = {path.name for path in fill.iterdir()} - {"__pycache__"}
    assert left == {"fill.py", "workload.yaml", "old.jsonl"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_device_that_is_full(fill: Path, simrun):
    ended = simrun("workload.yaml", "--trace", "/dev/full", "--trace-format", "jsonl")
    assert (ended.code, ended.err) == (
        2, "error: cannot write /dev/full: No space left on device  [cannot-write]\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    "place", ["folder.jsonl", "/proc/trace.jsonl", "workload.yaml/trace.jsonl"]
)
def test_a_place_that_cannot_be_written_is_found_before_the_run(place, fill, simrun, monkeypatch):
    def run(*arguments: object, **options: object) -> None:
        raise AssertionError("it ran")

    (fill / "folder.jsonl").mkdir()
    monkeypatch.setattr("sim.runner.execute", run)
    ended = simrun("workload.yaml", "--trace", place)
    assert ended.code == 2 and ended.err.startswith("error: cannot write ")


def test_a_format_is_said_by_the_name_or_by_an_option(fill: Path, simrun):
    assert simrun("workload.yaml", "--trace", "a.jsonl").code == 0
    assert simrun("workload.yaml", "--trace", "b.txt", "--trace-format", "jsonl").code == 0
    assert (fill / "a.jsonl").read_bytes() == (fill / "b.txt").read_bytes()
    assert simrun("workload.yaml", "--trace", "a.json").code == 0
    json.loads((fill / "a.json").read_text())
    for words, told in {
        ("--trace", "a.log"): "the name of the trace 'a.log' does not say its format",
        ("--trace", "a.log", "--trace-format", "jsnl"): "there is no format of traces 'jsnl'",
        ("--trace-format", "jsonl"): "--trace-format: there is no --trace",
    }.items():
        ended = simrun("workload.yaml", *words)
        assert ended.code == 2 and ended.err.startswith(f"error: {told}"), words


def test_a_kind_that_declares_no_events_leaves_no_trace(fill: Path, simrun, monkeypatch):
    words = replace(vocabulary_of("simt"), events=(), sums=(), histograms=())
    monkeypatch.setattr("sim.traced.vocabulary_of", lambda kind: words)
    ended = simrun("workload.yaml", "--trace", "a.jsonl")
    assert ended.code == 2
    assert "teaching_gpu, a machine of kind 'simt', leaves no trace" in ended.err
