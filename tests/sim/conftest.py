"""A workload small enough to run in every test."""

from __future__ import annotations

from pathlib import Path

import pytest

KERNEL = """from compiler.kernel import f32, i64, kernel


@kernel
def saxpy(n: i64, a: f32, x: f32[n], y: f32[n]):
    for i in range(n):
        y[i] = a * x[i] + y[i]
"""
WORKLOAD = """workload: tiny
program: tiny.py
machine: itanium2
arguments:
  n: 8
  a: 2.5
  x: {dtype: f32, shape: [8], range: {}}
  y: {dtype: f32, shape: [8], value: 1}
expect:
  y: {equals: "a * x + y"}
"""
UPDATE = ("--update", "--reason", "a test")


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The workload's file, in a folder of its own that is the current one."""
    (tmp_path / "tiny.py").write_text(KERNEL)
    path = tmp_path / "workload.yaml"
    path.write_text(WORKLOAD)
    monkeypatch.chdir(tmp_path)
    return path
