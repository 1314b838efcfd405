"""What a unit of an SM says of itself, and what it is given to decode.

A unit has two files of its name: in `units` what it keeps and what it makes of an instruction
before time starts, in `cycle` what it does when one issues (jitted, and not imported by a run that
finds its code kept).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn, Protocol

import numpy as np

from machines.diagnostics import Location, input_error
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import WarpProgram
from machines.operations.row import Operand, Operation
from sim.cores.simt.tables import Numbers, declares, numbered

STEP_BITS = 5
"""Of a kind of instruction, what says which of its step's it is."""
STEP = numbered(
    COMPUTES="It takes its pipe, and `compute` of its unit what its class says.",
    ACCESSES="`access` of its unit takes the pipe, says when it is done, and may find a fault.",
    GOES="It is a branch.",
    MEETS="It waits for lanes of the warp, and that is all.",
    CONTROLS="`control` of its unit says whether and when the warp goes on.",
    FAULTS="The threads that execute it cannot go on.",
)
"""How an instruction issues."""


def kinds(step: int, **sentences: str) -> Numbers:
    """Kinds of instruction that issue alike, numbered behind those that units before have
    declared."""
    if not declares(sys._getframe(1).f_globals["__name__"]):
        raise ValueError(f"kinds {', '.join(sentences)}: their unit is not listed")
    first = _DECLARED.setdefault(step, step << STEP_BITS)
    _DECLARED[step] += len(sentences)
    if _DECLARED[step] > step + 1 << STEP_BITS:
        raise ValueError(f"more kinds than {1 << STEP_BITS} in a step: make STEP_BITS larger")
    return Numbers(sentences, list(range(first, _DECLARED[step])))


_DECLARED: dict[int, int] = {}


class Decoded(Protocol):
    """What units are told of a program on a machine: see `decode`.

    rows         of `program.operations`
    faults       names of faults of operations
    registers, predicates    of a thread
    buffers      of the memory
    trace_events   that the trace holds
    has_copies   whether it has copies that go on meanwhile
    has_clusters   whether it has rows about clusters of blocks
    """

    program: WarpProgram
    machine: Simt
    rows: list[Operation]
    pipes: list[str]
    faults: list[str]
    constants: np.ndarray
    producers: np.ndarray
    functions: dict[str, tuple[int, int]]
    registers: int
    predicates: int
    buffers: int
    trace_events: int
    has_copies: bool
    has_clusters: bool

    def most(self, column: np.uint64) -> int:
        """The largest number in a column of `code`, at least 0."""

    def listed(self, numbers: Iterable[int]) -> int:
        """Where numbers begin in `lists`, put there now."""

    def offset(self, operand: Operand, value: int) -> tuple[int, int]:
        """Bytes from `words` (predicates: from `masks`), and whether the warp's own count too."""


@dataclass(slots=True)
class Instruction:
    """An instruction while units decode it.

    decoded   what is known of its program
    values    its operands as `WarpProgram.code` has them
    guard     as there
    into      columns of `code`: what the units make of it
    previous  the one before it in the program
    sources, destinations    scoreboard entries that it reads and writes, as `scoreboard` finds them
    """

    decoded: Decoded
    pc: int
    row: Operation
    values: list[int]
    guard: int
    into: list[int]
    previous: Instruction | None
    sources: Sequence[int] = ()
    destinations: Sequence[int] = ()

    def value(self, name: str) -> int:
        """What stands for an operand."""
        return self.values[self.row.position(name)]

    @property
    def location(self) -> Location | None:
        locations = self.decoded.program.locations
        return locations[self.pc] if locations else None

    def refuse(self, message: str, hint: str) -> NoReturn:
        """The machine cannot execute it."""
        raise input_error(message, self.location, hint=hint)


def _no_kind(row: Operation) -> int | None:
    return None


def nothing(instruction: Instruction) -> None:
    """What a unit makes of an instruction that does not concern it."""


Sizes = Iterable[tuple[np.uint64, int]]
"""Columns of `parameters` and what stands there."""


def _no_parameters(decoded: Decoded) -> Sizes:
    return ()


@dataclass(frozen=True)
class Unit:
    """A unit of an SM.

    name        of its file here and, if it has kinds of its own, in `cycle`
    kinds       of instructions that it executes
    kind_of     which of them a row is; None: none
    decode      fills its columns of any instruction
    decode_own  the same of one that it executes
    parameters  (column of `parameters`, value) of a program on a machine
    """

    name: str
    kinds: tuple[Numbers, ...] = ()
    kind_of: Callable[[Operation], int | None] = _no_kind
    decode: Callable[[Instruction], None] = nothing
    decode_own: Callable[[Instruction], None] = nothing
    parameters: Callable[[Decoded], Sizes] = _no_parameters

    @property
    def executes(self) -> tuple[int, ...]:
        """The kinds of all its steps."""
        return tuple(kind for numbers in self.kinds for kind in numbers)
