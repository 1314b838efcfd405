"""Tables of numbers whose columns the units of an SM declare: each its own, once, with a sentence.

    ARRIVAL = barriers.columns(
        ARRIVED="Threads that have come.",
        WANTED="Threads wanted; 0: all that are left.",
    )
    state.barriers[base + ARRIVAL.WANTED]        base = index(row * at.BARRIER_COLUMNS)

A table is one array of int64.  Columns are numbered as they are declared, units in the order of
`sim.cores.simt.units`: those that every issue asks come first, so that what is looked at together
stands together.  An array begins with a line of the host's caches, and a row of a table that is
looked at all the time has whole ones.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import numpy as np

from sim.cores.host import HOST_LINE

NEVER = 1 << 50
"""A cycle that does not come."""


class Numbers(ModuleType):
    """Names of numbers, each with its sentence.  A module, as jitted code takes what a module has
    for constants."""

    def __init__(self, sentences: dict[str, str], numbers: list):
        super().__init__("numbers")
        self.sentences = sentences
        vars(self).update(zip(sentences, numbers, strict=True))

    def __iter__(self) -> Iterator:
        return (getattr(self, name) for name in self.sentences)


def numbered(**sentences: str) -> Numbers:
    """Numbers from 0 on."""
    return Numbers(sentences, list(range(len(sentences))))


UNITS = "sim.cores.simt.units"


def declares(module: str) -> bool:
    """Whether what a module declares has the same number in every process: Python imports a package
    before what is in it, and this one imports all units in its order."""
    return module.startswith(f"{UNITS}.")


class Table:
    """What units have declared of a table.

    line  columns of a row are a multiple of it
    """

    def __init__(self, name: str, line: int = 1):
        self.name, self.line = name, line
        self._next, self._closed = 0, False

    def columns(self, **given: str | tuple[int, str]) -> Numbers:
        """Declare columns; (count, sentence) are as many side by side.  Their numbers are unsigned,
        as jitted code adds them to where a row begins."""
        if self._closed or not declares(sys._getframe(1).f_globals["__name__"]):
            raise ValueError(f"columns {', '.join(given)} of {self.name}: their unit is not listed")
        numbers, sentences = [], {}
        for name, told in given.items():
            count, sentence = told if isinstance(told, tuple) else (1, told)
            numbers.append(np.uint64(self._next))
            sentences[name] = sentence
            self._next += count
        return Numbers(sentences, numbers)

    @property
    def width(self) -> int:
        """Columns of a row, when all units have declared theirs."""
        self._closed = True
        return -(-self._next // self.line) * self.line


code = Table("code", HOST_LINE)
"""A row for each instruction of the program."""
warps = Table("warps", HOST_LINE)
counters = Table("counters")
"""A row for each warp, where control bits say when it may issue."""
subcores = Table("subcores", HOST_LINE)
pipes = Table("pipes", 4)
"""A row for each pipe of each sub-core."""
blocks = Table("blocks")
"""A row for each slot for a block in an SM."""
barriers = Table("barriers")
"""A row for each barrier of each of these."""
clusters = Table("clusters")
"""A row for each cluster that SMs have room for: as many as slots for blocks."""
grids = Table("grids")
"""A row for each launch that has begun."""
sms = Table("sms", HOST_LINE)
patterns = Table("patterns", HOST_LINE)
"""Some rows for each warp."""
acting = Table("acting", 4)
"""A row for each SM."""
copies = Table("copies")
"""A row for each thread that an SM has room for, where the program has copies that go on meanwhile;
behind its columns those of its last groups."""
marks = Table("marks")
"""The same for each word of shared memory."""
known = Table("known")
"""The same for each warp of a block, and for each place where they learn of each other."""
objects = Table("objects")
"""Where the program has barrier objects, some rows for each slot for a block in an SM."""
due = Table("due")
"""The same for each SM: arrivals at barrier objects that come later."""
specials = Table("specials", 4)
"""What all lanes of a warp read as special registers."""
parameters = Table("parameters")
"""One row: what program and machine fix."""
scalars = Table("scalars")
"""One row: what the run changes."""
events = Table("events")
"""A row for each event of the trace."""
