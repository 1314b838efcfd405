"""The counters of the memory system of a SIMT machine, and the laws that its counts keep.

A *sector* counted at a level was looked up there: it was there (hit), on its way (merge), or not
there (miss).  Loads miss in the L1 and then ask the L2; stores, atomics and reductions go to the L2
whatever they find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from sim.cores.simt.memory import parameters as at
from sim.cores.simt.memory.parameters import WarpMemory
from sim.cores.simt.statistics import Statistics
from sim.results.vocabulary import BYTES, CYCLES, INSTRUCTIONS, Counter, Law

REQUESTS, SECTORS, PASSES = "requests", "sectors", "passes"
ROWS, TURNS = "rows", "turns"
"""Units beside those of `sim.results.vocabulary`."""


def _of_kinds() -> Iterator[Counter]:
    for kind, words in enumerate(at.KINDS):
        name = words.replace(" ", "_").upper()
        for suffix, column, unit, sentence in (
            ("INSTRUCTIONS", at.INSTRUCTIONS, INSTRUCTIONS, "{}s that warps executed."),
            ("BYTES", at.BYTES_WANTED, BYTES, "Bytes that the lanes of {}s asked for."),
            ("L1_REQUESTS", at.L1_REQUESTS, REQUESTS, "Lines that {}s touched."),
            ("L1_SECTORS", at.SECTORS_WANTED, SECTORS, "Sectors that {}s touched."),
            ("L1_HITS", at.L1_HITS, SECTORS, "Sectors that {}s found in the L1."),
            ("L1_MERGES", at.L1_MERGED, SECTORS,
             "Sectors of {}s on their way to the L1 already."),
            ("L1_MISSES", at.L1_MISSES, SECTORS, "Sectors of {}s not in the L1."),
            ("L2_REQUESTS", at.L2_REQUESTS, REQUESTS, "Lines that {}s asked the L2 for."),
            ("L2_HITS", at.L2_HITS, SECTORS, "Sectors that {}s found in the L2."),
            ("L2_MERGES", at.L2_MERGED, SECTORS,
             "Sectors of {}s on their way to the L2 already."),
            ("L2_MISSES", at.L2_MISSES, SECTORS, "Sectors of {}s not in the L2."),
            ("L2_FAR_SECTORS", at.L2_FAR, SECTORS,
             "Sectors of {}s that came from another partition of the L2."),
            ("DRAM_SECTORS", at.DRAM_READ, SECTORS, "Sectors read from DRAM for {}s."),
        ):  # fmt: skip
            yield Counter(
                f"{name}_{suffix}", unit, _sentence(sentence.format(words)),
                _count(column + kind), since=2 if kind == at.COPY else 1,
            )  # fmt: skip


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _of_parts() -> Iterator[Counter]:
    for name, column, unit, sentence in (
        ("SHARED_INSTRUCTIONS", at.SHARED_INSTRUCTIONS, INSTRUCTIONS,
         "Accesses to shared memory that warps executed."),
        ("SHARED_BYTES", at.SHARED_BYTES, BYTES, "Bytes of shared memory that lanes asked for."),
        ("SHARED_BANK_CONFLICTS", at.SHARED_CONFLICTS, PASSES,
         "Passes of accesses to shared memory beyond those without a bank conflict."),
        ("CONSTANT_INSTRUCTIONS", at.CONSTANT_INSTRUCTIONS, INSTRUCTIONS,
         "Loads of constants that warps executed."),
        ("CONSTANT_REPLAYS", at.CONSTANT_REPLAYS, PASSES,
         "Different addresses of loads of constants beyond the first of each."),
    ):  # fmt: skip
        yield Counter(name, unit, sentence, _count(column))
    for name, column, sentence in (
        ("MEMORY_PATH_WAIT", at.PATH_WAIT, "for the path of their SM to L1 and shared memory"),
        ("L1_EXTRA_PASSES", at.L1_PASSES, "for their own further passes through tags and banks"),
        ("L1_STORE_LINES", at.STORE_LINES, "for the further lines of their own stores"),
        ("L1_ENTRY_WAIT", at.L1_ENTRY_WAIT, "for miss entries of the L1"),
        ("L2_SLICE_WAIT", at.L2_WAIT, "for their slice of the L2"),
        ("L2_ENTRY_WAIT", at.L2_ENTRY_WAIT, "for miss entries of a slice of the L2"),
        ("DRAM_WAIT", at.DRAM_WAIT, "for their channel of the DRAM"),
        ("ATOMIC_WAIT", at.ATOMIC_WAIT, "for a slice of the L2 to do atomics"),
    ):
        yield Counter(
            name, CYCLES, f"Cycles that accesses waited {sentence}, added up.",
            _count(column, at.TICK_BITS),
        )  # fmt: skip
    for name, column, unit, sentence in (
        ("CLUSTER_REQUESTS", at.NETWORK_REQUESTS, REQUESTS,
         "Accesses of warps to shared memory of another block of their cluster, each block apart."),
        ("CLUSTER_SEGMENTS", at.NETWORK_SEGMENTS, SECTORS,
         "Segments of 32 bytes that they touched."),
        ("CLUSTER_BYTES", at.NETWORK_BYTES, BYTES, "Bytes that their lanes asked for."),
    ):  # fmt: skip
        yield Counter(name, unit, sentence, _count(column), since=3)
    yield Counter(
        "CLUSTER_WAIT", CYCLES, "Cycles that they waited for the network from SM to SM, added up.",
        _count(at.NETWORK_WAIT, at.TICK_BITS), since=3,
    )  # fmt: skip
    yield Counter(
        "L2_SLICES_BUSY", CYCLES, "Cycles that slices of the L2 were occupied, added up.",
        _count(at.L2_BUSY, at.TICK_BITS), since=4,
    )  # fmt: skip
    for name, column, sentence in (
        ("DRAM_BANK_WAIT", at.DRAM_BANK_WAIT, "for a bank that had just opened another row"),
        ("DRAM_REFRESH_WAIT", at.DRAM_REFRESH_WAIT, "for the refresh of a channel to end"),
    ):
        yield Counter(
            name, CYCLES, f"Of DRAM_WAIT, cycles that accesses waited {sentence}.",
            _count(column, at.TICK_BITS), since=5,
        )  # fmt: skip
    yield Counter(
        "DRAM_ROWS_OPENED", ROWS, "Rows that accesses to DRAM opened.", _count(at.DRAM_ROWS),
        since=5,
    )  # fmt: skip
    yield Counter(
        "DRAM_TURNS", TURNS, "Times that a channel of the DRAM turned to writing and back.",
        _count(at.DRAM_TURNS), since=5,
    )  # fmt: skip
    yield Counter(
        "L2_KEPT", SECTORS,
        "Sectors that stores left in the partition of their SM on the way to another one.",
        _count(at.L2_KEPT), since=4,
    )  # fmt: skip
    yield Counter(
        "L2_NEIGHBOURS", SECTORS, "Sectors that came from DRAM beside those that loads missed.",
        _count(at.L2_NEIGHBOURS),
    )  # fmt: skip
    yield Counter(
        "L2_COMPLETED", SECTORS,
        "Sectors read from DRAM, as their line left the L2, to complete what stores had written.",
        _count(at.L2_COMPLETED),
    )  # fmt: skip
    yield Counter(
        "DRAM_BYTES_READ", BYTES, "Bytes read from DRAM.",
        lambda t: sector_bytes(t.memory)
        * (_by_kind(t.memory, at.DRAM_READ).sum() + t.memory.counts[at.L2_COMPLETED]),
    )  # fmt: skip
    yield Counter(
        "DRAM_BYTES_WRITTEN", BYTES, "Bytes that the L2 wrote back to DRAM.",
        lambda t: sector_bytes(t.memory) * t.memory.counts[at.DRAM_WRITTEN],
    )  # fmt: skip
    yield Counter(
        "L2_BYTES_DIRTY", BYTES, "Bytes of the L2 not yet written back at the end.",
        lambda t: sector_bytes(t.memory) * dirty_sectors(t.memory), region="level",
    )  # fmt: skip


def _count(counter: int, shift: int = 0) -> Callable[[Statistics], int]:
    return lambda t: t.memory.counts[counter] >> shift


COUNTERS = (*_of_kinds(), *_of_parts())


def sector_bytes(memory: WarpMemory) -> int:
    """Bytes of a sector."""
    return int(memory.parameters[at.SECTOR_WORDS]) << at.WORD_BITS


def dirty_sectors(memory: WarpMemory) -> int:
    """Sectors in the L2 that DRAM does not have."""
    stride = int(memory.parameters[at.RECORD_WORDS])
    first = int(memory.caches[memory.parameters[at.SMS], at.FIRST_RECORD]) * stride
    dirty = (memory.records[first + at.STATE :: stride] >> at.DIRTY_SHIFT).astype(np.uint8)
    return int(np.unpackbits(dirty).sum())


def _by_kind(memory: WarpMemory, column: int) -> np.ndarray:
    """int64[kinds of access]"""
    return memory.counts[column : column + len(at.KINDS)]


def _named(value: Callable[[WarpMemory], np.ndarray]) -> Callable[[Statistics], dict[str, int]]:
    """What `value` says of each kind of access, by its name."""
    return lambda t: dict(zip(at.KINDS, value(t.memory).tolist(), strict=True))


def _looked_up(*columns: int) -> Callable[[WarpMemory], np.ndarray]:
    return lambda memory: sum(_by_kind(memory, column) for column in columns)


def _left_the_l1(memory: WarpMemory) -> np.ndarray:
    """Sectors that the L1 asks the L2 for: of loads those that it does not have."""
    left = _by_kind(memory, at.SECTORS_WANTED).copy()
    for kind in at.LOADS:
        left[kind] = _by_kind(memory, at.L1_MISSES)[kind]
    return left


def _fetched(memory: WarpMemory) -> np.ndarray:
    """Sectors that the L2 asks the DRAM for: stores need none."""
    fetched = _by_kind(memory, at.L2_MISSES).copy()
    fetched[[at.STORE, at.LOCAL_STORE]] = 0
    return fetched


LAWS = (
    Law(
        "L1 hits + merges + misses = sectors",
        _named(_looked_up(at.L1_HITS, at.L1_MERGED, at.L1_MISSES)),
        _named(_looked_up(at.SECTORS_WANTED)),
    ),
    Law(
        "L2 hits + merges + misses = sectors that come from the L1",
        _named(_looked_up(at.L2_HITS, at.L2_MERGED, at.L2_MISSES)),
        _named(_left_the_l1),
    ),
    Law(
        "sectors read from DRAM = L2 misses that fetch, and their neighbours",
        lambda t: int(_by_kind(t.memory, at.DRAM_READ).sum()),
        lambda t: int(_fetched(t.memory).sum() + t.memory.counts[at.L2_NEIGHBOURS]),
    ),
    Law(
        "sectors dirtied = written back + still dirty",
        lambda t: int(t.memory.counts[at.L2_DIRTIED]),
        lambda t: int(t.memory.counts[at.DRAM_WRITTEN]) + dirty_sectors(t.memory),
    ),
)
