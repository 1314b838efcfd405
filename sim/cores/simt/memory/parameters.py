"""The memory system of a SIMT machine as flat arrays: what the jitted accesses read and write.

    memory = build(machine)
    set_carve_out(memory, 0, 32 * 1024)                        # SM 0: the rest is L1, empty now
    done, taken = global_access(memory, 0, cycle, LOAD, addresses, mask, 4)

Times inside are in *ticks* of 1/256 cycle, because bandwidths are fractions; the accesses take and
return whole cycles.  Every figure of the machine is packed here once and read nowhere else.
"""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from itertools import count, pairwise
from typing import NamedTuple

import numpy as np

from machines.array_fields import I64, U8, I64Rows
from machines.kinds.simt.fields import Simt

LOAD, STORE, ATOMIC, REDUCTION, LOCAL_LOAD, LOCAL_STORE, COPY = range(7)
"""Kinds of access.  A reduction is an atomic without a result, a copy reads what goes to shared
memory.  What local memory is asked for is counted apart."""
KINDS = ("load", "store", "atomic", "reduction", "local load", "local store", "copying load")
LOADS = (LOAD, LOCAL_LOAD, COPY)
"""Kinds that read and change nothing."""
STORES = (STORE, LOCAL_STORE)
WITH_RESULTS = (LOAD, LOCAL_LOAD, ATOMIC)
"""Kinds that write registers."""
KIND_BITS = 3
"""An access says its kind in so many bits, and above them how it changes memory."""
ANYHOW, FLOAT_SUM, EXCHANGE, COMPARE = range(4)
"""How atomics and reductions change memory, as far as time depends on it: otherwise, adding floats,
storing whatever was there, storing if what was there is as expected."""
TICK_BITS = 8
"""A cycle has 1 << TICK_BITS ticks."""
LAST_TICK = (1 << TICK_BITS) - 1
"""Of a cycle: what is added to round ticks up."""
SEGMENT_BITS = 5
"""Other SMs' shared memory is asked for in segments of 1 << SEGMENT_BITS bytes."""
WORD_BITS = 2
"""What lanes want is noted in words of 1 << WORD_BITS bytes."""
NEAR, FAR = range(2)
"""Where a slice of the L2 lies, seen from an SM."""
LOCAL_MEMORY = 1 << 46
"""Where local memory begins among the addresses that the caches see."""

