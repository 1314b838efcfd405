"""What programs of every kind of machine have; each kind's own form is in `machines.kinds.KIND`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from machines.diagnostics import Location
from machines.layout import Extent, natural_alignment
from machines.levels import Called
from machines.signature import Argument
from machines.types import Type


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value the caller passes, and where it arrives, in the machine's words ('r32', 'f8')."""

    name: str
    type: Type
    register: str


@dataclass(frozen=True, slots=True)
class ProgramBuffer:
    """A buffer the program itself brings (tables, spill space), placed after the arguments.

    alignment  in bytes, None for the natural one
    section    as of `machines.layout.Extent`
    """

    name: str
    dtype: Type
    count: int
    data: bytes | None = None
    alignment: int | None = None
    section: str | None = None

    @property
    def size(self) -> int:
        return self.dtype.size(self.count)

    @property
    def extent(self) -> Extent:
        """The place that it wants in memory."""
        alignment = self.alignment or natural_alignment(self.dtype.bytes, self.size)
        return Extent(self.name, self.size, alignment, self.section)


@dataclass(frozen=True, slots=True)
class Declared:
    """What the source says of a function's parameters and its result beyond their IR types; None
    where it says nothing.

    body  of a level's function, once it is lowered: what a caller has to know
    """

    signature: Mapping[str, Argument] | None = None
    returns: Argument | None = None
    body: Called | None = None


class Program(Protocol):
    """A program ready to run.

    kind          the kind of machine that it is for
    parameters    what the caller passes
    result        where the result is found and its type, None if the program returns nothing
    buffers       buffers that the program brings, in layout order
    locations     of each instruction the source location, or None; counts by instruction (see
                  `sim.cores.Outcome`) have as many rows
    content_hash  of what runs; names of files and lines do not count
    """

    name: str
    kind: str
    parameters: Sequence[Parameter]
    result: Any
    buffers: Sequence[ProgramBuffer]
    locations: Sequence[Location | None]
    content_hash: str
