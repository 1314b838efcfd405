"""What the host's shortcuts keep of instructions, warps and blocks: no unit of the hardware, but
asked by every issue (see `sim.cores.simt.host`).

`deferred`            results are computed when somebody wants them
`shared_words`        addresses of words in shared memory are remembered
`plain_instructions`  the shorter ways to issue
`foresight`           the host's caches are asked ahead of time
"""

from __future__ import annotations

from sim.cores.simt import tables
from sim.cores.simt.tables import numbered
from sim.cores.simt.unit import Unit

SHORTCUT = tables.code.columns(
    SHAPE="Which of the ways to issue it is the shortest.",
    NEEDS="What has to be there when it issues, as WRITES.",
    WRITES="What it writes, if it may wait: registers modulo WRITE_BITS, and what else below.",
    SPOILS="The patterns that do not hold any more, as bits.",
    PATTERN="Of accesses of words in shared memory: the pattern of its addresses, which is the "
    "warp's of that number modulo PATTERNS while nobody else takes it; -1: of others.",
    DEFERS="Whether it may wait.",
)
SHAPE = numbered(
    ANY="The long way.",
    PLAIN_LANES="A plain instruction whose meaning is all.",
    PLAIN_PARAMETER="A plain one that loads a parameter.",
    PLAIN_WORDS="A plain one that loads from shared memory and has a PATTERN.",
)
"""A plain instruction takes one issue slot, has no guard, may wait and is followed by one of its
block; control bits say nothing."""
WAITING = tables.warps.columns(
    PENDING_WRITES="What the instructions write that wait.",
    KNOWN="The patterns that hold, as bits.",
    PENDING_FIRST="The first that waits.",
    PENDING_END="Behind the last.",
    PENDING_LANES="For which lanes.",
)
BLOCK_WAITING = tables.blocks.columns(COUNT="Warps whose loads from shared memory wait.")
PATTERN = tables.patterns.columns(
    NUMBER="Its number as instructions have it.",
    LANES="The lanes that were looked at.",
    LOW="The least address.",
    HIGH="The largest.",
    BITS="Every bit of any.",
    LIMIT="Bytes of shared memory.",
    PASSES="See `shared_memory`.",
    PARTS="See `shared_memory`.",
)
ACTING = tables.acting.columns(
    WARP="Of an SM's last access that had to wait for its turn.",
    PC="Which access.",
    LINE="The first line that it wants.",
)
PATTERNS = 4
"""Of a warp."""
WRITE_BITS = 61
FROM_SHARED, PREDICATE_WRITTEN, EVERYTHING = 1 << 61, 1 << 62, -1
"""In WRITES: loads from shared memory; any predicate.  In NEEDS: all."""
NO_PC = -1

UNIT = Unit("shortcuts")