# Columns of `parameters`.  Latencies, intervals and services are in ticks.
_next = count().__next__
WIDTH, WARPS, L1_SIZE, L1_WAYS = (_next() for _ in range(4))
LINE_BITS, SECTORS, SECTOR_WORDS, LINE_WORDS = _next(), _next(), _next(), _next()
PATH_INTERVAL, RESULT_BYTES = _next(), _next()
"""PATH_INTERVAL: that the path of an SM is occupied by a request at least; RESULT_BYTES: of
registers that it writes in a cycle."""
L1_LATENCY, PASS_INTERVAL, PASS_TAGS, L1_BANK_WORDS, L1_BANK_BITS = (_next() for _ in range(5))
"""L1_BANK_WORDS: words of all banks together, 0: no limit; L1_BANK_BITS: log2 of the words of one
bank."""
L1_ENTRIES, L1_MERGES, STORE_INTERVAL = _next(), _next(), _next()
"""L1_MERGES: 0: no limit; STORE_INTERVAL: of a line of a store beyond a pass of tags."""
CONFLICT_INTERVAL = _next()
"""From one word that an instruction wants of a bank of the L1 to the next."""
SHARED_LATENCY, BANK_ROW_BITS, BANK_BITS = _next(), _next(), _next()
"""BANK_ROW_BITS: log2 of the bytes of all banks together; BANK_BITS: log2 of the words of one."""
CONFLICT_FIRST, CONFLICT_FURTHER, SHARED_ATOMIC = _next(), _next(), _next()
SHARED_EXCHANGE, SHARED_COMPARE = _next(), _next()
"""From one lane of an atomic, or of an exchange, to the next on its word; how much later the result
of a comparison comes."""
COPY_LATENCY = _next()
"""From when a copy's data has come until it counts as written."""
BULK_LATENCY, BULK_INTERVAL = _next(), _next()
CONSTANT_LATENCY, CONSTANT_INTERVAL = _next(), _next()
L2_SERVICE, L2_REQUEST, L2_PARTIAL, L2_FETCH = _next(), _next(), _next(), _next()
"""L2_SERVICE: of a sector by a slice; L2_REQUEST: of a request at least; L2_PARTIAL: at least, if
it writes a sector in part; L2_FETCH: sectors that come from DRAM together."""
L2_ENTRIES, ATOMIC_INTERVAL, FLOAT_INTERVAL = _next(), _next(), _next()
INTERLEAVE = _next()
"""log2 of the lines that follow each other in one slice."""
OUT, _, BACK, _, DRAM_OUT, _, DRAM_BACK, _ = (_next() for _ in range(8))
"""Two columns each, + NEAR and + FAR.  OUT: from when the L1 would have answered to the slice of
the L2; BACK: from its answer on; DRAM_…: likewise from when the L2 would have answered."""
DRAM_SERVICE, DRAM_BURST = _next(), _next()
"""DRAM_SERVICE: of a sector by a channel; DRAM_BURST: sectors that take as long as any of them."""
DRAM_BLOCK_BITS, BANKS, ROW_INTERVAL, ROW_CYCLE = (_next() for _ in range(4))
"""DRAM_BLOCK_BITS: log2 of the lines that lie together in a row of a channel; BANKS: of a channel,
0: rows take no time; ROW_INTERVAL: of a channel for opening one, at least; ROW_CYCLE: of a bank."""
WRITE_BATCH, TURNAROUND = _next(), _next()
"""WRITE_BATCH: sectors that a channel writes together, 0: any number; TURNAROUND: that it loses."""
REFRESH_INTERVAL, REFRESH_TIME = _next(), _next()
"""REFRESH_TIME: 0: there is no refresh."""
SLICES, SMS, PARTITIONS, PARTITION_SLICES, CHANNELS = (_next() for _ in range(5))
"""PARTITION_SLICES: of one partition."""
RECORD_WORDS = _next()
NETWORK_LATENCY, NETWORK_SERVICE = _next(), _next()
"""Of an access to shared memory of another SM; NETWORK_SERVICE: of a segment by a port."""
FIRST_PATH, FIRST_SLICE, FIRST_CHANNEL, FIRST_PORT = _next(), _next(), _next(), _next()
"""Where the calendars begin in `state` (see `reservations`), one of WINDOWS words each."""
FIRST_L1_TABLE, L1_TABLE_WORDS, FIRST_L2_TABLE, L2_TABLE_WORDS = (_next() for _ in range(4))
FIRST_BANK, FIRST_CHANNEL_STATE = _next(), _next()
"""Where the states of banks and of channels begin in `state`, see below."""
FIRST_BLOCKED = _next()
"""Where it stands for each SM from which tick accesses may pass those that waited for entries."""
PARAMETERS = _next()

WINDOWS = 512
"""Windows of a calendar: 4096 cycles.  A power of two."""
TABLE_HEAD = 2
"""Words in front of a table of entries: requests in it, entries they hold."""

READ_ROW, WRITTEN_ROW, BANK_READY = range(3)
"""Of a bank: the row that reads find open and the one that writes do, as the number of a block and
1 (0: none); from when it may open another one."""
BANK_WORDS, CHANNEL_WORDS = 4, 8
"""Powers of two: a state lies in one cache line of the host."""
SECTORS_WAITING, TIME_WAITING, HAS_READ, WRITTEN, REFRESHED = range(5)
"""Of a channel: sectors that wait to be written, and the ticks that it will take; whether it has
read since it wrote, and when that ended; how long before tick 0 a refresh began."""

# Columns of a row of `caches`, see `sectored_cache`.
FIRST_RECORD, FIRST_SET, SETS, WAYS, BLOCK_BITS, CACHE_COLUMNS = range(6)
NO_BLOCKS, MOST_BLOCK_BITS = -1, 6
LINE, STATE, UNTIL, MERGES, FILL = range(5)
WRITTEN = MERGES
"""Of a line of the L2: the words that stores have written, as a mask."""
DIRTY_SHIFT = 8
"""In STATE, where the sectors begin that are to be written back."""
MOST_WAYS = 32
SET_BYTES = 2 * MOST_WAYS
HOST_LINE = 64

# Layout of `rows`, see `coalescing`.
MOST_ROWS = 256
"""64 lanes of 16 bytes of local memory."""
SLOTS, INDEX_BITS = 1024, 16
LAST_SLOT = SLOTS - 1
GENERATION = 0
FIRST_NUMBER = 1
FIRST_WORDS = FIRST_NUMBER + MOST_ROWS
FIRST_TIME = FIRST_WORDS + MOST_ROWS
FIRST_LANE = FIRST_TIME + MOST_ROWS
FIRST_SLOT = FIRST_LANE + 64
ROW_COLUMNS = FIRST_SLOT + SLOTS

