"""What the memory system of a SIMT machine counted, and the laws that the counts keep.

    count(COUNTERS, memory)   {'L1_LOAD_SECTORS': 4096, 'L1_LOAD_HITS': 2048, …}
    laws(memory)              ('L1: load hits + merges + misses = sectors', 4096, 4096), …

A *sector* counted at a level was looked up there: it was there (hit), on its way (merge), or not
there (miss).  Loads miss in the L1 and then ask the L2; stores, atomics and reductions go to the L2
whatever they find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from sim.cores.simt.memory import figures as at
from sim.cores.simt.memory.figures import WarpMemory
from sim.cores.simt.memory.sectored_cache import DIRTY_SHIFT
from sim.results.counters import BYTES, CYCLES, INSTRUCTIONS, Counter

REQUESTS, SECTORS, PASSES = "requests", "sectors", "passes"
"""Units beside those of `sim.results.counters`."""
LOOKUPS, TRAFFIC, DIRT = (
    "hits + merges + misses = sectors", "misses of a level = sectors asked of the next",
    "sectors dirtied = written back + still dirty",
)  # fmt: skip
LOADS = (at.LOAD, at.LOCAL_LOAD)


def _of_kinds() -> Iterator[Counter]:
    for kind, words in enumerate(at.KINDS):
        name = words.replace(" ", "_").upper()
        for suffix, column, unit, sentence, law in (
            ("INSTRUCTIONS", at.INSTRUCTIONS, INSTRUCTIONS, "{}s that warps executed.", None),
            ("BYTES", at.BYTES_WANTED, BYTES, "Bytes that the lanes of {}s asked for.", None),
            ("L1_REQUESTS", at.L1_REQUESTS, REQUESTS, "Lines that {}s touched.", None),
            ("L1_SECTORS", at.SECTORS_WANTED, SECTORS, "Sectors that {}s touched.", LOOKUPS),
            ("L1_HITS", at.L1_HITS, SECTORS, "Sectors that {}s found in the L1.", LOOKUPS),
            ("L1_MERGES", at.L1_MERGED, SECTORS,
             "Sectors of {}s on their way to the L1 already.", LOOKUPS),
            ("L1_MISSES", at.L1_MISSES, SECTORS, "Sectors of {}s not in the L1.", TRAFFIC),
            ("L2_REQUESTS", at.L2_REQUESTS, REQUESTS, "Lines that {}s asked the L2 for.", None),
            ("L2_HITS", at.L2_HITS, SECTORS, "Sectors that {}s found in the L2.", TRAFFIC),
            ("L2_MERGES", at.L2_MERGED, SECTORS,
             "Sectors of {}s on their way to the L2 already.", TRAFFIC),
            ("L2_MISSES", at.L2_MISSES, SECTORS, "Sectors of {}s not in the L2.", TRAFFIC),
            ("L2_FAR_SECTORS", at.L2_FAR, SECTORS,
             "Sectors of {}s that came from another partition of the L2.", None),
            ("DRAM_SECTORS", at.DRAM_READ, SECTORS, "Sectors read from DRAM for {}s.", TRAFFIC),
        ):  # fmt: skip
            yield Counter(
                f"{name}_{suffix}", unit, _sentence(sentence.format(words)),
                lambda memory, place=column + kind: int(memory.counts[place]), law=law,
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
        yield Counter(name, unit, sentence, lambda memory, place=column: int(memory.counts[place]))
    for name, column, sentence in (
        ("MEMORY_PATH_WAIT", at.PATH_WAIT, "for the path of their SM to L1 and shared memory"),
        ("L1_EXTRA_PASSES", at.L1_PASSES, "for their own further passes through tags and banks"),
        ("L1_ENTRY_WAIT", at.L1_ENTRY_WAIT, "for miss entries of the L1"),
        ("L2_SLICE_WAIT", at.L2_WAIT, "for their slice of the L2"),
        ("L2_ENTRY_WAIT", at.L2_ENTRY_WAIT, "for miss entries of a slice of the L2"),
        ("DRAM_WAIT", at.DRAM_WAIT, "for their channel of the DRAM"),
        ("ATOMIC_WAIT", at.ATOMIC_WAIT, "for an atomic on the same address"),
    ):
        yield Counter(
            name, CYCLES, f"Cycles that accesses waited {sentence}, added up.",
            lambda memory, place=column: int(memory.counts[place]) >> at.TICK_BITS,
        )  # fmt: skip
    yield Counter(
        "DRAM_BYTES_READ", BYTES, "Bytes read from DRAM.",
        lambda memory: sector_bytes(memory) * _sum(memory, at.DRAM_READ), law=TRAFFIC,
    )  # fmt: skip
    yield Counter(
        "DRAM_BYTES_WRITTEN", BYTES, "Bytes that the L2 wrote back to DRAM.",
        lambda memory: sector_bytes(memory) * int(memory.counts[at.DRAM_WRITTEN]), law=DIRT,
    )  # fmt: skip
    yield Counter(
        "L2_BYTES_DIRTY", BYTES, "Bytes of the L2 not yet written back at the end.",
        lambda memory: sector_bytes(memory) * dirty_sectors(memory), law=DIRT,
    )  # fmt: skip


COUNTERS: dict[str, Counter] = {
    counter.name: counter for counter in (*_of_kinds(), *_of_parts())
}  # fmt: skip
"""Every counter of the memory system by name; their values are taken from a WarpMemory."""


def sector_bytes(memory: WarpMemory) -> int:
    """Bytes of a sector."""
    return int(memory.figures[at.SECTOR_WORDS]) << at.WORD_BITS


def dirty_sectors(memory: WarpMemory) -> int:
    """Sectors in the L2 that DRAM does not have."""
    stride = int(memory.figures[at.RECORD_WORDS])
    first = int(memory.caches[memory.figures[at.SMS], at.FIRST_RECORD]) * stride
    dirty = (memory.records[first + at.STATE :: stride] >> DIRTY_SHIFT).astype(np.uint8)
    return int(np.unpackbits(dirty).sum())


def laws(memory: WarpMemory) -> Iterator[tuple[str, int, int]]:
    """(law, left side, right side) of everything that must be equal."""
    seen = _by_kind(memory)
    for kind, name in enumerate(at.KINDS):
        wanted, l1, l1_missed = seen(at.SECTORS_WANTED), _looked_up(seen, 1), seen(at.L1_MISSES)
        yield f"L1: {name} hits + merges + misses = sectors", int(l1[kind]), int(wanted[kind])
        passed_on = l1_missed if kind in LOADS else wanted
        law = f"L2: {name} hits + merges + misses = sectors that come from the L1"
        yield law, int(_looked_up(seen, 2)[kind]), int(passed_on[kind])
        fetched = 0 if kind in (at.STORE, at.LOCAL_STORE) else int(seen(at.L2_MISSES)[kind])
        yield f"DRAM: sectors read for {name}s = L2 misses", int(seen(at.DRAM_READ)[kind]), fetched
    written, dirty = int(memory.counts[at.DRAM_WRITTEN]), dirty_sectors(memory)
    yield f"L2: {DIRT}", int(memory.counts[at.L2_DIRTIED]), written + dirty


def _by_kind(memory: WarpMemory) -> Callable[[int], np.ndarray]:
    return lambda column: memory.counts[column : column + len(at.KINDS)]


def _looked_up(seen: Callable[[int], np.ndarray], level: int) -> np.ndarray:
    columns = (at.L1_HITS, at.L1_MERGED, at.L1_MISSES), (at.L2_HITS, at.L2_MERGED, at.L2_MISSES)
    return sum(seen(column) for column in columns[level - 1])


def _sum(memory: WarpMemory, column: int) -> int:
    return int(_by_kind(memory)(column).sum())
