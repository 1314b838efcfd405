"""A workload small enough to run in every test, and the command line in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def simrun(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> Callable[..., Ended]:
    """Run the command line with these words."""
    from sim.cli import command_line

    monkeypatch.delenv("CI", raising=False)  # there nothing is accepted

    def run(*words: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["simrun", *words])
        with pytest.raises(SystemExit) as ended:
            command_line()
        return Ended(int(ended.value.code or 0), *capsys.readouterr())

    return run
