"""The memory spaces of threads on a grid, as windows of one address space.

Global memory (which holds constants too) is the flat layout of `machines.layout`.  Every block of
threads has shared memory of its own, every thread local memory of its own; both begin at offset 0
in instructions that name the space.  A generic address names them through a window:

    0x0000_0000_0001_0000 …   global: buffers and arguments
    0x7000_0000_0000 + n      byte n of the block's shared memory
    0x7100_0000_0000 + n      byte n of the thread's local memory

The blocks of a cluster have each other's shared memory in the window too, by their ranks:

    0x7000_0000_0000 + (rank + 1 << 24) + n      byte n of the shared memory of the block of a rank

and at the same offset in the instructions that name `.shared::cluster`.
"""

from __future__ import annotations

GLOBAL, SHARED, LOCAL = 0, 1, 2
"""Spaces by number."""
WINDOW = 1 << 40
"""Bytes of a window, far more than any space has."""
SHARED_BASE = 0x7000_0000_0000
LOCAL_BASE = 0x7100_0000_0000
MAPS = 1 << 39
"""In the window of local memory: from here on stand the kernel's parameters, as far as they are
tensor maps, which copies alone read by their addresses."""
MOST_CLUSTER = 16
"""Blocks of a cluster, whatever the machine: CUDA's programming guide."""
RANK_BITS, MOST_RANKS = 24, 255
"""Where in an offset of the shared window the rank of a block stands, one more than it is (0: the
thread's own block), and the bits that it has."""


def space_of(address: int) -> int:
    """The space that a generic address lies in: GLOBAL, SHARED or LOCAL."""
    if address < SHARED_BASE:
        return GLOBAL
    if address < LOCAL_BASE:
        return SHARED
    return LOCAL if address < LOCAL_BASE + WINDOW else GLOBAL
