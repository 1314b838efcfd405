"""Traces from Python: a file or a function, of runs and sessions; results are as without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sim
from machines.diagnostics import InputError
from sim.timeline.span import Happening

pytestmark = pytest.mark.quick

SOURCE = """from compiler.kernel import grid, i32, kernel


@kernel
def fill(x: i32[64]):
    x[grid(1)] = 7
"""
WORKLOAD = {
    "workload": "fill",
    "machine": "teaching_gpu",
    "arguments": {"x": {"dtype": "i32", "shape": [64], "value": 0}},
    "launch": {"grid": [2], "block": [32]},
}
GIVEN = {"source": SOURCE, "language": "python"}


def run(**words: Any) -> sim.Result:
    return sim.run(WORKLOAD, **GIVEN, **words)


def test_a_function_gets_everything_and_the_result_is_the_same(tmp_path: Path):
    happened: list[Happening] = []
    result, plain = run(trace=happened.append), run()
    assert result.to_json() == plain.to_json() and plain.timeline is None
    assert len(result.timeline) == len(happened) == sum(r.count for r in result.timeline.rows()) > 3
    run(trace=tmp_path / "a.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert [(e["event"], e["track"]) for e in lines] == [(o.name, str(o.track)) for o in happened]


def test_a_session_writes_it_when_it_ends(tmp_path: Path):
    run(trace=str(tmp_path / "run.jsonl"))
    path = tmp_path / "session.jsonl"
    with sim.session(WORKLOAD, **GIVEN, trace=path) as s:
        while s.advance(3):
            assert not path.exists()
        assert s.finish().timeline is not None
    assert sorted(path.read_text().splitlines()) == sorted(
        (tmp_path / "run.jsonl").read_text().splitlines()
    )
    with sim.session(WORKLOAD, **GIVEN, trace=tmp_path / "closed.json") as s:
        s.advance(3)
    assert json.loads((tmp_path / "closed.json").read_text())["otherData"]


def test_a_session_that_fails_leaves_no_trace(tmp_path: Path):
    def fails(one: Happening) -> None:
        raise RuntimeError("no")

    with sim.session(WORKLOAD, **GIVEN, trace=fails) as s, pytest.raises(RuntimeError, match="no"):
        s.finish()
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    "words, told",
    [
        ({"trace": "a.log"}, "does not say its format"),
        ({"trace": 7}, "trace: expected a path"),
        ({"trace": "a.json", "trace_format": "x"}, "there is no format of traces 'x'"),
        ({"trace_format": "jsonl"}, "trace_format: there is no trace"),
        ({"trace": print, "trace_format": "jsonl"}, "trace_format: the trace is no file"),
        ({"trace": "a.json", "threads": 2}, "a trace is written by one thread"),
        ({"trace": "a.json", "checkpoint": "a.npz"}, "a trace would lack what happened before"),
    ],
)
def test_what_is_wrong_is_said(words: dict, told: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for call in (run, lambda **given: sim.session(WORKLOAD, **GIVEN, **given)):
        with pytest.raises(InputError, match=told):
            call(**words)
    assert [*tmp_path.iterdir()] == []
