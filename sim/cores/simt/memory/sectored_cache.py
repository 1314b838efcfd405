"""The lines of sectored caches, jitted: where a line is, and which one leaves for another.

Every cache (the L1 of each SM, and every partition of the L2) is a row of `caches`.  A set is
SET_BYTES of `sets`, so that the host touches one of its own cache lines to look a line up:

    sets     its ways, those used last first; then for every way a byte of its line's hash, 0: empty
    records  of each way:
             LINE    the number of its line
             STATE   the sectors that may be read, as a mask, and from DIRTY_SHIFT on those to be
                     written back; one that is dirty but cannot be read was written in part
             UNTIL   when the last of its sectors has come    FILL…  the same of each, in ticks
             MERGES  accesses that wait for each sector, MERGE_BITS each; of the L2, which merges
                     nothing, WRITTEN: the words that stores have written

Records of one way stand together, by sets.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.cores.jit import inlined
from sim.cores.simt.host.lane_words import first_bit
from sim.cores.simt.memory import parameters as at
from sim.cores.together import equal_bytes

ABSENT = -1
MERGE_BITS = 8
SECTOR_MASK = 255
SPREAD = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio: its multiples spread evenly over the range of 64 bits."""
SPREAD_BLOCKS = 0xBB67AE8584CAA73B
"""2**64 times the fraction of the square root of 3, for blocks of lines: with the same number as
for lines most of a set would have their home in one partition."""
WITHIN_BLOCK = 16
"""Where the bits of a block's hash begin that say how far it is turned."""
TOP_BITS = 32


@inlined
def spread(line):
    """The hash of a line, 64 bits; those of consecutive lines lie as far apart as can be."""
    return index(line) * index(SPREAD)


@inlined
def share(hashed, parts):
    """In which of `parts` (at most 2**31) equal parts of its range a hash lies."""
    return int64((hashed >> index(TOP_BITS)) * index(parts) >> index(TOP_BITS))


@inlined
def tag_of(line):
    """The byte of a line's hash that stands in its set: 1 to 255."""
    return max(spread(line) >> index(8) & index(255), index(1))


@inlined
def set_of(cache, line):
    """The number of a line's set in a cache (a row of `caches`).

    L1: the line modulo the sets.  L2: blocks of 1 << BLOCK_BITS lines are spread over the sets and
    each turned by another number of lines, so that no stride meets few sets only, and yet the lines
    of a block lie together on the host.
    """
    block_bits = cache[at.BLOCK_BITS]
    if block_bits == at.NO_BLOCKS:
        return line % cache[at.SETS]
    hashed = index(line >> block_bits) * index(SPREAD_BLOCKS)
    within = (line + int64(hashed >> index(WITHIN_BLOCK))) & ((1 << block_bits) - 1)
    return (share(hashed, cache[at.SETS] >> block_bits) << block_bits) + within


@inlined
def bytes_of_set(cache, group):
    """Where set number `group` begins in `sets`."""
    return index((cache[at.FIRST_SET] + group) * at.SET_BYTES)


@inlined
def words_of(memory, cache, group, way):
    """Where the record of a way begins in `records`."""
    record = cache[at.FIRST_RECORD] + way * cache[at.SETS] + group
    return record * memory.parameters[at.RECORD_WORDS]


@inlined
def find(memory, cache, group, line):
    """The way of a set that has a line, or ABSENT."""
    tags = int64(bytes_of_set(cache, group)) + at.MOST_WAYS
    same = equal_bytes(memory.sets, tags, int64(tag_of(line)))
    while same != 0:
        way = first_bit(same)
        if memory.records[index(words_of(memory, cache, group, way) + at.LINE)] == line:
            return way
        same &= same - 1
    return int64(ABSENT)


@inlined
def touch(memory, cache, group, way):
    """Note that a way was used: those used later than it move up by one."""
    order = bytes_of_set(cache, group)
    moved = memory.sets[order]
    if moved == way:
        return
    memory.sets[order] = way
    position = order
    while moved != way:
        position += index(1)
        moved, memory.sets[position] = memory.sets[position], moved


@inlined
def replace(memory, cache, group, line):
    """(way of a set that takes a new line, the line that left it, STATE of that one or 0).

    An empty way, else the one used least recently; it has the line now, without any sector.
    """
    order = bytes_of_set(cache, group)
    tags = order + index(at.MOST_WAYS)
    way = int64(memory.sets[order + index(cache[at.WAYS] - 1)])
    words = words_of(memory, cache, group, way)
    left = memory.records[index(words + at.LINE)]
    state = memory.records[index(words + at.STATE)] if memory.sets[tags + index(way)] else 0
    touch(memory, cache, group, way)
    memory.sets[tags + index(way)] = tag_of(line)
    memory.records[index(words + at.LINE)] = line
    memory.records[index(words + at.STATE)] = 0
    memory.records[index(words + at.UNTIL)] = 0
    memory.records[index(words + at.MERGES)] = 0
    return way, left, state


@inlined
def empty(memory, cache):
    """Forget all lines of a cache; nothing is written back."""
    for group in range(cache[at.SETS]):
        order = bytes_of_set(cache, group)
        for way in range(cache[at.WAYS]):
            memory.sets[order + index(way)] = way
            memory.sets[order + index(at.MOST_WAYS + way)] = 0
