"""Tensor maps: what a copy of a box of a tensor moves, and where to.

A map has 128 bytes, which CUDA calls opaque; here they are 32 numbers of 32 bits (`PLACES`).  A
copy's words are these, behind them its coordinates: the functions take a list of them and where in
it they begin, so that the same text runs jitted.  Dimension 0 is the innermost; a box is rows of
dimension 0, one after another in shared memory.

    box [64, 8] of f16, swizzle 128   8 rows of 128 bytes, whose 16-byte pieces change places
"""

from __future__ import annotations

MAGIC = 0x50414D54
WORDS, COORDINATES, MOST_RANK = 32, 32, 5
IS_MAP, FORM, BASE, STRIDES, SHAPE, BOX, STEPS = 0, 1, 2, 4, 12, 17, 22
"""Where in a map stand what says that it is one; rank, bytes of an element << 8, swizzle << 16 and
what is read out of bounds << 24, the type << 25; the address; bytes from one to the next of
dimensions 1 on, 64 bits each; extents; extents of a box; how far its elements are apart."""
NO_SWIZZLE, SWIZZLE_32, SWIZZLE_64, SWIZZLE_128 = 0, 1, 2, 3
ZEROS, NANS = 0, 1


def rank(words, at):
    return words[at + FORM] & 0xFF


def element_bytes(words, at):
    return words[at + FORM] >> 8 & 0xFF


def swizzle(words, at):
    return words[at + FORM] >> 16 & 0xFF


def fills_with_nans(words, at):
    return words[at + FORM] >> 24 & 1 == NANS


def element_type(words, at):
    """As `machines.vocabulary.bulk_reductions` numbers types; 0: another one."""
    return words[at + FORM] >> 25 & 15


def steps(words, at, k):
    """Elements of a box along a dimension; of the innermost one none is left out."""
    step = 1 if k == 0 else words[at + STEPS + k]
    return (words[at + BOX + k] + step - 1) // step


def row_bytes(words, at):
    """Of a row of a box."""
    return words[at + BOX] * element_bytes(words, at)


def row_count(words, at):
    """Rows of a box."""
    count = 1
    for k in range(1, rank(words, at)):
        count *= steps(words, at, k)
    return count


def coordinate(words, at, k):
    """Of a box's first element, signed."""
    given = words[at + COORDINATES + k]
    return given - (1 << 32) if given >> 31 else given


def row_address(words, at, row):
    """Where the row of a tensor begins in which a row of the box lies; 0: out of bounds."""
    address = words[at + BASE] | words[at + BASE + 1] << 32
    for k in range(1, rank(words, at)):
        extent = steps(words, at, k)
        place = coordinate(words, at, k) + row % extent * words[at + STEPS + k]
        row //= extent
        if place < 0 or place >= words[at + SHAPE + k]:
            return 0
        stride = words[at + STRIDES + 2 * k - 2] | words[at + STRIDES + 2 * k - 1] << 32
        address += place * stride
    return address


def first_inside(words, at):
    """The first element of a row of a box that is in bounds."""
    return max(0, -coordinate(words, at, 0))


def end_inside(words, at):
    """The one behind the last."""
    return min(words[at + BOX], words[at + SHAPE] - coordinate(words, at, 0))


def swizzled(address, kind):
    """Where in shared memory an address of a box comes to lie: pieces of 16 bytes change places by
    the lines of 128 bytes that they are in."""
    return address ^ (address >> 7 & (1 << kind) - 1) << 4


def filler(words, at, byte):
    """A byte of an element that is out of bounds; NaNs are 0x7FFF… (which bits the hardware takes
    is not published)."""
    if not fills_with_nans(words, at):
        return 0
    size = element_bytes(words, at)
    return 0x7F if byte % size == size - 1 else 0xFF
