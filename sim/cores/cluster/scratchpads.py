"""The memories of a chip and their bytes: one DRAM, a scratchpad of each kind for each that has it.

A buffer is seen by a core as that core's own: `nram` and `wram` are its own, `sram` is its
cluster's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from machines.kinds.cluster.program import ClusterProgram, ScratchpadBuffer
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


class Scratchpads:
    """The bytes of all memories.

    pads  of each scratchpad, as far as the program's buffers reach
    """

    def __init__(self, program: ClusterProgram, dram: Memory, cores: Iterable[CoreNumber]):
        self.dram = dram
        self.buffers: Mapping[str, ScratchpadBuffer] = {b.name: b for b in program.scratchpads}
        sizes: dict[str, int] = {}
        for buffer in program.scratchpads:
            end = buffer.address + buffer.size
            sizes[buffer.space] = max(sizes.get(buffer.space, 0), end)
        owners = {owner(space, core) for core in cores for space in sizes}
        self.pads = {one: np.zeros(sizes[one[0]], np.uint8) for one in sorted(owners)}

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

    def bytes(self, name: str, core: CoreNumber) -> np.ndarray:
        """A buffer as a core sees it; shares the memory."""
        buffer = self.buffers.get(name)
        if buffer is None:
            return self.dram.view(name)
        pad = self.pads[owner(buffer.space, core)]
        return pad[buffer.address : buffer.address + buffer.size]
