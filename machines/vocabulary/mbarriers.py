"""Barrier objects in shared memory (mbarrier), as the 8 bytes in which they are held here.

    word = new(2)                     pending 2, expected 2, transactions 0, phase 0
    word = arrived(word, 1, 0)        pending 1
    word = changed(word, 64)          64 bytes are expected
    word = arrived(word, 1, 0)        pending 0: the phase waits for the bytes
    word = changed(word, -64)         phase 1, pending 2

What the bits mean on hardware is not public; PTX calls the object opaque (PTX ISA 9.0, *mbarrier*):

    0 … 19   arrivals that are missing     20 … 39   arrivals that a phase expects
    40 … 60  bytes that are missing, signed       61   the parity of the phase
"""

from __future__ import annotations

COUNT_BITS, BYTES_BITS = 20, 21
MOST_COUNT = (1 << COUNT_BITS) - 1
BYTES_AT, PHASE_AT = 2 * COUNT_BITS, 2 * COUNT_BITS + BYTES_BITS
SIGN = 1 << BYTES_BITS - 1


def pending(word):
    """Arrivals that are missing in the phase."""
    return word & MOST_COUNT


def expected(word):
    """Arrivals that the next phase expects."""
    return word >> COUNT_BITS & MOST_COUNT


def missing_bytes(word):
    """Bytes of copies that are missing in the phase."""
    return ((word >> BYTES_AT & (1 << BYTES_BITS) - 1) ^ SIGN) - SIGN


def parity(word):
    """Of the phase."""
    return word >> PHASE_AT & 1


def _packed(arrivals, expects, missing, phase):
    missing &= (1 << BYTES_BITS) - 1
    return arrivals | expects << COUNT_BITS | missing << BYTES_AT | phase << PHASE_AT


def _settled(arrivals, expects, missing, phase):
    """The word of such a state; if nothing is missing the next phase begins."""
    if arrivals == 0 and missing == 0:
        return _packed(expects, expects, 0, phase ^ 1)
    return _packed(arrivals, expects, missing, phase)


def new(count):
    """An object that expects so many arrivals in each phase."""
    return _packed(count, count, 0, 0)


def arrived(word, count, dropped):
    """It after so many arrivals, of which some are not expected in the phases to come."""
    left, expects = pending(word) - count, expected(word) - dropped
    return _settled(left, expects, missing_bytes(word), parity(word))


def expecting(word, count):
    """It with so many arrivals more that are missing in this phase."""
    left = pending(word) + count
    return _packed(left, expected(word), missing_bytes(word), parity(word))


def changed(word, count):
    """It with so many bytes more that are missing: fewer if some have come."""
    missing = missing_bytes(word) + count
    if count < 0:
        return _settled(pending(word), expected(word), missing, parity(word))
    return _packed(pending(word), expected(word), missing, parity(word))


def is_over(word, old_parity):
    """Whether the phase of a parity, this one or the one before, is over."""
    return parity(word) != old_parity
