"""What a copy costs the DRAM controllers: whole lines, and lines that are written in part twice.

64 bytes at 0          reads a line
64 bytes at 32         reads two
64 bytes to 32         reads two lines and writes two: neither is written whole
4 KiB at 0             16 lines from each of four controllers, if these take turns of 256 bytes
"""

from __future__ import annotations

import numpy as np


def demand(
    begins: np.ndarray,
    length: int,
    *,
    line: int,
    interleave: int,
    controllers: int,
    rewrites: bool,
) -> tuple[int, ...]:
    """Bytes that each controller moves.

    begins, length  of the segments, in bytes
    line            bytes of a line; `interleave`: bytes behind each other at one controller
    rewrites        whether lines that are not wholly covered are moved twice
    """
    first, end = begins // line, -(-(begins + length) // line)
    moved = _lines(first, end, interleave // line, controllers)
    if rewrites:
        head = begins % line != 0
        tail = ((begins + length) % line != 0) & ~(head & (end - first == 1))
        moved = moved + _lines(first[head], first[head] + 1, interleave // line, controllers)
        moved = moved + _lines(end[tail] - 1, end[tail], interleave // line, controllers)
    return tuple(int(lines) * line for lines in moved)


def _lines(first: np.ndarray, end: np.ndarray, together: int, controllers: int) -> np.ndarray:
    """Of lines [first, end) how many stand at each controller."""
    number = np.arange(controllers)[:, None] * together
    every = together * controllers

    def before(line: np.ndarray) -> np.ndarray:
        return line // every * together + np.clip(line % every - number, 0, together)

    return (before(end) - before(first)).sum(axis=1)
