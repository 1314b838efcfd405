"""The memories that a job works on and their bytes: the DRAM of the chip, and for each of its cores
and clusters a scratchpad of each kind, which it finds full of zeros.

A buffer is seen by a core as that core's own: `nram` and `wram` are its own, `sram` is its
cluster's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from machines.kinds.cluster.program import Kernel, ScratchpadBuffer
from machines.layout import Memory

CoreNumber = tuple[int, int]
"""Cluster and core; the MEM core comes behind the others."""
Owner = tuple[str, int, int]
"""A memory: its space, cluster and core; the last are 0 where it has none."""


def owner(space: str, core: CoreNumber) -> Owner:
    """The memory of a space that a core works on."""
    if space in ("nram", "wram"):
        return space, *core
    return (space, core[0], 0) if space == "sram" else ("dram", 0, 0)


class Places:
    """Where the buffers of a kernel stand."""

    def __init__(self, kernel: Kernel, dram: Memory):
        self.dram = dram
        self.buffers: Mapping[str, ScratchpadBuffer] = {b.name: b for b in kernel.scratchpads}

    def space(self, name: str) -> str:
        """Where a buffer stands."""
        return self.buffers[name].space if name in self.buffers else "dram"

    def address(self, name: str) -> int:
        """In its memory."""
        buffer = self.buffers.get(name)
        return self.dram.address(name) if buffer is None else buffer.address

    def size(self, name: str) -> int:
        """Of a buffer, in bytes."""
        buffer = self.buffers.get(name)
        return self.dram.placements[name].size if buffer is None else buffer.size


class Scratchpads:
    """The bytes of the memories that a job works on.

    pads  of each scratchpad, as far as the kernel's buffers reach
    """

    def __init__(self, places: Places, cores: Iterable[CoreNumber]):
        self.places = places
        sizes: dict[str, int] = {}
        for buffer in places.buffers.values():
            end = buffer.address + buffer.size
            sizes[buffer.space] = max(sizes.get(buffer.space, 0), end)
        owners = {owner(space, core) for core in cores for space in sizes}
        self.pads = {one: np.zeros(sizes[one[0]], np.uint8) for one in sorted(owners)}

    def bytes(self, name: str, core: CoreNumber) -> np.ndarray:
        """A buffer as a core sees it; shares the memory."""
        buffer = self.places.buffers.get(name)
        if buffer is None:
            return self.places.dram.view(name)
        pad = self.pads[owner(buffer.space, core)]
        return pad[buffer.address : buffer.address + buffer.size]
