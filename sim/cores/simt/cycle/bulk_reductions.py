"""Bulk copies that reduce: what becomes of the elements in global memory."""

from __future__ import annotations

from machines.vocabulary import bulk_reductions
from sim.cores.jit import inlined, jitted, jitted_twins
from sim.cores.simt import vocabulary
from sim.cores.simt.host.lane_words import (
    load_half,
    read_b64,
    read_u32,
    store_half,
    write_b32,
    write_b64,
)

_TWINS = jitted_twins(bulk_reductions, vocabulary.VOCABULARY)
reduced, size_bits, is_known = _TWINS.reduced, _TWINS.size_bits, _TWINS.is_known


@inlined
def reduce_element(kind, mine, its, size):
    """One element, from a host address to another."""
    if size == 2:
        store_half(its, 0, reduced(kind, load_half(its, 0), load_half(mine, 0)))
    elif size == 4:
        write_b32(its, 0, reduced(kind, read_u32(its, 0), read_u32(mine, 0)))
    else:
        write_b64(its, 0, reduced(kind, read_b64(its, 0), read_b64(mine, 0)))


@jitted
def reduce_bytes(kind, mine, its, count):
    """The elements of so many bytes."""
    bits = size_bits(kind)
    for k in range(count >> bits):
        reduce_element(kind, mine + (k << bits), its + (k << bits), 1 << bits)
