"""The memory system of a SIMT machine as flat arrays: what the jitted accesses read and write.

    memory = build(machine)
    set_carve_out(memory, 0, 32 * 1024)                        # SM 0: the rest is L1, empty now
    done, taken = global_access(memory, 0, cycle, LOAD, addresses, mask, 4)

Times inside are in *ticks* of 1/256 cycle, because bandwidths are fractions; the accesses take and
return whole cycles.  Every figure of the machine is packed here once and read nowhere else.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from machines.kinds.simt import Simt

LOAD, STORE, ATOMIC, REDUCTION = range(4)
"""Kinds of access.  A reduction is an atomic without a result."""
TICK_BITS = 8
"""A cycle has 1 << TICK_BITS ticks."""


class WarpMemory(NamedTuple):
    """The state of the memory system; see the modules that use each array.

    figures  int64  figures of the machine, by the columns below
    """

    figures: np.ndarray


def build(machine: Simt) -> WarpMemory:
    """The empty memory system of a machine."""
    raise NotImplementedError


def set_carve_out(memory: WarpMemory, sm: int, shared: int) -> None:
    """Make `shared` bytes of an SM's memory shared memory and the rest an empty L1.

    Also what empties the L1 when a kernel starts.
    """
    raise NotImplementedError