# Columns of `counts`: those of every kind first, then the others.
_of_kinds = count(0, len(KINDS)).__next__
INSTRUCTIONS, SECTORS_WANTED, BYTES_WANTED = (_of_kinds() for _ in range(3))
"""Of warps; sectors of their lines; bytes that their lanes asked for."""
L1_REQUESTS, L1_HITS, L1_MERGED, L1_MISSES = (_of_kinds() for _ in range(4))
"""Lines looked up; then sectors: found, on their way already, not there."""
L2_REQUESTS, L2_HITS, L2_MERGED, L2_MISSES = (_of_kinds() for _ in range(4))
L2_FAR, DRAM_READ = _of_kinds(), _of_kinds()
"""Sectors that came from another partition; that were read from DRAM."""
_next = count(_of_kinds()).__next__
DRAM_WRITTEN, L2_DIRTIED, L2_NEIGHBOURS, L2_COMPLETED, L2_KEPT = (_next() for _ in range(5))
"""Sectors written back; that a store or atomic made dirty; that came from DRAM beside those that a
load missed; that did to complete what stores had written in part, as their line left; that stores
left in the partition of their SM on the way to another one."""
PATH_WAIT, L1_ENTRY_WAIT, L1_PASSES, L2_WAIT, L2_ENTRY_WAIT, DRAM_WAIT, ATOMIC_WAIT = (
    _next() for _ in range(7)
)
"""Ticks that accesses waited for the path of the SM, for miss entries, for passes beyond the first,
for a slice, a channel, a slice that does atomics."""
DRAM_ROWS, DRAM_TURNS, DRAM_BANK_WAIT, DRAM_REFRESH_WAIT = (_next() for _ in range(4))
"""Rows opened, and batches written; of DRAM_WAIT those ticks in which a bank could not open a row
yet, and in which a channel was refreshed when it was asked."""
STORE_LINES, L2_BUSY = _next(), _next()
"""Ticks that stores took for lines beyond the first; that slices were occupied."""
SHARED_INSTRUCTIONS, SHARED_CONFLICTS, SHARED_BYTES = _next(), _next(), _next()
SHARED_PASSES = _next()
"""SHARED_CONFLICTS: passes beyond those that an access of its size takes without a conflict;
SHARED_PASSES: ticks that accesses to shared memory occupied the path."""
CONSTANT_INSTRUCTIONS, CONSTANT_REPLAYS = _next(), _next()
NETWORK_REQUESTS, NETWORK_SEGMENTS, NETWORK_BYTES, NETWORK_WAIT = (_next() for _ in range(4))
"""Of accesses to shared memory of other SMs; NETWORK_WAIT: ticks that they waited for ports."""
COUNTS = _next()


SUMS, SCRATCH = ("counts",), ("rows",)
"""Arrays of which each part of the SMs has its own, as in `sim.cores.simt.state`."""


class WarpMemory(NamedTuple):
    """The state of the memory system.

    parameters  int64[PARAMETERS]  the machine, and where things begin in the arrays
    caches      int64[SMs + partitions, CACHE_COLUMNS]  the L1 of each SM, the partitions of the L2
    counts      int64[COUNTS]
    state       int64  calendars, tables of entries
    records     int64, sets uint8  of `sectored_cache`
    rows        int64[ROW_COLUMNS]  of `coalescing`, for the access in hand
    """

    parameters: I64
    caches: I64Rows
    counts: I64
    state: I64
    records: I64
    sets: U8
    rows: I64


def build(machine: Simt) -> WarpMemory:
    """The empty memory system of a machine, every L1 as large as it can be."""
    parameters = np.zeros(PARAMETERS, dtype=np.int64)
    _pack_parameters(parameters, machine)
    state = _lay_out_state(parameters, machine)
    caches = _lay_out_caches(machine)
    lines, sets = (int(n) for n in caches[-1, [FIRST_RECORD, FIRST_SET]] + _size(caches[-1]))
    order = _on_host_lines(sets * SET_BYTES, np.uint8)
    order.reshape(sets, SET_BYTES)[:, :MOST_WAYS] = np.arange(MOST_WAYS)
    return WarpMemory(
        parameters=parameters,
        caches=caches,
        counts=np.zeros(COUNTS, dtype=np.int64),
        state=state,
        records=_on_host_lines(lines * int(parameters[RECORD_WORDS]), np.int64),
        sets=order,
        rows=np.zeros(ROW_COLUMNS, dtype=np.int64),
    )


def _on_host_lines(size: int, dtype: type) -> np.ndarray:
    """Zeros that begin at a cache line of the host: a record or set of 64 bytes touches one."""
    room = HOST_LINE // np.dtype(dtype).itemsize
    zeros = np.zeros(size + room, dtype=dtype)
    first = -zeros.ctypes.data % HOST_LINE // zeros.itemsize
    return zeros[first : first + size]


