"""The memory of a SIMT machine: L1 and shared memory of an SM, L2 and DRAM of the device.

Latencies are whole, from issue of a load to the first cycle in which a reader may issue, so they
grow outward and are not added:

    hit in L1  l1.latency      hit in L2  l2.near_latency or l2.far_latency      else  dram.latency
"""

from __future__ import annotations

from pydantic import Field

from machines.description.schema import (
    MOST_A_CYCLE,
    MOST_CACHE,
    MOST_ENTRIES,
    MOST_UNITS,
    Bytes,
    Cycles,
    Description,
    FineCycles,
    Nanoseconds,
    Rate,
    figure,
)

MOST_BANKS = 64
MOST_SECTORED_LINE = 256
"""Bytes of a line, whose sectors are bits of a byte."""
MOST_INTERLEAVE = 4096
MOST_RESULTS = 1024
"""Bytes of 16 that 64 lanes load."""
MOST_ROW, MOST_BATCH = 1 << 14, 1 << 14
"""Bytes of a row, and that a channel of DRAM collects to write."""
MOST_DRAM_TIME, MOST_REFRESH = 1000, 100_000
"""Nanoseconds of a timing of DRAM, and from one refresh to the next."""


class L1(Description):
    """The first-level data cache of an SM, in one memory with shared memory.

    A store goes through to the L2; a line it hits is updated, one it misses is not brought in."""

    size: Bytes = figure(
        ge=1024, le=MOST_CACHE, description="Capacity, that of shared memory included."
    )
    line: Bytes = figure(ge=32, le=MOST_SECTORED_LINE, description="Line size: what a tag is for.")
    sector: Bytes = figure(
        ge=16, le=MOST_SECTORED_LINE, description="Part of a line that is brought in by itself."
    )
    ways: int = figure(
        ge=1,
        le=32,
        description="Lines of a set; there are as many sets as the carve-out leaves room for.",
    )
    latency: Cycles = figure(ge=1, description="Cycles from issue to use of a load that hits.")
    interval: Cycles = figure(ge=1, description="Cycles of a pass through the tags.")
    tags: int = figure(
        ge=1, le=MOST_A_CYCLE, description="Lines of one warp instruction looked up in a pass."
    )
    banks: int = figure(
        ge=0,
        le=MOST_BANKS,
        description="Banks of the data; words of one bank are read one a cycle; 0: no limit.",
    )
    bank_width: Bytes = figure(
        ge=4,
        le=16,
        description="Consecutive bytes in a bank.",
        read_when=("banks is not 0", lambda at: at.owner.banks > 0),
    )
    conflict_interval: Cycles = figure(
        ge=1,
        description="Cycles from one word that a load wants of a bank to its next; those of other"
        " sub-cores go between.",
        read_when=("banks is not 0", lambda at: at.owner.banks > 0),
    )
    mshrs: int = figure(ge=1, le=MOST_ENTRIES, description="Sectors on their way from the L2.")
    merges: int = figure(
        ge=0,
        le=255,
        description="Warp instructions that may wait for one sector on its way; 0: no limit.",
    )
    store_interval: FineCycles = figure(
        ge=0,
        description="Cycles of the path for each line that a store writes beyond those of a pass.",
    )


class SharedMemory(Description):
    """The shared memory of an SM."""

    banks: int = figure(
        ge=1, le=MOST_BANKS, description="Banks; words of one bank are read in turn."
    )
    bank_width: Bytes = figure(ge=4, le=16, description="Consecutive bytes in a bank.")
    latency: Cycles = figure(ge=1, description="Cycles from issue to use without a conflict.")
    conflict_first: Cycles = figure(
        ge=0, description="Cycles more if two words of one bank are wanted."
    )
    conflict_further: Cycles = figure(ge=0, description="Cycles more for each word beyond two.")
    atomic_interval: Cycles = figure(
        ge=1, description="Cycles between atomics of a warp on one address."
    )
    exchange_interval: Cycles = figure(
        ge=1, description="The same of exchanges, which do not look at what they replace."
    )
    compare_delay: Cycles = figure(
        ge=0, description="Cycles more until a compare-and-swap has its result."
    )


class AsynchronousCopies(Description):
    """Copies from global to shared memory that go on while threads do something else (cp.async)."""

    latency: Cycles = figure(
        ge=1,
        description="Cycles from when data is there, as a load would have it, until who has waited "
        "for its copy may issue.",
    )


class BulkCopies(Description):
    """The engine of an SM that copies many bytes for a thread (cp.async.bulk)."""

    latency: Cycles = figure(
        ge=1,
        description="Cycles that a copy takes beyond what loads or stores of its lines would.",
    )
    interval: Cycles = figure(ge=1, description="Cycles from a line that it asks for to the next.")


class Lsu(Description):
    """The load-store path of an SM, behind the queues and pipes of its sub-cores."""

    interval: Cycles = figure(
        ge=1, description="Cycles that a request of any sub-core occupies the path to L1 and shared"
        " memory."
    )  # fmt: skip
    results: Bytes = figure(
        ge=16,
        le=MOST_RESULTS,
        description="Bytes of registers that loads from global and local memory write in a cycle.",
    )


class ConstantCache(Description):
    """Constants and kernel parameters; every access hits."""

    latency: Cycles = figure(ge=1, description="Cycles from issue to use.")
    interval: Cycles = figure(
        ge=1, description="Cycles of the path for each different address of a warp's load."
    )


