"""Completion of a line by a shell, and runs that say nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    "line, expected",
    [
        (["simrun", "ch"], ["plain,check", "file,ch"]),
        (["simrun", "check", "--upd"], ["plain,--update"]),
        (["simrun", "workload.yaml", "--js"], ["plain,--json"]),
        (["simrun", "explain", "wo"], ["file,wo"]),
        (["simrun", "run", "x.yaml", "--out", "re"], ["file,re"]),
        (["simrun", "run", "--arg", "n"], []),
    ],
)
def test_what_a_shell_is_told(line, expected, simrun, monkeypatch):
    monkeypatch.setenv("_SIMRUN_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(line))
    monkeypatch.setenv("COMP_CWORD", str(len(line) - 1))
    ended = simrun()
    assert ended.code == 0 and ended.out.split() == expected and not ended.err


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_reads_its_script():
    command = [sys.executable, "-m", "sim"]
    environment = {**os.environ, "_SIMRUN_COMPLETE": "bash_source", "PYTHONPATH": str(ROOT)}
    script = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    asked = script.stdout + "\ncomplete -p simrun"
    told = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
    assert "_simrun_completion" in told.stdout


def test_quiet_is_quiet_until_something_is_wrong(tiny: Path, simrun):
    ended = simrun(tiny.name, "--quiet")
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    assert simrun(tiny.name, "-q", "--json").code == 2
    tiny.write_text(tiny.read_text().replace("a * x + y", "a * x"))
    ended = simrun(tiny.name, "--quiet")
    assert ended.code == 1 and ended.out.startswith("tiny on itanium2: done, OUTPUTS WRONG\n  y")
    assert len(ended.out.splitlines()) == 2
