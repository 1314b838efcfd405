"""Small PTX programs with hand-computed results: tests/golden/ptx/*.ptx.

// threads 4                  of each of the blocks
// blocks 1
// start 1 2 3 4              words of `out` before (zeros otherwise)
// expect 103 102 101 100     words of `out` after
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from machines.threads.grid import Grid

PROGRAMS = sorted((Path(__file__).parent / "golden" / "ptx").glob("*.ptx"))


@dataclass(frozen=True, slots=True)
class Semantics:
    """A program: kernel `test` with one parameter `out`, an array of words."""

    path: Path
    grid: Grid
    start: np.ndarray
    expected: np.ndarray


def read_semantics(path: Path) -> Semantics:
    """What the comments at the head of a program say."""
    found: dict[str, list[str]] = {"start": []}
    for line in path.read_text().splitlines():
        word, *rest = line.removeprefix("//").split() or [""]
        if line.startswith("//") and word in ("threads", "blocks", "start", "expect"):
            found.setdefault(word, []).extend(rest)
    expected = np.array([int(text, 0) for text in found["expect"]], np.uint32)
    start = np.zeros_like(expected)
    for k, text in enumerate(found["start"]):
        start[k] = int(text, 0)
    grid = Grid((int(found["blocks"][0]), 1, 1), (int(found["threads"][0]), 1, 1))
    return Semantics(path, grid, start, expected)
