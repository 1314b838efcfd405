"""What the host's caches are asked for before the memory system wants it.

The tags, records and calendars of a machine are larger than the nearer caches of the host, and an
access looks at some ten places in them, one after the other.

    ask_for_line       while the access waits for its turn: what is found by the line's number
    ask_for_records    when it begins: what only the tags say, of all its lines at once

Nothing here changes a result.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined
from sim.cores.simt.host.lane_words import first_bit
from sim.cores.simt.memory import parameters as at
from sim.cores.simt.memory.device_memory import own_partition, partition_of, slice_of
from sim.cores.simt.memory.dram import bank_of, channel_of, state_of, worked_until
from sim.cores.simt.memory.reservations import LAST_WINDOW, WINDOW_BITS
from sim.cores.simt.memory.sectored_cache import (
    bytes_of_set,
    set_of,
    tag_of,
    words_of,
)
from sim.cores.tables import prefetch
from sim.cores.together import equal_bytes


@inlined
def ask_for_line(memory, sm, line, cycle):
    """The tags of a line, and the calendars and tables that a miss about that cycle needs."""
    parameters, state = memory.parameters, memory.state
    slice_ = slice_of(memory, line)
    home, near = partition_of(memory, slice_), own_partition(memory, sm)
    ask_for_tags(memory, memory.caches[sm], line)
    ask_for_tags(memory, memory.caches[parameters[at.SMS] + home], line)
    if near != home:
        ask_for_tags(memory, memory.caches[parameters[at.SMS] + near], line)
    prefetch(state, parameters[at.FIRST_L1_TABLE] + sm * parameters[at.L1_TABLE_WORDS])
    prefetch(state, parameters[at.FIRST_L2_TABLE] + slice_ * parameters[at.L2_TABLE_WORDS])
    time = (cycle << at.TICK_BITS) + parameters[at.L1_LATENCY] + parameters[at.OUT]
    ask_for_window(state, parameters[at.FIRST_SLICE] + slice_ * at.WINDOWS, time)
    channel = channel_of(parameters, line)
    time += parameters[at.DRAM_OUT]
    if parameters[at.REFRESH_TIME]:
        time, _ = worked_until(memory, channel, time)
    prefetch(state, state_of(parameters, channel))
    if parameters[at.BANKS]:
        prefetch(state, bank_of(parameters, channel, line))
    ask_for_window(state, parameters[at.FIRST_CHANNEL] + channel * at.WINDOWS, time)


@inlined
def ask_for_tags(memory, cache, line):
    """The set of a cache that a line belongs to."""
    prefetch(memory.sets, int64(bytes_of_set(cache, set_of(cache, line))))


@inlined
def ask_for_window(state, calendar, time):
    """The entry of a calendar for a time."""
    prefetch(state, calendar + ((time >> WINDOW_BITS) & LAST_WINDOW))


@inlined
def ask_for_records(memory, sm, line):
    """The records of a line in all caches that it may be in, or those it will have."""
    parameters = memory.parameters
    home, near = partition_of(memory, slice_of(memory, line)), own_partition(memory, sm)
    ask_for_record(memory, memory.caches[sm], line)
    ask_for_record(memory, memory.caches[parameters[at.SMS] + home], line)
    if near != home:
        ask_for_record(memory, memory.caches[parameters[at.SMS] + near], line)


@inlined
def ask_for_record(memory, cache, line):
    """The record of the first way with a line's tag, else of the one used least recently."""
    group = set_of(cache, line)
    order = bytes_of_set(cache, group)
    same = equal_bytes(memory.sets, int64(order) + at.MOST_WAYS, int64(tag_of(line)))
    same &= (int64(1) << cache[at.WAYS]) - 1
    way = int64(memory.sets[order + index(cache[at.WAYS] - 1)])
    if same:
        way = first_bit(same)
    prefetch(memory.records, int64(words_of(memory, cache, group, way)))
