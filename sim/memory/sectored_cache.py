"""The lines of sectored caches, jitted: found by a hash, the least recently used of a set leaves.

Every cache (the L1 of each SM, and the L2, all slices together) is a row of `caches`: where its
records, hash buckets and sets begin.  A record is a line's place in its set:

    records  LINE    its number
             STATE   the sectors that may be read, as a mask, and from DIRTY_SHIFT on those to be
                     written back; one that is dirty but cannot be read was written in part
             UNTIL   when the last of its sectors has come    FILL…  the same of each, in ticks
             MERGES  accesses that wait for each sector, MERGE_BITS each
    links    NEWER, OLDER  neighbours in its set by the time of use, CHAIN  the next of its bucket
    sets     NEWEST, OLDEST, USED places

Record 0 is none.  A set takes its places in turn until it is full, so an empty cache needs no
preparation, and a set may have thousands of ways.
"""

from __future__ import annotations

from numba import int64
from numba import uint64 as index

from sim.jit import inlined, jitted
from sim.memory.simt_figures import (
    BUCKET_SHIFT,
    BUCKETS,
    CHAIN,
    FIRST_BUCKET,
    FIRST_RECORD,
    FIRST_SET,
    HASHED,
    LINE,
    LINK_WORDS,
    MERGES,
    NEWER,
    NEWEST,
    OLDER,
    OLDEST,
    RECORD_WORDS,
    SET_WORDS,
    SETS,
    STATE,
    UNTIL,
    USED,
    WAYS,
)  # fmt: skip

NONE = 0
DIRTY_SHIFT = MERGE_BITS = 8
SECTOR_MASK = 255
SPREAD = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio: its multiples spread evenly over the range of 64 bits."""
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
def words_of_record(memory, record):
    """Where a record begins in `records`."""
    return record * memory.figures[RECORD_WORDS]


@inlined
def bucket_of(cache, line):
    """Where the first record of a line's bucket stands in `links`."""
    return index(cache[FIRST_BUCKET]) + (spread(line) >> index(cache[BUCKET_SHIFT]))


@inlined
def find(memory, cache, line):
    """The record of a line in a cache (a row of `caches`), or NONE."""
    record = int64(memory.links[bucket_of(cache, line)])
    while record != NONE and memory.records[index(words_of_record(memory, record))] != line:
        record = int64(memory.links[index(record * LINK_WORDS + CHAIN)])
    return record


@inlined
def set_of(cache, line):
    """Where the set of a line begins in `sets`."""
    number = share(spread(line), cache[SETS]) if cache[HASHED] else line % cache[SETS]
    return (cache[FIRST_SET] + number) * SET_WORDS


@inlined
def touch(memory, cache, record):
    """Note that a line was used."""
    if memory.links[index(record * LINK_WORDS + NEWER)] != NONE:
        line = memory.records[index(words_of_record(memory, record) + LINE)]
        group = set_of(cache, line)
        unlink(memory, group, record)
        link_newest(memory, group, record)


@jitted
def link_newest(memory, group, record):
    """Make a record the newest of its set (which begins at `group`)."""
    newest = memory.sets[index(group + NEWEST)]
    memory.links[index(record * LINK_WORDS + NEWER)] = NONE
    memory.links[index(record * LINK_WORDS + OLDER)] = newest
    if newest != NONE:
        memory.links[index(newest * LINK_WORDS + NEWER)] = record
    else:
        memory.sets[index(group + OLDEST)] = record
    memory.sets[index(group + NEWEST)] = record


@jitted
def unlink(memory, group, record):
    """Take a record out of the order of its set."""
    newer = memory.links[index(record * LINK_WORDS + NEWER)]
    older = memory.links[index(record * LINK_WORDS + OLDER)]
    if newer != NONE:
        memory.links[index(newer * LINK_WORDS + OLDER)] = older
    else:
        memory.sets[index(group + NEWEST)] = older
    if older != NONE:
        memory.links[index(older * LINK_WORDS + NEWER)] = newer
    else:
        memory.sets[index(group + OLDEST)] = newer


@jitted
def leave_bucket(memory, cache, record):
    """Take a record out of its bucket: its line is not found any more."""
    line = memory.records[index(words_of_record(memory, record) + LINE)]
    place = bucket_of(cache, line)
    after = memory.links[index(record * LINK_WORDS + CHAIN)]
    other = int64(memory.links[place])
    while other != record:
        place = index(other * LINK_WORDS + CHAIN)
        other = int64(memory.links[place])
    memory.links[place] = after


@jitted
def take_place(memory, cache, line):
    """(record a new line takes, whether the least recently used line of its set had it).

    The line that was there is gone, but its words still stand in the record, for a write-back.
    """
    number = set_of(cache, line)
    used = int64(memory.sets[index(number + USED)])
    if used < cache[WAYS]:
        memory.sets[index(number + USED)] = used + 1
        group = number // SET_WORDS - cache[FIRST_SET]
        return cache[FIRST_RECORD] + group * cache[WAYS] + used, False
    record = int64(memory.sets[index(number + OLDEST)])
    unlink(memory, number, record)
    leave_bucket(memory, cache, record)
    return record, True


@jitted
def put(memory, cache, record, line):
    """Put a line without any sector into a place."""
    words = words_of_record(memory, record)
    memory.records[index(words + LINE)] = line
    memory.records[index(words + STATE)] = 0
    memory.records[index(words + UNTIL)] = 0
    memory.records[index(words + MERGES)] = 0
    place = bucket_of(cache, line)
    memory.links[index(record * LINK_WORDS + CHAIN)] = memory.links[place]
    memory.links[place] = record
    link_newest(memory, set_of(cache, line), record)


@jitted
def empty(memory, cache):
    """Forget all lines of a cache; nothing is written back."""
    first = cache[FIRST_BUCKET]
    for place in range(first, first + cache[BUCKETS]):
        memory.links[index(place)] = NONE
    first = cache[FIRST_SET] * SET_WORDS
    for word in range(first, first + cache[SETS] * SET_WORDS):
        memory.sets[index(word)] = 0
