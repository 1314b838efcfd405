"""Accesses of a warp to shared memory and to constants, jitted; arguments as in `global_memory`.

Word n lies in bank n mod banks.  Lanes that want the same word get it together; those that want
different words of one bank take turns: `passes` are the most words of any bank.  16-byte accesses
are done half a warp at a time, each with passes of its own.  So a warp that wants 512 bytes takes
four passes, and one that wants the same 16 takes two, which is what an H200 does
(`workloads/validation`: `shared_fours`, and the wavefronts of `nbody`).  A conflict is what an
access takes beyond the passes that the words it wants would need if no bank had two of them more
than another.

    32 banks, 32 lanes, 4 bytes:   stride 1 word   1 pass    latency
                                   stride 2 words  2 passes  latency + conflict_first
                                   stride 32       32        … + 30 * conflict_further
                                   stride 33       1

An access occupies the path of the SM for its passes, a cycle each.  Atomics of a warp on the same
word are done one after the other, every `atomic_interval`, exchanges every `exchange_interval`, and
each takes a pass; what was compared is there `compare_delay` later.  But lanes that
count, add one and want nothing back, do so together (ATOMS.POPC.INC: on an H200 a histogram of
equal bytes takes no longer than one of different ones).  Those come here as stores.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined, jitted
from sim.cores.simt.memory import parameters as at
from sim.cores.simt.memory.coalescing import (
    bits_in,
    conflict_degree,
    count_lanes,
    group_lanes,
)
from sim.cores.simt.memory.reservations import reserve

OBJECT_BYTES = 8
"""Of a barrier object."""


@jitted
def shared_access(memory, sm, cycle, kind, addresses, mask, bytes_):
    """(done, taken) of an access to shared memory; `addresses` are offsets in the block's."""
    passes, parts = passes_of(memory, addresses, mask, bytes_)
    how, kind = kind >> at.KIND_BITS, kind & (1 << at.KIND_BITS) - 1
    equal = 1
    if kind >= at.ATOMIC:
        equal = most_equal(memory.rows, addresses, memory.parameters[at.WIDTH], mask)
    return shared_turn(memory, sm, cycle, how, passes, parts, equal, bits_in(mask) * bytes_)


@jitted
def matrix_access(memory, sm, cycle, addresses, mask, bytes_):
    """(done, taken) of an access to matrices of eight rows, a lane each, of a whole number of them:
    one after the other, and what comes later is there later as if lanes were in conflict."""
    passes = parts = 0
    eight = int64(255)
    while mask & eight != 0:
        own, least = passes_of(memory, addresses, mask & eight, bytes_)
        passes, parts, eight = passes + own, parts + least, eight << 8
    further = conflict_delay(memory.parameters, passes)
    further -= conflict_delay(memory.parameters, passes - parts + 1)
    done, taken = shared_turn(
        memory, sm, cycle, at.ANYHOW, passes, parts, 1, bits_in(mask) * bytes_
    )
    return done + (further + at.LAST_TICK >> at.TICK_BITS), taken


@jitted
def passes_of(memory, addresses, mask, bytes_):
    """(passes, parts) of an access, see `shared_turn`; the same if all addresses are moved by as
    many words, as long as a bank is a word wide."""
    parameters = memory.parameters
    shift, width = parameters[at.BANK_ROW_BITS], parameters[at.WIDTH]
    groups = max(1, bytes_ >> at.WORD_BITS + 1)
    lanes, words = width // groups, 1 << (shift - at.WORD_BITS)
    passes = parts = 0
    for group in range(groups):
        first = group * lanes
        rows = group_lanes(memory.rows, addresses, first, first + lanes, mask, bytes_, shift)
        if rows:
            passes += conflict_degree(memory.rows, rows, words, words, parameters[at.BANK_BITS])
            parts += least_passes(memory.rows, rows, words, bytes_)
    return passes, parts


