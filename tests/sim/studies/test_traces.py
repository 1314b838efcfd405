"""Timelines of the points of a study: each is that of the run alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import sim
from tests.sim.timeline.test_from_python import GIVEN, WORKLOAD

STUDY = """
study: barriers
workload: workload.yaml
axes:
  latency: {set: barriers.latency, values: [8 cycles, 16 cycles]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "fill.py").write_text(GIVEN["source"])
    described = WORKLOAD | {"program": "fill.py"}
    (tmp_path / "workload.yaml").write_text(json.dumps(described))
    (tmp_path / "study.yaml").write_text(STUDY)
    return tmp_path


def test_each_point_has_a_file(simrun: Callable, folder: Path):
    study, traces = str(folder / "study.yaml"), folder / "traces"
    words = ("--traces", str(traces), "--trace-format", "jsonl", "--trace-last", "9")
    ended = simrun("study", study, "--quiet", *words)
    assert (ended.code, ended.err) == (0, "")
    assert sorted(path.name for path in traces.iterdir()) == [
        "latency=16_cycles.jsonl",
        "latency=8_cycles.jsonl",
    ]
    sim.run(
        folder / "workload.yaml", overrides=["barriers.latency=8 cycles"],
        trace=folder / "own.jsonl",
        trace_window=sim.TraceWindow(last=9),
    )  # fmt: skip
    assert (traces / "latency=8_cycles.jsonl").read_bytes() == (folder / "own.jsonl").read_bytes()


def test_what_is_wrong_is_said(simrun: Callable, folder: Path):
    study = str(folder / "study.yaml")
    for words, told in (
        (("--trace-last", "9"), "a part of a trace: there is no --traces"),
        (("--traces", "a", "--trace-format", "x"), "there is no format of traces 'x'"),
    ):
        ended = simrun("study", study, *words)
        assert ended.code == 2 and told in ended.err
    (folder / "study.yaml").write_text(f"{STUDY}warm: {{until: 1}}\n")
    ended = simrun("study", study, "--traces", "a")
    assert ended.code == 2 and "would lack what came before" in ended.err
