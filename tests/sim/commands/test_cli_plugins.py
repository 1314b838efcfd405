"""A package with entry points that are wrong: every command names it once and goes on.

The package lies in a folder as an installed one does; commands run in processes of their own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
GROUPS = ("machines", "kinds", "operations", "frontends", "passes", "schedulers", "bundlers",
          "reports", "oracles", "views", "commands", "rules")  # fmt: skip


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder of installed packages with one that offers the same wrong things in all groups."""
    folder = tmp_path / "packages"
    about = folder / "theirs-1.0.dist-info"
    about.mkdir(parents=True)
    (folder / "theirs.py").write_text("NUMBER = 7\nclass Empty:\n    pass\nEMPTY = Empty()\n")
    (folder / "broken.py").write_text("raise ValueError('on purpose')\n")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    points = "a = theirs:NUMBER\nb = theirs:Empty\nc = theirs:EMPTY\nd = broken\ne = theirs:gone\n"
    text = "".join(f"[simrun.{group}]\n{points}" for group in GROUPS)
    (about / "entry_points.txt").write_text(text)
    return folder


@pytest.mark.parametrize(
    "words, code",
    [
        (["workload.yaml"], 0),
        (["doctor"], 2),
        pytest.param(["list", "plugins"], 0, marks=pytest.mark.campaign),
        pytest.param(["workload.yaml", "--report", "json"], 0, marks=pytest.mark.campaign),
        pytest.param(
            ["explain", "workload.yaml", "--show", "schedule"], 0, marks=pytest.mark.campaign
        ),
        pytest.param(["missing.yaml"], 2, marks=pytest.mark.campaign),
    ],
)
def test_every_command_goes_on(words: list[str], code: int, tiny: Path, package: Path):
    path = os.pathsep.join([str(package), str(ROOT)])
    ended = subprocess.run(
        [sys.executable, "-m", "sim", *words],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, cwd=tiny.parent,
    )  # fmt: skip
    assert ended.returncode == code, ended.stderr
    warnings = [line for line in ended.stderr.splitlines() if line.startswith("warning: plugin ")]
    assert len(set(warnings)) == len(warnings)
    assert all("(theirs) is left out: " in line for line in warnings)
    others = set(ended.stderr.splitlines()) - set(warnings)
    assert not [line for line in others if "mistake" in line or "Traceback" in line]
    if words[0] != "missing.yaml":
        assert any("broken (theirs) is left out: ValueError: on purpose" in w for w in warnings)
    if words[0] == "workload.yaml":
        assert "y" in ended.stdout
