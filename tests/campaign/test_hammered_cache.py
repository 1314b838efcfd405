"""Processes use a cache that is damaged and whose disk is full: right, and then healed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.campaign.seeds import campaign

pytest.importorskip("resource", reason="a system without limits on files")
ROOT = Path(__file__).parent.parent.parent
PROCESSES = 8


def start(folder: Path, seed: int, steps: int) -> subprocess.Popen:
    words = [sys.executable, "-m", "tests.campaign.hammered_cache", folder, str(seed), str(steps)]
    return subprocess.Popen(
        words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def hammer(folder: Path, first: int, steps: int) -> None:
    """Raises AssertionError if a process ends badly, or if what was broken is not made anew."""
    (folder / "tool").mkdir(parents=True)
    (folder / "tool" / "__init__.py").write_text("A = 1\n")
    running = [start(folder, first + number, steps) for number in range(PROCESSES)]
    for process in running:
        _, err = process.communicate(timeout=600)
        assert process.returncode == 0, err[-2000:]
    counts = []
    for _ in range(3):
        out, err = (process := start(folder, 0, 0)).communicate(timeout=120)
        assert process.returncode == 0, err[-2000:]
        counts.append(int(out))
    assert counts[1:] == [0, 0]  # the first has made what was missing


@campaign(part=1, first=1000, end=1020)
def test_a_hammered_cache(seeds: range, tmp_path: Path):
    for seed in seeds:
        hammer(tmp_path / str(seed), seed * PROCESSES, 1000)
