"""The file of `--trace`: its folder is made, and it is there whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

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
    events = [json.loads(line) for line in lines]
    assert [event["cycle"] for event in events] == sorted(event["cycle"] for event in events)
    assert {"block begun", "exit"} <= {event["event"] for event in events}
    assert events[0]["location"].startswith("fill.py:")


def test_an_old_trace_stays_where_a_new_one_cannot_be_written(fill: Path, simrun, monkeypatch):
    def full(*arguments: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sim.results.trace.event_line", full)
    (fill / "old.jsonl").write_text("{}\n")
    for name in ("old.jsonl", "new.jsonl"):
        ended = simrun("workload.yaml", "--trace", name)
        assert ended.code == 2
        assert ended.err == f"error: cannot write {fill / name}: No space left on device\n"
    assert (fill / "old.jsonl").read_text() == "{}\n"
    left = {path.name for path in fill.iterdir()} - {"__pycache__"}
    assert left == {"fill.py", "workload.yaml", "old.jsonl"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_device_that_is_full(fill: Path, simrun):
    ended = simrun("workload.yaml", "--trace", "/dev/full")
    assert (ended.code, ended.err) == (
        2, "error: cannot write /dev/full: No space left on device\n"
    )  # fmt: skip


@pytest.mark.parametrize("place", ["folder", "/proc/trace.jsonl", "workload.yaml/trace.jsonl"])
def test_a_place_that_cannot_be_written_is_found_before_the_run(place, fill, simrun, monkeypatch):
    def run(*arguments: object, **options: object) -> None:
        raise AssertionError("it ran")

    (fill / "folder").mkdir()
    monkeypatch.setattr("sim.runner.execute", run)
    ended = simrun("workload.yaml", "--trace", place)
    assert ended.code == 2 and ended.err.startswith("error: cannot write ")
