"""The memories of a cluster machine: DRAM behind controllers, the network to it, scratchpads."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from machines.description.schema import (
    MOST_A_CYCLE,
    MOST_CACHE,
    MOST_ENTRIES,
    MOST_LINE,
    MOST_NAMED,
    MOST_UNITS,
    Bytes,
    Cycles,
    Description,
    FieldContext,
    Nanoseconds,
    Rate,
    figure,
)


class Banks(Description):
    """The banks of a memory controller, each of which has one row open at a time.

    A copy opens the rows that it needs, each bank's in the order of its segments.  Row r of a
    controller is in bank r + ⌊r / count⌋, modulo count.
    """

    count: int = figure(ge=1, le=MOST_NAMED, description="Banks of a controller.")
    row: Bytes = figure(ge=1, le=MOST_CACHE, description="Bytes of a row.")
    page: Literal["open", "closed"] = figure(
        description="What becomes of the last row that a copy needs in a bank: 'open': it stays "
        "open until another one is needed there, so a copy that needs it first finds it open; "
        "'closed': it is closed behind the copy."
    )
    read: Nanoseconds = figure(
        ge=0,
        description="Time that a row which is opened to be read keeps its bank, beside its bytes: "
        "until it is open, and until it is closed.",
    )
    write: Nanoseconds = figure(
        ge=0,
        description="The same of a row that is written: also until its last bytes are in cells.",
    )


class Dram(Description):
    """The memory that all clusters share."""

    size: Bytes = figure(ge=1024, description="Capacity of all controllers together.")
    controllers: int = figure(ge=1, le=MOST_UNITS, description="Memory controllers.")
    bandwidth: Rate = figure(description="Bytes a second of each controller.")
    interleave: Bytes = figure(
        ge=1,
        le=MOST_CACHE,
        description="Consecutive bytes of a controller; those behind them are the next one's.",
        read_when=("controllers is at least 2", lambda at: at.owner.controllers > 1),
    )
    line: Bytes = figure(ge=1, le=MOST_LINE, description="What is read or written as a whole.")
    latency: Nanoseconds = figure(
        ge=0, description="Time from a controller's start on a request to its first byte."
    )
    partial_write: Literal["read_modify_write", "free"] = figure(
        description="What a line that is written in part costs: 'read_modify_write': it is read "
        "before; 'free': as much as a whole one."
    )
    banks: Banks | None = Field(
        None, description="Banks of a controller; none: whatever is read or written is open."
    )
    cluster_bandwidth: Rate | None = figure(
        default=None,
        description="Bytes a second that one cluster may move; none: as many as controllers give.",
    )


class Noc(Description):
    """The network between clusters and memory controllers; of a chip of one core, its bus."""

    width: Bytes = figure(
        ge=1, le=MOST_A_CYCLE, description="Bytes a cycle through the port of a cluster."
    )
    hop: Cycles = figure(
        ge=0, description="Cycles of a way through it, to a controller or another cluster."
    )


class Scratchpad(Description):
    """A memory that programs place their data in."""

    size: Bytes = figure(ge=64, le=MOST_CACHE, description="Capacity.")
    reserved: Bytes = figure(
        ge=0, le=MOST_CACHE, description="What the system keeps of it, at its end."
    )
    alignment: Bytes = figure(
        ge=1, le=MOST_LINE, description="What programs place in it begins at a multiple of this."
    )

    @property
    def usable(self) -> int:
        """Bytes that programs have."""
        return self.size - self.reserved


def _copies_are_staged(at: FieldContext) -> bool:
    return at.machine.stages_copies


_READ_WHEN = "copies may go through SRAM (dram_path)", _copies_are_staged


class Staging(Description):
    """What copies between DRAM and a core that go through SRAM (`dram_path`) have of it."""

    piece: Bytes = figure(
        ge=1,
        le=MOST_CACHE,
        description="Bytes that go through SRAM together; longer copies go in pieces.",
        read_when=_READ_WHEN,
    )
    pieces: int = figure(
        ge=1,
        le=MOST_ENTRIES,
        description="Pieces that each core has room for: with two, one comes while one leaves.",
        read_when=_READ_WHEN,
    )


class Sram(Scratchpad):
    """The scratchpad of a cluster, in its MEM core."""

    width: Bytes = figure(
        ge=1, le=MOST_A_CYCLE, description="Bytes a cycle of all that read and write it."
    )
    staging: Staging | None = Field(
        None, description="Of what the system keeps, the part for staged copies, if there are any."
    )