class L2(Description):
    """The second-level cache, shared by all SMs."""

    size: Bytes = figure(ge=1024, le=MOST_CACHE, description="Capacity of all slices.")
    slices: int = figure(
        ge=1, le=MOST_UNITS, description="Slices; an address belongs to one, by a hash."
    )
    ways: int = figure(ge=1, le=32, description="Lines of a set of a slice.")
    interleave: Bytes = figure(
        ge=32, le=MOST_INTERLEAVE, description="Bytes that lie one after the other in a slice."
    )
    line: Bytes = figure(ge=32, le=MOST_SECTORED_LINE, description="Line size.")
    sector: Bytes = figure(
        ge=16, le=MOST_SECTORED_LINE, description="Part of a line that is brought in by itself."
    )
    partitions: int = figure(
        ge=1,
        le=MOST_UNITS,
        description="Halves of the chip: slices of another one than the SM's are far.",
    )
    near_latency: Cycles = figure(ge=1, description="Cycles from issue to use of a load that hits.")
    far_latency: Cycles = figure(
        ge=1,
        description="The same in another partition.",
        read_when=("partitions is at least 2", lambda at: at.owner.partitions > 1),
    )
    bandwidth: Bytes = figure(
        ge=1, le=MOST_A_CYCLE, description="Bytes a slice gives or takes in a cycle."
    )
    request_interval: FineCycles = figure(
        gt=0, description="Cycles of a slice for a request, a line's sectors, at least."
    )
    partial_store: FineCycles = figure(
        gt=0,
        description="The same of a store that writes only some words of a sector.",
    )
    fetch: Bytes = figure(
        ge=16,
        le=MOST_SECTORED_LINE,
        description="Part of a line that comes from DRAM when a load misses any of its sectors.",
    )
    mshrs: int = figure(
        ge=1, le=MOST_ENTRIES, description="Sectors of a slice on their way from DRAM."
    )
    atomic_interval: FineCycles = figure(
        gt=0,
        description="Cycles of a slice for the atomics on a sector, and for each further one on"
        " a word.",
    )
    float_interval: FineCycles = figure(
        gt=0, description="The same for each further one on a word that adds floats."
    )

    @property
    def sets(self) -> int:
        """Sets of a slice."""
        return self.size // (self.slices * self.ways * self.line)


class DramRows(Description):
    """Rows of the banks of DRAM: one of a bank is open, and another one takes time to open."""

    interleave: Bytes = figure(
        ge=32, le=MOST_ROW, description="Consecutive bytes that lie in one row of a channel."
    )
    banks: int = figure(
        ge=1, le=MOST_UNITS, description="Banks of a channel; each keeps open the row read last."
    )
    interval: Nanoseconds = figure(
        ge=0, le=MOST_DRAM_TIME, description="Time of a channel for an access that opens a row, at"
        " least."
    )  # fmt: skip
    cycle: Nanoseconds = figure(
        ge=0,
        le=MOST_DRAM_TIME,
        description="Time from when a bank opens a row until it may open another.",
    )


class DramWrites(Description):
    """Writes to DRAM wait until there are enough of them to turn a channel around."""

    batch: Bytes = figure(
        ge=16, le=MOST_BATCH, description="Bytes that a channel collects and writes one after the"
        " other."
    )  # fmt: skip
    turnaround: Nanoseconds = figure(
        ge=0,
        le=MOST_DRAM_TIME,
        description="Time that a channel loses as it turns to writing and back.",
    )


class DramRefresh(Description):
    """Refresh of DRAM: channels in turn do nothing else for a while."""

    interval: Nanoseconds = figure(
        gt=0, le=MOST_REFRESH, description="Time from a channel's refresh to its next."
    )
    time: Nanoseconds = figure(gt=0, le=MOST_DRAM_TIME, description="Time that a refresh takes.")


class Dram(Description):
    """Device memory."""

    latency: Cycles = figure(
        ge=1, description="Cycles from issue to use of a load that goes there."
    )
    bandwidth: Rate = figure(
        description="Bytes a second of all channels while they read or write; where rows, writes"
        " and refresh are left out, what kernels reach."
    )
    channels: int = figure(
        ge=1,
        le=MOST_UNITS,
        description="Channels; consecutive lines, or what rows interleave, go to different ones.",
    )
    burst: Bytes = figure(
        ge=16,
        le=MOST_SECTORED_LINE,
        description="Part of a line that takes a channel as long as any sector of it.",
    )
    rows: DramRows | None = Field(
        None, description="Rows of banks; left out: any order of accesses takes as long."
    )
    writes: DramWrites | None = Field(
        None, description="Turning to writes and back; left out: it takes no time."
    )
    refresh: DramRefresh | None = Field(None, description="Refresh; left out: there is none.")


class MemorySystem(Description):
    """The memory system from the sub-core outward."""

    lsu: Lsu = Field(description="The load-store path of an SM.")
    l1: L1 = Field(description="First-level cache.")
    shared: SharedMemory = Field(description="Shared memory.")
    copies: AsynchronousCopies | None = Field(
        None, description="Copies that go on meanwhile; left out: there are none."
    )
    bulk: BulkCopies | None = Field(
        None, description="Copies of many bytes; left out: there are none."
    )
    constant: ConstantCache = Field(description="Constants and parameters.")
    l2: L2 = Field(description="Second-level cache.")
    dram: Dram = Field(description="Device memory.")
