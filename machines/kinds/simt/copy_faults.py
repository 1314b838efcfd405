"""What faults are called of copies that go on meanwhile and of barrier objects: the interpreter and
the core say the same."""

from __future__ import annotations

from machines.vocabulary import mbarriers

RACE = "race with a copy"
RACE_WITH_PRODUCT = "race with a product"
RACE_WITH_LOAD = "race with a load"
RACE_WITH_STORE = "race with a store"
RACES = RACE, RACE_WITH_PRODUCT, RACE_WITH_LOAD, RACE_WITH_STORE
"""Of something that goes on meanwhile: with the copy that still writes or reads the word, with the
product that still reads it, and of a copy or product with those who loaded or stored it."""
BAD_SIZE = "copy of more bytes than it has room for"
BAD_BULK = "bulk copy whose size is no multiple of 16 bytes"
NO_MAP = "no tensor map is there"
OTHER_TYPE = "a reduction that there is not for the elements of the tensor map"
OTHER_RANK = "a tensor map of another number of dimensions"
NO_LINE = "a box in shared memory begins at a multiple of 128 bytes"
NO_OBJECT = "no mbarrier is initialised there"
IS_OBJECT = "an mbarrier is initialised there already"
BAD_COUNT = "an mbarrier expects 1 to 1048575 arrivals"
TOO_MANY = "more arrivals than the mbarrier expects"
TOO_FEW = "an arrival without completion that would end the phase of its mbarrier"
BAD_BYTES = "more bytes than an mbarrier counts, 1048575"
BAD_PARITY = "the parity of a phase is 0 or 1"
MANY_OBJECTS = "more than 64 mbarriers of a block"
MOST_OBJECTS = 64
"""Of a block."""


def missing(address: int, word: int) -> str:
    """What the phase of a barrier object at an address waits for, whose word this is.

    >>> missing(64, mbarriers.changed(mbarriers.new(2), 16))
    'phase 0 of the mbarrier at 0x40: missing are 2 of 2 arrivals, 16 bytes'
    """
    arrivals, bytes_ = mbarriers.pending(word), mbarriers.missing_bytes(word)
    parts = [f"{arrivals} of {mbarriers.expected(word)} arrivals"] if arrivals else []
    parts += [f"{bytes_} bytes"] if bytes_ > 0 else []
    what = f"missing are {', '.join(parts)}" if parts else "nothing is missing"
    if bytes_ < 0:
        what += f"; {-bytes_} bytes have come that nobody expects"
    return f"phase {mbarriers.parity(word)} of the mbarrier at {address:#x}: {what}"
