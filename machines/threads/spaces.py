"""The memory spaces of threads on a grid, as windows of one address space.

Global memory (which holds constants too) is the flat layout of `machines.layout`.  Every block of
threads has shared memory of its own, every thread local memory of its own; both begin at offset 0
in instructions that name the space.  A generic address names them through a window:

    0x0000_0000_0001_0000 …   global: buffers and arguments
    0x7000_0000_0000 + n      byte n of the block's shared memory
    0x7100_0000_0000 + n      byte n of the thread's local memory
"""

from __future__ import annotations

GLOBAL, SHARED, LOCAL = 0, 1, 2
"""Spaces by number."""
WINDOW = 1 << 40
"""Bytes of a window, far more than any space has."""
SHARED_BASE = 0x7000_0000_0000
LOCAL_BASE = 0x7100_0000_0000


def space_of(address: int) -> int:
    """The space that a generic address lies in: GLOBAL, SHARED or LOCAL."""
    if address < SHARED_BASE:
        return GLOBAL
    if address < LOCAL_BASE:
        return SHARED
    return LOCAL if address < LOCAL_BASE + WINDOW else GLOBAL