@inlined
def least_passes(rows, count, words, bytes_):
    """The passes that what some lanes want takes if all banks have as much of it as they can."""
    if bytes_ <= 1 << at.WORD_BITS:
        return 1
    wanted = 0
    for row in range(count):
        wanted += bits_in(rows[index(at.FIRST_WORDS + row)])
    return -(-wanted // words)


@inlined
def shared_turn(memory, sm, cycle, how, passes, parts, equal, bytes_):
    """(done, taken) of an access to shared memory.

    how      it changes memory
    passes   that the banks take; `parts` are those they take without a conflict
    equal    how many lanes of an atomic share the address that most share
    bytes_   of all lanes
    """
    parameters, counts = memory.parameters, memory.counts
    delay = conflict_delay(parameters, passes - parts + 1)
    counts[at.SHARED_CONFLICTS] += passes - parts
    turn = at.SHARED_EXCHANGE if how == at.EXCHANGE else at.SHARED_ATOMIC
    delay += (equal - 1) * parameters[turn]
    if how == at.COMPARE:
        delay += parameters[at.SHARED_COMPARE]
    begin = occupy_path(memory, sm, cycle, passes + equal - 1 << at.TICK_BITS)
    counts[at.SHARED_PASSES] += passes + equal - 1 << at.TICK_BITS
    counts[at.SHARED_INSTRUCTIONS] += 1
    counts[at.SHARED_BYTES] += bytes_
    done = begin + parameters[at.SHARED_LATENCY] + delay
    return done + at.LAST_TICK >> at.TICK_BITS, begin + at.LAST_TICK >> at.TICK_BITS


@jitted
def object_access(memory, sm, cycle, addresses, mask):
    """(done, taken) of what lanes do to barrier objects: an object after the other, each takes as
    long as an atomic."""
    parameters, counts = memory.parameters, memory.counts
    different = group_lanes(memory.rows, addresses, 0, parameters[at.WIDTH], mask, 1, 0)
    further = (different - 1) * parameters[at.SHARED_ATOMIC]
    begin = occupy_path(memory, sm, cycle, parameters[at.SHARED_ATOMIC] + further)
    counts[at.SHARED_PASSES] += parameters[at.SHARED_ATOMIC] + further
    counts[at.SHARED_INSTRUCTIONS] += 1
    counts[at.SHARED_BYTES] += bits_in(mask) * OBJECT_BYTES
    done = begin + parameters[at.SHARED_LATENCY] + further
    return done + at.LAST_TICK >> at.TICK_BITS, begin + at.LAST_TICK >> at.TICK_BITS


@jitted
def fill_shared(memory, sm, cycle, addresses, mask, bytes_):
    """The cycle from which what lanes copy to shared memory counts as written, which has come in
    `cycle`: it takes the path as a store of the same addresses does."""
    passes, parts = passes_of(memory, addresses, mask, bytes_)
    parameters, counts = memory.parameters, memory.counts
    counts[at.SHARED_CONFLICTS] += passes - parts
    begin = occupy_path(memory, sm, cycle, passes << at.TICK_BITS)
    counts[at.SHARED_PASSES] += passes << at.TICK_BITS
    counts[at.SHARED_INSTRUCTIONS] += 1
    counts[at.SHARED_BYTES] += bits_in(mask) * bytes_
    done = begin + parameters[at.COPY_LATENCY] + conflict_delay(parameters, passes - parts + 1)
    return done + at.LAST_TICK >> at.TICK_BITS


@jitted
def constant_access(memory, sm, cycle, addresses, mask, bytes_):
    """(done, taken) of a load of constants: one address after the other, equal ones together."""
    parameters, counts = memory.parameters, memory.counts
    different = group_lanes(memory.rows, addresses, 0, parameters[at.WIDTH], mask, bytes_, 0)
    further = (different - 1) * parameters[at.CONSTANT_INTERVAL]
    begin = occupy_path(memory, sm, cycle, parameters[at.CONSTANT_INTERVAL] + further)
    counts[at.CONSTANT_INSTRUCTIONS] += 1
    counts[at.CONSTANT_REPLAYS] += different - 1
    done = begin + parameters[at.CONSTANT_LATENCY] + further
    return done + at.LAST_TICK >> at.TICK_BITS, begin + at.LAST_TICK >> at.TICK_BITS


@inlined
def conflict_delay(parameters, passes):
    """Ticks that an access comes later because it takes so many passes."""
    if passes < 2:
        return 0
    return parameters[at.CONFLICT_FIRST] + (passes - 2) * parameters[at.CONFLICT_FURTHER]


@inlined
def occupy_path(memory, sm, cycle, service):
    """The tick at which the path of an SM takes a request that occupies it for `service` ticks."""
    parameters, arrival = memory.parameters, cycle << at.TICK_BITS
    service = max(service, parameters[at.PATH_INTERVAL])
    begin = reserve(memory.state, parameters[at.FIRST_PATH] + sm * at.WINDOWS, arrival, service)
    memory.counts[at.PATH_WAIT] += begin - arrival
    return begin


@jitted
def most_equal(rows, addresses, width, mask):
    """How many lanes share the address that most share."""
    different = group_lanes(rows, addresses, 0, width, mask, 1, 0)
    count_lanes(rows, different, width, mask)
    most = 0
    for row in range(different):
        most = max(most, rows[index(at.FIRST_TIME + row)])
    return most
