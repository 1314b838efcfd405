"""Which rows of memory a warp instruction touches, jitted: cache lines, or rows of banks.

The lanes' accesses are grouped by rows of 1 << `shift` bytes, in the order of the first lane of
each, with the words of 4 bytes they want as a bit mask:

    lanes 0…3 read 4 bytes at 0, 8, 4, 132      shift 7      rows 0, 1    words 0b111, 0b10

A 4-byte load of 32 lanes touches 1 line and 4 sectors if its addresses are consecutive, 2 lines and
8 sectors at a distance of 8 bytes, 32 lines and 32 sectors from 128 bytes on.
"""

from __future__ import annotations

from numba import uint64 as index

from sim.cores.jit import inlined
from sim.cores.simt.memory import parameters as at

EVERY_SECOND, EVERY_FOURTH = 0x5555_5555_5555_5555, 0x1111_1111_1111_1111
"""Masks of words: the first of each pair, and of each four."""


@inlined
def row_of(rows, count, number):
    """The index of row `number` among the `count` grouped so far; it is new if that is `count`."""
    slot = number & at.LAST_SLOT
    generation = rows[at.GENERATION]
    while True:
        entry = rows[index(at.FIRST_SLOT + slot)]
        if entry >> at.INDEX_BITS != generation:
            rows[index(at.FIRST_SLOT + slot)] = generation << at.INDEX_BITS | count
            rows[index(at.FIRST_NUMBER + count)] = number
            rows[index(at.FIRST_WORDS + count)] = 0
            return count
        row = entry & ((1 << at.INDEX_BITS) - 1)
        if rows[index(at.FIRST_NUMBER + row)] == number:
            return row
        slot = (slot + 1) & at.LAST_SLOT


@inlined
def words_of(address, bytes_, shift):
    """The words of an access as a mask within its row."""
    wanted = (1 << ((bytes_ + 3) >> at.WORD_BITS)) - 1
    return wanted << ((address & ((1 << shift) - 1)) >> at.WORD_BITS)


@inlined
def share_a_row(rows, addresses, first, last, mask, bytes_, shift):
    """Group the accesses of lanes if they touch one row, the most frequent case; whether they do.

    Without a branch in the loop, so that the host does several lanes at a time.
    """
    some, every, words = 0, -1, 0
    for lane in range(first, last):
        taken = -(mask >> lane & 1)
        address = addresses[index(lane)]
        some |= address & taken
        every &= address | ~taken
        words |= words_of(address, bytes_, shift) & taken
    if (some ^ every) >> shift:  # of no lanes too
        return False
    rows[index(at.FIRST_NUMBER)] = some >> shift
    rows[index(at.FIRST_WORDS)] = words
    for lane in range(first, last):
        rows[index(at.FIRST_LANE + lane)] = 0
    return True


@inlined
def group_lanes(rows, addresses, first, last, mask, bytes_, shift):
    """Group the accesses of the lanes from `first` to before `last`; how many rows they touch.

    Also leaves in `rows` the row of every lane.
    """
    if share_a_row(rows, addresses, first, last, mask, bytes_, shift):
        return 1
    rows[at.GENERATION] += 1
    count, recent, number = 0, 0, -1
    for lane in range(first, last):
        if mask >> lane & 1:
            address = addresses[index(lane)]
            if address >> shift != number:
                number = address >> shift
                recent = row_of(rows, count, number)
                if recent == count:
                    count += 1
            rows[index(at.FIRST_WORDS + recent)] |= words_of(address, bytes_, shift)
            rows[index(at.FIRST_LANE + lane)] = recent
    return count


@inlined
def count_lanes(rows, count, width, mask):
    """Note for each row, at FIRST_TIME, how many lanes want it."""
    for row in range(count):
        rows[index(at.FIRST_TIME + row)] = 0
    for lane in range(width):
        rows[index(at.FIRST_TIME + rows[index(at.FIRST_LANE + lane)])] += mask >> lane & 1


@inlined
def group_interleaved(rows, offsets, base, width, mask, bytes_, shift):
    """The same for local memory: word k of lane i lies at base + (k * width + i) * 4."""
    rows[at.GENERATION] += 1
    count = 0
    for lane in range(width):
        if mask >> lane & 1:
            first = offsets[index(lane)] >> at.WORD_BITS
            for word in range(first, first + ((bytes_ + 3) >> at.WORD_BITS)):
                address = base + ((word * width + lane) << at.WORD_BITS)
                row = row_of(rows, count, address >> shift)
                if row == count:
                    count += 1
                rows[index(at.FIRST_WORDS + row)] |= words_of(address, 4, shift)
    return count


@inlined
def sectors_in(words, sector_words, sectors):
    """The sectors of which a mask of words has any, as a mask."""
    wanted = 0
    for sector in range(sectors):
        if words >> (sector * sector_words) & ((1 << sector_words) - 1):
            wanted |= 1 << sector
    return wanted


@inlined
def whole_sectors_in(words, sector_words, sectors):
    """The sectors of which a mask of words has all."""
    every = (1 << sector_words) - 1
    whole = 0
    for sector in range(sectors):
        if words >> (sector * sector_words) & every == every:
            whole |= 1 << sector
    return whole


@inlined
def bits_in(mask):
    """The number of ones in a mask of sectors."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inlined
def columns_of(words, bank_word_bits):
    """The banks that a mask of words wants: one bit each, at the bank's first word."""
    if bank_word_bits >= 1:
        words = (words | words >> 1) & EVERY_SECOND
    if bank_word_bits >= 2:
        words = (words | words >> 2) & EVERY_FOURTH
    return words


@inlined
def conflict_degree(rows, count, row_words, bank_words, bank_word_bits):
    """How often the busiest bank is read for `count` rows: the passes that they take.

    row_words       words of a row
    bank_words      words of all banks together: word n of memory is in column n mod bank_words
    bank_word_bits  a bank is 1 << bank_word_bits words wide, at most 4
    The columns' sums are kept in binary: `ones`, `twos` … hold a digit of every column's sum.
    """
    if count == 1 and row_words <= bank_words:
        return 1
    ones = twos = fours = eights = sixteens = more = most = 0
    for row in range(count):
        words = columns_of(rows[index(at.FIRST_WORDS + row)], bank_word_bits)
        if bank_words > row_words:
            first = rows[index(at.FIRST_NUMBER + row)] * row_words & (bank_words - 1)
            words <<= first
        for part in range(-(-row_words // bank_words)):
            first = part * bank_words
            carry = words
            if bank_words < row_words:
                carry = words >> first & ((1 << bank_words) - 1)
            ones, carry = ones ^ carry, ones & carry
            twos, carry = twos ^ carry, twos & carry
            fours, carry = fours ^ carry, fours & carry
            eights, carry = eights ^ carry, eights & carry
            sixteens, carry = sixteens ^ carry, sixteens & carry
            more, carry = more ^ carry, more & carry
            most |= carry
    degree, among = 0, -1
    for digit in (most, more, sixteens, eights, fours, twos, ones):
        degree *= 2
        if among & digit:
            among &= digit
            degree += 1
    return degree