def ticks(cycles: float | Fraction) -> int:
    """A time in ticks, the nearest whole number."""
    return round(Fraction(cycles) * (1 << TICK_BITS))


def _log2(number: int) -> int:
    return number.bit_length() - 1


def _pack_parameters(parameters: np.ndarray, machine: Simt) -> None:
    memory = machine.memory
    l1, l2, shared, dram = memory.l1, memory.l2, memory.shared, memory.dram
    parameters[RECORD_WORDS] = FILL + memory.l1.line // memory.l1.sector
    parameters[WIDTH], parameters[WARPS] = machine.warp_width, machine.limits.warps
    parameters[L1_SIZE], parameters[L1_WAYS] = l1.size, l1.ways
    parameters[SMS], parameters[SLICES] = machine.sms, l2.slices
    parameters[CHANNELS] = dram.channels
    parameters[PARTITIONS], parameters[PARTITION_SLICES] = l2.partitions, l2.slices // l2.partitions
    parameters[LINE_BITS], parameters[SECTORS] = _log2(l1.line), l1.line // l1.sector
    parameters[SECTOR_WORDS], parameters[LINE_WORDS] = l1.sector >> WORD_BITS, l1.line >> WORD_BITS
    parameters[PATH_INTERVAL] = ticks(memory.lsu.interval)
    parameters[RESULT_BYTES] = memory.lsu.results
    parameters[L1_LATENCY], parameters[PASS_INTERVAL] = ticks(l1.latency), ticks(l1.interval)
    parameters[PASS_TAGS] = l1.tags
    parameters[L1_BANK_WORDS] = l1.banks * l1.bank_width >> WORD_BITS
    parameters[L1_BANK_BITS] = _log2(l1.bank_width >> WORD_BITS)
    parameters[L1_ENTRIES], parameters[L1_MERGES] = l1.mshrs, l1.merges
    parameters[STORE_INTERVAL] = ticks(l1.store_interval)
    parameters[CONFLICT_INTERVAL] = ticks(l1.conflict_interval)
    parameters[SHARED_LATENCY] = ticks(shared.latency)
    parameters[BANK_ROW_BITS] = _log2(shared.banks * shared.bank_width)
    parameters[BANK_BITS] = _log2(shared.bank_width >> WORD_BITS)
    parameters[CONFLICT_FIRST] = ticks(shared.conflict_first)
    parameters[CONFLICT_FURTHER] = ticks(shared.conflict_further)
    parameters[SHARED_ATOMIC] = ticks(shared.atomic_interval)
    parameters[SHARED_EXCHANGE] = ticks(shared.exchange_interval)
    parameters[SHARED_COMPARE] = ticks(shared.compare_delay)
    if machine.clusters:
        parameters[NETWORK_LATENCY] = ticks(machine.clusters.shared_latency)
        per_segment = Fraction(1 << SEGMENT_BITS, machine.clusters.shared_bandwidth)
        parameters[NETWORK_SERVICE] = ticks(per_segment)
    parameters[COPY_LATENCY] = ticks(memory.copies.latency) if memory.copies else 0
    parameters[BULK_LATENCY] = ticks(memory.bulk.latency) if memory.bulk else 0
    parameters[BULK_INTERVAL] = ticks(memory.bulk.interval) if memory.bulk else 0
    parameters[CONSTANT_LATENCY] = ticks(memory.constant.latency)
    parameters[CONSTANT_INTERVAL] = ticks(memory.constant.interval)
    parameters[L2_SERVICE] = ticks(Fraction(l2.sector, l2.bandwidth))
    parameters[L2_REQUEST] = ticks(l2.request_interval)
    parameters[L2_PARTIAL] = ticks(l2.partial_store)
    parameters[L2_FETCH] = l2.fetch // l2.sector
    parameters[L2_ENTRIES], parameters[ATOMIC_INTERVAL] = l2.mshrs, ticks(l2.atomic_interval)
    parameters[FLOAT_INTERVAL] = ticks(l2.float_interval)
    parameters[INTERLEAVE] = _log2(l2.interleave // l2.line)
    for distance, latency in ((NEAR, l2.near_latency), (FAR, l2.far_latency)):
        beyond_l1, beyond_l2 = latency - l1.latency, dram.latency - latency
        parameters[OUT + distance] = ticks(beyond_l1) // 2
        parameters[BACK + distance] = ticks(beyond_l1) - parameters[OUT + distance]
        parameters[DRAM_OUT + distance] = ticks(beyond_l2) // 2
        parameters[DRAM_BACK + distance] = ticks(beyond_l2) - parameters[DRAM_OUT + distance]
    rate = Fraction(dram.bandwidth) / Fraction(machine.clock) / dram.channels
    parameters[DRAM_SERVICE] = ticks(l2.sector / rate)
    parameters[DRAM_BURST] = dram.burst // l2.sector
    _pack_dram(parameters, machine)


def _pack_dram(parameters: np.ndarray, machine: Simt) -> None:
    """What keeps channels from moving all the time."""
    l2, dram = machine.memory.l2, machine.memory.dram
    in_ticks = Fraction(machine.clock, 10**9) * (1 << TICK_BITS)
    if dram.rows:
        parameters[DRAM_BLOCK_BITS] = _log2(dram.rows.interleave // l2.line)
        parameters[BANKS] = dram.rows.banks
        parameters[ROW_INTERVAL] = round(Fraction(dram.rows.interval) * in_ticks)
        parameters[ROW_CYCLE] = round(Fraction(dram.rows.cycle) * in_ticks)
    if dram.writes:
        parameters[WRITE_BATCH] = dram.writes.batch // l2.sector
        parameters[TURNAROUND] = round(Fraction(dram.writes.turnaround) * in_ticks)
    if dram.refresh:
        parameters[REFRESH_INTERVAL] = round(Fraction(dram.refresh.interval) * in_ticks)
        parameters[REFRESH_TIME] = round(Fraction(dram.refresh.time) * in_ticks)


def _lay_out_state(parameters: np.ndarray, machine: Simt) -> np.ndarray:
    """Say where things begin in `state`, and make it."""
    memory = machine.memory
    slices, channels = memory.l2.slices, memory.dram.channels
    parameters[L1_TABLE_WORDS] = TABLE_HEAD + memory.l1.mshrs
    parameters[L2_TABLE_WORDS] = TABLE_HEAD + memory.l2.mshrs
    size = 0
    for column, words in (  # those of which an access wants some words of one: at a host's line
        (FIRST_BANK, channels * int(parameters[BANKS]) * BANK_WORDS),
        (FIRST_CHANNEL_STATE, channels * CHANNEL_WORDS),
        (FIRST_PATH, machine.sms * WINDOWS),
        (FIRST_SLICE, slices * WINDOWS),
        (FIRST_CHANNEL, channels * WINDOWS),
        (FIRST_PORT, machine.sms * WINDOWS if machine.clusters else 0),
        (FIRST_L1_TABLE, machine.sms * int(parameters[L1_TABLE_WORDS])),
        (FIRST_L2_TABLE, slices * int(parameters[L2_TABLE_WORDS])),
        (FIRST_BLOCKED, machine.sms),
    ):
        parameters[column] = size
        size += words
    state = _on_host_lines(size, np.int64)
    first = int(parameters[FIRST_CHANNEL_STATE]) + REFRESHED
    state[first : first + channels * CHANNEL_WORDS : CHANNEL_WORDS] = _refreshes(
        int(parameters[REFRESH_INTERVAL]), channels
    )
    return state


def _refreshes(interval: int, channels: int) -> list[int]:
    """How long before tick 0 the refresh of each channel began: evenly spread over the interval, in
    an order that has nothing to do with that in which addresses go to channels."""
    order = sorted(range(channels), key=lambda channel: sha256(b"%d" % channel).digest())
    return [order.index(channel) * interval // channels for channel in range(channels)]


def _lay_out_caches(machine: Simt) -> np.ndarray:
    """`caches`: the L1s behind each other, then the partitions of the L2."""
    l1, l2 = machine.memory.l1, machine.memory.l2
    caches = np.zeros((machine.sms + l2.partitions, CACHE_COLUMNS), dtype=np.int64)
    caches[: machine.sms, [SETS, WAYS, BLOCK_BITS]] = machine.l1_sets(0), l1.ways, NO_BLOCKS
    sets = l2.slices * l2.sets // l2.partitions
    block_bits = min(MOST_BLOCK_BITS, _log2(sets & -sets))
    caches[machine.sms :, [SETS, WAYS, BLOCK_BITS]] = sets, l2.ways, block_bits
    for before, row in pairwise(caches):
        row[[FIRST_RECORD, FIRST_SET]] = before[[FIRST_RECORD, FIRST_SET]] + _size(before)
    return caches


def _size(cache: np.ndarray) -> np.ndarray:
    """(lines, sets) of a row of `caches`."""
    return np.array((cache[SETS] * cache[WAYS], cache[SETS]))
