"""Copies of many bytes between global and shared memory, jitted: when they are done.

    done, free = bulk_load(memory, sm, cycle, free, address, size, 1)

The engine of an SM takes a copy after the other, and asks for a line every BULK_INTERVAL; lines go
past the L1.  `cycle` is that of the issue, `free` the tick from which the engine can take a copy.
What comes takes the path to shared memory as stores of whole lines do.  A box of a tensor is a copy
of each of its rows, of which one, `is_first`, is counted as an instruction.
"""

from __future__ import annotations

from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt.memory import parameters as at
from sim.cores.simt.memory.coalescing import bits_in, sectors_in, words_of
from sim.cores.simt.memory.device_memory import load_line, store_line
from sim.cores.simt.memory.shared_memory import occupy_path


@jitted
def bulk_load(memory, sm, cycle, free, address, size, is_first):
    """(cycle in which the bytes are in shared memory, tick from which the engine is free)."""
    time, free, first, last = begin(memory, at.COPY, cycle, free, address, size, is_first)
    done, parameters = time, memory.parameters
    for line in range(first, last + 1):
        sectors = sectors_of(memory, at.COPY, line, address, size)
        asked = time + (line - first) * parameters[at.BULK_INTERVAL]
        done = max(done, load_line(memory, sm, at.COPY, line, sectors, asked))
    done += parameters[at.BULK_LATENCY]
    path = occupy_path(memory, sm, done >> at.TICK_BITS, last + 1 - first << at.TICK_BITS)
    return path + at.LAST_TICK >> at.TICK_BITS, free


@jitted
def bulk_store(memory, sm, cycle, free, address, size, is_first):
    """(cycle in which the bytes have reached the L2, that in which they have been read, tick from
    which the engine is free)."""
    time, free, first, last = begin(memory, at.STORE, cycle, free, address, size, is_first)
    parameters = memory.parameters
    path = occupy_path(memory, sm, cycle, last + 1 - first << at.TICK_BITS)
    time = max(time, path) + parameters[at.BULK_LATENCY]
    done = time
    for line in range(first, last + 1):
        sectors = sectors_of(memory, at.STORE, line, address, size)
        asked = time + (line - first) * parameters[at.BULK_INTERVAL]
        words = words_in(parameters, line, address, size)
        done = max(done, store_line(memory, sm, at.STORE, line, sectors, words, asked))
    seen = time + (last - first) * parameters[at.BULK_INTERVAL]
    return done + at.LAST_TICK >> at.TICK_BITS, seen + at.LAST_TICK >> at.TICK_BITS, free


@inlined
def begin(memory, kind, cycle, free, address, size, is_first):
    """(tick at which the first line is asked for, that from which the engine is free, the first
    line, the last)."""
    parameters, counts = memory.parameters, memory.counts
    shift = parameters[at.LINE_BITS]
    first, last = address >> shift, (address + size - 1) >> shift
    time = max(cycle << at.TICK_BITS, free)
    free = time + (last + 1 - first) * parameters[at.BULK_INTERVAL]
    counts[index(at.INSTRUCTIONS + kind)] += is_first
    counts[index(at.BYTES_WANTED + kind)] += size
    counts[index(at.L1_REQUESTS + kind)] += last + 1 - first
    counts[at.SHARED_INSTRUCTIONS] += is_first
    counts[at.SHARED_BYTES] += size
    counts[at.SHARED_PASSES] += last + 1 - first << at.TICK_BITS
    return time + parameters[at.L1_LATENCY], free, first, last


@inlined
def words_in(parameters, line, address, size):
    """The words of a line that are in some bytes, as a mask."""
    shift = parameters[at.LINE_BITS]
    low, high = max(address, line << shift), min(address + size, line + 1 << shift)
    words = 0
    for word in range(low, high, 1 << at.WORD_BITS):
        words |= words_of(word, 1 << at.WORD_BITS, shift)
    return words


@inlined
def sectors_of(memory, kind, line, address, size):
    """The sectors of a line that are in some bytes, which the L1 does not have."""
    parameters = memory.parameters
    words = words_in(parameters, line, address, size)
    sectors = sectors_in(words, parameters[at.SECTOR_WORDS], parameters[at.SECTORS])
    memory.counts[index(at.SECTORS_WANTED + kind)] += bits_in(sectors)
    memory.counts[index(at.L1_MISSES + kind)] += bits_in(sectors)
    return sectors
