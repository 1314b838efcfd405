"""Which lines of generated Python source run: what an interpreter executed.

The interpreters of the IR and of rows translate a program into Python functions whose sources have
names of their own ('<ir @main>', '<kernel main>') and know which instruction a line belongs to.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

MOST_STRETCHES = 800
"""Calls and resumptions of a source that are followed: of thousands of threads the first."""
Lines = dict[str, set[int]]
"""Name of a source -> its lines that ran."""


@contextmanager
def traced_lines() -> Iterator[Lines]:
    """Collect the lines of generated sources ('<ir …', '<kernel …') that run meanwhile."""
    lines: Lines = {}
    stretches: Counter[str] = Counter()

    def begin(frame: FrameType, event: str, argument: object):
        name = frame.f_code.co_filename
        if not name.startswith(("<ir ", "<kernel ")):
            return None
        stretches[name] += 1
        if stretches[name] > MOST_STRETCHES:
            return None
        found = lines.setdefault(name, set())

        def step(frame: FrameType, event: str, argument: object):
            if event == "line":
                found.add(frame.f_lineno)
            return step

        return step

    before = sys.gettrace()
    sys.settrace(begin)
    try:
        yield lines
    finally:
        sys.settrace(before)
