"""The fields of a cluster machine (kind `cluster`): an AI chip of clusters of cores.

Every field is declared once: type, unit, bounds, one sentence.  Values come from YAML; nothing here
knows a product.  Quantities are held as plain numbers in base units: cycles of the core clock,
bytes, hertz, nanoseconds, bytes a second.

    board:    host ── link ── chip and DRAM; the peripheral module of the chip starts tasks
    chip:     DRAM ── controllers ── network ── clusters
    cluster:  cores, and a MEM core: SRAM, GDMA (DRAM), CDMA (SRAM of other clusters), broadcast bus
    core:     NRAM, WRAM, IODMA (DRAM), MVDMA (SRAM), scalar, vector and matrix unit

A core hands commands to queues, which work in order and beside one another: io (IODMA), move
(MVDMA), compute (vector and matrix unit).  Those of a MEM core: io (GDMA), move (CDMA), bus.  What
the queue io of a core moves may also go by GDMA and MVDMA, through SRAM (`dram_path`).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Literal

from pydantic import Field

from machines.description.schema import (
    MOST_LINE,
    MOST_NAMED,
    MOST_UNITS,
    Bytes,
    Cycles,
    Description,
    FieldContext,
    MachineDescription,
    figure,
)
from machines.kinds.cluster.board import Host, Peripheral
from machines.kinds.cluster.engines import Bus, Cdma, Dma, DramPath, Sharing
from machines.kinds.cluster.memories import Dram, Noc, Scratchpad, Sram
from machines.kinds.cluster.units import InnerProduct, Relayout, Scalar, Systolic, Vector


def _has_mem_core(at: FieldContext) -> bool:
    return at.machine.mem_core is not None


class MemCore(Description):
    """The core of a cluster that moves data and computes none."""

    scalar_unit: bool = figure(
        description="Whether it computes with scalars; else it only hands out commands, waits and "
        "meets others, and programs that want more of it are refused."
    )


class Barriers(Description):
    """Cost of a barrier, from the last arrival to the first instruction behind it."""

    cluster: Cycles = figure(ge=0, description="Cycles of a barrier of the cores of a cluster.")
    chip: Cycles = figure(ge=0, description="Cycles of a barrier of all cores.")


class Cluster(MachineDescription):
    """A chip of clusters of cores."""

    kind: Literal["cluster"] = Field(description="The kind of machine.")
    clusters: int = figure(ge=1, le=MOST_UNITS, description="Clusters.")
    cores: int = figure(ge=1, le=MOST_NAMED, description="IPU cores of a cluster.")
    arbitration: Bytes = figure(
        ge=1,
        le=MOST_LINE,
        description="Those that share a bus or a controller take turns of so many bytes, in the "
        "order of cores.",
        read_when=(
            "there are several cores, or a MEM core",
            lambda at: at.machine.core_count > 1 or _has_mem_core(at),
        ),
    )
    host: Host = Field(description="The way from a program on the host to the chip.")
    peripheral: Peripheral = Field(description="What starts tasks on the cores.")
    dram: Dram = Field(description="The memory that all clusters share.")
    noc: Noc = Field(description="The network between clusters and memory controllers.")
    nram: Scratchpad = Field(description="Scratchpad of a core: operands and results.")
    wram: Scratchpad = Field(description="Scratchpad of a core: weights of the matrix unit.")
    mem_core: MemCore | None = Field(
        None, description="The MEM core of every cluster; with it come SRAM, GDMA, CDMA and bus."
    )
    sram: Sram | None = Field(None, description="Scratchpad of a cluster.")
    iodma: Dma = Field(description="DMA of a core between DRAM and its scratchpads.")
    mvdma: Dma = Field(description="DMA of a core between SRAM and its scratchpads.")
    gdma: Dma | None = Field(None, description="DMA of a MEM core between DRAM and SRAM.")
    cdma: Cdma | None = Field(None, description="DMA of a MEM core to the SRAM of other clusters.")
    bus: Bus | None = Field(None, description="Broadcast bus of a cluster.")
    dma_engines: Sharing = figure(
        description="Which DMAs are one engine and take turns: 'separate': none; 'iodma+mvdma': "
        "the two of a core; 'gdma+iodma': the GDMA and the IODMAs of a cluster; 'one': all of a "
        "cluster."
    )
    iodma_over_bus: bool = figure(
        default=False,
        description="Whether what IODMAs move goes over the broadcast bus of their cluster.",
        read_when=("there is a MEM core", _has_mem_core),
    )
    dram_path: DramPath = figure(
        default="iodma",
        description="By which way copies go between DRAM and the NRAM or WRAM of a core: 'iodma': "
        "by its IODMA; 'gdma_mvdma': by the GDMA of its cluster and its MVDMA, through SRAM; "
        "'auto': each by the way on which it would end first if nothing else moved.",
        read_when=("there is a MEM core", _has_mem_core),
    )
    scalar: Scalar = Field(description="The scalar unit of a core.")
    vector: Vector = Field(description="The vector unit of a core.")
    relayout: Relayout = Field(
        description="Cost of operands and results with strides, of what is computed."
    )
    matrix: InnerProduct | Systolic = Field(
        discriminator="unit", description="The matrix unit of a core."
    )
    barriers: Barriers = Field(description="Cost of barriers.")
    waits: Literal["drain", "counted"] = figure(
        description="What a wait for a queue waits for: 'drain': until it is empty; 'counted': "
        "until no more than a number of commands, which the wait names, are left."
    )

    @property
    def core_count(self) -> int:
        """IPU cores of all clusters."""
        return self.clusters * self.cores

    @property
    def stages_copies(self) -> bool:
        """Whether copies between DRAM and scratchpads of a core may go through SRAM."""
        return self.mem_core is not None and self.dram_path != "iodma"

    def usable(self, space: str) -> int:
        """Bytes that programs have of a memory: of one core's, one cluster's, or of DRAM; 0 of one
        that is not there."""
        if space == "dram":
            return self.dram.size
        memory = getattr(self, space)
        return memory.usable if memory else 0

    def alignment(self, space: str) -> int:
        """Of which addresses in a scratchpad are multiples; 1 of one that is not there."""
        memory = getattr(self, space)
        return memory.alignment if memory else 1

    def cycles(self, nanoseconds: float) -> int:
        """Whole cycles that a time takes."""
        return ceil(Fraction(nanoseconds) * self.clock / 10**9)

    def bytes_per_cycle(self, rate: int) -> Fraction:
        """Bytes in a cycle of the clock, of a rate in bytes a second."""
        return Fraction(rate, self.clock)

    @cached_property
    def dram_latency(self) -> int:
        """Cycles from a controller's start on a request to its first byte."""
        return self.cycles(self.dram.latency)

    @cached_property
    def controller_bytes_per_cycle(self) -> Fraction:
        """Of each memory controller."""
        return self.bytes_per_cycle(self.dram.bandwidth)

    @cached_property
    def dram_bytes_per_cycle(self) -> Fraction:
        """Of all memory controllers."""
        return self.dram.controllers * self.controller_bytes_per_cycle

    @cached_property
    def cluster_bytes_per_cycle(self) -> Fraction | None:
        """Of DRAM that one cluster may move; None: as many as controllers give."""
        cap = self.dram.cluster_bandwidth
        return None if cap is None else self.bytes_per_cycle(cap)

    def peak_operations(self, left: str, right: str) -> int:
        """Sums and products a second of all matrix units, for elements of these types."""
        return 2 * self.matrix.products(left, right) * self.core_count * self.clock
