"""What moves data in a cluster machine: DMA engines and the broadcast bus.

A command of n bytes in s segments waits `setup`, then takes (s - 1) · `segment` cycles and n /
`width` more, in which the engine moves nothing else; the latency of DRAM and of the network are
theirs.
"""

from __future__ import annotations

from typing import Literal

from machines.description.schema import (
    MOST_A_CYCLE,
    MOST_ENTRIES,
    MOST_NAMED,
    Bytes,
    Cycles,
    Description,
    figure,
)

Sharing = Literal["separate", "gdma+iodma", "iodma+mvdma", "one"]
DramPath = Literal["iodma", "gdma_mvdma", "auto"]
Mode = Literal["unicast", "multicast", "broadcast"]


class Dma(Description):
    """A DMA, which carries out the commands of its queue in their order."""

    width: Bytes = figure(ge=1, le=MOST_A_CYCLE, description="Bytes it moves a cycle.")
    setup: Cycles = figure(ge=0, description="Cycles before a command moves its first byte.")
    outstanding: int = figure(
        ge=1,
        le=MOST_ENTRIES,
        description="Commands taken and not done: they are set up one after the other, and their "
        "latencies pass while the bytes of others move.",
    )
    segment: Cycles = figure(
        ge=0, description="Cycles of every segment after a command's first, before its bytes move."
    )


class Cdma(Dma):
    """The DMA between clusters; each channel carries out a command by itself, at full width."""

    channels: int = figure(
        ge=1, le=MOST_NAMED, description="Channels, each with so many commands in flight."
    )


class Bus(Description):
    """The broadcast bus of a cluster, by which its MEM core hands data to cores."""

    width: Bytes = figure(
        ge=1, le=MOST_A_CYCLE, description="Bytes a cycle, to however many receivers."
    )
    setup: Cycles = figure(ge=0, description="Cycles before a command moves its first byte.")
    modes: tuple[Mode, ...] = figure(
        description="What it can do: 'unicast': to one core; 'multicast': to chosen ones; "
        "'broadcast': to all of the cluster."
    )
