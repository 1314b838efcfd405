"""Which lines of generated Python source run: what an interpreter executed.

The interpreters of the IR and of rows translate a program into Python functions whose sources have
names of their own ('<ir @main>', '<kernel main>') and know which instruction a line belongs to.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

Lines = dict[str, set[int]]
"""Name of a source -> its lines that ran."""


@contextmanager
def traced_lines() -> Iterator[Lines]:
    """Collect the lines of generated sources ('<ir …', '<kernel …') that run meanwhile."""
    lines: Lines = {}

    def begin(frame: FrameType, event: str, argument: object):
        name = frame.f_code.co_filename
        if not name.startswith(("<ir ", "<kernel ")):
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
