"""Accesses of a warp to shared memory and to constants, jitted; arguments as in `global_memory`."""

from __future__ import annotations

from sim.jit import jitted


@jitted
def shared_access(memory, sm, cycle, kind, addresses, mask, bytes_):
    """(done, taken) of an access to shared memory; `addresses` are offsets in the block's."""
    return cycle, cycle


@jitted
def constant_access(memory, sm, cycle, addresses, mask, bytes_):
    """(done, taken) of a load of constants."""
    return cycle, cycle
